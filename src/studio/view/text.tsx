/** Texts and values of others: shown as text, with what cannot be seen made visible, and long ones in parts. */
import { useState } from "preact/hooks";
import { type Json, type JsonObject, UNSEEN } from "../../core/kernel/index.js";

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

/** A text in one line, cut at a length. */
export function brief(text: string, most = 160): string {
  const line = text
    .slice(0, most * 4)
    .replace(/\s+/g, " ")
    .trim();
  return seen(line.length > most ? `${line.slice(0, most).replace(/\p{Surrogate}$/u, "")}…` : line);
}

/** A text of any length: its beginning, and a button for each further part. */
export function LongText({
  text,
  mono = false,
}: {
  readonly text: string;
  readonly mono?: boolean;
}) {
  const [shown, setShown] = useState(PART);
  const cut = text.length > shown;
  const part = cut ? text.slice(0, shown).replace(/\p{Surrogate}$/u, "") : text;
  return (
    <div class={mono ? "text mono" : "text"} dir="auto">
      {seen(part)}
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

/** The beginning of a value as JSON, of a text as it is: of a long one no more is written than is asked for. */
export function jsonBeginning(value: Json, length: number): string {
  if (typeof value === "string") return value.slice(0, length);
  let written = "";
  const write = (each: Json): void => {
    if (written.length >= length) return;
    if (typeof each === "string") written += JSON.stringify(each.slice(0, length));
    else if (typeof each !== "object" || each === null) written += JSON.stringify(each);
    else if (Array.isArray(each)) {
      written += "[";
      for (const [i, item] of each.entries()) {
        if (written.length >= length) return;
        if (i > 0) written += ",";
        write(item);
      }
      written += "]";
    } else {
      written += "{";
      let isFirst = true;
      for (const name of Object.keys(each)) {
        if (written.length >= length) return;
        written += `${isFirst ? "" : ","}${JSON.stringify(name)}:`;
        isFirst = false;
        write((each as JsonObject)[name] as Json);
      }
      written += "}";
    }
  };
  write(value);
  return written;
}
