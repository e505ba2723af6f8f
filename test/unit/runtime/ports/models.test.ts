// `models([a, b])`: each try is an attempt of the run, which names its model, is marked and is charged.
import { describe, expect, it } from "vitest";
import {
  agent,
  type Delta,
  ModelError,
  type ModelPort,
  memoryJournal,
  models,
  replay,
  resume,
  run,
  scriptedModel,
  summaryOf,
  virtualClock,
} from "../../../../src/index.js";
import { textJournal } from "../../../../src/testing/index.js";
import { redrive } from "../../../../src/time-travel.js";
import { linesIn, textIn } from "../../../support/journal-text.js";

const error = (status: number, more: object = {}) =>
  new ModelError({ code: "llm.failed", message: String(status), status, ...more });
const busy = () => error(503, { transient: true });

/** A model that throws as often as there are errors, and then answers with its name. */
function port(name: string, ...errors: readonly Error[]) {
  const left = [...errors];
  const asked: number[] = [];
  const model: ModelPort = {
    name,
    generate: async (_request, call) => {
      asked.push(call.attempt);
      const thrown = left.shift();
      call.onDelta({ type: "text", text: `${name}${call.attempt} ` });
      if (thrown !== undefined) throw thrown;
      const usage = { inputTokens: 10, outputTokens: 1 };
      return { content: [{ type: "text", text: name }], finishReason: "stop", usage };
    },
  };
  return { model, asked };
}

const one = agent({ name: "one" });
const marksIn = async (journal: Parameters<typeof linesIn>[0]) =>
  (await linesIn(journal)).flatMap((line) =>
    "mark" in line && "failed" in line.mark ? [line.mark] : [],
  );
const answersIn = async (journal: Parameters<typeof linesIn>[0]) =>
  (await linesIn(journal)).flatMap((line) =>
    "event" in line && String(line.event.type).startsWith("llm.") ? [line.event] : [],
  );

describe("a call that may ask several models", () => {
  it.each([
    ["is busy", busy()],
    ["has no key", error(401, { transient: false })],
    ["refuses the request", error(400)],
    ["says nothing of itself", new Error("odd")],
  ])("asks the next at once where one %s", async (_what, thrown) => {
    const clock = virtualClock(0);
    const journal = memoryJournal();
    const [a, b] = [port("a", thrown), port("b")];
    const end = await run(one, "go", { model: models([a.model, b.model]), journal, clock });
    expect([end.status, "output" in end && end.output, clock.now()]).toEqual(["done", "b", 0]);
    expect([a.asked, b.asked]).toEqual([[1], [2]]);
    expect(await marksIn(journal)).toMatchObject([{ id: "llm/0", failed: 1, model: "a" }]);
    expect(await answersIn(journal)).toMatchObject([{ attempts: 2, port: "b" }]);
    expect((await replay(one, journal)).status).toBe("identical");
  });

  it("is withdrawn before observers what the one before had streamed", async () => {
    const seen: (string | Delta)[] = [];
    const observer = (each: { type: string; delta?: Delta }) => {
      if (each.type === "retry") seen.push("retry");
      if (each.delta !== undefined) seen.push(each.delta.text);
    };
    const model = models([port("a", busy()).model, port("b").model]);
    await run(one, "go", { model, observers: [observer as never] });
    expect(seen).toEqual(["a1 ", "retry", "b2 "]);
  });

  it("begins again with the first where one of a round may answer later, after the back-off", async () => {
    const clock = virtualClock(0);
    const [a, b] = [port("a", busy()), port("b", error(401))];
    const live = run(one, "go", { model: models([a.model, b.model]), clock });
    for (let i = 0; i < 20; i++) await Promise.resolve();
    await new Promise((go) => setImmediate(go));
    clock.jump();
    expect(await live).toMatchObject({ status: "done", output: "a" });
    expect([a.asked, b.asked, clock.now()]).toEqual([[1, 3], [2], 500]);
  });

  it("fails where none of a round may", async () => {
    const [a, b] = [port("a", error(401)), port("b", error(404))];
    const journal = textJournal("");
    const end = await run(one, "go", { model: models([a.model, b.model]), journal });
    expect(end).toMatchObject({ status: "failed", error: { message: "404" } });
    expect(await answersIn(journal)).toMatchObject([{ type: "llm.failed", attempts: 2 }]);
  });

  it("waits for the one that is down, though the last has no key, and goes on with the first", async () => {
    const clock = virtualClock(1_000);
    const journal = textJournal("");
    const a = port("a", new Error("down"), busy());
    const b = port("b", error(401), error(401));
    const host = { model: models([a.model, b.model]), clock, retry: { attempts: 1 } };
    const first = await run(one, "go", { ...host, journal });
    expect(first).toMatchObject({
      status: "waiting",
      modelDown: { message: "down" },
      wakeAt: 31_000,
    });
    expect(await summaryOf(journal)).toMatchObject({ modelDown: { message: "down" } });
    clock.advance(5_000);
    // Two more attempts, the second of them after the first failed again; `since` is that of the first.
    expect(await resume(one, journal, host)).toMatchObject({ status: "waiting", wakeAt: 66_000 });
    expect(await resume(one, journal, host)).toMatchObject({ status: "done", output: "a" });
    expect([a.asked, b.asked]).toEqual([
      [1, 3, 5],
      [2, 4],
    ]);
    const marks = await marksIn(journal);
    expect(marks.map(({ model, down }) => [model, down?.since])).toEqual([
      ["a", undefined],
      ["b", 1_000],
      ["a", 1_000],
      ["b", 1_000],
    ]);
    expect(await answersIn(journal)).toMatchObject([{ waitedMs: 5_000, attempts: 5, port: "a" }]);
    expect((await replay(one, journal)).status).toBe("identical");
  });

  it("asks the next one after a crash behind the mark of the one before", async () => {
    const journal = memoryJournal();
    const [a, b] = [port("a", busy()), port("b")];
    await run(one, "go", { model: models([a.model, b.model]), journal });
    const lines = (await linesIn(journal)).slice(0, 3).map((line) => JSON.stringify(line));
    // The header, the start, and the mark of the first model's failure.
    expect(lines[2]).toContain('"model":"a"');
    const text = await textIn(journal);
    const torn = textJournal(`${text.split("\n").slice(0, 3).join("\n")}\n`);
    const [c, d] = [port("a"), port("b")];
    const end = await resume(one, torn, { model: models([c.model, d.model]) });
    expect(end).toMatchObject({ status: "done", output: "b" });
    expect([c.asked, d.asked]).toEqual([[], [2]]);
  });

  it("is charged by model: failed attempts at the prices of their own", async () => {
    const usage = { inputTokens: 1_000_000, outputTokens: 0 };
    const cut: ModelPort = {
      name: "dear",
      generate: async () => ({ content: [], finishReason: "error", usage }),
    };
    const cheap: ModelPort = {
      name: "cheap",
      generate: async () => ({
        content: [{ type: "text", text: "yes" }],
        finishReason: "stop",
        usage: { inputTokens: 1_000_000, outputTokens: 0 },
      }),
    };
    const prices = {
      dear: { inputPerMillion: 100, outputPerMillion: 0 },
      cheap: { inputPerMillion: 1, outputPerMillion: 0 },
    };
    const long = "x".repeat(4_000_000);
    const journal = memoryJournal();
    const frugal = agent({ name: "frugal", prices });
    const end = await run(frugal, long, { model: models([cut, cheap]), journal });
    expect(await answersIn(journal)).toMatchObject([
      { spent: [{ model: "dear", usage: { inputTokens: 1_000_000 } }] },
    ]);
    expect([end.usage.cost, end.usage.inputTokens, end.usage.requests]).toEqual([
      101, 2_000_000, 2,
    ]);
  });

  it("is one of several by name", async () => {
    const named = agent({ name: "named", model: "large" });
    const [a, b, c] = [port("a", busy()), port("b"), port("c")];
    const model = { large: models([a.model, b.model]), small: c.model };
    expect(await run(named, "go", { model })).toMatchObject({ output: "b" });
    expect(await run(agent({ name: "s", model: "small" }), "go", { model })).toMatchObject({
      output: "c",
    });
    expect(await run(agent({ name: "n", model: "none" }), "go", { model })).toMatchObject({
      status: "failed",
      error: { code: "port.missing" },
    });
  });

  it("is ready where one of its models is", async () => {
    const without = (name: string) => ({ ...port(name).model, ready: () => "no key" });
    const b = port("b");
    const end = await run(one, "go", { model: models([without("a"), b.model]) });
    expect(end.status).toBe("done");
    await expect(
      run(one, "go", { model: models([without("a"), without("c")]) }),
    ).rejects.toMatchObject({ code: "port.notReady" });
  });

  it("is asked in a live redrive as well", async () => {
    const journal = memoryJournal();
    await run(one, "go", { model: scriptedModel(["one"]), journal });
    const other = agent({ name: "one", system: "Be brief." });
    const [a, b] = [port("a", busy()), port("b")];
    const model = models([a.model, b.model]);
    const report = await redrive(other, journal, { live: { model, budget: 1_000 } });
    expect(report.live).toBe(1);
    expect([a.asked, b.asked]).toEqual([[1], [2]]);
  });
});

describe("models()", () => {
  const fine = port("a").model;
  it.each<[string, unknown]>([
    ["no list", fine],
    ["an empty list", []],
    ["what is no port", [fine, {}]],
    ["a port without a name", [{ ...fine, name: "" }]],
    ["two of one name", [fine, port("a").model]],
  ])("refuses %s", (_what, given) => {
    expect(() => models(given as never)).toThrow(/^models\(\) /);
  });
});
