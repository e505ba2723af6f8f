// What a run that goes on from a snapshot knows of its journal: lines before it are hashed alone, and
// what it writes from there on is read back as what it is.
import { describe, expect, it, vi } from "vitest";
import { RecordedValues } from "../../../../src/core/journal/index.js";
import { assign, type Reasoner } from "../../../../src/core/kernel/machine/index.js";
import {
  append,
  emptyList,
  type Json,
  type List,
  toArray,
} from "../../../../src/core/kernel/values/index.js";
import {
  memoryJournal,
  replay,
  resume,
  run,
  scriptedModel,
  viewOf,
} from "../../../../src/runtime/index.js";
import { fork } from "../../../../src/time-travel/live/index.js";
import { linesIn } from "../../../support/journal-text.js";
import { type AnyEvent, type SmallContext, smallReasoner } from "../../../support/small-machine.js";
import { settle, type WatchedJournal, watchedJournal } from "../../../support/watched-journal.js";

interface Given {
  readonly context: SmallContext;
  readonly event: AnyEvent;
}

const grow = (field: string) =>
  assign(({ context, event }: Given) => ({
    [field]: append((context[field] ?? emptyList()) as List<unknown>, event.item as Json),
  }));
const count = assign(({ context }: Given) => ({ asked: ((context.asked as number) ?? 0) + 1 }));

/** Keeps two lists: what it asks a model with, and what it tells. Answers it leaves alone. */
const keeper: Reasoner<unknown, unknown, SmallContext> = smallReasoner({
  initial: "open",
  states: {
    open: {
      on: {
        say: { actions: grow("said") },
        ask: {
          actions: [
            count,
            {
              type: "issue",
              params: ({ context }: Given) => ({
                type: "llm",
                id: `llm/${context.asked}`,
                messages: context.said,
              }),
            },
          ],
        },
        tell: {
          actions: [
            grow("told"),
            {
              type: "issue",
              params: ({ context }: Given) => ({
                type: "notify",
                topic: "told",
                data: context.told,
              }),
            },
          ],
        },
        note: { actions: count },
        message: {
          actions: assign(({ context, event }: Given) => ({
            said: append(context.said as List<Json>, user(event.content as string)),
          })),
        },
      },
    },
  },
});

const user = (content: string) => ({ role: "user", content });
/** The n-th answer, as a message. */
const answer = (n: number) => ({
  role: "assistant",
  content: [{ type: "text", text: `answer ${n}` }],
});
const say = (item: object) => ({ type: "say", item });
const tell = (item: object) => ({ type: "tell", item });
const ask = { type: "ask" };

async function begun(): Promise<WatchedJournal> {
  const journal = watchedJournal();
  await run(keeper, null, { journal });
  return journal;
}

let answers = 0;
/** Goes on with what is kept; each answer is counted. @returns its notices */
async function goOn(journal: WatchedJournal, ...events: readonly object[]) {
  const model = scriptedModel(() => `answer ${++answers}`);
  const notices: string[] = [];
  for (const event of events) {
    const live = resume(keeper, journal, { model, events: [event] as never });
    for await (const each of live) if (each.type === "notice") notices.push(each.message);
    await live;
  }
  await settle();
  expect(await replay(keeper, journal)).toMatchObject({ status: "identical" });
  return notices;
}

/** The Lists of directives as a reader finds them, in their order. */
async function listsIn(journal: WatchedJournal): Promise<readonly Json[]> {
  const values = new RecordedValues();
  const found: Json[] = [];
  for await (const { line } of viewOf(journal).lines()) {
    for (const { type, parts } of values.take(line)) {
      const node = parts.get(type === "llm" ? "messages" : "data");
      if (node !== undefined) found.push(values.value(node));
    }
  }
  return found;
}

const newest = ({ kept }: WatchedJournal) => Math.max(...kept.keys());

describe("a List that is written by a run that went on from a snapshot", () => {
  it("is read back where the same List was asked with twice before", async () => {
    answers = 0;
    const journal = await begun();
    await goOn(journal, say(user("one")), ask, ask, say(answer(2)), ask);
    expect(await listsIn(journal)).toEqual([
      [user("one")],
      [user("one")],
      [user("one"), answer(2)],
    ]);
  });

  it("is read back where two take turns, whichever came last", async () => {
    answers = 0;
    const journal = await begun();
    const first = { text: "a" };
    await goOn(journal, say(user("one")), ask, tell(first), say(user("two")), ask, tell(answer(2)));
    expect(await listsIn(journal)).toEqual([
      [user("one")],
      [first],
      [user("one"), user("two")],
      [first, answer(2)],
    ]);
  });

  it("is written with its new items alone, after any number of resumes", async () => {
    answers = 0;
    const journal = await begun();
    for (let i = 1; i <= 12; i++) await goOn(journal, say(user(`line ${i}`)), ask, say(answer(i)));
    const lines = await linesIn(journal);
    const items = lines.flatMap((line) => ("items" in line ? (line.items ?? []) : []));
    expect(items.reduce((sum, { add }) => sum + add.length, 0)).toBeLessThanOrEqual(24);
    expect((await listsIn(journal)).at(-1)).toHaveLength(23);
  });
});

it("a List that a fork writes, from a snapshot of its own, is read back with what came before its cut", async () => {
  answers = 0;
  const journal = await begun();
  await goOn(journal, say(user("one")), ask);
  // The answer is no item of the List, and stands between it and the next one.
  const to = watchedJournal(memoryJournal("fork"));
  await fork(journal, { to });
  await goOn(to, { type: "message", content: "two" });
  expect(to.kept.size).toBe(1);
  await goOn(to, ask);
  expect(await listsIn(to)).toEqual([[user("one")], [user("one"), user("two")]]);
});

it("a run that is resumed and told nothing leaves a snapshot of where it stands, and goes on from it", async () => {
  answers = 0;
  const journal = await begun();
  await goOn(journal, say(user("one")), ask, { type: "note" });
  journal.kept.clear();
  await resume(keeper, journal);
  await settle();
  expect([...journal.kept.keys()]).toEqual([(await linesIn(journal)).length - 2]);
  // Without its line in between, and without a notice, what comes next is the same.
  expect(await goOn(journal, say(answer(1)), ask)).toEqual([]);
  expect(await listsIn(journal)).toEqual([[user("one")], [user("one"), answer(1)]]);
});

it("a run that has recorded no List goes on from its snapshot all the same", async () => {
  answers = 0;
  const journal = await begun();
  journal.kept.clear();
  await goOn(journal, { type: "note" });
  expect(newest(journal)).toBe(1);
  expect(await goOn(journal, say(user("one")), ask)).toEqual([]);
  expect(await listsIn(journal)).toEqual([[user("one")]]);
});

describe("a long stretch without a List", () => {
  /** More than is read for what it holds. */
  const PAD = "a note that is kept in the journal and nowhere else ".repeat(320);

  async function long(): Promise<WatchedJournal> {
    answers = 0;
    const journal = await begun();
    await goOn(journal, say(user("one")), ask);
    const notes = Array.from({ length: 600 }, () => ({ type: "note", text: PAD }));
    await resume(keeper, journal, { events: notes as never });
    await settle();
    return journal;
  }

  it("is hashed and not parsed where a snapshot stands behind it", async () => {
    const journal = await long();
    const parse = vi.spyOn(JSON, "parse");
    const end = await resume(keeper, journal);
    const parsed = parse.mock.calls.length;
    parse.mockRestore();
    expect(end.context.asked).toBe(601);
    expect(parsed).toBeLessThan(10);
  });

  it("is parsed where none does", async () => {
    const journal = await long();
    journal.kept.clear();
    const parse = vi.spyOn(JSON, "parse");
    await resume(keeper, journal);
    expect(parse.mock.calls.length).toBeGreaterThan(600);
    parse.mockRestore();
  });

  it("is followed by a List that is read back whole", async () => {
    const journal = await long();
    await goOn(journal, say(answer(1)), ask);
    await goOn(journal, say(answer(2)), ask);
    expect((await listsIn(journal)).slice(1)).toEqual([
      [user("one"), answer(1)],
      [user("one"), answer(1), answer(2)],
    ]);
    const state = (await resume(keeper, journal)).context;
    expect(toArray(state.said as List<Json>)).toHaveLength(3);
  });
});
