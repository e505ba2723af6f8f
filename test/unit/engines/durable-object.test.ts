// A run in a Durable Object obeys the laws of the verbs, has the bytes of a file, and goes on after crashes; its
// journal is read as any other.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { agent, type ModelPort, replay, resume, run, tool, virtualClock } from "reckoner";
import { fileJournal } from "reckoner/file-journal";
import type { RunHost } from "reckoner/serve";
import { runHostLaws } from "reckoner/testing";
import { redrive } from "reckoner/time-travel";
import { afterAll, describe, expect, it } from "vitest";
import { FakeObjects } from "../../support/durable-object.js";
import { desk, deskModel, inTime } from "../../support/serve.js";

const folder = mkdtempSync(join(tmpdir(), "durable-object-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const AT = Date.UTC(2026, 0, 31);

/** Objects in virtual time, and the verbs of a run in it. */
function made(
  options: Partial<ConstructorParameters<typeof FakeObjects>[0]> = {},
  clock = virtualClock(AT),
) {
  const objects = new FakeObjects(
    { reasoners: [desk], model: deskModel, clock, ...options },
    clock,
  );
  const at = <T>(awaited: PromiseLike<T>) => inTime(clock, awaited);
  const until = async (holds: () => Promise<boolean>) => {
    for (let n = 0; n < 1_000; n++) {
      if (await at(holds().catch(() => false))) return;
      clock.advance(100);
    }
    throw new Error("It never holds.");
  };
  const inVirtualTime = (verbs: RunHost): RunHost =>
    Object.fromEntries(
      Object.entries(verbs).map(([name, verb]) => [
        name,
        (...given: never[]) => at((verb as (...all: never[]) => Promise<unknown>)(...given)),
      ]),
    ) as never;
  return { objects, clock, at, until, run: (id: string) => inVirtualTime(objects.runs.run(id)) };
}

async function linesOf(verbs: RunHost): Promise<readonly string[]> {
  const lines: string[] = [];
  for (;;) {
    const page = await verbs.lines(lines.length);
    lines.push(...page.lines);
    if (page.lines.length === 0 || page.ended) return lines;
  }
}

const searching = agent({
  name: "searching",
  maxIterations: 1_000,
  tools: [tool({ name: "search", execute: async () => "found it" })],
});

/** Searches `turns` times, then answers. */
function searches(turns: number): ModelPort {
  return {
    name: "searches",
    async generate({ messages }) {
      const asked = messages.filter(({ role }) => role === "tool").length;
      const isOver = asked >= turns;
      const content = isOver
        ? [{ type: "text", text: "Done." }]
        : [{ type: "tool-call", toolCallId: `c${asked}`, toolName: "search", input: {} }];
      return {
        content: content as never,
        finishReason: isOver ? "stop" : "tool-calls",
        usage: { inputTokens: 10, outputTokens: 5 },
      };
    },
  };
}

describe("the verbs of a run in an object", () => {
  let now = made();
  const make = () => {
    now = made();
    return now.run("r1");
  };
  for (const law of runHostLaws(make, (holds) => now.until(holds))) it(law.name, law.check);
});

describe("the journal of a run in an object", () => {
  const fixed = () => ({ ...virtualClock(AT), now: () => AT });

  async function journalled(
    turns: number,
  ): Promise<{ readonly file: string; readonly lines: readonly string[] }> {
    const file = join(folder, `${turns}.jsonl`);
    const model = searches(turns);
    await run(searching, "Look.", { journal: file, runId: "r1", seed: "s", model, clock: fixed() });
    const { objects, clock, at, until } = made({ reasoners: [searching], model, clock: fixed() });
    const verbs = objects.runs.run("r1");
    expect(await at(verbs.start({ input: "Look.", seed: "s" }))).toMatchObject({
      outcome: "taken",
    });
    await until(async () => /done|failed/.test((await verbs.row()).status));
    expect(clock.now()).toBeGreaterThanOrEqual(AT);
    return { file, lines: await at(linesOf(verbs)) };
  }

  it("has the bytes of a file", async () => {
    for (const turns of [0, 1, 3, 40]) {
      const { file, lines } = await journalled(turns);
      expect(lines.map((line) => `${line}\n`).join("")).toBe(readFileSync(file, "utf8"));
    }
  });

  it("is replayed and redriven as any other", async () => {
    const { lines } = await journalled(2);
    const file = join(folder, "exported.jsonl");
    writeFileSync(file, lines.map((line) => `${line}\n`).join(""));
    expect(await replay(searching, file)).toMatchObject({ status: "identical" });
    const report = await redrive(searching, fileJournal(file));
    expect(report).toMatchObject({ fresh: 0, replay: { status: "identical" } });
    expect((await resume(searching, file, { model: searches(2) })).status).toBe("done");
  });
});

describe("an object that is gone", () => {
  it("goes on where its lines end, and repeats no tool", async () => {
    let wrong = 0;
    let crashes = 0;
    for (let at = 1; at < 14; at++) {
      const counted = new Map<string, number>();
      const act = tool({
        name: "search",
        execute: async (_input, { idempotencyKey }) => {
          counted.set(idempotencyKey, (counted.get(idempotencyKey) ?? 0) + 1);
          await world.clock.sleep(5);
          return "found it";
        },
      });
      const world = made({
        reasoners: [agent({ name: "acting", tools: [act] })],
        model: searches(3),
      });
      const verbs = world.run("r1");
      const object = world.objects.object("r1");
      object.failAt = at;
      await verbs.start({ input: "Look." }).catch(() => verbs.start({ input: "Look." }));
      await world.until(async () => {
        if (object.writes >= at && crashes < 1_000 && object.failAt > 0) {
          object.failAt = -1;
          object.crash();
          crashes += 1;
        }
        return /done|failed/.test((await world.objects.runs.run("r1").row()).status);
      });
      wrong += [...counted.values()].filter((times) => times > 1).length;
    }
    expect({ wrong, isKilled: crashes > 5 }).toEqual({ wrong: 0, isKilled: true });
  });
});

describe("a run that is parked", () => {
  it("says why, keeps what was reported, and goes on when it is unparked", async () => {
    let isThere = true;
    const reasoners = new Proxy([desk], {
      get: (target, name) =>
        name === "filter" && !isThere ? () => [] : Reflect.get(target, name, target),
    });
    const world = made({ reasoners });
    const verbs = world.run("r1");
    await verbs.start({ input: { prompt: "Hello." } });
    await world.until(async () => (await world.objects.runs.run("r1").row()).status === "ready");
    isThere = false;
    world.objects.object("r1").crash();
    expect(await verbs.message("Hi.")).toMatchObject({ outcome: "refused", code: "run.parked" });
    for (let n = 0; n < 10; n++) await world.at(world.clock.sleep(10_000));
    expect((await verbs.row()).parked).toMatchObject({ code: "run.reasoner" });
    isThere = true;
    expect(await verbs.message("Hi.")).toMatchObject({ outcome: "refused", code: "run.parked" });
    await world.at(world.objects.runs.unpark("r1"));
    expect((await verbs.row()).parked).toBeUndefined();
    expect(await verbs.message("Hi.")).toMatchObject({ outcome: "taken" });
  });
});

it("a stream tells the lines from any number on, until the run has ended", async () => {
  const world = made({ reasoners: [searching], model: searches(1) });
  const verbs = world.run("r1");
  await verbs.start({ input: "Look." });
  await world.until(async () => (await world.objects.runs.run("r1").row()).status === "done");
  const request = new Request("https://run/r1/events?from=2");
  const response = await world.at(world.objects.runs.events("r1", request));
  const text = await world.at(response.text());
  const lines = (await linesOf(verbs)).slice(2);
  expect(text).toBe(
    lines.map((line, n) => `id: ${n + 2}\nevent: line\ndata: ${line}\n\n`).join(""),
  );
});

it("a text that is longer than a row is kept in parts", async () => {
  const world = made({ reasoners: [searching], model: searches(0) });
  const prompt = "😀".repeat(700_000);
  const verbs = world.run("r1");
  await verbs.start({ input: prompt });
  await world.until(async () => (await world.objects.runs.run("r1").row()).status === "done");
  const { input } = JSON.parse((await linesOf(verbs))[0]!);
  expect(input === prompt).toBe(true);
  world.objects.object("r1").crash();
  expect(await verbs.message("Hi.")).toMatchObject({ outcome: "refused", code: "run.ended" });
});

describe("a tool in an object", () => {
  it("has a handle back after a crash, when it was durable, and is not unknown", async () => {
    let begun = 0;
    const order = tool({
      name: "search",
      execute: async (_input, { handle, keep }) => {
        if (handle !== undefined) return `sent by ${handle}`;
        begun += 1;
        await keep("task-1");
        const marks = (await linesOf(world.objects.runs.run("r1"))).filter((line) =>
          line.includes('"handle":"task-1"'),
        );
        expect(marks).toHaveLength(1);
        world.objects.object("r1").crash();
        return new Promise(() => {});
      },
    });
    const reasoners = [agent({ name: "ordering", tools: [order] })];
    const world = made({ reasoners, model: searches(1) });
    const verbs = world.run("r1");
    await verbs.start({ input: "Buy." });
    await world.until(async () => (await world.objects.runs.run("r1").row()).status === "done");
    expect(begun).toBe(1);
    expect((await linesOf(verbs)).join("\n")).toContain("sent by task-1");
  });

  it("tells the sockets how far it is", async () => {
    const far = tool({
      name: "search",
      execute: async (_input, context) => {
        context.progress({ done: 1 });
        return "found it";
      },
    });
    const reasoners = [agent({ name: "telling", tools: [far] })];
    const world = made({ reasoners, model: searches(1) });
    const sent = world.objects.object("r1").watch();
    await world.run("r1").start({ input: "Look." });
    await world.until(async () => (await world.objects.runs.run("r1").row()).status === "done");
    const deltas = sent.map((text) => JSON.parse(text)).filter(({ type }) => type === "delta");
    expect(deltas.map(({ delta }) => delta)).toContainEqual({
      ...{ type: "progress", id: "tool/0/0", data: { done: 1 } },
    });
  });
});
