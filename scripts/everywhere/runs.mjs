// A corpus of runs that are the same wherever they are made: seeded, on the virtual clock, full of what
// engines could see differently: numbers, the order of keys, texts of every kind, large values.
import {
  agent,
  agentTool,
  contextUpdate,
  memoryJournal,
  resume,
  run,
  scriptedModel,
  tool,
  virtualClock,
  withUpdate,
} from "reckoner";
import { assign, setupReasoner, tables, vectors } from "reckoner/kernel";
import { beamSearch, plans, thoughts } from "reckoner/thoughts";
import { randomFrom } from "../random.mjs";

const START = 1_700_000_000_000;

const NUMBERS = [
  0,
  -0,
  1,
  -1,
  0.1,
  0.1 + 0.2,
  1 / 3,
  1e21,
  1e-7,
  5e-324,
  1.7976931348623157e308,
  2 ** 53,
  -(2 ** 53),
  123456789.12345679,
  1e-6,
  1e20,
  4.35,
  0.000001234,
];
const TEXTS = [
  "",
  " ",
  "a",
  "Z",
  "z",
  "ä",
  "a\u0308",
  "ß",
  "İ",
  "ı",
  "日本",
  "\u{1F600}",
  "\u{1F1E9}\u{1F1EA}",
  "\uffff",
  "\u0000",
  "\u2028\u2029",
  "\u202e",
  '"\\/',
  "\ud800 lone",
  "10",
  "9",
  "1e3",
  "=x",
  "#x",
  "@1#x",
  "~0/~1",
  "x".repeat(300),
  "é".repeat(700),
];

/** A JSON value as seldom as it gets. */
function awkward(random, depth = 3) {
  const pick = (list) => list[Math.floor(random() * list.length)];
  const kind = random();
  if (depth === 0 || kind < 0.35)
    return pick([...NUMBERS, ...TEXTS.map(wellFormed), true, false, null]);
  if (kind < 0.6)
    return Array.from({ length: Math.floor(random() * 5) }, () => awkward(random, depth - 1));
  const names = Array.from(
    { length: Math.floor(random() * 6) },
    () => wellFormed(pick(TEXTS)) || "key",
  );
  return Object.fromEntries(names.map((name) => [name, awkward(random, depth - 1)]));
}

/** Half a surrogate is not a string that a file can hold. */
const wellFormed = (text) => text.replace(/[\ud800-\udbff](?![\udc00-\udfff])/g, "\ufffd");

const anything = { type: "object" };

/** An agent whose tools answer with awkward values and change its `deps` by them. */
function clerk(random, children = []) {
  return agent({
    name: "clerk",
    system: "You keep records. \u{1F4C4}",
    deps: { sum: 0, notes: [], last: null },
    maxIterations: 20,
    tools: [
      tool({
        name: "fetch",
        jsonSchema: anything,
        execute: () => {
          const value = awkward(random);
          return withUpdate(
            value,
            contextUpdate()
              .append("notes", value)
              .increment("sum", NUMBERS[Math.floor(random() * 8)]),
          );
        },
      }),
      tool({
        name: "keep",
        jsonSchema: anything,
        reduce: (input) => withUpdate(input, contextUpdate().set("last", input)),
      }),
      tool({
        name: "pay",
        jsonSchema: anything,
        needsApproval: true,
        execute: () => awkward(random, 1),
      }),
      ...children,
    ],
  });
}

const helper = (random) => agentTool(clerk(random), { name: "helper", description: "Helps." });

/** A model that calls some tools, a few times, and then says what it thinks. */
function caller(random, names) {
  let turn = 0;
  const turns = 2 + Math.floor(random() * 4);
  return scriptedModel(() => {
    turn += 1;
    if (turn > turns) return `done: ${wellFormed(TEXTS[Math.floor(random() * TEXTS.length)])}`;
    const calls = Array.from({ length: 1 + Math.floor(random() * 4) }, () => ({
      name: names[Math.floor(random() * names.length)],
      input: { value: awkward(random, 2) },
    }));
    return { text: wellFormed(TEXTS[Math.floor(random() * TEXTS.length)]), calls };
  });
}

async function agentRun(random, runId) {
  const reasoner = clerk(random);
  const journal = memoryJournal();
  const clock = virtualClock(START);
  const model = caller(random, ["fetch", "keep", "pay"]);
  const common = { model, clock, journal };
  let end = await run(reasoner, "Keep this.", { ...common, runId, seed: runId });
  while (end.status === "waiting") {
    clock.advance(1 + Math.floor(random() * 1e9));
    const approvals = Object.fromEntries(
      end.approvals.map(({ id }) => [
        id,
        { approve: random() < 0.6, by: "ada", reason: "\u{1F44D}" },
      ]),
    );
    end = await resume(reasoner, journal, { model, clock, approvals });
  }
  return { reasoner, journal };
}

async function treeRun(random, runId) {
  const reasoner = clerk(random, [helper(random)]);
  const journal = memoryJournal();
  const names = ["fetch", "keep", "helper"];
  const model = caller(random, names);
  const clock = virtualClock(START);
  await run(reasoner, "Have it kept.", { model, clock, journal, runId, seed: runId });
  return { reasoner, journal };
}

async function thoughtsRun(random, runId) {
  const byLength = ({ content }) => (content.length * 7 + 3) / 9;
  const policy =
    random() < 0.5
      ? beamSearch({ rounds: 3, branching: 3, score: { by: byLength }, connect: false })
      : plans.tot({ scorer: byLength }, { branches: 3, rounds: 3 });
  const reasoner = thoughts({ policy });
  const journal = memoryJournal();
  const texts = Array.from(
    { length: 80 },
    () => wellFormed(TEXTS[Math.floor(random() * TEXTS.length)]) || "-",
  );
  let asked = 0;
  const model = scriptedModel(() => texts[asked++ % texts.length]);
  await run(
    reasoner,
    { prompt: "why?", ...awkward(() => 0.9 * random(), 1) },
    { model, clock: virtualClock(START), journal, runId, seed: runId },
  );
  return { reasoner, journal };
}

/** A machine with a Table, a Vector and a timer. */
function ledger(first) {
  const { createReasoner } = setupReasoner();
  return createReasoner({
    id: "ledger",
    machine: {
      context: () => ({
        table: first.reduce((table, value, i) => tables.set(table, `k${i}`, value), tables.empty()),
        row: vectors.of(first),
        n: 0.1,
      }),
      initial: "open",
      on: { close: ".closed" },
      states: {
        open: {
          after: { 1000: "late" },
          on: {
            put: {
              target: "open",
              actions: assign(({ context, event }) => ({
                n: context.n * 1.1 + 1 / 3,
                last: event.value,
              })),
            },
          },
        },
        late: { on: { put: "open" } },
        closed: { type: "final" },
      },
    },
    output: (context) => context.n,
  });
}

async function machineRun(random, runId) {
  const reasoner = ledger(Array.from({ length: 70 }, () => awkward(random, 2)));
  const journal = memoryJournal();
  const clock = virtualClock(START);
  await run(reasoner, null, { clock, journal, runId, seed: runId, timers: "return" });
  for (let i = 0; i < 5; i++) {
    clock.advance(Math.floor(random() * 2_000));
    await resume(reasoner, journal, {
      clock,
      timers: "return",
      events: [{ type: "put", value: awkward(random) }],
    });
  }
  await resume(reasoner, journal, { clock, events: [{ type: "close" }] });
  return { reasoner, journal };
}

const KINDS = { agent: agentRun, tree: treeRun, thoughts: thoughtsRun, machine: machineRun };

/**
 * Makes the runs of the corpus, one after the other.
 * @param each how many of each kind
 */
export async function* runs(each) {
  for (const [kind, make] of Object.entries(KINDS)) {
    for (let seed = 0; seed < each; seed++) {
      const name = `${kind}-${seed}`;
      yield { name, ...(await make(randomFrom(seed * 7919 + kind.length), name)) };
    }
  }
}
