/**
 * Fast-check arbitraries of broken transcripts: truncated, shuffled, with late, missing, duplicate or foreign
 * results, and with repeated ids.
 */
import fc from "fast-check";
import type {
  AssistantPart,
  Message,
  ToolCallPart,
  ToolMessage,
  ToolResultPart,
} from "../core/kernel/vocabulary/index.js";
import { jsonValue } from "./arbitrary-json.js";
import { transcript, userMessage } from "./arbitrary-messages.js";

/** A transcript that may be in any disorder. Its messages have the right shape, and no more. */
export function anyTranscript(tools: readonly string[] = ["t"]): fc.Arbitrary<readonly Message[]> {
  return fc.oneof(disturbed(tools), fc.array(looseMessage(tools), { maxLength: 12 }));
}

/** A valid transcript, and what was done to it. */
function disturbed(tools: readonly string[]): fc.Arbitrary<readonly Message[]> {
  const place = fc.nat({ max: 1_000 });
  const disturbance = fc.record({
    kind: fc.constantFrom("drop", "repeat", "move", "cut", "rename"),
    from: place,
    to: place,
  });
  return fc
    .tuple(transcript(tools), fc.array(disturbance, { maxLength: 4 }))
    .map(([messages, disturbances]) =>
      disturbances.reduce<readonly Message[]>((now, { kind, from, to }) => {
        if (now.length === 0) return now;
        const at = from % now.length;
        const message = now[at] as Message;
        const rest = now.toSpliced(at, 1);
        switch (kind) {
          case "drop":
            return rest;
          case "repeat":
            return now.toSpliced(to % now.length, 0, message);
          case "move":
            return rest.toSpliced(to % now.length, 0, message);
          case "cut":
            return now.slice(at);
          default:
            return now.with(at, withOneId(message));
        }
      }, messages),
    );
}

/** A message in which every call and every result has one id: providers come to that. */
function withOneId(message: Message): Message {
  if (typeof message.content === "string") return message;
  const content = message.content.map((part) =>
    "toolCallId" in part ? { ...part, toolCallId: "one" } : part,
  );
  return { ...message, content } as Message;
}

/** Any message of few ids, so that they meet. */
function looseMessage(tools: readonly string[]): fc.Arbitrary<Message> {
  const id = fc.constantFrom("a", "b", "a_2", "");
  const toolName = fc.constantFrom(...tools, "other");
  const call: fc.Arbitrary<ToolCallPart> = fc.record(
    {
      type: fc.constant("tool-call" as const),
      toolCallId: id,
      toolName,
      input: jsonValue(),
      providerExecuted: fc.boolean(),
    },
    { requiredKeys: ["type", "toolCallId", "toolName", "input"] },
  );
  const result: fc.Arbitrary<ToolResultPart> = fc.record({
    type: fc.constant("tool-result" as const),
    toolCallId: id,
    toolName,
    output: fc.nat().map((n) => ({ type: "text" as const, value: `result ${n}` })),
  });
  const text = fc.constant({ type: "text" as const, text: "said" });
  const assistant = fc
    .array(fc.oneof<fc.Arbitrary<AssistantPart>[]>(call, call, text, result), { maxLength: 4 })
    .map((content): Message => ({ role: "assistant", content }));
  const tool = fc
    .array(result, { maxLength: 3 })
    .map((content): ToolMessage => ({ role: "tool", content }));
  return fc.oneof(
    { weight: 3, arbitrary: assistant },
    { weight: 3, arbitrary: tool },
    { weight: 1, arbitrary: userMessage() },
    { weight: 1, arbitrary: fc.constant<Message>({ role: "system", content: "be brief" }) },
  );
}
