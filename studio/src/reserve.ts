// Questions for when the server is away: nodes among the least sure, fetched beforehand with what is known of them.
import type { Api, NodeInfo } from "./api";
import { UNKNOWN } from "./colours";
import type { Question } from "./port";
import { texts } from "./texts";

const KEPT = 48;
const FEW = 32;

export interface Reserve {
  fill(graph: string, map: { classes: Uint16Array; confidence: Uint8Array; flags: Uint8Array } | null): Promise<void>;
  take(taken: Set<string>): Question | null;
  /** How many questions are kept. */
  readonly size: number;
}

/** The nodes without an answer whose guess is least sure, in that order. */
export function leastSure(confidence: Uint8Array, flags: Uint8Array, classes: Uint16Array, count: number): number[] {
  const bins: number[][] = Array.from({ length: 257 }, () => []);
  for (let i = 0; i < flags.length; i++)
    if (flags[i] === 0) {
      const bin = bins[classes[i] === UNKNOWN ? 256 : confidence[i]];
      if (bin.length < count) bin.push(i);
    }
  return bins.flat().slice(0, count);
}

export function reserve(api: Api): Reserve {
  let kept: NodeInfo[] = [];
  let busy = false;
  return {
    get size() {
      return kept.length;
    },
    async fill(graph, map) {
      if (busy || !map) return;
      kept = kept.filter((each) => map.flags[each.index] === 0);
      if (kept.length >= FEW) return;
      busy = true;
      try {
        const wanted = leastSure(map.confidence, map.flags, map.classes, KEPT);
        if (wanted.length) kept = await api.nodes(graph, wanted);
      } catch {
        /* none are kept: the page says so when it needs them */
      } finally {
        busy = false;
      }
    },
    take(taken) {
      kept = kept.filter((each) => !taken.has(each.node));
      const found = kept.shift();
      if (!found) return null;
      return {
        question: null,
        number: 0,
        node: found.node,
        index: found.index,
        audit: false,
        blind: false,
        reason: texts.card.local,
        guess: null,
        confidence: null,
        top: [],
        attributes: found.attributes,
        neighbors: [],
      };
    },
  };
}
