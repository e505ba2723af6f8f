// Runs of thoughts under another definition: what has begun goes on, budgets are the new definition's,
// and what the new policy does not know is refused.
import { describe, expect, it } from "vitest";
import { tableValues } from "../../../../src/core/kernel/values/index.js";
import type { OperationSpec } from "../../../../src/core/thoughts/index.js";
import {
  type ModelPort,
  memoryJournal,
  replay,
  resume,
  run,
  scriptedModel,
} from "../../../../src/index.js";
import {
  aggregate,
  beamSearch,
  generate,
  improve,
  keepBest,
  plan,
  policy,
  score,
  select,
  type ThoughtsDefinition,
  thoughtGraph,
  thoughts,
  validateAndImprove,
} from "../../../../src/thoughts.js";
import { textIn } from "../../../support/journal-text.js";
import { rejection } from "../../../support/thrown.js";

const byLength = ({ content }: { content: string }) => content.length;
const thinker = (more: Partial<ThoughtsDefinition> = {}) =>
  thoughts({ policy: plan([generate(), score({ by: byLength }), keepBest()]), ...more });

/** A journal whose first model call has been asked and not answered. */
async function halfway(of = thinker(), said: readonly string[] = []) {
  const journal = memoryJournal();
  let asked: () => void = () => {};
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const first = scriptedModel(said);
  let calls = 0;
  const model: ModelPort = {
    name: "slow",
    generate: (...call) => {
      calls += 1;
      if (calls <= said.length) return first.generate(...call);
      asked();
      return new Promise<never>(() => {});
    },
  };
  const live = run(of, "why?", { journal, runId: "r", model });
  await isAsked;
  // What was answered at once is recorded by then.
  await new Promise(setImmediate);
  await live.drain(0);
  expect(await live).toMatchObject({ status: "waiting", reason: "drained" });
  return journal;
}

const answers = () => scriptedModel(["because"]);

describe("a run of thoughts that is upgraded", () => {
  it("goes on with other prompts and budgets, and replays with both", async () => {
    const journal = await halfway();
    const now = () => thinker({ prompts: { score: () => ({ user: "rate it" }) }, maxNodes: 9 });
    expect((await rejection(resume(now(), journal, { model: answers() }))).code).toBe(
      "journal.configuration",
    );
    const end = await resume(now(), journal, { model: answers(), upgrade: true });
    expect(end).toMatchObject({ status: "done", output: { result: "because", score: 7 } });
    expect(end.context.budgets.maxNodes).toBe(9);
    expect(await replay([thinker(), now()], journal)).toMatchObject({ status: "identical" });
  });

  it("spends no more than its parent gave it, and what is better is the new definition's", () => {
    const price = { inputPerMillion: 0.001, outputPerMillion: 0.001 };
    const carried = (budget: { tokens: number; cost: number }) => {
      const { state } = thinker({ price }).start("why?", { at: 0, runId: "r", budget });
      const over = { at: 1, differs: () => true, input: "why?", budget };
      const now = thinker({ price, tokens: 50_000, costBudget: 5e-5, better: "lower" });
      const { budgets, better } = now.migrate(state as never, over).context;
      return [state.status, budgets.tokens, budgets.cost, better];
    };
    const [less, more] = [40_000, 60_000];
    expect(carried({ tokens: less, cost: more })).toEqual(["active", less, 50_000, "lower"]);
    expect(carried({ tokens: more, cost: less })).toEqual(["active", 50_000, less, "lower"]);
  });

  it("meets a budget that the new definition brings", async () => {
    const journal = await halfway();
    const now = thinker({ policy: plan([generate(), improve()]), modelCalls: 1 });
    const end = await resume(now, journal, { model: answers(), upgrade: true });
    expect(end).toMatchObject({ status: "done", output: { reason: "modelCalls" } });
  });

  it("keeps the score that an operation gave which is no longer there", async () => {
    const rest = [generate({ id: "next", after: "draft" }), generate({ id: "last" })];
    const before = [generate({ id: "draft" }), score({ by: () => 5 }), ...rest];
    const journal = await halfway(thinker({ policy: plan(before) }), ["because"]);
    const now = thinker({ policy: plan([generate({ id: "draft" }), ...rest]), modelCalls: 2 });
    const end = await resume(now, journal, { model: answers(), upgrade: true });
    expect(end).toMatchObject({
      status: "done",
      output: { reason: "modelCalls", result: "because", score: 5 },
    });
  });

  it("has its context migrated by its own version", async () => {
    const journal = await halfway();
    const now = thinker({
      version: 2,
      migrations: {
        2: ({ value, context }) => ({ value, context: { ...context, seed: "two" } }),
      },
    });
    const end = await resume(now, journal, { model: answers(), upgrade: true });
    expect(end).toMatchObject({ status: "done", context: { seed: "two" } });
  });

  it("is refused where a migration drops a part of its context, or makes another kind of it", async () => {
    const journal = await halfway();
    const before = await textIn(journal);
    const migrated = (change: (context: Record<string, unknown>) => unknown) => {
      const now = thinker({
        version: 2,
        migrations: {
          2: ({ value, context }) => ({
            value,
            context: change({ ...(context as object) }) as never,
          }),
        },
      });
      return resume(now, journal, { model: answers(), upgrade: true });
    };
    const { context } = await resume(thinker(), await halfway(), { model: answers() });
    for (const part of Object.keys(context)) {
      const error = await rejection(migrated(({ [part]: _gone, ...rest }) => rest));
      expect(error.code, part).toBe("upgrade.refused");
      expect(error.message).toContain(`context ${part} is missing`);
    }
    const made = async (parts: object) => {
      const { message } = await rejection(migrated((all) => ({ ...all, ...parts })));
      return message;
    };
    const vector = await made({ failures: [] });
    expect(vector).toContain("failures is an array and not a Vector");
    expect(vector).toContain("vectors.of(array) where it changes a Vector");
    const table = await made({ operations: {} });
    expect(table).toContain("operations is of type object and not a Table");
    expect(table).toContain("tables.set(table, key, value) where it changes a Table");
    expect(await textIn(journal)).toBe(before);
  });

  it.each([
    ["another policy", { policy: beamSearch() }, "its policy was plan and is beamSearch"],
    [
      "an operation that is gone",
      { policy: plan([generate({ id: "ideas" })]) },
      "0-generate is not done",
    ],
    ["another name", { name: "sorter" }, "journal"],
    ["a version before", { version: 0 }, "does not lead back"],
  ] as const)("is refused with %s, and stays as it was", async (_what, more, why) => {
    const journal = await halfway();
    const before = await textIn(journal);
    const refused = resume(thinker(more as never), journal, { model: answers(), upgrade: true });
    expect((await rejection(refused)).message).toContain(why);
    expect(await textIn(journal)).toBe(before);
    expect((await resume(thinker(), journal, { model: answers() })).status).toBe("done");
  });
});

it("goes on where an operation that is done is gone", async () => {
  const ideas = generate({ id: "ideas" });
  const all = select({ id: "all", where: (thoughts) => thoughts });
  const journal = await halfway(thinker({ policy: plan([all, ideas]) }));
  const now = thinker({ policy: plan([ideas, improve({ id: "better" })]) });
  const end = await resume(now, journal, { model: answers(), upgrade: true });
  expect(end).toMatchObject({ status: "done", output: { result: "because", modelCalls: 2 } });
});

describe("operations that have not begun", () => {
  const [a, b, c] = ["a", "b", "c"].map((id) => generate({ id, after: [] }));
  const join = (...after: string[]) => aggregate({ id: "join", after });
  type Operations = readonly OperationSpec[];
  const of = (operations: Operations) => thinker({ policy: plan(operations) });
  /** Upgrades a run whose first operation is done, and in which the others have begun that can. */
  const upgraded = async (before: Operations, now: Operations) => {
    const journal = await halfway(of(before), ["first"]);
    const said = ["2nd", "3rd", "4th", "5th", "6th", "the last"];
    const options = { model: scriptedModel(said), upgrade: true };
    return { journal, ended: resume(of(now), journal, options) };
  };

  it.each<readonly [string, Operations, Operations, string, number]>([
    ["one more", [a!, b!, c!, join("a", "b")], [a!, b!, c!, join("a", "b", "c")], "join", 4],
    ["one less", [a!, b!, c!, join("a", "b", "c")], [a!, b!, c!, join("a", "b")], "c", 4],
    ["others", [a!, b!, c!, join("a", "b")], [a!, b!, c!, join("b", "c")], "a", 4],
    [
      "what is new",
      [a!, b!],
      [a!, b!, improve({ id: "i", after: "b" }), join("a", "i")],
      "join",
      4,
    ],
    ["a new beginning", [a!, b!], [a!, b!, c!, join("a", "b", "c")], "join", 4],
    ["what has been done", [a!, b!], [a!, b!, improve({ id: "i", after: "a" })], "i", 3],
    ["less, and nothing is left", [a!, b!, join("a", "b")], [a!, b!, join("a")], "join", 3],
  ])("wait for what the new plan says: %s", async (_what, before, now, made, calls) => {
    const { journal, ended } = await upgraded(before, now);
    const end = await ended;
    expect(end).toMatchObject({ status: "done", output: { modelCalls: calls } });
    expect(JSON.stringify(end.context.graph)).toContain(`thought/${now.at(-1)?.id}/0/0`);
    expect(JSON.stringify("output" in end && end.output)).toContain(`thought/${made}/`);
    expect(await replay([of(now), of(before)], journal)).toMatchObject({ status: "identical" });
  });

  it("may be gone, though one that they came after is done", async () => {
    const { ended } = await upgraded([a!, b!, join("a", "b")], [a!, b!]);
    const end = await ended;
    expect(end).toMatchObject({ status: "done", output: { modelCalls: 2 } });
    expect(JSON.stringify(end.context.operations)).not.toContain("join");
  });

  it("begin where one that comes after them has begun, which stays as it is", async () => {
    const now = [
      a!,
      improve({ id: "new", after: "a" }),
      improve({ id: "only", after: "new" }),
      improve({ id: "last", after: "new" }),
      b!,
      improve({ id: "both", after: ["only", "b"] }),
    ];
    const { journal, ended } = await upgraded([a!, improve({ id: "last", after: "a" }), b!], now);
    const end = await ended;
    expect(end).toMatchObject({ status: "done", output: { modelCalls: 7 } });
    const { graph, operations } = end.context;
    expect(tableValues(operations).map(({ id, status }) => `${id} ${status}`)).toEqual(
      ["a", "b", "last", "new", "only", "both"].map((id) => `${id} done`),
    );
    // It was asked about what it took when it began.
    expect(thoughtGraph.parents(graph, "thought/last/0/0").map(({ id }) => id)).toEqual([
      "thought/a/0/0",
    ]);
    const before = of([a!, improve({ id: "last", after: "a" }), b!]);
    expect(await replay([of(now), before], journal)).toMatchObject({ status: "identical" });
  });

  it("begin with the next decision, as the last of several upgrades says", async () => {
    const { state } = of([a!, b!]).start("why?", { at: 0, runId: "r" });
    const over = { at: 1, differs: () => true, input: "why?", budget: undefined };
    const late = of([a!, b!, c!]).migrate(state as never, over);
    expect(tableValues(late.context.operations).map(({ id }) => id)).toEqual(["a", "b"]);
    const next = (reasoner: ReturnType<typeof of>, from: unknown) => {
      const first = { type: "llm.succeeded" as const, id: "llm/a/0/0", at: 2, usage: {} };
      const content = [{ type: "text" as const, text: "first" }];
      const event = { ...first, content, finishReason: "stop" as const };
      const { operations } = reasoner.step(from as never, event).state.context;
      return tableValues(operations).map(({ id }) => id);
    };
    expect(next(of([a!, b!, c!]), late)).toEqual(["a", "b", "c"]);
    const same = of([a!, b!, c!]).migrate(late as never, { ...over, differs: () => false });
    expect(next(of([a!, b!, c!]), same)).toEqual(["a", "b", "c"]);
    const gone = of([a!, b!]).migrate(late as never, over);
    expect(next(of([a!, b!]), gone)).toEqual(["a", "b"]);
  });

  it("of a policy of one's own begin where that decides, and only there", async () => {
    const mine = (operations: { [name: string]: OperationSpec }) =>
      policy({
        name: "mine",
        operations,
        decide: ({ done }) => (done === null ? [{ use: "first", on: "root", id: "second" }] : []),
      });
    const journal = await halfway(thinker({ policy: mine({ first: generate() }) }));
    const now = thinker({ policy: mine({ second: generate(), first: generate() }) });
    const end = await resume(now, journal, { model: answers(), upgrade: true });
    expect(end).toMatchObject({ status: "done", output: { modelCalls: 1 } });
    expect(tableValues(end.context.operations).map(({ id }) => id)).toEqual(["second"]);
  });
});

it("is refused where an operation that has begun is of another kind now", async () => {
  const mine = (begin: OperationSpec) =>
    policy({
      name: "mine",
      operations: { begin },
      decide: ({ done }) => (done === null ? [{ use: "begin", on: "root" }] : []),
    });
  const journal = await halfway(thinker({ policy: mine(generate()) }));
  const now = thinker({ policy: mine(improve()) });
  const error = await rejection(resume(now, journal, { model: answers(), upgrade: true }));
  expect(error.code).toBe("upgrade.refused");
  expect(error.message).toContain("begin.1 waits for a model as generate, and is improve now");
});

describe("an operation that waits for a model", () => {
  const draft = generate({ id: "draft" });
  const texts = (all: readonly string[]) => all.map((text) => ({ text }));
  const of = (operations: readonly OperationSpec[]) => thinker({ policy: plan(operations) });
  const two = (a: OperationSpec, b: OperationSpec) => [draft, a, b];
  const after = "draft";

  it.each<readonly [string, OperationSpec[], OperationSpec[], string]>([
    [
      "changes its kind with another",
      two(generate({ id: "a", after }), improve({ id: "b", after })),
      two(improve({ id: "a", after }), generate({ id: "b", after })),
      "a waits for a model as generate, and is improve now",
    ],
    [
      "no longer keeps its answers for a parser of all",
      [draft, generate({ id: "a", responses: 2, parseAll: texts })],
      [draft, generate({ id: "a", responses: 2 })],
      "as generate, parseAll, and is generate now",
    ],
    [
      "scores together what it scored one by one",
      [draft, score({ id: "a", prompt: () => "rate" })],
      [draft, score({ id: "a", prompt: () => "rate", combined: true })],
      "as score, and is score, combined now",
    ],
    [
      "counts votes where it asked for a synthesis",
      [draft, aggregate({ id: "a" })],
      [draft, aggregate({ id: "a", strategy: "voting" })],
      "as aggregate, and is aggregate, voting now",
    ],
  ])("is refused where it %s", async (_what, before, now, why) => {
    const journal = await halfway(of(before), ["because"]);
    const text = await textIn(journal);
    const error = await rejection(resume(of(now), journal, { model: answers(), upgrade: true }));
    expect(error.code).toBe("upgrade.refused");
    expect(error.message).toContain(why);
    expect(await textIn(journal)).toBe(text);
  });

  it("waits for all verdicts that it asked for, though it asks for fewer now", async () => {
    const check = (samples: number) => [
      draft,
      validateAndImprove({ id: "check", samples, parse: (text) => text === "good" }),
    ];
    const journal = await halfway(of(check(3)), ["because"]);
    const said = ["bad", "bad", "bad", "better", "good"];
    const model = scriptedModel(() => said.shift() as string);
    const end = await resume(of(check(1)), journal, { model, upgrade: true });
    expect(end).toMatchObject({ status: "done", output: { result: "better", valid: true } });
  });
});

describe("a score at which nothing more was asked", () => {
  const [a, b] = ["a", "b"].map((id) => generate({ id, after: [] }));
  const nine = score({ id: "nine", after: "a", by: () => 9 });
  const last = improve({ id: "last", after: ["nine", "b"] });
  const of = (until: number | undefined, operations = [a!, b!, nine, last], more = {}) =>
    thinker({ policy: plan(operations, { until }), ...more });
  const again = score({ id: "again", after: "b", by: () => 9 });
  const other = improve({ id: "other", after: "again" });

  it.each([
    ["stays reached under the same plan", of(5, undefined, { modelCalls: 9 }), 2],
    ["is looked at anew under another, with what is done next", of(8), 4],
    ["and is reached there", of(5, [a!, b!, nine, again, other]), 2],
    ["is looked at anew where it is the other way round", of(5, undefined, { better: "lower" }), 4],
  ])("%s", async (_what, now, calls) => {
    const journal = await halfway(of(5), ["because"]);
    const end = await resume(now, journal, { model: answers(), upgrade: true });
    expect(end).toMatchObject({ status: "done", output: { reason: "success", modelCalls: calls } });
    expect(await replay([now, of(5)], journal)).toMatchObject({ status: "identical" });
  });
});

it("two names are two reasoners", async () => {
  const journal = memoryJournal();
  await run(thinker({ name: "a" }), "why?", { journal, model: answers() });
  expect((await rejection(resume(thinker({ name: "b" }), journal))).code).toBe("journal.reasoner");
});

it.each([
  [{ name: "" }, "name"],
  [{ version: 1.5 }, "version"],
  [{ version: -1 }, "version"],
  [{ migrations: { 3: (state: never) => state } }, "leads beyond version 1"],
])("refuses %j at the definition", (more, why) => {
  expect(() => thinker(more as never)).toThrow(why);
});
