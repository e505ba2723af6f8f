// Journals of lines whose bytes are right, whatever they say: nobody ran them.
import { encodeLine } from "../../src/core/journal/index.js";
import { agent, memoryJournal, run, scriptedModel } from "../../src/index.js";
import { textJournal } from "../../src/testing/index.js";
import { textIn } from "./journal-text.js";

type Forged = ReturnType<typeof textJournal>;

/** A journal of lines; the header's format is that of today. */
export async function forged(header: object, ...lines: readonly object[]): Promise<Forged> {
  const journal = memoryJournal();
  await run(agent({ name: "a" }), "", { journal, model: scriptedModel(["."]) });
  const { format } = JSON.parse((await textIn(journal)).split("\n")[0] as string);
  let previous = "";
  const texts = [{ ...forgedHeader, format, ...header }, ...lines].map((line) => {
    const { text, hash } = encodeLine(JSON.stringify(line).slice(0, -1), previous);
    previous = hash;
    return `${text}\n`;
  });
  return textJournal(texts.join(""));
}

const forgedHeader = {
  type: "header",
  runId: "r",
  reasoner: { id: "stranger", version: 1 },
  fingerprint: "f",
  at: 0,
  input: null,
};

/** An event's line, at the time that is its number. */
export function forgedEvent(seq: number, event: object, more: object = {}): object {
  return { seq, event: { at: seq, ...event }, value: "v", ...more, state: "s" };
}
