// An option that is there and `undefined` is as if it were left out: a caller passes on what it may
// have. Each function is called with none of its options, and with all of them `undefined`.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import Database from "libsql";
import * as root from "reckoner";
import { aiSdk, fromAiSdkTools, resolveModel } from "reckoner/ai-sdk";
import * as decisions from "reckoner/decisions";
import { duckdbDecisions } from "reckoner/decisions/duckdb";
import { postgresDecisions } from "reckoner/decisions/postgres";
import * as driver from "reckoner/driver";
import { fileJournal } from "reckoner/file-journal";
import * as kernel from "reckoner/kernel";
import { sendAgain } from "reckoner/page";
import * as pictures from "reckoner/pictures";
import { postgresHostStore, postgresJournals } from "reckoner/postgres";
import { restateEngine, restateRuns } from "reckoner/restate";
import { host, memoryHostStore, runsFetch } from "reckoner/serve";
import { sqliteHostStore, sqliteJournals } from "reckoner/sqlite";
import * as testing from "reckoner/testing";
import * as thoughts from "reckoner/thoughts";
import * as travel from "reckoner/time-travel";
import * as trace from "reckoner/trace";
import { afterAll, expect, it } from "vitest";
import { z } from "zod";
import { worldScript } from "../../src/testing/index.js";
import { FakeObjects } from "../support/durable-object.js";
import { textIn } from "../support/journal-text.js";
import { writtenTypes } from "../support/optional-parts.js";
import { smallReasoner } from "../support/small-machine.js";
import { manyDecisions, manyThoughts } from "./pictures/support.js";

const folder = mkdtempSync(join(tmpdir(), "left-out-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Options as plain JavaScript passes them on; the compiler is shown none of their types. */
// biome-ignore lint/suspicious/noExplicitAny: what is given is all options of a type, each undefined
type Given = any;

const { agent, memoryJournal, resume, run, scriptedModel, tool } = root;
const look = tool({ name: "look", needsApproval: true, reduce: () => "seen" });
const one = agent({ name: "one", tools: [look] });
const model = scriptedModel([{ calls: [{ name: "look", input: {} }] }, { text: "Done." }]);
const world = () => ({ model, clock: root.virtualClock(1_000), runId: "r" });
const approve = () => ({ approve: true });
const small = smallReasoner({
  initial: "a",
  states: { a: { on: { GO: "b" } }, b: { tags: "done", type: "final" } },
});

/** Of all options that are given those of one type. */
function only(given: Given, type: string): Given {
  const parts = undefinedOf(type);
  return Object.fromEntries(Object.entries(given).filter(([name]) => name in parts));
}

/** A journal of a run of the agent. */
async function recorded(journal: root.JournalPort = memoryJournal()): Promise<root.JournalPort> {
  await run(one, "Look.", { ...world(), approve, journal });
  return journal;
}

/** A run by hand: a model call that fails, one that is stopped, and one that is carried out. */
async function driven(given: Given): Promise<unknown> {
  const part = (type: string) => only(given, type);
  const options = {
    ...part("DriverOptions"),
    approvals: "outside",
    retry: part("RetryOptions"),
    stores: { s: { ...part("StoreTraits"), name: "s" } },
  };
  const start = { ...part("NewRun"), input: "Look.", runId: "r", at: 1 };
  const opened = driver.openDriver(one, start, options);
  const { early, lines } = opened.take([], 1);
  const [asked] = early as [driver.Attempt];
  const call = { run: "", id: asked.id, attempt: 1 };
  const error = { code: "c", message: "m", transient: true };
  const failed = { ...part("FailedAttempt"), type: "failed", ...call, error };
  const cancel = { ...part("Arrived"), type: "cancel" };
  const fold = driver.openFold([one], options);
  for (const line of lines) fold.take(line);
  const next = fold.driver({
    ...part("InFlight"),
    attempts: [{ ...part("AttemptInFlight"), ...call }],
  });
  next.take([{ type: "interrupt", graceMs: 0 }], 2);
  const partial = { ...part("Streamed"), content: [], usage: {} };
  const stopped = { ...part("Outcome"), type: "stopped", ...call, partial };
  return [
    opened.take([failed, cancel], 2).lines,
    next.take([stopped], 3).lines,
    await driver.perform(
      { ...part("Attempt"), ...asked },
      { ...part("AttemptPorts"), reasoner: one, model },
    ),
  ];
}

/** Decisions to ask, with times and ids that are always the same. */
async function decided(given: Given = {}): Promise<decisions.Decisions> {
  let count = 0;
  const made = { now: () => 5, newId: () => `n${++count}` };
  const all = new decisions.Decisions(decisions.memoryDecisions(), { ...given, ...made });
  const goal = await all.addNode({ ...given, type: "goal", label: "A goal" });
  const option = await all.addNode({ ...given, type: "option", label: "An option" });
  await all.addEdge({ ...given, fromId: goal.id, toId: option.id, edgeType: "leads_to" });
  return all;
}

const of = (query: object) => async (given: Given) =>
  (await decided()).query({ ...given, ...query });
const { graph } = manyThoughts(60, 6);
const picture = pictures.thoughtsPicture(graph);
const operation = (made: (given: Given) => object) => (given: Given) =>
  thoughts.plan([thoughts.generate(), made(given) as never]).configuration;
const defined = (given: Given) =>
  thoughts.thoughts({ policy: thoughts.beamSearch({ rounds: 1 }), ...given });
const traced = async (given: Given) => trace.journalTraces([await recorded()], given);
const asIs = () => true;
const thinking = scriptedModel(() => ({ text: "1. A thought, scored 7" }));
const answering = async (store: root.StorePort & { close?(): Promise<void> }) => {
  const stats = await new decisions.Decisions(store).stats();
  await store.close?.();
  return [store.name, stats];
};
const checked = { seed: 1, runs: 20, depth: 3, states: 100 };
const report = ({ ...told }: object) =>
  JSON.stringify(told, (key, value) => (/ms$|seconds/i.test(key) ? 0 : value));

/** Calls by the types of the options that they pass on. */
const calls: { readonly [types: string]: (given: Given) => unknown } = {
  AiSdkToolChecking: (given) => fromAiSdkTools({ t: { execute: asIs } as never }, {}, given),
  AiSdkOptions: (given) =>
    aiSdk(
      { specificationVersion: "v3", provider: "p", modelId: "m", doGenerate() {} } as never,
      given,
    ).name,
  ResolveModelOptions: (given) =>
    resolveModel("nobody/nothing", given).catch(({ message }: Error) => message),
  "DuckdbDecisionsOptions SqlStoreOptions": (given) => answering(duckdbDecisions(given)),
  "SchemaOptions WithClient InFolder": (given) =>
    answering(postgresDecisions({ ...given, folder: "memory://" })),
  PostgresJournalsOptions: (given) => {
    const { name } = postgresJournals({ ...given, client: { query: async () => ({ rows: [] }) } });
    return name;
  },
  "PostgresHostOptions SqliteHostOptions MemoryStoreOptions": (given) => {
    const client = { query: async () => ({ rows: [] }) };
    const postgres = postgresHostStore({ ...only(given, "PostgresHostOptions"), client });
    const sqlite = sqliteHostStore(
      new Database(":memory:") as never,
      only(given, "SqliteHostOptions"),
    );
    return [postgres.name, sqlite.name, memoryHostStore(only(given, "MemoryStoreOptions")).name];
  },
  "HostRunsOptions HostLimits ModelLimit TenantLimit WatchOptions ListenOptions": async (given) => {
    const runs = host({
      ...only(given, "HostRunsOptions"),
      reasoners: [agent({ name: "hosted" })],
      store: memoryHostStore(),
      limits: {
        ...only(given, "HostLimits"),
        models: { default: only(given, "ModelLimit") },
        tenants: { "": only(given, "TenantLimit") },
      },
    });
    await runs.ready();
    const watched = runs.watch("none", only(given, "WatchOptions"))[Symbol.asyncIterator]();
    const refused = await watched.next().catch(({ code }) => code);
    const { close } = await runs.listen(only(given, "ListenOptions"));
    await close();
    await runs.drain();
    return refused;
  },
  RunsFetchOptions: async (given) => {
    const runs = host({ reasoners: [agent({ name: "hosted" })], store: memoryHostStore() });
    const asked = new Request("http://desk.example/runs/none");
    const served = runsFetch({
      ...only(given, "RunsFetchOptions"),
      run: (id) => runs.run(id),
      authorize: () => ({}),
    });
    const { status } = await served(asked);
    await runs.drain();
    return status;
  },
  "DurableRunOptions EngineOptions": async (given) => {
    const clock = root.virtualClock(1_000);
    const options = { ...only(given, "DurableRunOptions"), ...only(given, "EngineOptions") };
    const { runs } = new FakeObjects({ ...options, reasoners: [agent({ name: "o" })] }, clock);
    return runs
      .run("r")
      .row()
      .catch(({ code }) => code);
  },
  "RestateEngineOptions RestateRunsOptions WorkerListenOptions": async (given) => {
    const options = { ...only(given, "RestateEngineOptions"), reasoners: [agent({ name: "o" })] };
    const { services, listen } = restateEngine(options);
    const worker = await listen({ ...only(given, "WorkerListenOptions"), port: 0 });
    await worker.close();
    const ingress = "http://127.0.0.1:1";
    restateRuns({ ...only(given, "RestateRunsOptions"), ingress });
    return services.map(({ name }) => name);
  },
  "Change Release": async (given) => {
    const store = memoryHostStore();
    const place = { tenant: "", id: "r" };
    await store.post(place, { key: "k", word: null, mark: "" }, true);
    const [held] = await store.claim("h", 1_000, 1);
    const release = only(given, "Release");
    return store.commit("h", held!, { ...only(given, "Change"), token: "t", release });
  },
  "ListOptions RunFilter PruneOptions ForgetOptions": async (given) => {
    const store = sqliteJournals(new Database(":memory:") as never);
    await recorded(store.journal("run"));
    const listed = await store.list({ ...only(given, "ListOptions"), ...only(given, "RunFilter") });
    const dryRun = true;
    const pruned = await store.prune({ ...only(given, "PruneOptions"), before: 9_000, dryRun });
    const forgotten = await store.forget({ ...only(given, "ForgetOptions"), dryRun });
    return [listed.runs.map(({ id }) => id), pruned, forgotten];
  },
  "FileJournalOptions FileCalls": async (given) => {
    const path = join(mkdtempSync(join(folder, "run-")), "run.jsonl");
    await recorded(fileJournal(path, { calls: only(given, "FileCalls") }));
    await recorded(fileJournal(`${path}.other`, only(given, "FileJournalOptions")));
    return (await root.summaryOf(path)).status;
  },
  "JournalTracesOptions RunTraceOptions": async (given) => {
    const journal = root.memoryJournal();
    await recorded(journal);
    return (await trace.journalTraces(journal, given).read()).trace.events;
  },
  DecisionsConfig: (given) => JSON.stringify(decisions.decisions({ ...given, store: "decisions" })),
  ThinkOptions: (given) => thoughts.think(defined({}), given).schema,
  TraceToolsOptions: (given) => trace.traceTools(given).map(({ schema }) => schema),
  AgentToolOptions: (given) => root.agentTool(one, { ...given, name: "asks" }).schema,
  AgentDefinition: (given) => agent({ ...given, name: "a" }).fingerprint,
  SpendingLimit: (given) => agent({ name: "a", tokenBudget: given }).fingerprint,
  ConversationOptions: (given) => agent({ name: "a", conversation: given }).fingerprint,
  OutputSpec: (given) => {
    const schema = z.object({ a: z.string() });
    return agent({ name: "a", output: { ...given, schema } }).fingerprint;
  },
  LlmSettings: (given) => agent({ name: "a", settings: given }).fingerprint,
  ModelPrice: (given) => {
    const price = { ...given, inputPerMillion: 1, outputPerMillion: 1 };
    return agent({ name: "a", prices: { m: price } }).fingerprint;
  },
  AgentCallbacks: async (given) =>
    (await run(one, "Look.", { ...world(), approve, observers: [root.agentCallbacks(given)] }))
      .status,
  AgentInput: (given) => run(one, { ...given, prompt: "Look." }, { ...world(), approve }),
  "ContextOptions context Limited": async (given) => (await decided()).context(given),
  summary: async (given) => (await decided()).summary(given),
  "nodes recentDecisions": async (given) => {
    const all = await decided();
    return [await all.nodes({}, given), await all.recentDecisions(given)];
  },
  Asked: of({ type: "activeGoals" }),
  AskedOfNode: of({ type: "descendants", nodeId: "n1" }),
  History: of({ type: "history" }),
  Edges: of({ type: "edges" }),
  Nodes: of({ type: "nodes" }),
  NodeFilter: async (given) => (await decided()).query({ type: "nodes", where: given }),
  PathBetween: of({ type: "pathBetween", fromId: "n1", toId: "n2" }),
  RecentDecisions: of({ type: "recentDecisions" }),
  Summary: of({ type: "summary" }),
  "DecisionsOptions OpenOperation": async (given) => (await decided(given)).stats(),
  WriteOptions: async (given) => (await decided()).deleteNode("n1", given),
  MemoryDecisionsOptions: (given) => answering(decisions.memoryDecisions(given)),
  ReasonerDefinition: (given) =>
    kernel.defineReasoner({ ...given, id: "r", machine: small.machine }).fingerprint,
  ReasonerNames: (given) => {
    const setup = kernel.setupReasoner({ ...given, types: {} });
    return setup.createMachine({ initial: "a", states: { a: {} } } as never).id;
  },
  "StartOptions Start": (given) => small.start({}, { ...given, at: 1, runId: "r" }).state,
  constructor: (given: Given) => new root.ReckonerError("option.invalid", "No.", given).place,
  ProviderToolOptions: (given) =>
    root.providerTool({ ...given, name: "search", id: "openai.web_search" }).schema,
  "ToolOptions Execute Reduce Issue Ask": ({ args, ...given }) => {
    const made = tool({ ...given, name: "t", reduce: () => 1 });
    const shell = { ...given, name: "t", provider: { id: "p.shell", args }, reduce: () => 1 };
    const sdk = { description: "Described.", execute: asIs } as never;
    return [made, tool(shell), ...fromAiSdkTools({ t: sdk }, { t: given })];
  },
  NeedsApproval: (given) =>
    tool({ name: "t", needsApproval: { ...given, blocks: false } as never, reduce: () => 1 })
      .schema,
  PolicyDefinition: (given) => {
    const operations = { answer: thoughts.generate() };
    return thoughts.policy({ ...given, name: "p", operations, decide: () => [] }).configuration;
  },
  BeamSearch: (given) => thoughts.beamSearch(given).configuration,
  Every: (given) => {
    const explored = thoughts.beamSearch({ score: given, connect: given, refine: given });
    return [explored.configuration, [...explored.operations.values()]];
  },
  AggregateOptions: operation(thoughts.aggregate),
  "Connect Asking InPlan": operation(thoughts.connect),
  "GenerateOptions Parsers StateParsers": operation(thoughts.generate),
  "Asking StateParsers": operation(thoughts.improve),
  KeepBest: (given) =>
    thoughts.plan([thoughts.generate(), thoughts.score(), thoughts.keepBest(given)]).configuration,
  "Score ScoreOptions": operation(thoughts.score),
  "Parsers ValidateOptions": operation(thoughts.validateAndImprove),
  PlanOptions: (given) => thoughts.plan([thoughts.generate()], given).configuration,
  TreeOptions: (given) => thoughts.thoughtGraph.printTree(graph, given),
  ThoughtsDefinition: (given) =>
    thoughts.thoughts({ ...given, policy: thoughts.beamSearch() }).fingerprint,
  Prompts: async (given) => {
    const done = await run(defined({ prompts: given }), {}, { ...world(), model: thinking });
    return [defined({ prompts: given }).fingerprint, done];
  },
  TraceFilter: async (given) =>
    trace.queryEvents((await (await traced({})).read()).trace.events, given),
  traceStorePort: async (given) => trace.traceStorePort(await traced({}), given).name,
  NewContext: (given) => root.agentContext.newContext({ ...given, runId: "r" }),
  "Thought addThought": (given) => {
    const { addThought, emptyGraph } = thoughts.thoughtGraph;
    const thought = { id: "a", content: "c" };
    Object.assign(thought, only(given, "Thought"), { ...thought });
    return addThought(emptyGraph, thought, only(given, "addThought"));
  },
  PictureOptions: (given) => [
    pictures.agentPicture(one, given),
    pictures.decisionsPicture(manyDecisions(9) as never, given),
  ],
  ChartPictureOptions: (given) => pictures.chartPicture(small, given),
  ThoughtsPictureOptions: (given) => pictures.thoughtsPicture(graph, given),
  SvgOptions: (given) => pictures.toSvg(picture, given),
  TracePictureOptions: (given) => pictures.tracePicture(new trace.Trace([]), given),
  ScriptedTurn: (given) =>
    run(one, "Hello.", { ...world(), model: scriptedModel([{ ...given, text: "Hi." }]) }),
  // Of a request that is mended: reasoning that nobody knows whose it is goes to no model.
  ModelCall: async (given) => {
    const sent: unknown[] = [];
    const said = {
      content: [{ type: "text", text: "Hi." }],
      finishReason: { unified: "stop", raw: "stop" },
      usage: { inputTokens: { total: 9 }, outputTokens: { total: 2 } },
      warnings: [],
    };
    const doGenerate = async ({ prompt }: { prompt: unknown }) => {
      sent.push(prompt);
      return said;
    };
    const spec = { specificationVersion: "v3", provider: "p", modelId: "m", supportedUrls: {} };
    const messages = [
      { role: "user", content: "Hello." },
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: "Hm." },
          { type: "text", text: "Yes." },
        ],
      },
      { role: "user", content: "Why?" },
    ];
    const asked = { runId: "r", id: "llm/0", attempt: 1, idempotencyKey: "k", onDelta() {} };
    const call = { ...given, ...asked, signal: new AbortController().signal };
    const port = aiSdk({ ...spec, doGenerate } as never);
    return [await port.generate({ messages } as never, call), sent];
  },
  ReplayOptions: async (given) => root.replay(one, await recorded(), given),
  StorePort: (given) => ({ ...given, ...decisions.memoryDecisions() }).name,
  RunConfig: (given) => JSON.stringify(root.defineConfig({ ...given, reasoner: one })),
  // Without a journal nobody is there to approve, so it is denied; with one it waits.
  "HostOptions RunOptions": (given) => run(one, "Look.", { ...given, ...world() }),
  Origin: (given) => {
    const origin = { ...given, by: "me" };
    return kernel.parseEvent({ type: "tool.succeeded", id: "t", at: 0, output: 1, origin });
  },
  SettledByHand: async (given) => {
    const journal = await recorded();
    const settlement = { type: "tool.succeeded", output: 1, by: "me" };
    const settled = { ...given, id: "nothing", settlement };
    // The same refusal, whatever is left out.
    return resume(one, journal, { ...world(), runId: undefined, settle: [settled] } as never).catch(
      ({ code, place }) => [code, place],
    );
  },
  ResumeOptions: async (given) => {
    const journal = memoryJournal();
    const left = await run(one, "Look.", { ...world(), journal });
    return [left.status, await resume(one, journal, { ...given, ...world(), runId: undefined })];
  },
  ApprovalDecision: async (given) => {
    const journal = memoryJournal();
    const options = { ...world(), journal, approve: () => ({ ...given, approve: true }) };
    return [(await run(one, "Look.", options)).status, await textIn(journal)];
  },
  "Arrived Attempt AttemptInFlight AttemptPorts DriverOptions FailedAttempt InFlight NewRun Outcome RetryOptions StoreTraits Streamed":
    driven,
  InterruptOptions: async (given) => {
    const live = run(one, "Look.", world());
    live.interrupt("enough", given);
    return (await live).status;
  },
  Readiness: async (given) => {
    const { model, ...more } = world();
    return (await run(one, "Look.", { ...more, model: { ...model, ...given } as never })).status;
  },
  PerformPorts: async (given) => {
    const begun = { input: "Look.", runId: "r", at: 0 };
    const options = { approvals: "outside" } as const;
    const { early } = driver.openDriver(one, begun as never, options).take([], 0);
    return driver.perform(early[0] as never, { reasoner: one, ...given });
  },
  RetryPolicy: (given) => run(one, "Look.", { ...world(), retry: given }),
  Budget: (given) => run(one, "Look.", { ...world(), budget: given }),
  CopyOptions: async (given) => {
    const copy = memoryJournal("copy");
    await travel.copyJournal(await recorded(), copy, given);
    return copy.name;
  },
  CheckpointOptions: async (given) => (await travel.checkpoint(await recorded(), given)).name,
  ForkOptions: async (given) => Object.keys(await travel.fork(await recorded(), given)),
  RedriveOptions: async (given) => (await travel.redrive(one, await recorded(), given)).verdict,
  "Alphabet ExploreOptions Checking Beyond": (given) => {
    const options = {
      ...given,
      alphabet: given,
      ...checked,
      beyond: { ...given, runs: 5, seed: 1 },
    };
    return report(testing.explore(small as never, options as never));
  },
  "CheckOptions Upgrading WorldOptions": (given) =>
    report(testing.check(small as never, { ...given, ...checked, settlers: given } as never)),
  Weights: (given) =>
    report(testing.check(small as never, { weights: given, ...checked } as never)),
  Counted: (given) => testing.follows(asIs, asIs, given).memory,
  LawOptions: (given) =>
    testing.agentLaws(one, { ...given }).map(({ name, property }) => {
      const done = fc.check(property as fc.IProperty<[testing.LawCase]>, { numRuns: 1, seed: 1 });
      return [name, (done as { failed?: boolean }).failed];
    }),
  ScriptOptions: (given) => fc.sample(worldScript(given), { numRuns: 3, seed: 1 }),
  SendAgainOptions: async (given) => (await sendAgain(given)("data:,Hi.")).text(),
  FaultPlan: (given) => {
    const script = { moves: [], answers: [], values: [] };
    const options = { input: fc.constant({}) };
    return testing.brokenUnderFaults(small as never, {} as never, script, given, options as never);
  },
};

/** What functions are given that has no options: it says what it says. */
const noOptions = ["CallFault", "HostStore", "MovedHead", "Serviced", "ToolChild"];

const written = writtenTypes().filter(({ strict }) => strict.length === 0);
const nameIn = ({ type }: { readonly type: string }) => type.replace(/.*: /, "");

/** The optional parts of types by their names, each there and `undefined`. */
function undefinedOf(types: string): object {
  const names = types.split(" ");
  const parts = written.filter((each) => names.includes(nameIn(each)));
  return Object.fromEntries(parts.flatMap(({ optional }) => optional.map((part) => [part])));
}

it("is tried with the options of every function", () => {
  const tried = Object.keys(calls).flatMap((types) => types.split(" "));
  expect([...new Set([...tried, ...noOptions])].sort()).toEqual(
    [...new Set(written.map(nameIn))].sort(),
  );
});

it.each(Object.entries(calls))("%s: undefined is as if it were left out", async (types, call) => {
  const given = undefinedOf(types);
  expect(Object.values(given)).toContain(undefined);
  const without = JSON.stringify(await call({}));
  expect(JSON.stringify(await call(given))).toBe(without);
});
