// A value that is set back to what it was: a line says the same of it whether the process that writes it
// has made both versions or has one of them from a snapshot, where nothing is shared.
import { describe, expect, it } from "vitest";
import { assign } from "../../../../src/core/kernel/machine/index.js";
import {
  append,
  emptyTable,
  emptyVector,
  listOf,
  pushItem,
  type Table,
  tableDelete,
  tableSet,
} from "../../../../src/core/kernel/values/index.js";
import { memoryJournal, replay, resume, run } from "../../../../src/runtime/index.js";
import { marksSnapshot, textIn } from "../../../support/journal-text.js";
import { issue, smallReasoner } from "../../../support/small-machine.js";

interface Context {
  readonly now: never;
  readonly saved: never;
}
const keys = (count: number) => Array.from({ length: count }, (_, i) => `k${i}`);
const tableOf = (count: number): Table<unknown> =>
  keys(count).reduce((t, key) => tableSet(t, key, { key }), emptyTable<unknown>());
const objectOf = (count: number) => Object.fromEntries(keys(count).map((key) => [key, { key }]));

const changes: readonly (readonly [string, unknown, (now: never) => unknown])[] = [
  ...[0, 1, 7, 8, 16, 40, 1_030].flatMap((count) => [
    [
      `a key more in a Table of ${count}`,
      tableOf(count),
      (t: never) => tableSet(t, "more", 1),
    ] as const,
    [
      `another value in a Table of ${count}`,
      tableOf(count),
      (t: never) => tableSet(t, "k0", -1),
    ] as const,
    [
      `a key less in a Table of ${count}`,
      tableOf(count),
      (t: never) => tableDelete(t, "k0"),
    ] as const,
  ]),
  ["an item more in a Vector", emptyVector(), (v) => pushItem(v, { a: 1 })],
  ["an item more in a List", listOf(keys(40)), (l) => append(l, "more")],
  ...[3, 17, 40].map(
    (count) =>
      [
        `another value in an object of ${count}`,
        objectOf(count),
        (o: never) => ({ ...(o as object), k0: -1 }),
      ] as const,
  ),
];

describe.each(changes)("%s", (_name, first, change) => {
  const reasoner = smallReasoner({
    context: { now: first, saved: null },
    entry: issue({ type: "approval", id: "ap", title: "Go on?", subject: null }),
    on: {
      keep: {
        actions: assign({ saved: ({ context }: { context: Context }) => context.now } as never),
      },
      set: {
        actions: assign({
          now: ({ context }: { context: Context }) => change(context.now),
        } as never),
      },
      undo: {
        actions: assign({ now: ({ context }: { context: Context }) => context.saved } as never),
      },
    },
  });

  it.each([0, 1, 2, 3])("and back, in another process from step %i on", async (restart) => {
    const lines = async (at: number) => {
      const journal = memoryJournal();
      let live = run(reasoner, null, { journal, runId: "r" });
      for (const [i, type] of ["keep", "set", "undo", "set"].entries()) {
        if (i === at) {
          await live;
          live = resume(reasoner, journal);
        }
        live.send({ type });
      }
      await live;
      expect((await replay(reasoner, journal)).status).toBe("identical");
      const text = await textIn(journal);
      const own = text.split("\n").filter((line) => !marksSnapshot(line));
      return own.map((line) => /"set":.*,"state"/.exec(line)?.[0]);
    };
    expect(await lines(restart)).toEqual(await lines(-1));
  });
});
