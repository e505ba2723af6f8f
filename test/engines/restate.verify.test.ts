// Runs on a real Restate server obey the laws of the verbs, have the bytes of a file, and stop, wait and go on under
// newer code. Its kills are in restate.kill.verify.test.ts.
import "./quiet.js";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  agent,
  type ModelPort,
  replay,
  resume,
  run,
  scriptedModel,
  tool,
  virtualClock,
} from "reckoner";
import {
  type RestateEngineOptions,
  type RunDelta,
  restateEngine,
  restateRuns,
  type Worker,
} from "reckoner/restate";
import { runHostLaws } from "reckoner/testing";
import { redrive } from "reckoner/time-travel";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { desk, deskModel } from "../support/serve.js";
import { RestateServer } from "./restate-server.mjs";
import { linesOf, searches, searching } from "./searching.js";
import { isOver, until, untilReady } from "./until.js";

const AT = Date.UTC(2026, 0, 31);
const folder = mkdtempSync(join(tmpdir(), "restate-"));
const workers: Worker[] = [];
let server: Awaited<ReturnType<typeof RestateServer.start>>;
beforeAll(async () => {
  server = await RestateServer.start(folder);
});
afterAll(async () => {
  await server.kill();
  for (const worker of workers) await worker.close();
  rmSync(folder, { recursive: true, force: true });
});

let engines = 0;
/** A worker with a name of its own, and its runs. */
async function made(options: Partial<RestateEngineOptions>) {
  engines += 1;
  const name = options.name ?? `engine${engines}`;
  const engine = restateEngine({ reasoners: [desk], model: deskModel, ...options, name });
  const worker = await engine.listen({ port: 0 });
  workers.push(worker);
  await server.register(worker.url);
  return { name, worker, ...restateRuns({ ingress: server.ingress, name }) };
}

describe("the verbs of a run on Restate", () => {
  let runs: Awaited<ReturnType<typeof made>>;
  beforeAll(async () => {
    runs = await made({});
  });
  let count = 0;
  const make = () => {
    count += 1;
    return runs.run(`law-${count}`);
  };
  for (const law of runHostLaws(make, until)) it(law.name, law.check);
});

describe("the journal of a run on Restate", () => {
  async function journalled(turns: number) {
    const file = join(folder, `${engines}.jsonl`);
    const model = searches(turns);
    const clock = Object.assign(virtualClock(AT), { now: () => AT });
    await run(searching, "Look.", { journal: file, runId: "r1", seed: "s", model, clock });
    const runs = await made({ reasoners: [searching], model, clock });
    const verbs = runs.run("r1");
    await verbs.start({ input: "Look.", seed: "s" });
    await isOver(verbs);
    return { file, lines: await linesOf(verbs), ...runs };
  }

  it("has the bytes of a file, snapshots and their marks included", async () => {
    for (const turns of [0, 1, 60]) {
      const { file, lines } = await journalled(turns);
      expect(lines.map((line) => `${line}\n`).join("")).toBe(readFileSync(file, "utf8"));
    }
  });

  it("is replayed, redriven and resumed as any other", async () => {
    const { lines } = await journalled(2);
    const file = join(folder, "exported.jsonl");
    writeFileSync(file, lines.map((line) => `${line}\n`).join(""));
    expect(await replay(searching, file)).toMatchObject({ status: "identical" });
    expect(await redrive(searching, file)).toMatchObject({ fresh: 0 });
    expect((await resume(searching, file, { model: searches(2) })).status).toBe("done");
  });

  it("takes seven invocations and four effects for model, tool, model", async () => {
    const { name } = await journalled(1);
    const [invoked = {}] = await server.query(
      `select count(*) as n from sys_invocation where target_service_name in ('${name}', '${name}.effects') and (target_handler_name = 'perform' or target_handler_name = 'take' or target_handler_name = 'say') and status <> 'scheduled'`,
    );
    const [ran = {}] = await server.query(
      `select count(*) as n from sys_journal j join sys_invocation i on i.id = j.id where i.target_service_name = '${name}.effects' and j.entry_type like '%Run' and j.entry_type not like '%Notification%'`,
    );
    expect({ invoked: invoked.n, ran: ran.n }).toEqual({ invoked: 7, ran: 4 });
  });
});

it("an interrupt stops a model, and what had streamed is kept; deltas go beside", async () => {
  const deltas: RunDelta[] = [];
  const aborted: string[] = [];
  const model: ModelPort = {
    name: "slow",
    generate: (_request, { onDelta, signal }) =>
      new Promise((_resolve, reject) => {
        onDelta({ type: "text", text: "Once upon a time" });
        signal.addEventListener("abort", () => {
          aborted.push(String(signal.reason));
          reject(signal.reason);
        });
      }),
  };
  const runs = await made({ model, onDelta: (delta) => deltas.push(delta) });
  const verbs = runs.run("r1");
  await verbs.start({ input: { prompt: "Tell me." } });
  await until(async () => deltas.length > 0);
  expect(deltas[0]).toMatchObject({ runId: "r1", run: "", attempt: 1, text: "Once upon a time" });
  expect(await verbs.interrupt("enough")).toMatchObject({ outcome: "taken" });
  await untilReady(verbs);
  expect((await linesOf(verbs)).join("\n")).toContain("Once upon a time");
  await until(async () => aborted.length > 0);
});

it("a tool that hangs is given up at its time, by a delayed send", async () => {
  const hang = tool({ name: "search", timeoutMs: 300, execute: () => new Promise(() => {}) });
  const runs = await made({
    reasoners: [agent({ name: "hanging", tools: [hang] })],
    model: searches(1),
  });
  const verbs = runs.run("r1");
  await verbs.start({ input: "Look." });
  await isOver(verbs);
  expect((await linesOf(verbs)).join("\n")).toContain("tool.failed");
});

it("what is no verb is refused, and blocks nothing; nobody else may report", async () => {
  const runs = await made({});
  const verbs = runs.run("r1");
  await verbs.start({ input: { prompt: "Hello." } });
  const post = async (way: string, body: unknown) => {
    const headers = { "content-type": "application/json" };
    const url = `${server.ingress}/${way}`;
    return fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  };
  for (const said of [
    null,
    1,
    {},
    { verb: "toString", with: [], key: "k" },
    { verb: "message", with: [7], key: "k" },
  ]) {
    const response = await post(`${runs.name}/r1/say`, said);
    expect(await response.json()).toMatchObject({ error: { code: "event.invalid" } });
  }
  const forged = {
    reports: [{ fork: "", arrived: { type: "settled", run: "", id: "llm/0", attempt: 1 } }],
  };
  expect((await post(`${runs.name}/r1/take`, forged)).status).toBe(400);
  expect((await post(`${runs.name}.effects/perform`, {})).status).toBe(400);
  await expect(verbs.decide("x", {} as never)).rejects.toMatchObject({ code: "event.invalid" });
  expect(await verbs.message("Hi.")).toMatchObject({ outcome: "taken" });
  await untilReady(verbs);
});

it("a worker that others reach wants to know the servers", async () => {
  const engine = restateEngine({ reasoners: [desk], model: deskModel });
  await expect(engine.listen({ port: 0, hostname: "0.0.0.0" })).rejects.toMatchObject({
    code: "option.invalid",
  });
  const key = "publickeyv1_w7YHemBctH5Ck2nQRQ47iBBqhNHy4FV7t2Usbye2A6f";
  const worker = await engine.listen({ port: 0, identityKeys: [key] });
  workers.push(worker);
  const body = JSON.stringify({ uri: worker.url, force: true });
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${server.admin}/deployments`, { method: "POST", headers, body });
  expect(answer.ok).toBe(false);
});

it("runs that wait go on under newer code, when the older is gone", async () => {
  const version = (reply: string) =>
    agent({
      name: "versions",
      system: `Refunds ${reply}.`,
      conversation: true,
      tools: [tool({ name: "refund", needsApproval: true, execute: () => reply })],
    });
  const before = version("before");
  const after = version("after");
  const { name, worker, run: runOf } = await made({ reasoners: [before] });
  const ids = Array.from({ length: 5 }, (_, n) => `r${n}`);
  for (const id of ids) {
    await runOf(id).start({ input: { prompt: "Hello." } });
    await untilReady(runOf(id));
    await runOf(id).message("refund");
  }
  for (const id of ids) await until(async () => (await runOf(id).row()).approvals.length > 0);
  await worker.close();
  const runs = await made({ name, reasoners: [after, before] });
  for (const id of ids) {
    const verbs = runs.run(id);
    const [approval] = (await verbs.row()).approvals;
    expect(await verbs.decide(approval!.id, { approve: true })).toMatchObject({ outcome: "taken" });
    await untilReady(verbs);
    const text = (await linesOf(verbs)).join("\n");
    expect(text).toContain('"after"');
  }
});

it("a child runs in its parent's object", async () => {
  const { agentTool } = await import("reckoner");
  const child = agent({ name: "child" });
  const parent = agent({ name: "parent", tools: [agentTool(child, { name: "ask" })] });
  const model = scriptedModel([
    { calls: [{ name: "ask", input: { prompt: "Who?" } }] },
    "I.",
    "It was I.",
  ]);
  const runs = await made({ reasoners: [parent], model });
  const verbs = runs.run("r1");
  await verbs.start({ input: "Who was it?" });
  await isOver(verbs);
  expect(await verbs.row()).toMatchObject({ status: "done" });
});

it("a watch sees the lines from any number on, until the run has ended", async () => {
  const runs = await made({ reasoners: [searching], model: searches(2) });
  const verbs = runs.run("r1");
  await verbs.start({ input: "Look." });
  const seen: string[] = [];
  for await (const each of runs.watch("r1", { from: 1 }))
    if (each.type === "line") seen.push(each.text);
  expect(seen).toEqual((await linesOf(verbs)).slice(1));
});
