/** Writes behind a cut: those of a run's children, and of theirs, are among them. */
import { describe, expect, it } from "vitest";
import { encodeLine } from "../../../../src/core/journal/index.js";
import { fork, type JournalPort, memoryJournal, rewind } from "../../../../src/runtime/index.js";
import { childRunId } from "../../../../src/runtime/journals/child-journal.js";
import { forged, forgedEvent } from "../../../support/forged.js";
import { textIn } from "../../../support/journal-text.js";

const start = (do_: readonly object[]) => forgedEvent(0, { type: "start" }, { do: do_ });
const write = (id: string, store: string) => ({ type: "write", id, store, operations: [] });
const runs = (id: string) => ({ type: "run", id, reasoner: "x", input: 1 });
const done = (id: string, runId: string) => ({ type: "run.succeeded", id, runId, output: 1 });

type Texts = Map<string, string>;

/** Adds the journal of a child, whose events are at these times. */
async function add(texts: Texts, path: string, id: string, ...lines: readonly object[]) {
  const above = path === id ? "" : path.slice(0, path.lastIndexOf(" "));
  const { hash, runId } = JSON.parse((texts.get(above) as string).split("\n")[0] as string);
  const parent = { runId, hash, id, input: "i", path: ["x"] };
  const { text } = await forged({ runId: childRunId(runId, id), parent, at: 0 }, ...lines);
  texts.set(path, text);
}

/**
 * A run with a child that is over at 2, one that writes at 1, 3, 4 and 6, and one that it asks for at 5;
 * the second has one of its own from 3 on.
 */
async function tree(): Promise<Texts> {
  const own = await forged(
    {},
    start([runs("a"), runs("b")]),
    { mark: { id: "a", child: "begun" } },
    { mark: { id: "b", child: "begun" } },
    forgedEvent(1, { type: "go" }, { do: [write("w", "own")] }),
    forgedEvent(2, done("a", "r:a")),
    forgedEvent(3, { type: "go", at: 5 }, { do: [runs("c"), write("v", "own")] }),
  );
  const texts: Texts = new Map([["", own.text]]);
  await add(texts, "a", "a", start([write("w", "over")]));
  await add(
    texts,
    "b",
    "b",
    start([]),
    forgedEvent(1, { type: "go" }, { do: [write("w1", "notes")] }),
    forgedEvent(2, { type: "go", at: 3 }, { do: [runs("d"), write("w2", "notes")] }),
    { mark: { id: "d", child: "begun" } },
    forgedEvent(3, { type: "go", at: 4 }, { do: [write("w3", "notes")] }),
    forgedEvent(4, { type: "go", at: 6 }, { do: [write("w4", "own")] }),
  );
  await add(texts, "b d", "d", start([write("w", "deep")]));
  await add(texts, "c", "c", start([write("w", "late")]));
  return texts;
}

async function written(texts: Texts): Promise<JournalPort> {
  const root = memoryJournal("r");
  for (const [path, text] of texts) {
    const ids = path === "" ? [] : path.split(" ");
    const port = ids.reduce<JournalPort>((at, id) => at.child?.(id) as JournalPort, root);
    const writer = await port.open("create");
    await writer.append(text.split("\n").slice(0, -1), { lines: 0, bytes: 0 });
    await writer.close();
  }
  return root;
}

describe("the writes behind a cut", () => {
  it("are the run's own and its children's, theirs among them", async () => {
    const journal = await written(await tree());
    expect((await fork(journal, { at: 1 })).writes).toEqual({ own: 2, notes: 2, deep: 1, late: 1 });
    // What was over before is not behind it, nor what a child had done by then.
    expect((await fork(journal, { at: 2 })).writes).toEqual({ own: 2, late: 1 });
    expect((await fork(journal)).writes).toEqual({});
  });

  it("are those of a run below a child that had nothing to do behind it", async () => {
    const own = [start([runs("b")]), forgedEvent(1, { type: "go", at: 5 })];
    const texts: Texts = new Map([["", (await forged({}, ...own)).text]]);
    await add(texts, "b", "b", start([runs("d")]));
    const late = forgedEvent(1, { type: "go", at: 7 }, { do: [write("w", "deep")] });
    await add(texts, "b d", "d", start([write("v", "deep")]), late);
    const journal = await written(texts);
    expect((await fork(journal, { at: 0 })).writes).toEqual({ deep: 1 });
    expect((await fork(journal)).writes).toEqual({});
  });

  it("are cut at the time to which a run is rewound", async () => {
    const journal = await written(await tree());
    expect((await rewind(journal, { time: 3 })).writes).toEqual({ own: 2, notes: 1, late: 1 });
    const again = await written(await tree());
    // The parent's end is before it, a child's last write behind it.
    expect((await rewind(again, { time: 5 })).writes).toEqual({ own: 1 });
  });

  it("count nothing of a child that cannot be read, or is another run's", async () => {
    const texts = await tree();
    texts.set("c", (texts.get("c") as string).replace("late", "else"));
    expect((await fork(await written(texts), { at: 2 })).writes).toEqual({ own: 2 });
    texts.set("c", texts.get("a") as string);
    expect((await fork(await written(texts), { at: 2 })).writes).toEqual({ own: 2 });
    texts.delete("c");
    expect((await fork(await written(texts), { at: 2 })).writes).toEqual({ own: 2 });
  });

  it("are of a fork those that its own children asked for since", async () => {
    const journal = await written(await tree());
    const first = await fork(journal, { at: 2 });
    const child = first.journal.child?.("b") as JournalPort;
    const last = forgedEvent(4, { type: "go", at: 7 }, { do: [write("w9", "fork")] });
    await appended(first.journal, forgedEvent(3, { type: "go", at: 6 }));
    await appended(child, last);
    expect((await fork(first.journal, { at: 2 })).writes).toEqual({ fork: 1 });
    // Behind a cut before it as well: what of them the first run's had written since is none of its own.
    const before = await fork(first.journal, { at: 1 });
    expect(before.writes).toEqual({ notes: 2, deep: 1, fork: 1 });
  });
});

/** Writes another line to a journal. */
async function appended(port: JournalPort, line: object): Promise<void> {
  const text = await textIn(port);
  const lines = text.split("\n").slice(0, -1);
  const { hash } = JSON.parse(lines.at(-1) as string);
  const writer = await port.open("append");
  const encoded = encodeLine(JSON.stringify(line).slice(0, -1), hash);
  const bytes = new TextEncoder().encode(text).length;
  await writer.append([encoded.text], { lines: lines.length, bytes });
  await writer.close();
}
