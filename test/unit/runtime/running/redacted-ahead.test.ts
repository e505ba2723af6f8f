// What has arrived and is not taken yet leads to what a redaction hook leaves of it, and to nothing else.
import { expect, it } from "vitest";
import { type ModelPort, type Redactable, run } from "../../../../src/runtime/index.js";
import { issue, smallReasoner } from "../../../support/small-machine.js";
import { gate, settle, watchedJournal } from "../../../support/watched-journal.js";

const says = (text: string) => ({
  content: [{ type: "text", text }],
  finishReason: "stop",
  usage: { outputTokens: 2 },
});
const isSecret = ({ event }: { readonly event: object }) =>
  JSON.stringify(event).includes("secret");

it("so that a cancel counts where the answer before it ends the run only as it was sent", async () => {
  const asker = smallReasoner({
    initial: "a",
    states: {
      a: {
        entry: issue(
          { type: "llm", id: "llm/0", messages: [] },
          { type: "llm", id: "llm/1", messages: [{ role: "user", content: "never" }] },
          { type: "timer", id: "t", until: 0 },
        ),
        on: {
          "timer.fired": {},
          "llm.succeeded": [{ guard: isSecret as never, target: "end" }, { target: "b" }],
        },
      },
      b: {},
      end: { type: "final" },
    },
  } as never);
  const journal = watchedJournal();
  const held = gate();
  journal.before = (lines) =>
    lines.some((line) => line.includes("timer.fired")) ? held.passed : undefined;
  let answer = () => {};
  let unanswered: AbortSignal | undefined;
  const model: ModelPort = {
    name: "m",
    generate: ({ messages }, { signal }) =>
      new Promise((resolve) => {
        if (messages.length > 0) unanswered = signal;
        else answer = () => resolve(says("secret") as never);
      }),
  };
  const asked: string[] = [];
  const redact = (value: Redactable) => {
    asked.push(value.type);
    return JSON.parse(JSON.stringify(value).replaceAll("secret", "[gone]"));
  };
  const stop = new AbortController();
  const live = run(asker, null as never, { model, journal, signal: stop.signal, redact });
  await settle();
  answer();
  await settle();
  stop.abort("stopped");
  held.open();
  expect((await live).status).toBe("cancelled");
  expect(unanswered?.aborted).toBe(true);
  // Each event once, whoever asked ahead what it would lead to.
  expect(asked).toEqual(["start", "timer.fired", "llm.succeeded", "cancel"]);
});
