// Buttons over the map: colouring, lasso, list, zoom.
import { MODES, type Studio } from "../studio";
import { texts } from "../texts";
import type { MapScreen } from "./MapView";

export function MapTools({ studio, map }: { studio: Studio; map: MapScreen | null }) {
  const several = (studio.status.value?.people.length ?? 0) > 1;
  const known = { person: several, disagreement: several, truth: !!studio.graph.value?.truth } as Record<string, boolean>;
  const modes = MODES.filter((mode) => known[mode] ?? true);
  return (
    <>
      <div class="tools">
        <div class="segments" role="group" aria-label={texts.map.colourBy}>
          {modes.map((mode) => (
            <button key={mode} aria-pressed={studio.mode.value === mode} onClick={() => void studio.colourBy(mode)}>
              {texts.map.modes[mode]}
            </button>
          ))}
        </div>
        <button class="button" aria-pressed={studio.lassoing.value} onClick={() => (studio.lassoing.value = !studio.lassoing.value)}>
          {texts.map.lasso} <kbd>L</kbd>
        </button>
        <button class="button" onClick={() => (studio.listed.value = true)}>{texts.map.list}</button>
      </div>
      <div class="zoom">
        <button class="button" aria-label={texts.map.zoomIn} onClick={() => map?.zoom(1.5)}>+</button>
        <button class="button" aria-label={texts.map.zoomOut} onClick={() => map?.zoom(1 / 1.5)}>−</button>
        <button class="button" aria-label={texts.map.fit} onClick={() => map?.fit()}>◎</button>
      </div>
    </>
  );
}
