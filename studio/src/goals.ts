// What a session is for, in figures and words: few errors, or as many nodes of a class as possible.
import type { Status } from "./port";
import { texts } from "./texts";

export interface Progress {
  caption: string;
  value: string;
  detail: string;
  known: boolean;
  share: number;
  target: number | null;
  goal: string;
  left: string;
}

/** The figure that counts: how wrong the rest is, or how much of a class has been found. */
export function progressOf(status: Status): Progress {
  const stop = status.advice.stop ? texts.foot.reached : "";
  const recall = status.recall;
  if (recall) {
    const known = recall.audits > 0 || recall.most === recall.found;
    const hidden = Math.round(recall.total - recall.found);
    return {
      caption: texts.foot.found(recall.positive),
      value: known ? texts.foot.atLeast(recall.lower) : texts.foot.count(recall.found),
      detail: known ? texts.foot.foundOf(recall.found, Math.round(recall.total)) : texts.foot.later,
      known,
      share: recall.lower,
      target: status.target_recall ?? null,
      goal: status.target_recall ? texts.foot.goal(status.target_recall) : "",
      left: stop || (known && recall.found ? texts.foot.hidden(hidden) : ""),
    };
  }
  if (status.labels !== undefined && status.labels === status.nodes)
    return {
      caption: texts.foot.wrong, value: texts.foot.nothing, detail: texts.foot.everything, known: true, share: 0,
      target: status.target_error, goal: texts.foot.goal(status.target_error), left: stop,
    };
  const proof = status.certified;
  if (proof)
    return {
      caption: texts.foot.certified(proof.what),
      value: proof.audits ? (proof.at_most ? texts.foot.atMost : texts.foot.atLeast)(proof.bound) : texts.foot.unknown,
      detail: proof.audits ? texts.foot.about(proof.estimate, proof.audits) : texts.foot.soon,
      known: proof.audits > 0,
      share: proof.bound,
      target: proof.target,
      goal: texts.foot.goal(proof.target),
      left: stop,
    };
  const known = status.audits > 0 && status.bound !== null;
  return {
    caption: texts.foot.wrong,
    value: known ? texts.foot.atMost(status.bound!) : texts.foot.unknown,
    detail: known ? texts.foot.checks(status.audit_errors, status.audits) : texts.foot.soon,
    known,
    share: known ? status.bound! : 1,
    target: status.target_error,
    goal: texts.foot.goal(status.target_error),
    left: stop || (status.answers_left !== null && known ? texts.foot.left(status.answers_left) : ""),
  };
}

const names = (value: FormDataEntryValue | null) =>
  String(value ?? "").split(",").map((name) => name.trim()).filter(Boolean);

/** The body that begins a session, from the form; `called` is its name unless one is given. */
export function wishOf(form: FormData, called: string): Record<string, unknown> {
  const column = String(form.get("cost") ?? "");
  const wish = {
    name: String(form.get("name") ?? "") || called,
    classes: names(form.get("classes")),
    ...(form.get("looks") ? { second_looks: true } : {}),
    ...(column ? { cost_column: column } : {}),
  };
  const positive = names(form.get("positive"));
  if (!positive.length) return { ...wish, target_error: Number(form.get("goal")) / 100 };
  return { ...wish, goal: "find", positive, target_recall: Number(form.get("recall")) / 100 };
}
