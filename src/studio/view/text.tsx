/**
 * Shows texts and values of others as text, with unseen characters made visible, and long ones in parts. All
 * pages of the studio use it.
 */
import { options, type VNode } from "preact";
import { useState } from "preact/hooks";
import { type Json, UNSEEN } from "../../core/kernel/values/index.js";
import { bothValues, jsonBeginning } from "../model/index.js";

/** Characters that are shown at once; more is asked for. */
const PART = 4_000;

/** A text with unseen characters written as `⟨U+202E⟩`; line breaks and tabs stay. */
export function seen(text: string): string {
  return text.replace(UNSEEN, (letter) =>
    letter === "\n" || letter === "\t"
      ? letter
      : `⟨U+${(letter.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, "0")}⟩`,
  );
}

/** Attributes whose text a person reads. */
const READ = ["title", "aria-label", "aria-valuetext"];

/** Makes all text of the page visible, wherever it comes from: each of its texts is made by this hook. */
export function makeTextVisible(): void {
  const before = options.vnode;
  options.vnode = (vnode: VNode<{ [name: string]: unknown }>) => {
    const { type, props } = vnode;
    // Preact's node of a text has no type, and the text as its properties.
    if (typeof props === "string") vnode.props = seen(props) as never;
    else if (typeof type === "string") {
      for (const name of READ) {
        const text = props[name];
        if (typeof text === "string") props[name] = seen(text);
      }
    }
    before?.(vnode);
  };
}

/** A text in one line, cut at a length. */
export function brief(text: string, most = 160): string {
  const line = text
    .slice(0, most * 4)
    .replace(/\s+/g, " ")
    .trim();
  return line.length > most ? `${line.slice(0, most).replace(/\p{Surrogate}$/u, "")}…` : line;
}

interface LongTextProps {
  readonly text: string;
  readonly mono?: boolean;
}

/** A text of any length: its beginning, and a button for each further part. */
export function LongText({ text, mono = false }: LongTextProps) {
  const [shown, setShown] = useState(PART);
  const cut = text.length > shown;
  const part = cut ? text.slice(0, shown).replace(/\p{Surrogate}$/u, "") : text;
  return (
    <div class={mono ? "text mono" : "text"} dir="auto">
      {part}
      {cut && (
        <button type="button" class="more" onClick={() => setShown(shown * 4)}>
          {`… ${(text.length - shown).toLocaleString("en")} more characters`}
        </button>
      )}
    </div>
  );
}

/** A value as JSON; a text as text. */
export function Value({ value }: { readonly value: Json | undefined }) {
  if (value === undefined) return <span class="nothing">nothing</span>;
  if (typeof value === "string") return <LongText text={value} />;
  return <LongText mono text={JSON.stringify(value, null, 1)} />;
}

/** A value in one line. */
export function briefValue(value: Json | undefined, most = 160): string {
  if (value === undefined) return "nothing";
  return brief(jsonBeginning(value, most * 4), most);
}

/** Two values beside each other, each in one line: where both begin the same, about the place where they differ. */
export function briefBoth(
  a: Json | undefined,
  b: Json | undefined,
  most = 160,
): readonly [a: string, b: string] {
  const [left, right] = [briefValue(a, most), briefValue(b, most)];
  return left === right ? bothValues(a, b) : [left, right];
}
