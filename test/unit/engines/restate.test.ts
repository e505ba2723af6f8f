// The handlers of Restate, without a server: executions are lost between any two operations and begun anew from their
// journals, events are delivered twice, timers come early and late, operators cancel. Every point is tried in
// restate.verify.test.ts.
import {
  agent,
  type Json,
  type ModelPort,
  memoryJournal,
  run,
  type ToolContext,
  tool,
  virtualClock,
} from "reckoner";
import type { RunProgress } from "reckoner/restate";
import { runsFetch } from "reckoner/serve";
import { runHostLaws } from "reckoner/testing";
import { describe, expect, it } from "vitest";
import { linesOf, searches, searching } from "../../engines/searching.js";
import type { Faults } from "../../support/fake-restate.js";
import { AT, killed, onFake, textOf } from "../../support/on-fake-restate.js";

describe("the verbs of a run", () => {
  let now = onFake();
  const make = () => {
    now = onFake();
    return now.run("r1");
  };
  for (const law of runHostLaws(make, (holds) => now.until(holds))) it(law.name, law.check);
});

describe("the journal", () => {
  const fixed = () => ({ ...virtualClock(AT), now: () => AT });

  async function onServer(turns: number, faults: Faults = {}) {
    const world = onFake(
      { reasoners: [searching], model: searches(turns) },
      { ...faults, clock: fixed() },
    );
    await world.verbs.start({ input: "Look.", seed: "s" });
    await world.over();
    expect(world.server.mismatches).toEqual([]);
    return { ...world, text: await textOf(world.verbs) };
  }

  async function inFile(turns: number) {
    const journal = memoryJournal();
    const model = searches(turns);
    await run(searching, "Look.", { journal, runId: "r1", seed: "s", model, clock: fixed() });
    let text = "";
    for await (const bytes of journal.read()) text += new TextDecoder().decode(bytes);
    return text;
  }

  it("has the bytes of any other, snapshots and their marks included", async () => {
    for (const turns of [0, 1, 20]) expect((await onServer(turns)).text).toBe(await inFile(turns));
  });

  it("has them too where each event is delivered twice, and timers come early or late", async () => {
    const wanted = await inFile(3);
    for (const faults of [{ deliveries: 2 }, { pace: 0.1 }, { pace: 3, deliveries: 3 }]) {
      expect((await onServer(3, faults)).text).toBe(wanted);
    }
  });
});

describe("executions that are lost", () => {
  it("repeat and lose nothing, wherever they are lost", async () => {
    const { points, unknown, ...sound } = await killed({});
    expect({ unknown, ...sound }).toEqual({ unknown: 0, ...SOUND });
    expect(points).toBeGreaterThan(100);
    for (let point = 5; point <= points; point += 23) {
      const done = await killed({ kills: [point], isDeaf: point % 2 === 0 });
      expect({ point, ...done }).toMatchObject(SOUND);
    }
  });
});

const SOUND = { status: "identical", mismatches: [], repeated: 0, lost: 0 };

/** A desk elsewhere, with one tool, that is asked for once. */
function asked(execute: (input: unknown, context: ToolContext) => Promise<Json>) {
  return agent({ name: "searching", tools: [tool({ name: "search", execute })] });
}
const jsonOf = async (verbs: Parameters<typeof linesOf>[0]) =>
  (await linesOf(verbs)).map((line) => JSON.parse(line));

describe("handles", () => {
  it("are in the journal before their port goes on, and come back after a crash", async () => {
    let begun = 0;
    const seen: unknown[] = [];
    const order = asked(async (_, { handle, keep }) => {
      seen.push(handle);
      if (handle !== undefined) return "sent";
      begun += 1;
      await keep("task-1", { due: AT + 60_000 });
      const marks = (await jsonOf(world.server.run("r1"))).filter(({ mark }) => mark?.handle);
      seen.push(marks.length);
      world.server.crash();
      return new Promise(() => {});
    });
    const world = onFake({ reasoners: [order], model: searches(1) });
    await world.verbs.start({ input: "Buy." });
    await world.over();
    expect({ begun, seen }).toEqual({ begun: 1, seen: [undefined, 1, "task-1"] });
    expect((await world.verbs.row()).status).toBe("done");
  });

  it("are refused where they are too large, as their port hears, which goes on", async () => {
    const heard: unknown[] = [];
    const order = asked(async (_, { keep }) => {
      await keep("x".repeat(70_000)).catch(({ code }) => heard.push(code));
      return "done without";
    });
    const world = onFake({ reasoners: [order], model: searches(1) });
    await world.verbs.start({ input: "Buy." });
    await world.over();
    expect(heard).toEqual(["handle.refused"]);
    expect(await textOf(world.verbs)).toContain("done without");
  });
});

describe("progress", () => {
  it("of a tool is seen beside, with the call that it is of", async () => {
    const progress: RunProgress[] = [];
    const far = asked(async (_, context) => {
      context.progress({ done: 1 });
      return "found it";
    });
    const onProgress = (each: RunProgress) => progress.push(each);
    const world = onFake({ reasoners: [far], model: searches(1), onProgress });
    await world.verbs.start({ input: "Look." });
    await world.over();
    expect(progress).toEqual([
      { runId: "r1", run: "", id: "tool/0/0", attempt: 1, data: { done: 1 } },
    ]);
  });

  it("of a model puts off its limit of silence", async () => {
    const clock = virtualClock(AT);
    const slow: ModelPort = {
      name: "slow",
      async generate(request, { onDelta, signal }) {
        for (let n = 0; n < 20 && !signal.aborted; n++) {
          await clock.sleep(200);
          onDelta({ type: "text", text: "More. " });
        }
        return searches(0).generate(request, {} as never);
      },
    };
    const options = { reasoners: [searching], model: slow, llmTimeoutMs: 1_000 };
    const world = onFake(options, { clock });
    await world.verbs.start({ input: "Look." });
    await world.over();
    expect((await world.verbs.row()).status).toBe("done");
    expect(clock.now()).toBeGreaterThanOrEqual(AT + 4_000);
  });
});

describe("operators", () => {
  it("who cancel a tool that may not be repeated do not have it repeated", async () => {
    let executed = 0;
    const act = asked(async () => {
      executed += 1;
      await new Promise((done) => setImmediate(done));
      const going = world.server.invocations.findLast(({ method }) => method === "perform");
      world.server.cancel(going!.id);
      return new Promise(() => {});
    });
    const world = onFake({ reasoners: [act], model: searches(1) });
    await world.verbs.start({ input: "Act." });
    await world.over();
    expect(executed).toBe(1);
    expect(await textOf(world.verbs)).toContain("tool.unknown");
  });

  it("who cancel whatever goes on repeat and lose nothing", async () => {
    const { points } = await killed({});
    for (let point = 7; point <= points; point += 13) {
      expect({ point, ...(await killed({ cancels: [point] })) }).toMatchObject(SOUND);
    }
  });
});

it("an attempt that begins again with its handle is not stopped by what was said of it before", async () => {
  let looked = 0;
  const order = asked(async (_, { handle, keep }) => {
    looked += handle === undefined ? 0 : 1;
    if (handle !== undefined) return clock.sleep(100).then(() => "sent");
    await keep("task-1");
    const going = world.server.invocations.findLast(({ method }) => method === "perform");
    world.server.cancel(going!.id);
    return new Promise(() => {});
  });
  const clock = virtualClock(AT);
  const world = onFake({ reasoners: [order], model: searches(1) }, { clock, deliveries: 2 });
  await world.verbs.start({ input: "Buy." });
  await world.over();
  expect(looked).toBe(1);
  expect(await textOf(world.verbs)).toContain('"sent"');
});

it("attempts of a run whose code is gone for a while go on, and are not repeated", async () => {
  let executed = 0;
  let isThere = true;
  const act = asked(async () => {
    executed += 1;
    isThere = false;
    await clock.sleep(100);
    return "acted";
  });
  const clock = virtualClock(AT);
  const reasoners = new Proxy([act], {
    get: (target, name) =>
      name === "filter" && !isThere ? () => [] : Reflect.get(target, name, target),
  });
  const world = onFake({ reasoners, model: searches(1) }, { clock });
  await world.verbs.start({ input: "Act." });
  await world.until(async () => executed > 0);
  expect(await world.verbs.message("Hi.")).toMatchObject({
    outcome: "refused",
    code: "run.parked",
  });
  await world.at(clock.sleep(500));
  isThere = true;
  await world.over();
  expect(executed).toBe(1);
  expect(await textOf(world.verbs)).toContain("acted");
});

it("gives a tool up at its time, be its wake early or late", async () => {
  for (const pace of [0.5, 1, 4]) {
    const clock = virtualClock(AT);
    const hang = tool({ name: "search", timeoutMs: 300, execute: () => new Promise(() => {}) });
    const reasoners = [agent({ name: "hanging", tools: [hang] })];
    const world = onFake({ reasoners, model: searches(1) }, { clock, pace });
    await world.verbs.start({ input: "Look." });
    await world.over();
    const [failed] = (await jsonOf(world.verbs)).filter(({ event }) => event?.error);
    expect(failed).toMatchObject({ event: { error: { code: "tool.unknown" } } });
    expect(failed.event.at).toBeGreaterThanOrEqual(AT + 300);
  }
});

it("brings Promise.withResolvers, which Node 20 has not, and leaves one that is there", () => {
  const own = Object.getOwnPropertyDescriptor(Promise, "withResolvers");
  try {
    Reflect.deleteProperty(Promise, "withResolvers");
    onFake();
    const { withResolvers } = Promise as unknown as { withResolvers: () => { promise: unknown } };
    expect(withResolvers.call(Promise).promise).toBeInstanceOf(Promise);
    onFake();
    expect(Reflect.get(Promise, "withResolvers")).toBe(withResolvers);
  } finally {
    if (own !== undefined) Object.defineProperty(Promise, "withResolvers", own);
  }
});

it("is served over HTTP as a host's runs are", async () => {
  const world = onFake();
  const fetchRuns = runsFetch({ run: (id) => world.server.run(id), authorize: () => ({}) });
  const ask = (method: string, path: string, body?: object) =>
    world.at(
      fetchRuns(
        new Request(`http://desk.example/runs/r1${path}`, {
          ...{ method, headers: { "content-type": "application/json" } },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
      ),
    );
  expect((await ask("GET", "")).status).toBe(404);
  expect((await ask("PUT", "", { input: { prompt: "Hi." } })).status).toBe(200);
  await world.until(async () => (await world.server.run("r1").row()).status === "ready");
  expect(await (await ask("GET", "")).json()).toMatchObject({ status: "ready" });
});
