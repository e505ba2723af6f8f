// The callbacks: which, in which order, and that they change nothing.

import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  agent,
  agentCallbacks,
  type JsonObject,
  memoryJournal,
  resume,
  run,
  scriptedModel,
  tool,
  virtualClock,
} from "../../../../../src/index.js";
import { linesIn, textIn } from "../../../../support/journal-text.js";
import { refusal } from "../../../../support/thrown.js";
import { killedAfter } from "../../../../support/watched-journal.js";

const look = tool({ name: "look", idempotent: true, execute: () => "seen" });
const pure = tool({ name: "pure", reduce: () => "thought" });
const fails = tool({
  name: "fails",
  execute() {
    throw new Error("broken");
  },
});
const risky = tool({ name: "risky", needsApproval: true, execute: () => "done" });
const tools = [look, pure, fails, risky];

it.each([
  [undefined, "agentCallbacks takes an object that defines it, not nothing."],
  [
    { onLlmDelta() {} },
    "agentCallbacks: onLlmDelta is not a part of it; onAgentStart, onLlmNewDelta,",
  ],
  [{ onError: "log" }, "agentCallbacks: onError must be a function; it is a string."],
])("none of that kind: %o", (given, what) => {
  const { code, message } = refusal(() => agentCallbacks(given as never));
  expect([code, message]).toEqual(["agent.invalid", expect.stringContaining(what)]);
});

/** Callbacks that write down what they are told. */
function told(log: string[]) {
  return agentCallbacks({
    onAgentStart: ({ agentName }) => log.push(`start ${agentName}`),
    onLlmNewDelta: (text, { id, attempt }) => log.push(`delta ${text} (${id}, ${attempt})`),
    onLlmNewMessage: ({ content }, { totalTokens }) =>
      log.push(`message of ${content.length} parts, ${totalTokens} tokens`),
    onToolCall: ({ id, name, input }) => log.push(`call ${id} ${name} ${JSON.stringify(input)}`),
    onToolResponse: ({ id, name, status, output }) =>
      log.push(`response ${id} ${name} ${status} ${output}`),
    onAgentComplete: (output, { usage }) => log.push(`complete ${output} (${usage.requests})`),
    onError: ({ code, message }) => log.push(`error ${code}: ${message}`),
  });
}

describe("onError", () => {
  it("says of a fault what the run's end says", async () => {
    const log: string[] = [];
    const system = () => {
      throw new TypeError("of the engine's");
    };
    const end = await run(agent({ name: "a", system }), "x", { observers: [told(log)] });
    const { code, message } = (end as { error: { code: string; message: string } }).error;
    expect(code).toBe("machine.threw");
    expect(message).toContain("system");
    expect(log).toEqual([`error ${code}: ${message}`]);
  });

  it("is called where another callback of the same step threw, and that is told", async () => {
    const notices: string[] = [];
    const errors: string[] = [];
    const observer = agentCallbacks({
      onLlmNewMessage() {
        throw new Error("no log");
      },
      onError: ({ code }) => errors.push(code),
    });
    const output = { schema: z.object({ a: z.number() }), retries: 0 };
    const one = agent<JsonObject, typeof output.schema>({ name: "a", output });
    const live = run(one, "x", { model: scriptedModel(["no JSON"]), observers: [observer] });
    for await (const seen of live) {
      if (seen.type === "notice") notices.push(`${seen.code}: ${seen.message}`);
    }
    const end = await live;
    expect(end.status).toBe("failed");
    expect(errors).toEqual(["agent.output"]);
    expect(notices).toEqual([expect.stringMatching(/^observer\.threw: .*no log/)]);
  });
});

describe("agentCallbacks", () => {
  it("are called in the order of the seed", async () => {
    const log: string[] = [];
    const model = scriptedModel([
      {
        text: "I look.",
        calls: [{ name: "look", input: { at: 1 } }, { name: "pure" }, { name: "nope" }],
      },
      { calls: [{ name: "fails" }] },
      "Done.",
    ]);
    await run(agent({ name: "a", tools }), "Hello", { model, observers: [told(log)] });
    expect(log).toEqual([
      "start a",
      "delta I look. (llm/0, 1)",
      "message of 4 parts, 15 tokens",
      'call tool/0/0 look {"at":1}',
      "call tool/0/1 pure {}",
      "call tool/0/2 nope {}",
      "response tool/0/0 look succeeded seen",
      "response tool/0/1 pure succeeded thought",
      "response tool/0/2 nope failed Tool not found: nope",
      "message of 1 parts, 21 tokens",
      "call tool/1/0 fails {}",
      "response tool/1/0 fails failed Tool execution failed: fails threw an error.",
      "delta Done. (llm/2, 1)",
      "message of 1 parts, 25 tokens",
      "complete Done. (3)",
    ]);
  });

  it("show calls that run inline: each before its result", async () => {
    const log: string[] = [];
    const model = scriptedModel([{ calls: [{ name: "pure" }, { name: "pure" }] }, "Done."]);
    await run(agent({ name: "a", tools }), "Hello", { model, observers: [told(log)] });
    expect(log.filter((line) => /^(call|response)/.test(line))).toEqual([
      "call tool/0/0 pure {}",
      "response tool/0/0 pure succeeded thought",
      "call tool/0/1 pure {}",
      "response tool/0/1 pure succeeded thought",
    ]);
  });

  it("show calls one after the other where they run so", async () => {
    const log: string[] = [];
    const model = scriptedModel([
      { calls: [{ name: "look" }, { name: "pure" }, { name: "look" }] },
      "Done.",
    ]);
    const reasoner = agent({ name: "a", tools, sequential: true });
    await run(reasoner, "Hello", { model, observers: [told(log)] });
    const ids = log
      .filter((line) => /^(call|response)/.test(line))
      .map((line) => line.slice(0, 17));
    expect(ids.map((line) => line.trim())).toEqual([
      "call tool/0/0 loo",
      "response tool/0/0",
      "call tool/0/1 pur",
      "response tool/0/1",
      "call tool/0/2 loo",
      "response tool/0/2",
    ]);
  });

  it("show a call before it is approved", async () => {
    const log: string[] = [];
    await run(agent({ name: "a", tools }), "Hello", {
      model: scriptedModel([{ calls: [{ name: "risky" }] }, "Done."]),
      approve: () => {
        log.push("approval");
        return { approve: false };
      },
      observers: [told(log)],
    });
    expect(log.slice(2, 5)).toEqual([
      "call tool/0/0 risky {}",
      "approval",
      "response tool/0/0 risky rejected Tool call was rejected by approval handler.",
    ]);
  });

  it("end with the error where a run fails", async () => {
    const log: string[] = [];
    const model = scriptedModel(() => ({ error: { message: "closed" } }));
    await run(agent({ name: "a" }), "Hello", { model, observers: [told(log)] });
    expect(log).toEqual(["start a", "error llm.failed: closed"]);
  });

  it("end with the fault where a machine throws, and with the reason where a run is cancelled", async () => {
    const log: string[] = [];
    const broken = agent({
      name: "a",
      behaviour: {
        ...agent({ name: "b" }).spec.behaviour,
        processResponse() {
          throw new Error("x");
        },
      },
    });
    await run(broken, "Hello", { model: scriptedModel(["Hi"]), observers: [told(log)] });
    expect(log.at(-1)).toMatch(/^error machine\.threw: /);
    const live = run(agent({ name: "a" }), "Hello", {
      model: scriptedModel(() => {
        live.cancel("enough");
        return "Hi";
      }),
      observers: [told(log)],
    });
    await live;
    expect(log.at(-1)).toBe("error cancelled: enough");
  });

  it("complete with each answer of a conversation, not with its end", async () => {
    const log: string[] = [];
    const talker = agent({ name: "a", conversation: true });
    const journal = memoryJournal();
    const observers = [told(log)];
    await run(talker, "Hello", { model: scriptedModel(["One", "Two"]), journal, observers });
    await resume(talker, journal, {
      model: scriptedModel(["One", "Two"]),
      messages: ["And?"],
      observers,
    });
    const live = resume(talker, journal, { observers });
    live.send({ type: "conversation.end" });
    await live;
    expect(log.filter((line) => !/^(delta|message)/.test(line))).toEqual([
      "start a",
      "complete One (1)",
      "complete Two (2)",
    ]);
  });

  it("go on where a run is resumed, without what was shown before", async () => {
    const reasoner = agent({ name: "a", tools });
    const model = scriptedModel([
      { calls: [{ name: "look" }, { name: "pure" }] },
      { calls: [{ name: "look" }] },
      "Done.",
    ]);
    const journal = memoryJournal();
    const whole: string[] = [];
    await run(reasoner, "Hello", { model, journal, observers: [told(whole)] });
    const lines = await linesIn(journal);
    for (let kept = 2; kept < lines.length; kept++) {
      const log: string[] = [];
      await resume(reasoner, await killedAfter(journal, kept), { model, observers: [told(log)] });
      expect(log.at(-1)).toBe("complete Done. (3)");
      // Responses are the last ones of the whole run; a call may be shown again beside its response.
      const responses = (of: readonly string[]) => of.filter((line) => line.startsWith("response"));
      const mine = responses(log);
      expect(mine).toEqual(responses(whole).slice(responses(whole).length - mine.length));
    }
  });

  it("change no byte of the journal, whatever they throw", async () => {
    const write = async (observers: Parameters<typeof run>[2] = {}) => {
      const journal = memoryJournal();
      const clock = virtualClock(5);
      const model = scriptedModel([{ calls: [{ name: "look" }] }, "Done."]);
      const end = await run(agent({ name: "a", tools }), "Hello", {
        model,
        journal,
        clock,
        runId: "r",
        ...observers,
      });
      return [end.status, await textIn(journal)];
    };
    const throwing = agentCallbacks({
      onToolCall() {
        throw new Error("no");
      },
    });
    expect(await write({ observers: [throwing, told([])] })).toEqual(await write());
  });
});
