// P3, wherever a transcript comes from: what comes out of a repair is valid, nothing that was said is
// lost, no result is made up, and a valid transcript is left alone.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { repairTranscript } from "../src/core/agent/index.js";
import {
  agent,
  agentContext,
  basicBehaviour,
  type Directive,
  type List,
  type LlmDirective,
  type Message,
  type ToolResultPart,
  toArray,
} from "../src/index.js";
import { lists } from "../src/kernel.js";
import { anyTranscript, drive, transcriptFault, worldScript } from "../src/testing/index.js";
import { readOf } from "../test/support/agent-events.js";
import { seeds } from "./setup.js";

const { deserialize, serialize } = agentContext;

const NOT = "Tool call was interrupted and not executed. Please retry if needed.";

function resultsIn(messages: readonly Message[]): readonly ToolResultPart[] {
  return messages.flatMap(({ content }) =>
    typeof content === "string"
      ? []
      : (content as readonly { readonly type: string }[]).filter(
          (part): part is ToolResultPart => part.type === "tool-result",
        ),
  );
}

const saidIn = (messages: readonly Message[]) =>
  messages.flatMap((message) => {
    if (message.role === "tool") return [];
    if (typeof message.content === "string") return [message.content];
    return message.content.flatMap((part) =>
      part.type === "tool-result" ? [] : [JSON.stringify({ ...part, toolCallId: "" })],
    );
  });

/** With another output in each result, so that they are told apart. */
function numbered(messages: readonly Message[]): readonly Message[] {
  let n = 0;
  const number = <Part extends { readonly type: string }>(part: Part): Part =>
    part.type === "tool-result" ? { ...part, output: { type: "text", value: `${n++}` } } : part;
  return messages.map((message): Message => {
    if (message.role === "tool") return { ...message, content: message.content.map(number) };
    if (message.role !== "assistant" || typeof message.content === "string") return message;
    return { ...message, content: message.content.map(number) };
  });
}

const requestsIn = (directives: readonly Directive[]) =>
  directives.filter((each): each is LlmDirective => each.type === "llm");

const flat = (messages: LlmDirective["messages"]) =>
  lists.is(messages) ? toArray(messages as List<Message>) : messages;

describe.each(seeds)("a transcript from anywhere (seed %d)", (seed) => {
  it("is valid when it was repaired, and then needs no repair", () => {
    fc.assert(
      fc.property(anyTranscript(), (given) => {
        const before = JSON.stringify(given);
        const { messages, repair } = repairTranscript(given);
        expect(transcriptFault(messages)).toBeUndefined();
        expect(repairTranscript(messages)).toEqual({ messages, repair: null });
        expect(repairTranscript(messages).messages).toBe(messages);
        if (repair === null) expect(messages).toBe(given);
        else expect(Object.values(repair).some((count) => count > 0)).toBe(true);
        expect(JSON.stringify(given)).toBe(before);
      }),
      { seed, numRuns: 3_000 },
    );
  });

  it("keeps what was said, each result at most once, and makes none up", () => {
    fc.assert(
      fc.property(anyTranscript().map(numbered), (given) => {
        const { messages, repair } = repairTranscript(given);
        expect(saidIn(messages)).toEqual(saidIn(given));
        const outputs = (of: readonly Message[]) => resultsIn(of).map(({ output }) => output);
        const had = outputs(given);
        const kept = outputs(messages).filter((output) => had.includes(output));
        expect(new Set(kept).size).toBe(kept.length);
        const made = outputs(messages).filter((output) => !had.includes(output));
        for (const output of made) expect(output).toEqual({ type: "error-text", value: NOT });
        const { answered = 0, duplicates = 0, orphans = 0 } = repair ?? {};
        expect(made.length).toBe(answered);
        const empty = given.filter(({ role, content }) => role === "tool" && content.length === 0);
        expect(had.length - kept.length).toBe(duplicates + orphans - empty.length);
      }),
      { seed, numRuns: 3_000 },
    );
  });

  it("gives each call the result that is there for it, wherever it stands", () => {
    const ids = fc.uniqueArray(fc.nat({ max: 30 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(ids, fc.array(fc.nat({ max: 20 })), (all, places) => {
        const calls: Message = {
          role: "assistant",
          content: all.map((id) => ({
            type: "tool-call",
            toolCallId: `c${id}`,
            toolName: "t",
            input: {},
          })),
        };
        let given: readonly Message[] = [calls, { role: "user", content: "x" }];
        all.forEach((id, i) => {
          const result: Message = {
            role: "tool",
            content: [
              {
                type: "tool-result",
                toolCallId: `c${id}`,
                toolName: "t",
                output: { type: "text", value: `of ${id}` },
              },
            ],
          };
          given = given.toSpliced(1 + ((places[i] ?? 0) % given.length), 0, result);
        });
        const { messages } = repairTranscript(given);
        expect(resultsIn(messages).map(({ output }) => readOf(output))).toEqual(
          all.map((id) => `of ${id}`),
        );
      }),
      { seed, numRuns: 500 },
    );
  });

  it("is valid in what deserialize gives, and it says what was done", () => {
    fc.assert(
      fc.property(anyTranscript(), (messages) => {
        const data = JSON.parse(
          JSON.stringify(serialize(agentContext.newContext({ messages }))),
        ) as object;
        const read = deserialize(data);
        if (!read.ok) throw new Error(read.error);
        expect(transcriptFault(toArray(read.context.messages))).toBeUndefined();
        const repaired = transcriptFault(messages) !== undefined;
        if (repaired) expect(read.warnings.join()).toContain("the transcript was repaired");
      }),
      { seed, numRuns: 500 },
    );
  });

  it("is valid in every request, whatever a behaviour makes of it, and observers are told", () => {
    const meddler = agent({
      name: "meddler",
      conversation: true,
      behaviour: {
        ...basicBehaviour,
        name: "meddler",
        // As the answers say: it cuts, turns around, or puts what was handed over behind.
        buildMessages(_spec, { messages, iteration }) {
          const all = toArray(messages);
          return [all, all.slice(-2), all.toReversed()][iteration % 3] ?? all;
        },
        processResponse(spec, message, context) {
          const next = basicBehaviour.processResponse(spec, message, context);
          const extra = (context.deps as { readonly extra?: readonly Message[] }).extra ?? [];
          return context.iteration % 2 === 0 ? agentContext.addMessages(next, extra) : next;
        },
      },
    });
    fc.assert(
      fc.property(anyTranscript(), anyTranscript(), worldScript(), (messages, extra, script) => {
        const input = { messages, prompt: "go on", deps: { extra } as never };
        const { steps } = drive(meddler, input, script);
        const all = steps.flatMap(({ step }) => step.directives);
        for (const request of requestsIn(all)) {
          expect(transcriptFault(flat(request.messages))).toBeUndefined();
        }
        const told = steps[0]?.step.directives.find((each) => each.type === "notify");
        const broken = repairTranscript(messages).repair;
        if (broken === null) expect(told).toBeUndefined();
        else {
          expect(told).toEqual({
            type: "notify",
            topic: "transcript.repaired",
            data: { source: "input", ...broken },
          });
        }
      }),
      { seed, numRuns: 300 },
    );
  });
});
