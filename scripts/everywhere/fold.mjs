// What one runtime makes of the corpus: the digest of each journal that it records itself, and the state
// to which it folds the journal that the reference recorded.
import { fold, replay } from "reckoner";
import { hashes } from "reckoner/kernel";
import { runs } from "./runs.mjs";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The text of a journal. */
async function textOf(journal) {
  let text = "";
  for await (const chunk of journal.read()) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

/** A journal that is only read; its children are not looked into. */
function recorded(text) {
  const bytes = encoder.encode(text);
  return {
    name: "corpus",
    async *read(from = 0) {
      yield bytes.subarray(from);
    },
    open: () => Promise.reject(new Error("The corpus is only read.")),
  };
}

/** Records the corpus. @param each runs of each kind @returns the texts of its journals by their names */
export async function record(each) {
  const texts = {};
  for await (const { name, journal } of runs(each)) texts[name] = await textOf(journal);
  return texts;
}

/**
 * Records the corpus once more, and replays and folds the reference's.
 * @param corpus the texts of the reference's journals by their names
 * @param each runs of each kind
 * @returns for each run: the digest of what was recorded here, the replay's status, the state's digest
 */
export async function digests(corpus, each) {
  const found = {};
  for await (const { name, reasoner, journal } of runs(each)) {
    const text = corpus[name];
    const { status } = await replay(reasoner, recorded(text));
    const { state, events } = await fold(reasoner, recorded(text));
    found[name] = {
      recorded: hashes.digestOf(await textOf(journal)),
      replay: status,
      events,
      state: hashes.digestOf(hashes.canonical(JSON.parse(JSON.stringify(state)))),
    };
  }
  return found;
}
