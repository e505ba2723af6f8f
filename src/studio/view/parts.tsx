/**
 * Small components that the pages of the studio share: a status, a time, a duration, a failure, a list in
 * parts.
 */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { spanText } from "../model/index.js";
import { brief } from "./text.js";

const GLYPHS: { readonly [status: string]: string } = {
  done: "✓",
  succeeded: "✓",
  failed: "✗",
  rejected: "✗",
  cancelled: "–",
  waiting: "…",
  ready: "…",
  open: "▸",
  unknown: "?",
};

/** A status in a word, with its mark and its colour. */
export function Status({ status }: { readonly status: string }) {
  const glyph = Object.hasOwn(GLYPHS, status) ? GLYPHS[status] : "·";
  return (
    <span class={`status s-${status}`}>
      <span aria-hidden="true">{glyph}</span> {status}
    </span>
  );
}

const MOMENT = new Intl.DateTimeFormat("en-GB", { dateStyle: "short", timeStyle: "medium" });

/** A moment, as the reader's own clock has it. */
export function Time({ at }: { readonly at: number }) {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return <span>{at}</span>;
  return (
    <time dateTime={date.toISOString()} title={date.toISOString()}>
      {MOMENT.format(date)}
    </time>
  );
}

/** A duration; nothing where none is known. */
export function Span({ ms }: { readonly ms: number | undefined }) {
  return ms === undefined ? null : <span class="span">{spanText(ms)}</span>;
}

/** A failure in words. */
export function Fault({ text }: { readonly text: string }) {
  return text === "" ? null : (
    <p class="fault" role="alert">
      {brief(text, 1_000)}
    </p>
  );
}

/** The first of many items, and a button for more of them. */
export function Paged<Item>({
  items,
  most,
  row,
}: {
  readonly items: readonly Item[];
  /** The number that is shown at once. */
  readonly most: number;
  readonly row: (item: Item) => ComponentChildren;
}) {
  const [shown, setShown] = useState(most);
  return (
    <>
      {items.slice(0, shown).map(row)}
      {items.length > shown && (
        <li>
          <button type="button" class="more" onClick={() => setShown(shown * 4)}>
            … {(items.length - shown).toLocaleString("en")} more
          </button>
        </li>
      )}
    </>
  );
}
