/** Fast-check arbitraries of messages: users' messages, models' answers, and valid transcripts of both. */
import fc from "fast-check";
import type { Json, JsonObject } from "../core/kernel/values/index.js";
import type {
  AssistantPart,
  FinishReason,
  Message,
  ToolCallPart,
  ToolMessage,
  UserMessage,
} from "../core/kernel/vocabulary/index.js";
import type { ModelResponse } from "../runtime/index.js";
import { jsonValue } from "./arbitrary-json.js";

/** A user's message: text, or parts. */
export function userMessage(): fc.Arbitrary<UserMessage> {
  const text = fc.record({ type: fc.constant("text" as const), text: fc.string() });
  const image = fc.record({
    type: fc.constant("image" as const),
    image: fc.constant("aGk="),
    mediaType: fc.constant("image/png"),
  });
  const file = fc.record({
    type: fc.constant("file" as const),
    data: fc.constant("aGk="),
    mediaType: fc.constant("text/plain"),
    filename: fc.constant("a.txt"),
  });
  const content = fc.oneof(
    fc.string(),
    fc.array(fc.oneof(text, image, file), { minLength: 1, maxLength: 3 }),
  );
  return content.map((words) => ({ role: "user", content: words }));
}

/** A tool call as a model makes it, of one of the given tools or of none that there is. */
export function toolCall(
  tools: readonly string[],
  input: fc.Arbitrary<Json> = jsonValue(),
): fc.Arbitrary<ToolCallPart> {
  const call = {
    type: fc.constant("tool-call" as const),
    toolCallId: fc.nat().map((n) => `call-${n}`),
    toolName: fc.constantFrom(...tools, "no_such_tool"),
  };
  const object: fc.Arbitrary<Json> = input.map((value) =>
    typeof value === "object" && value !== null && !Array.isArray(value) ? value : { value },
  );
  return fc.oneof(
    { weight: 6, arbitrary: fc.record({ ...call, input: object }) },
    { weight: 1, arbitrary: fc.record({ ...call, input }) },
    {
      weight: 1,
      arbitrary: fc.record({
        ...call,
        input: fc.constant('{"cut": "o'),
        malformed: fc.constant(true as const),
      }),
    },
  );
}

/**
 * A model's answer: text, reasoning, sources, a provider's own and tool calls in any mixture; some
 * calls of one id, as models do.
 */
export function modelAnswer(
  tools: readonly string[] = [],
  input: fc.Arbitrary<Json> = jsonValue(),
): fc.Arbitrary<ModelResponse> {
  const text = fc.record({ type: fc.constant("text" as const), text: fc.string() });
  const reasoning = fc.record({
    type: fc.constant("reasoning" as const),
    text: fc.string(),
    providerOptions: fc.constant({ mock: { signature: "c2ln" } } as Record<string, JsonObject>),
  });
  const source = fc.record({
    type: fc.constant("source" as const),
    sourceType: fc.constant("url" as const),
    id: fc.string(),
    url: fc.webUrl(),
  });
  const custom = fc.record({
    type: fc.constant("custom" as const),
    kind: fc.constant("mock.compaction"),
    providerOptions: fc.constant({ mock: { sealed: "c2VhbGVk" } } as Record<string, JsonObject>),
  });
  const beside = fc.oneof(source, custom);
  const content = fc
    .array(
      fc.oneof<fc.Arbitrary<AssistantPart>[]>(text, reasoning, beside, toolCall(tools, input)),
      { maxLength: 5 },
    )
    .chain((parts) =>
      fc.boolean().map((alike) =>
        parts.map((part, i) => {
          if (part.type !== "tool-call") return part;
          return { ...part, toolCallId: alike ? "call" : `${part.toolCallId}-${i}` };
        }),
      ),
    );
  const count = fc.nat({ max: 1_000 });
  return fc.record({
    content,
    finishReason: fc.constantFrom<FinishReason>("stop", "length", "tool-calls", "other"),
    usage: fc.record(
      { inputTokens: count, outputTokens: count, totalTokens: count },
      { requiredKeys: [] },
    ),
  });
}

/** An earlier transcript. The last calls of an answer may lack their results. */
export function transcript(tools: readonly string[] = ["t"]): fc.Arbitrary<readonly Message[]> {
  const answered = fc
    .tuple(modelAnswer(tools), fc.nat({ max: 3 }), jsonValue())
    .map(([{ content }, missing, value]): Message[] => {
      const calls = content.filter((part): part is ToolCallPart => part.type === "tool-call");
      const results = calls
        .slice(0, Math.max(0, calls.length - missing))
        .map(({ toolCallId, toolName }): ToolMessage => {
          const output = { type: "json" as const, value };
          return {
            role: "tool",
            content: [{ type: "tool-result", toolCallId, toolName, output }],
          };
        });
      return [{ role: "assistant", content }, ...results];
    });
  const turns = fc.array(fc.tuple(userMessage(), answered), { maxLength: 3 });
  return turns.map((all) => uniqueCalls(all.flatMap(([user, rest]) => [user, ...rest])));
}

/** Gives each call of a transcript, and its result, an id of its own. */
function uniqueCalls(messages: readonly Message[]): readonly Message[] {
  let turn = -1;
  return messages.map((message): Message => {
    if (message.role === "user") turn += 1;
    if (typeof message.content === "string") return message;
    const content = message.content.map((part) =>
      "toolCallId" in part ? { ...part, toolCallId: `${turn}-${part.toolCallId}` } : part,
    );
    return { ...message, content } as Message;
  });
}
