/** What was recorded is looked up only where something differs, however long the journal is. */
import { expect, test } from "vitest";
import { assign } from "xstate";
import { type JournalPort, memoryJournal, replay, run } from "../../../../src/runtime/index.js";
import { smallReasoner } from "../../../support/small-machine.js";

interface Said {
  readonly n: number;
  readonly text: string;
}

/** A machine that keeps what was said last; in its other version, some of it in capitals. */
const keeper = (loud: readonly number[] = []) =>
  smallReasoner({
    context: { last: null },
    initial: "on",
    states: {
      on: {
        on: {
          say: {
            actions: assign(({ event }: { event: Said }) => ({
              last: loud.includes(event.n) ? event.text.toUpperCase() : event.text,
            })) as never,
          },
          stop: "off",
        },
      },
      off: { type: "final" },
    },
  });

const textOf = (n: number) => `what was said at ${n} is longer than what stands in a line itself`;

/** The journal of a run that was told so many things, each with so many characters beside it. */
async function told(count: number, beside: number): Promise<JournalPort & { reads: number }> {
  const memory = memoryJournal();
  const live = run(keeper(), null, { journal: memory });
  for (let n = 1; n <= count; n++) {
    live.send({ type: "say", n, text: textOf(n), beside: "x".repeat(beside) });
  }
  live.send({ type: "stop" });
  await live;
  const journal = {
    ...memory,
    reads: 0,
    read(from?: number) {
      journal.reads += 1;
      return memory.read(from);
    },
  };
  return journal;
}

const differences = async (loud: readonly number[], journal: JournalPort) => {
  const { causes, compared } = await replay(keeper(loud), journal, { keepGoing: true });
  return {
    events: compared,
    found: causes.map(({ recorded, computed, seqs }) => ({ recorded, computed, seqs })),
  };
};
const at = (n: number) => ({
  recorded: textOf(n),
  computed: textOf(n).toUpperCase(),
  seqs: [n],
});

test("a short journal is read once", async () => {
  const journal = await told(6, 10);
  expect(await differences([2], journal)).toEqual({ events: 8, found: [at(2)] });
  expect(journal.reads).toBe(1);
});

test("of a long one the past is read again where the first difference is late, and once", async () => {
  const journal = await told(9, 1_000_000);
  expect(await differences([8], journal)).toEqual({ events: 11, found: [at(8)] });
  expect(journal.reads).toBe(2);
});

test("behind a difference what a long one holds is still known", async () => {
  const journal = await told(12, 1_000_000);
  const first = await replay(keeper([1]), journal, { keepGoing: true });
  const accepted = new Set(first.causes.map(({ cause }) => cause.key));
  journal.reads = 0;
  const found = await replay(keeper([1, 11]), journal, { keepGoing: true, accepted });
  const difference = { seq: 11, recorded: textOf(11), computed: textOf(11).toUpperCase() };
  expect(found).toMatchObject({ difference });
  expect(journal.reads).toBe(1);
});
