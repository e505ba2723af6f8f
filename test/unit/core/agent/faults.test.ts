// A function of an agent's that throws, or answers with a promise, ends the run: the fault names it, and
// what it threw is told to observers alone.
import { describe, expect, it } from "vitest";
import {
  agent,
  type Behaviour,
  basicBehaviour,
  memoryJournal,
  type NoticeCode,
  replay,
  run,
  scriptedModel,
  tool,
} from "../../../../src/index.js";
import { answer, messagesOf } from "../../../support/agent-events.js";
import { byHand } from "../../../support/by-hand.js";

const look = tool({ name: "look", reduce: () => "seen" });
/** An agent with one function of its behaviour replaced; the model calls a tool, then answers. */
const one = (name: keyof Behaviour, callback: () => unknown) =>
  agent({
    name: "one",
    tools: [look],
    behaviour: { ...basicBehaviour, name: "own", [name]: callback } as Behaviour,
  });
const model = () => scriptedModel([{ calls: [{ name: "look" }] }, "Hi"]);
const callbacks: readonly (readonly [keyof Behaviour, string])[] = [
  ["initContext", "start"],
  ["getTools", "start"],
  ["buildMessages", "start"],
  ["beforeRequest", "start"],
  ["processResponse", 'state "thinking", event llm.succeeded'],
  ["afterTool", 'state "thinking", event llm.succeeded'],
  ["extractOutput", 'state "thinking", event llm.succeeded'],
];

describe("a behaviour's function", () => {
  it.each(callbacks)("%s that throws is named, and what it threw is told", async (name, place) => {
    const told: [NoticeCode, string][] = [];
    const end = await run(
      one(name, () => {
        throw new TypeError("in the engine's words");
      }),
      "x",
      {
        model: model(),
        observers: [(seen) => seen.type === "notice" && told.push([seen.code, seen.message])],
      },
    );
    const where = `${place}, ${name} of behaviour own`;
    expect(end).toHaveProperty("error", {
      code: "machine.threw",
      message: `The machine failed at ${where}: a function of its threw; observers are told what, as the notice machine.threw.`,
    });
    expect(told).toEqual([["machine.threw", `${where}: in the engine's words`]]);
  });

  it.each(callbacks)("%s that answers with a promise is named", async (name, place) => {
    const end = await run(
      one(name, () => Promise.reject(new Error("late"))),
      "x",
      { model: model() },
    );
    expect(end).toHaveProperty("error", {
      code: "machine.async",
      message: `The machine failed at ${place}, ${name} of behaviour own: a function of its answered with a promise; it has to answer at once, without async.`,
    });
  });

  it("that throws leaves the context before the step", () => {
    const run = byHand(
      one("processResponse", () => {
        throw new Error("broken");
      }),
      "x",
    );
    run.take(answer(0, "Hi"));
    expect(run.state).toMatchObject({ status: "failed", fault: { code: "machine.threw" } });
    expect(messagesOf(run.context)).toHaveLength(1);
  });

  it("that throws does so at each replay, whatever its words", async () => {
    const journal = memoryJournal();
    const throwing = (words: string) =>
      one("extractOutput", () => {
        throw new Error(words);
      });
    const end = await run(throwing("these"), "x", { model: model(), journal });
    expect(end).toMatchObject({ status: "failed", reason: "machine.threw" });
    expect(await replay(throwing("those"), journal)).toMatchObject({ status: "identical" });
  });
});
