// Services are looked at before a run takes an event: one that is missing is named, and nothing is written.
import { describe, expect, it } from "vitest";
import {
  type Agent,
  agent,
  agentTool,
  memoryJournal,
  resume,
  run,
  scriptedModel,
  type Tool,
  type ToolContext,
  toArray,
  tool,
} from "../../../../src/index.js";
import { textJournal } from "../../../../src/testing/index.js";

interface Shop {
  find(): string;
}
const asked = { times: 0 };
const model = () =>
  scriptedModel((_request, turn) => {
    asked.times += 1;
    return turn === 0 ? { calls: [{ name: "find" }] } : "done";
  });
const taking = tool({
  name: "find",
  execute: (_input, { services }: ToolContext<object, Shop>) => services.find(),
});
const reading = tool({
  name: "find",
  execute: (_input, context: ToolContext<object, Shop>) => context.services.find(),
});
const naming = tool({
  name: "find",
  services: ["find"],
  execute: (_input, context: ToolContext<object, Shop>) => context.services.find(),
});
const helper = ({ services }: ToolContext<object, Shop>) => services.find();
const safe = async (context: ToolContext<object, Shop>) => helper(context);
/** A container of services as strict ones are. */
const strict = new Proxy(
  {},
  {
    get() {
      throw new Error("not registered");
    },
  },
);
const parentOf = (own: Tool) =>
  agent({ name: "p", tools: [agentTool(agent({ name: "c", tools: [own] }), { name: "c" })] });
const agentOf = (own: Tool) => agent({ name: "a", tools: [own] });
const find = () => "found";

describe("a run whose tools need services", () => {
  it.each([
    ["a tool that takes them apart", agentOf(taking), undefined],
    ["one that reads them", agentOf(reading), undefined],
    ["one that names them", agentOf(naming), undefined],
    ["one that names another", agentOf(naming), { found: find }],
    ["one whose service is null", agentOf(naming), { find: null }],
    ["one whose container throws for what it lacks", agentOf(naming), strict],
    ["a tool of a child", parentOf(naming), {}],
    ["a tool of a child that names none", parentOf(taking), undefined],
  ])("is refused before it begins without them: %s", async (_what, own, services) => {
    asked.times = 0;
    const journal = textJournal("");
    const options = { model: model(), journal, services: services as never };
    await expect(run(own, "go", options)).rejects.toMatchObject({
      code: "services.missing",
      message: expect.stringMatching(/^Tool find .*services/),
    });
    expect([asked.times, journal.text]).toEqual([0, ""]);
  });

  it("goes on with them, and without those that no tool names", async () => {
    const options = { model: model(), services: { find } };
    for (const own of [taking, reading, naming]) {
      const end = await run(agentOf(own), "go", { ...options, model: model() });
      expect(end.status).toBe("done");
    }
  });

  it("goes on without any where no tool names some, whatever their code looks like", async () => {
    const cluster = { services: { list: () => "two" } };
    const quiet = tool({ name: "find", execute: () => cluster.services.list() });
    const end = await run(agentOf(quiet), "go", { model: model() });
    expect(end).toMatchObject({ status: "done", usage: { toolCalls: 1 } });
  });

  it("goes on without any where a tool says that it can do without", async () => {
    const read: unknown[] = [];
    const optional = tool({
      name: "find",
      services: [],
      execute: (_input, { services }: ToolContext) => read.push(services),
    });
    const end = await run(agentOf(optional), "go", { model: model() });
    expect([end.status, read]).toEqual(["done", [undefined]]);
  });

  it.each<[string, (context: ToolContext<object, Shop>) => unknown]>([
    ["it reads them in another function", (context) => (() => context.services.find())()],
    ["it hands its context on", (context) => helper(context)],
    ["it copies its context", (context) => helper({ ...context })],
    ["it catches what is thrown", async (context) => Promise.any([1, safe(context)])],
    ["it throws another error", (context) => safe(context).catch(() => Promise.reject("no"))],
  ])("rejects at the call, and the model reads nothing: %s", async (what, work) => {
    const hidden = tool({
      name: "find",
      idempotent: true,
      execute: (_input, context: ToolContext<object, Shop>) => work(context),
    });
    const beside = tool({ name: "beside", execute: () => "was beside it" });
    asked.times = 0;
    const calling = scriptedModel(() => {
      asked.times += 1;
      return { calls: [{ name: "beside" }, { name: "find" }, { name: "beside" }] };
    });
    const journal = memoryJournal();
    const own: Agent = agent({ name: "a", tools: [hidden, beside] });
    await expect(run(own, "go", { model: calling, journal })).rejects.toMatchObject({
      code: "services.missing",
      message: expect.stringMatching(/^Tool find needs services, and the run was given none; /),
    });
    expect(asked.times).toBe(1);
    const later = scriptedModel(["done", "done"]);
    const end = await resume(own, journal, { model: later, services: { find } });
    expect(toArray(end.context.toolCalls).map(({ output }) => output)).toEqual([
      "was beside it",
      what === "it catches what is thrown" ? 1 : "found",
      "was beside it",
    ]);
  });

  it("goes on where a tool takes its context apart and uses no service", async () => {
    const quiet = tool({
      name: "find",
      execute: (_input, context: ToolContext) => {
        const { services, signal: _, keep: _keep, progress: _progress, ...rest } = { ...context };
        return { rest, text: JSON.stringify(services), has: "find" in (services as object) };
      },
    });
    const end = await run(agentOf(quiet), "go", { model: model() });
    expect(toArray(end.context.toolCalls)[0]?.output).toMatchObject({ text: "{}", has: false });
  });

  it("is refused when it is resumed without them, and no decision is used up", async () => {
    const pay = tool({
      name: "find",
      services: ["find"],
      needsApproval: true,
      execute: (_input, context: ToolContext<object, Shop>) => context.services.find(),
    });
    const journal = memoryJournal();
    const own = agentOf(pay);
    const first = await run(own, "go", { model: model(), journal, services: { find } });
    expect(first.status).toBe("waiting");
    const approvals = { "approval/0/0": { approve: true } } as const;
    const options = { model: scriptedModel(["done", "done"]), approvals };
    await expect(resume(own, journal, options as never)).rejects.toMatchObject({
      code: "services.missing",
    });
    const end = await resume(own, journal, { ...options, services: { find } });
    expect(end.status).toBe("done");
  });
});
