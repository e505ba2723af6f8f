// An agent's own `deps` leave the run with its input: the hook sees them first, once, and a replay is
// exact whatever the definition says by then.
import { describe, expect, it } from "vitest";
import {
  type Agent,
  type AgentContext,
  agent,
  agentTool,
  type JsonObject,
  tool,
} from "../../../../src/index.js";
import {
  memoryJournal,
  type Observation,
  replay,
  resume,
  run,
  scriptedModel,
} from "../../../../src/runtime/index.js";
import { textJournal } from "../../../../src/testing/index.js";
import { byHand } from "../../../support/by-hand.js";
import { textIn } from "../../../support/journal-text.js";

const jsonSchema = { type: "object" };
const asks = tool({
  name: "asks",
  jsonSchema,
  needsApproval: true,
  reduce: (_input, { deps }) => deps,
});
const desk = (deps: JsonObject = { user: "u-canary", apiKey: "k-canary" }): Agent =>
  agent({ name: "desk", tools: [asks], deps });
const model = scriptedModel([{ calls: [{ name: "asks" }] }, "done"]);
const hide = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value), (_key, each) =>
    typeof each === "string" ? each.replaceAll("canary", "***") : each,
  );
const depsOf = (context: unknown) => (context as AgentContext).deps;

describe("an agent's own deps", () => {
  it("are what the hook sees of the start, and what it removes is nowhere", async () => {
    const journal = memoryJournal();
    const starts: unknown[] = [];
    const end = await run(desk(), "go", {
      model,
      journal,
      redact: (value) => {
        if (value.type === "start") starts.push(value);
        return hide(value);
      },
    });
    expect(starts).toMatchObject([
      { type: "start", input: { prompt: "go", deps: { user: "u-canary", apiKey: "k-canary" } } },
    ]);
    expect(depsOf(end.context)).toEqual({ user: "u-***", apiKey: "k-***" });
    expect(JSON.stringify(end.state) + (await textIn(journal))).not.toContain("canary");
    expect((await replay(desk(), journal)).status).toBe("identical");
  });

  it.each<[string, (start: { input: { prompt: string } }) => unknown]>([
    ["the key", ({ input: { prompt } }) => ({ prompt })],
    ["all but the prompt", ({ input: { prompt } }) => prompt],
  ])("do not come back where the hook takes %s away", async (_what, left) => {
    const journal = memoryJournal();
    const redact = (value: { type: string }) =>
      value.type === "start" ? { ...value, input: left(value as never) } : value;
    const end = await run(desk(), "go", { model, journal, redact: redact as never });
    expect(depsOf(end.context)).toEqual({});
    expect(await textIn(journal)).not.toContain("k-canary");
    expect((await replay(desk(), journal)).status).toBe("identical");
    await resume(desk(), journal, {
      model,
      approvals: { "approval/0/0": { approve: true } },
      redact: redact as never,
    });
    expect(await textIn(journal)).not.toContain("k-canary");
  });

  it("that look like secrets are warned of", async () => {
    const seen: Observation[] = [];
    const live = run(desk(), "go", { model });
    for await (const each of live) if (each.type === "notice") seen.push(each);
    expect(seen).toMatchObject([{ code: "deps.secret" }]);
    expect(JSON.stringify(seen)).toContain("deps.apiKey");
  });

  it("are those of the day on which the run began: a replay under others is exact", async () => {
    const journal = memoryJournal();
    await run(desk({ day: 1 }), "go", { model, journal });
    expect((await replay(desk({ day: 2 }), journal)).status).toBe("identical");
    expect((await replay(agent({ name: "desk", tools: [asks] }), journal)).status).toBe(
      "identical",
    );
  });

  it("stand back behind those of the input, and of the run that is gone on from", async () => {
    const own = run(desk(), { prompt: "go", deps: { region: "eu" } }, { model });
    expect(depsOf((await own).context)).toEqual({ region: "eu" });
    const first = memoryJournal();
    await run(desk({ day: 1 }), "go", { model, journal: first, unattended: "deny" });
    const next = await run(desk({ day: 2 }), "and?", { model, from: first });
    expect(depsOf(next.context)).toEqual({ day: 1 });
  });

  it("are there for whoever drives the agent by hand, with and without preparing the input", () => {
    const cleaner = desk({ day: 1 });
    expect(depsOf(byHand(cleaner, "go").context)).toEqual({ day: 1 });
    const prepared = cleaner.prepare("go", false);
    expect(prepared).toEqual({ prompt: "go", deps: { day: 1 } });
    const origin = { at: 0, runId: "run" };
    const started = cleaner.start(prepared as never, { ...origin, prepared: true });
    expect(started).toEqual(cleaner.start("go", origin));
    expect(depsOf(cleaner.start("go", { ...origin, prepared: true }).state.context)).toEqual({});
  });

  it("are the definition's no less where an input is none: the start refuses it all the same", async () => {
    for (const input of [5, null, [], { messages: [5] }]) {
      expect((await run(desk(), input as never, { model })).status).toBe("failed");
    }
  });
});

describe("a child's own deps", () => {
  const parent = (deps: JsonObject) =>
    agent({ name: "parent", tools: [agentTool(desk(deps), { name: "desk" })] });
  const says = scriptedModel([
    { calls: [{ name: "desk", input: { prompt: "go" } }] },
    { calls: [{ name: "asks" }] },
    "done",
    "all done",
  ]);

  it("are redacted as well, and another day's do not make it another's child", async () => {
    const journal = textJournal("");
    const options = { model: says, redact: hide, runId: "r" };
    const waiting = await run(parent({ key: "canary", day: 1 }), "go", { ...options, journal });
    expect(waiting.status).toBe("waiting");
    const begins = journal.text.split("\n").find((line) => line.includes('"begin":')) ?? "";
    expect(JSON.parse(begins).begin.input).toEqual({ prompt: "go", deps: { key: "***", day: 1 } });
    const [approval] = waiting.status === "waiting" ? waiting.approvals : [];
    const end = await resume(parent({ key: "canary", day: 2 }), journal, {
      ...options,
      approvals: { [approval?.id ?? ""]: { approve: true } },
    });
    expect(end.status).toBe("done");
    expect(journal.text).not.toContain("canary");
  });
});
