// Journals of runs without a reasoner, made line by line.
import { encodeLine } from "../../../../src/core/journal/line.js";

/** A journal: its header, and one line for each event. @param more fields of the header */
export function journalOf(events: readonly object[], more: object = {}): string {
  const header = {
    type: "header",
    format: "reckoner-journal/3",
    runId: "r",
    reasoner: { id: "a", version: 1 },
    fingerprint: "f",
    at: 5,
    input: "hi",
    ...more,
  };
  let previous = "";
  return [header, ...events]
    .map((line) => {
      const { text, hash } = encodeLine(JSON.stringify(line).slice(0, -1), previous);
      previous = hash;
      return `${text}\n`;
    })
    .join("");
}

/** The line of an event. */
export function event(seq: number, said: object, more: object = {}): object {
  return { seq, event: { at: 10 + seq, ...said }, value: "v", state: "s", ...more };
}
