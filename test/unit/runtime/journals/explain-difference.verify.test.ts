// The lookup of a difference: what it holds does not grow with the journal that it reads.
import { afterEach, describe, expect, it, vi } from "vitest";
import { assign } from "xstate";
import { RecordedValues } from "../../../../src/core/journal/index.js";
import { append, type Json, type List, listOf } from "../../../../src/core/kernel/values/index.js";
import {
  type JournalPort,
  memoryJournal,
  replay,
  resume,
  run,
  type SnapshotStore,
} from "../../../../src/runtime/index.js";
import { linesIn } from "../../../support/journal-text.js";
import { smallReasoner } from "../../../support/small-machine.js";
import { rejection } from "../../../support/thrown.js";
import { killedAfter, settle, watchedJournal } from "../../../support/watched-journal.js";

interface Said {
  readonly n: number;
  readonly said: List<Json>;
}

/** Says what it is told, and keeps it in a List or not; `wrong` is where it miscounts. */
const parrot = (wrong: number, keeps: boolean) =>
  smallReasoner({
    context: { n: 0, said: listOf([]) },
    initial: "a",
    states: {
      a: {
        on: {
          say: {
            actions: [
              assign((args: never) => {
                const { context, event } = args as { context: Said; event: { said: string } };
                return {
                  n: context.n === wrong ? -1 : context.n + 1,
                  said: keeps ? append(context.said, { said: event.said }) : context.said,
                };
              }),
              {
                type: "issue",
                params: ({ context, event }: { context: Said; event: { said: string } }) => [
                  {
                    type: "notify",
                    topic: "said",
                    data: { text: [event.said, context.said, context.n] },
                  },
                ],
              },
            ],
          },
        },
      },
    },
  });

async function aRun(events: number, keeps: boolean): Promise<JournalPort> {
  const journal = memoryJournal();
  const live = run(parrot(-2, keeps), null, { journal });
  for (let i = 0; i < events; i++) live.send({ type: "say", said: `${i} `.repeat(3_000) });
  expect(await live).toMatchObject({ status: "waiting" });
  return journal;
}

afterEach(() => vi.restoreAllMocks());

/** What a lookup held when it had come to its line: by number, and by characters. */
async function heldBy(look: () => Promise<unknown>) {
  const readers: RecordedValues[] = [];
  const { recent } = RecordedValues;
  vi.spyOn(RecordedValues, "recent").mockImplementation(() => {
    const reader = recent({ length: 64 * 1024, nodes: 8, lists: 8 });
    readers.push(reader);
    return reader;
  });
  await look();
  vi.restoreAllMocks();
  expect(readers).toHaveLength(1);
  return { size: readers[0]?.size ?? 0, length: readers[0]?.length ?? 0 };
}

describe("a difference that lies far back in a journal is looked up", () => {
  describe.each([
    ["by a machine with a List", true],
    ["by one without", false],
  ])("%s", (_name, keeps) => {
    it.each([
      [
        "by a replay",
        (journal: JournalPort, at: number) => async () => {
          const found = await replay(parrot(at, keeps), journal);
          expect(found).toMatchObject({
            // The List before it is the same, though the reader does not hold its first items.
            difference: { path: "directives[0].data.text[2]", recorded: at + 1, computed: -1 },
          });
        },
      ],
      [
        "by a resume",
        (journal: JournalPort, at: number) => async () => {
          const open = await killedAfter(journal, (await linesIn(journal)).length);
          const refused = await rejection(resume(parrot(at, keeps), open, {}));
          expect(refused).toMatchObject({ code: "journal.diverged" });
        },
      ],
    ])("%s, and nothing is held of what was long before", async (_by, look) => {
      const short = await heldBy(look(await aRun(60, keeps), 58));
      const long = await heldBy(look(await aRun(300, keeps), 298));
      // Two generations each of events, values and Lists, and what one line goes beyond them.
      expect(long.length).toBeLessThanOrEqual(7 * 64 * 1024);
      expect(long.size).toBeLessThanOrEqual(short.size + 24);
    });
  });
});

it("what only the state held is shown from the first snapshot behind the line, however they are listed", async () => {
  const story = (n: number) => `${n} `.repeat(100);
  /** Keeps a text of its own making; from one event on another one. */
  const teller = (wrong: number) =>
    smallReasoner({
      context: { n: 0 },
      on: {
        go: {
          actions: assign(({ context }: { context: { n: number } }) => {
            const n = context.n + 1;
            return { n, text: story(n === wrong ? -1 : n) };
          }),
        },
      },
    });
  const journal = watchedJournal();
  const kept = journal.snapshots as SnapshotStore;
  // All of them are kept.
  Object.assign(kept, { remove: async () => {} });
  await run(teller(-1), null, { journal });
  for (let i = 0; i < 4; i++) await resume(teller(-1), journal, { events: [{ type: "go" }] });
  await settle();
  const seqs = [...journal.kept.keys()];
  expect(seqs).toHaveLength(5);
  for (const order of [seqs, [...seqs].reverse(), [3, 2, 4]]) {
    const list = async () => order.map((seq) => ({ seq, size: 1 }));
    const port = { ...journal, snapshots: { ...kept, list } };
    expect(await replay(teller(2), port)).toMatchObject({
      difference: { seq: 2, path: "context.text", recorded: story(2), computed: story(-1) },
    });
  }
});
