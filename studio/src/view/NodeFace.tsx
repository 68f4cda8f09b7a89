// What a node is: its title, text, link, picture and other columns, as chosen.
import { useState } from "preact/hooks";
import type { Column } from "../port";
import { texts } from "../texts";

const LONG = 300;
const FEW = 8;
const TITLES = ["title", "name", "label", "headline", "subject"];

export function nodeTitle(node: string, attributes: Record<string, unknown>): string {
  const key = Object.keys(attributes).find((name) => TITLES.includes(name.toLowerCase()) && typeof attributes[name] === "string");
  return key ? String(attributes[key]) : node;
}

/** The address of a node's picture, or "". */
export function picture(attributes: Record<string, unknown> | undefined, columns: Column[]): string {
  for (const { name, kind } of columns) {
    const value = attributes?.[name];
    if (kind === "image" && typeof value === "string" && isPicture(value)) return value;
  }
  return "";
}

/** Pictures come with the page or from its own server; nothing is fetched from another host. */
function isPicture(value: string): boolean {
  return value.startsWith("data:image/") || value.startsWith("/v1/");
}

export function isLink(value: unknown): value is string {
  return typeof value === "string" && /^https?:\/\/\S+$/.test(value);
}

export function NodeFace({ attributes, columns }: { attributes: Record<string, unknown>; columns: Column[] }) {
  const rows = columns
    .filter(({ name, kind }) => kind !== "image" && attributes[name] !== null && attributes[name] !== undefined && attributes[name] !== "")
    .filter(({ name }) => !(TITLES.includes(name.toLowerCase()) && typeof attributes[name] === "string"));
  return (
    <dl class="face">
      {rows.map(({ name }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd><Value value={attributes[name]} /></dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ value }: { value: unknown }) {
  const [whole, show] = useState(false);
  if (isLink(value))
    return <a href={value} target="_blank" rel="noopener noreferrer">{value.replace(/^https?:\/\//, "").slice(0, 60)} ↗</a>;
  if (Array.isArray(value) && value.length > FEW) return <>{texts.card.numbers}</>;
  const text = typeof value === "number" ? String(value) : typeof value === "string" ? value : JSON.stringify(value);
  if (text.length <= LONG) return <>{text}</>;
  return (
    <>
      {whole ? text : `${text.slice(0, LONG).trimEnd()}… `}
      <button class="plain" onClick={() => show(!whole)}>{whole ? texts.card.less : texts.card.more}</button>
    </>
  );
}
