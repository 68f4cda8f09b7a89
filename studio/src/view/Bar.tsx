// The bar at the top: which graph, who is here, whether everything is saved.
import { classColour } from "../colours";
import type { Studio } from "../studio";
import { texts } from "../texts";

export function Logo() {
  return (
    <svg class="logo" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.7" stroke-linejoin="round" stroke-linecap="round" aria-hidden="true">
      <path d="M2 9.5c4.2-.6 6.6 1 8.4 3.6C11 8 14.6 4.600 20.500 4.200c-1.600 1.700-2 3.400-1.700 5.600.6 5.700-3.400 10.200-8.800 10.200-4.600 0-7.400-4-8-10.500Z" />
      <path d="M18.800 9.800c.8-.5 1.700-.7 2.700-.6M10.400 13.100c1.600 1.500 3.400 2 5.600 1.700" />
    </svg>
  );
}

export function Bar({ studio }: { studio: Studio }) {
  const graph = studio.graph.value;
  const people = studio.status.value?.people ?? [];
  return (
    <header class="bar">
      <a class="brand" href="?" onClick={(event) => { event.preventDefault(); studio.port.open(""); }} title={texts.bar.sessions}>
        <Logo /> {texts.name}
      </a>
      {graph && <p class="graph"><b>{graph.name}</b><span> · {texts.size(graph.nodes, graph.edges)}</span></p>}
      <span class="gap" />
      {graph && <button class="people" title={texts.bar.people} onClick={() => (studio.dialog.value = "people")}>
        <span class="unseen">{texts.bar.people}: </span>
        {(people.length ? people : [{ by: studio.port.person || "me", answers: 0 }]).slice(0, 4).map((each, k) => (
          <span key={each.by} class="person" style={{ "--own": k === 0 ? "var(--green-solid)" : personColour(k) }}>{initials(each.by)}</span>
        ))}
      </button>}
      <Chip studio={studio} />
      {graph && (
        <>
          <button class="button" onClick={() => (studio.dialog.value = "search")}>{texts.bar.search} <kbd>/</kbd></button>
          <button class="button" onClick={() => (studio.dialog.value = "export")}>{texts.bar.export}</button>
          <button class="button" onClick={() => (studio.dialog.value = "keys")}>{texts.bar.keys} <kbd>?</kbd></button>
        </>
      )}
    </header>
  );
}

/** White letters must be readable on it: the palette's colours, darkened. */
const personColour = (place: number) => `color-mix(in srgb, ${classColour(place + 4)} 75%, #000)`;

/** Whether everything is saved: always visible. */
function Chip({ studio }: { studio: Studio }) {
  const { waiting, offline, refused, graph, status } = studio;
  const answers = status.value?.answers ?? 0;
  if (studio.problem.value && !graph.value && !offline.value) return null;
  const [kind, words] = refused.value.length
    ? ["red", texts.bar.refused(refused.value.length)]
    : offline.value
      ? ["amber", texts.bar.offline(waiting.value)]
      : !graph.value
        ? ["calm", texts.bar.connecting]
        : waiting.value > 0
          ? ["calm", texts.bar.sending(waiting.value)]
          : ["calm", texts.bar.saved(answers)];
  return <p class={`chip ${kind}`} role="status" data-waiting={waiting.value} data-answers={answers} data-reserved={studio.reserved.value}><i aria-hidden="true" />{words}</p>;
}

export function initials(name: string): string {
  const words = name.split(/[\s._-]+/).filter(Boolean);
  return (words.length > 1 ? words[0][0] + words[1][0] : name.slice(0, 2)).toUpperCase();
}
