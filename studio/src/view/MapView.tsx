// The map: one painter below, one drawing above, and the pointer.
import { computed, effect, untracked } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { clusterNames } from "../clusters";
import { classColour, DISAGREED, UNKNOWN } from "../colours";
import { inside } from "../lasso";
import { MOST_SHAPES } from "../map/canvas";
import { chosenPainter } from "../map/choice";
import { Nearest } from "../map/nearest";
import { drawOverlay } from "../map/overlay";
import { fitted, type Camera, type Painter } from "../map/painter";
import { nodeStyles } from "../map/styles";
import { ANSWERED, known, type Studio } from "../studio";
import { texts } from "../texts";
import { Legend } from "./Legend";
import { MapTools } from "./MapTools";
import { NodeTip } from "./NodeTip";

const SLIP = 4;

/** The colours in force now, from the style sheet. */
function theme(element: Element) {
  const style = getComputedStyle(element);
  const value = (name: string) => style.getPropertyValue(name).trim();
  return {
    paper: value("--map"), grey: value("--unknown"), green: value("--green"), ink: value("--ring"), edge: value("--edge"),
  };
}

export class MapScreen {
  camera: Camera = { x: 0, y: 0, scale: 1 };
  hover = -1;
  lasso: [number, number][] = [];
  painter: Painter | null = null;
  private overlay: HTMLCanvasElement;
  private nearest: Nearest | null = null;
  private size = { width: 1, height: 1, ratio: 1 };
  private names: ReturnType<typeof clusterNames> = [];
  private frame = 0;
  private drawn = { nodes: false, whole: true };
  private stops: (() => void)[] = [];
  private closed = false;
  private classes = computed(() => this.studio.classes.value.length);
  changed: () => void = () => {};

  constructor(private box: HTMLElement, readonly studio: Studio) {
    this.overlay = document.createElement("canvas");
    this.overlay.className = "layer overlay";
    this.overlay.setAttribute("aria-hidden", "true");
    const watch = new ResizeObserver(() => this.resized());
    watch.observe(box);
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const again = () => {
      this.painter?.edges(studio.edges.value, theme(this.box).edge);
      this.recolour();
    };
    dark.addEventListener("change", again);
    this.stops = [
      () => watch.disconnect(),
      () => dark.removeEventListener("change", again),
      effect(() => {
        const places = studio.places.value;
        untracked(() => void this.placed(places));
      }),
      effect(() => this.recolour()),
      effect(() => {
        void studio.edges.value;
        this.painter?.edges(studio.edges.value, theme(this.box).edge);
        this.drawn.nodes = false;
        this.soon();
      }),
      effect(() => {
        void [studio.around.value, studio.selected.value, studio.held.value, studio.question.value, studio.waiting.value, studio.begun.value];
        this.soon();
      }),
      effect(() => {
        const index = studio.lookAt.value;
        if (index >= 0) this.visit(index);
      }),
    ];
  }

  private async placed(places: Float32Array | null): Promise<void> {
    if (!places) return;
    if (!this.painter) {
      const chosen = await chosenPainter(this.box, places.length / 2);
      if (this.closed || this.painter) chosen.close();
      if (this.closed) return;
      this.painter ??= chosen;
      this.box.append(this.overlay);
      this.box.dataset.painter = this.painter.kind;
    }
    this.nearest = new Nearest(places);
    this.painter.nodes(places);
    this.painter.edges(this.studio.edges.value, theme(this.box).edge);
    this.resized();
    this.recolour();
    this.fit();
  }

  private recolour(): void {
    const { map, places } = { map: this.studio.map.value, places: this.studio.places.value };
    const facts = this.facts();
    if (!map || !places || !this.painter || map.classes.length * 2 !== places.length) return;
    const colours = theme(this.box);
    const { styles, of } = nodeStyles(map, this.studio.mode.value, facts, colours);
    this.painter.colour(styles, of);
    const mode = this.studio.mode.value;
    const named = mode === "prediction" || mode === "confidence" ? map.classes : mode === "truth" ? this.studio.truth.value : null;
    this.names = named?.length === map.classes.length ? clusterNames(places, named) : [];
    this.drawn.nodes = false;
    this.soon();
  }

  /** What the colouring needs; it is read again only when this changes. */
  private facts() {
    const { status, answers, blind, truth, mode } = this.studio;
    const person = new Map<number, number>();
    const disagreed = new Set<number>();
    if (mode.value === "person") {
      const people = status.value?.people.map((each) => each.by) ?? [];
      for (const each of answers.value) if (each.index !== undefined) person.set(each.index, people.indexOf(each.by));
    }
    if (mode.value === "disagreement") for (const each of status.value?.disagreements ?? []) disagreed.add(each.index ?? -1);
    // The question's own dot lies under the halo: another spot check alone changes no colour that is seen.
    return { classes: this.classes.value, blind: untracked(() => blind.value), person, disagreed, truth: truth.value };
  }

  private resized(): void {
    const { clientWidth: width, clientHeight: height } = this.box;
    if (!width || !height) return;
    const before = this.size;
    this.size = { width, height, ratio: Math.min(devicePixelRatio || 1, 2) };
    this.overlay.width = Math.round(width * this.size.ratio);
    this.overlay.height = Math.round(height * this.size.ratio);
    this.painter?.resize(width, height, this.size.ratio);
    this.drawn.nodes = false;
    if (this.drawn.whole || before.width < 2) this.fit();
    else this.soon();
  }

  private soon(): void {
    if (!this.frame) this.frame = requestAnimationFrame(() => this.draw());
  }

  private draw(): void {
    this.frame = 0;
    const { studio } = this;
    const places = studio.places.value;
    if (!this.painter || !places) return;
    const { width, height, ratio } = this.size;
    if (!this.drawn.nodes) {
      this.painter.draw(this.camera);
      this.drawn.nodes = true;
    }
    const colours = theme(this.box);
    const question = studio.question.value;
    const held = new Set(studio.held.value.map((each: any) => each.index ?? -1));
    drawOverlay(
      this.overlay,
      {
        places,
        rings: this.rings(),
        question: studio.firstVisit.value ? -1 : (question?.index ?? -1),
        around: studio.firstVisit.value ? [] : studio.around.value,
        names: this.names.slice(0, 60).map((each) => ({ ...each, text: studio.classes.value[each.place] ?? "" })),
        hover: this.hover,
        held: [...held],
        lasso: studio.lassoing.value || studio.selected.value.length ? this.lasso : [],
        ink: colours.ink,
        paper: colours.paper,
        green: colours.green,
      },
      this.camera, width, height, ratio,
    );
    this.box.dataset.drawn = String(Number(this.box.dataset.drawn ?? 0) + 1);
  }

  private rings(): { index: number; colour: string }[] {
    const { map, done, waiting, classes, mode, status } = this.studio;
    const now = map.value;
    const hollow = mode.value !== "prediction" && mode.value !== "labels"; // another colour would lie below
    const found: { index: number; colour: string }[] = [];
    if (now) for (let i = 0; i < now.flags.length; i++) if (now.flags[i] & ANSWERED) found.push({ index: i, colour: hollow || now.classes[i] === UNKNOWN ? "transparent" : classColour(now.classes[i]) });
    if (mode.value === "disagreement") for (const each of status.value?.disagreements ?? []) found.push({ index: each.index ?? -1, colour: DISAGREED });
    if (waiting.value)
      for (const deed of done.value.slice(-waiting.value))
        for (const index of deed.indices) found.push({ index, colour: classColour(Math.max(0, classes.value.indexOf(deed.label))) });
    return found;
  }

  place(x: number, y: number): [number, number] {
    const { width, height } = this.size;
    return [(x - width / 2) / this.camera.scale + this.camera.x, (y - height / 2) / this.camera.scale + this.camera.y];
  }

  nodeAt(x: number, y: number): number {
    const [px, py] = this.place(x, y);
    return this.nearest?.at(px, py, 9 / this.camera.scale) ?? -1;
  }

  screen(index: number): { x: number; y: number } {
    const places = this.studio.places.value!;
    const { width, height } = this.size;
    return {
      x: (places[2 * index] - this.camera.x) * this.camera.scale + width / 2,
      y: (places[2 * index + 1] - this.camera.y) * this.camera.scale + height / 2,
    };
  }

  moved(camera: Camera): void {
    this.camera = camera;
    this.drawn = { nodes: false, whole: false };
    this.soon();
    this.changed();
  }

  zoom(factor: number, x = this.size.width / 2, y = this.size.height / 2): void {
    const [px, py] = this.place(x, y);
    const scale = Math.max(20, Math.min(2e6, this.camera.scale * factor));
    const { width, height } = this.size;
    this.moved({ scale, x: px - (x - width / 2) / scale, y: py - (y - height / 2) / scale });
  }

  fit(): void {
    const { width, height } = this.size;
    this.moved(fitted(width, height, this.studio.places.value));
    this.drawn.whole = true;
  }

  /** Brings a node into the picture, if it is not there. */
  visit(index: number): void {
    const places = this.studio.places.value;
    if (!places) return;
    const { x, y } = this.screen(index);
    const { width, height } = this.size;
    if (x > 40 && y > 60 && x < width - 40 && y < height - 60) return this.soon();
    this.moved({ ...this.camera, x: places[2 * index], y: places[2 * index + 1] });
  }

  hovered(index: number): void {
    if (index === this.hover) return;
    this.hover = index;
    this.soon();
    this.changed();
  }

  lassoed(outline: [number, number][], ended: boolean): void {
    this.lasso = outline;
    if (ended && outline.length > 2) {
      const places = this.studio.places.value!;
      this.studio.selected.value = inside(places, outline);
      this.studio.lassoing.value = false;
    }
    this.soon();
  }

  close(): void {
    this.closed = true;
    cancelAnimationFrame(this.frame);
    this.stops.forEach((stop) => stop());
    this.painter?.close();
    this.overlay.remove();
  }
}

export function MapView({ studio, share }: { studio: Studio; share: (screen: MapScreen | null) => void }) {
  const box = useRef<HTMLDivElement>(null);
  const screen = useRef<MapScreen | null>(null);
  const [, redraw] = useState(0);
  useEffect(() => {
    const made = new MapScreen(box.current!, studio);
    made.changed = () => redraw((count) => count + 1);
    screen.current = made;
    share(made);
    redraw(1);
    return () => {
      share(null);
      made.close();
    };
  }, [studio]);
  const drag = useRef<{ x: number; y: number; far: boolean; lasso: [number, number][] | null } | null>(null);
  const at = (event: PointerEvent | WheelEvent) => {
    const edge = box.current!.getBoundingClientRect();
    return { x: event.clientX - edge.left, y: event.clientY - edge.top };
  };
  const down = (event: PointerEvent) => {
    if (event.button !== 0) return;
    const { x, y } = at(event);
    box.current!.setPointerCapture(event.pointerId);
    drag.current = { x, y, far: false, lasso: studio.lassoing.value ? [] : null };
  };
  const move = (event: PointerEvent) => {
    const map = screen.current!;
    const { x, y } = at(event);
    const held = drag.current;
    if (!held) return map.hovered(map.nodeAt(x, y));
    if (held.lasso) {
      held.lasso.push(map.place(x, y));
      return map.lassoed(held.lasso, false);
    }
    held.far ||= Math.hypot(x - held.x, y - held.y) > SLIP;
    if (!held.far) return;
    const { camera } = map;
    map.moved({ ...camera, x: camera.x - (x - held.x) / camera.scale, y: camera.y - (y - held.y) / camera.scale });
    Object.assign(held, { x, y });
  };
  const up = (event: PointerEvent) => {
    const map = screen.current!;
    const held = drag.current;
    drag.current = null;
    if (!held) return;
    if (held.lasso) return map.lassoed(held.lasso, true);
    const index = map.nodeAt(at(event).x, at(event).y);
    if (!held.far && index >= 0) void askIndex(studio, index);
  };
  const wheel = (event: WheelEvent) => {
    event.preventDefault();
    const { x, y } = at(event);
    screen.current!.zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015)), x, y);
  };
  const graph = studio.graph.value;
  const nodes = graph?.nodes ?? 0;
  const limits = nodes > MOST_SHAPES ? texts.map.pointsOnly(nodes) : graph && graph.edges > 20_000 ? texts.map.edgesAround(graph.edges) : "";
  return (
    <section class={`map ${studio.lassoing.value ? "lassoing" : ""}`} aria-label={texts.map.label}>
      <div ref={box} class="canvas" onPointerDown={down} onPointerMove={move} onPointerUp={up} onWheel={wheel}
        onPointerLeave={() => screen.current?.hovered(-1)} />
      <MapTools studio={studio} map={screen.current} />
      {studio.arranging.value !== null && <p class="arranging" role="status">{texts.map.arranging(studio.arranging.value)}</p>}
      {studio.lassoing.value && <p class="arranging" role="status">{texts.lasso.draw}</p>}
      <Legend studio={studio} limits={limits} />
      {screen.current && screen.current.hover >= 0 && <NodeTip studio={studio} index={screen.current.hover} place={screen.current.screen(screen.current.hover)} />}
    </section>
  );
}

export async function askIndex(studio: Studio, index: number): Promise<void> {
  const graph = studio.graph.value;
  if (!graph || studio.question.value?.index === index) return;
  try {
    const [found] = await studio.api.nodes(graph.graph, [index]);
    if (found) await studio.askAbout(found.node);
  } catch (problem) {
    studio.notice.value = { kind: "amber", title: (problem as Error).message, words: "" };
  }
}

export function guessWords(studio: Studio, index: number): string {
  const audited = studio.blind.value;
  const { kind, sure, answered } = known(studio.map.value, index, audited);
  const label = studio.classes.value[kind];
  if (answered && label) return texts.map.answeredAs(label);
  if (index === audited) return texts.map.hidden;
  return label ? texts.map.guessed(label, sure) : texts.map.noGuess;
}
