// Whatever a transcript holds, what is sent obeys the rules of whom it is sent to; what was the beginning
// of the next request still is, unless a rule says why not; and what is bound to one goes to no other.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mendRequest, type Request, type Target } from "../src/adapters/ai-sdk/families/index.js";
import type { Json, JsonObject } from "../src/core/kernel/values/index.js";
import type {
  AssistantPart,
  LlmDirective,
  Message,
  ToolOutput,
} from "../src/core/kernel/vocabulary/index.js";
import { agent, type List, toArray, tool } from "../src/index.js";
import { lists } from "../src/kernel.js";
import {
  agentInput,
  anyTranscript,
  drive,
  jsonValue,
  transcriptFault,
  worldScript,
} from "../src/testing/index.js";
import { faultsOf } from "../test/support/faults-of.js";
import { target, targets as usual } from "../test/unit/adapters/ai-sdk/families/support.js";
import { limitedAgent, orderlyAgent } from "./full-agents.js";
import { seeds } from "./setup.js";

/** Each family with its usual model, and models that some rules are for. */
const targets: readonly Target[] = [
  ...usual,
  target("openai-chat", { modelId: "o4-mini" }),
  target("anthropic", { modelId: "claude-opus-5-5" }),
  target("google", { modelId: "gemini-3-pro", ownParts: false }),
  target("bedrock", { modelId: "meta.llama3-1-70b-instruct-v1:0" }),
  target("openai-compatible", { modelId: "mistralai/Ministral-8B", ownParts: false }),
  target("openai-compatible", { provider: "groq.chat", structuredOutputs: true }),
];
const each = describe.each(targets.map((to) => [`${to.provider}:${to.modelId}`, to] as const));

const words = fc.constantFrom("", " ", "\n\n", "x", '{"value":1}', "[1]", "so");
const ids = fc.constantFrom(
  "",
  "call_0",
  "call_1",
  "a.b:0",
  "abcdefghi",
  "c".repeat(70),
  "call_0_2",
);
const names = fc.constantFrom("t", "json", "web-search", "1st", "a.b c", "", "json_tool", "search");
const origins = fc.constantFrom(
  ...targets.map(({ provider, modelId }) => `${provider}:${modelId}`),
);
const options = fc.option(
  fc
    .tuple(
      origins,
      fc.constantFrom("anthropic", "openai", "google", "bedrock", "local"),
      fc.boolean(),
    )
    .map(([from, key, marked]) => ({
      ...(marked ? { reckoner: { from } } : {}),
      [key]: { signature: "c2ln", itemId: "i" } as JsonObject,
    })),
  { nil: undefined },
);
const withOptions = <P extends object>(part: fc.Arbitrary<P>): fc.Arbitrary<P> =>
  fc
    .tuple(part, options)
    .map(([made, providerOptions]) =>
      providerOptions === undefined ? made : { ...made, providerOptions },
    );
const text = words.map((value) => ({ type: "text", text: value }) as const);
const image = fc.constant({
  type: "image",
  image: "iVBORw0KGgo=",
  mediaType: "image/png",
} as const);
const file = fc.constant({ type: "file", data: "JVBERi0=", mediaType: "application/pdf" } as const);
const output: fc.Arbitrary<ToolOutput> = fc.oneof(
  fc
    .tuple(fc.constantFrom("text" as const, "error-text" as const), words)
    .map(([type, value]) => ({ type, value })),
  fc
    .tuple(fc.constantFrom("json" as const, "error-json" as const), jsonValue())
    .map(([type, value]) => ({ type, value })),
  fc
    .tuple(
      fc.constantFrom("content" as const, "error-content" as const),
      fc.array(fc.oneof(text, image, file), { maxLength: 3 }),
    )
    .map(([type, value]) => ({ type, value })),
);
const call = fc.record(
  {
    type: fc.constant("tool-call" as const),
    toolCallId: ids,
    toolName: names,
    input: fc.oneof(jsonValue(), fc.constant<Json>({ a: 1 })),
    providerExecuted: fc.boolean(),
  },
  { requiredKeys: ["type", "toolCallId", "toolName", "input"] },
);
const providersResult = fc.record({
  type: fc.constant("tool-result" as const),
  toolCallId: ids,
  toolName: names,
  output,
});
const part: fc.Arbitrary<AssistantPart> = withOptions(
  fc.oneof<fc.Arbitrary<AssistantPart>[]>(
    text,
    words.map((value) => ({ type: "reasoning" as const, text: value })),
    call,
    call,
    providersResult,
    fc.constant({ type: "custom" as const, kind: "openai.compaction" }),
    fc.constant({ type: "reasoning-file" as const, data: "aGk=", mediaType: "image/png" }),
    fc.constant({
      type: "source" as const,
      sourceType: "url" as const,
      id: "1",
      url: "https://a.test",
    }),
  ),
);
const odd: fc.Arbitrary<Message> = fc.oneof(
  fc.array(part, { maxLength: 4 }).map((content): Message => ({ role: "assistant", content })),
  words.map((content): Message => ({ role: "assistant", content })),
  words.map((content): Message => ({ role: "user", content })),
  fc
    .array(fc.oneof(text, image, file), { maxLength: 3 })
    .map((content): Message => ({ role: "user", content })),
  words.map((content): Message => ({ role: "system", content })),
  fc
    .array(
      fc.record({
        type: fc.constant("tool-result" as const),
        toolCallId: ids,
        toolName: names,
        output,
      }),
      { maxLength: 3 },
    )
    .map((content): Message => ({ role: "tool", content })),
);
const schema = fc.constantFrom<JsonObject>(
  {},
  { type: "object" },
  { type: "object", properties: { a: { type: "string" }, b: { type: "array" } } },
  {
    type: "object",
    properties: { a: { type: ["string", "null"] } },
    required: ["a"],
    additionalProperties: false,
  },
  { anyOf: [{ type: "object", properties: { a: {} } }, { type: "object" }] },
  { type: "array", items: { type: "string" } },
  { type: ["object", "null"], properties: {} },
  { $ref: "#/$defs/x", $defs: { x: { type: "object", properties: { again: { $ref: "#" } } } } },
);
const tools = fc.uniqueArray(
  fc.record(
    {
      name: names.filter((name) => name !== "" && name !== "a.b c"),
      description: fc.constant("d"),
      inputSchema: schema,
      strict: fc.boolean(),
    },
    { requiredKeys: ["name", "description", "inputSchema"] },
  ),
  { maxLength: 4, selector: ({ name }) => name },
);
const request: fc.Arbitrary<Request> = fc.record(
  {
    system: words,
    messages: fc.oneof(fc.array(odd, { maxLength: 12 }), anyTranscript()),
    tools,
    toolChoice: fc.oneof<fc.Arbitrary<Request["toolChoice"] & {}>[]>(
      fc.constantFrom("auto", "none", "required"),
      names.map((name) => ({ tool: name })),
    ),
    responseFormat: fc.oneof(
      schema.map((of) => ({ type: "json" as const, schema: of, name: "an answer" })),
      fc.constantFrom({ type: "json" as const }, { type: "text" as const }),
    ),
    settings: fc.record(
      {
        stopSequences: fc.array(fc.constantFrom("a", "b"), { maxLength: 6 }),
        topK: fc.constant(3),
        providerOptions: fc.constantFrom(
          { anthropic: { thinking: { type: "enabled", budgetTokens: 1024 } } },
          { openai: { strictJsonSchema: false } },
        ),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: ["messages"] },
);

const partsIn = ({ messages }: Request) =>
  messages.flatMap(({ content }) =>
    typeof content === "string" ? [] : (content as readonly AssistantPart[]),
  );
const flat = (messages: LlmDirective["messages"]) =>
  lists.is(messages) ? toArray(messages as List<Message>) : messages;
const beginsWith = (all: readonly unknown[], start: readonly unknown[]) =>
  JSON.stringify(all.slice(0, start.length)) === JSON.stringify(start);

each("a request to %s", (_, to) => {
  it.each(seeds)("obeys its rules, and every call has its result (seed %d)", (seed) => {
    fc.assert(
      fc.property(request, (given) => {
        const before = JSON.stringify(given);
        const mended = mendRequest(given, to);
        expect(faultsOf(mended.request, to)).toEqual([]);
        expect(transcriptFault(mended.request.messages)).toBeUndefined();
        expect(mendRequest(mended.request, to).rules).toEqual([]);
        expect(JSON.stringify(given)).toBe(before);
        // What nobody lost is there: a call of ours for each that was made.
        const calls = (of: Request) =>
          partsIn(of).filter((each) => each.type === "tool-call" && each.providerExecuted !== true)
            .length;
        expect(calls(mended.request)).toBe(calls(given));
      }),
      { seed, numRuns: 150 },
    );
  });

  it.each(seeds)("holds nothing that is bound to another (seed %d)", (seed) => {
    const others = targets.filter(
      ({ family, provider }) => family !== to.family && provider !== to.provider,
    );
    fc.assert(
      fc.property(fc.constantFrom(...others), fc.array(part, { maxLength: 5 }), (from, content) => {
        const answer = mendRequest({ messages: [] }, from).back(content);
        const messages: Message[] = [
          { role: "user", content: "go" },
          { role: "assistant", content: answer },
          { role: "user", content: "and?" },
        ];
        const sent = partsIn(mendRequest({ messages }, to).request);
        for (const each of sent) {
          expect(each).not.toHaveProperty("providerOptions");
          expect(["text", "tool-call", "tool-result", "image", "file"]).toContain(each.type);
          expect(each).not.toHaveProperty("providerExecuted", true);
        }
      }),
      { seed, numRuns: 100 },
    );
  });

  const plain = agent({
    name: "plain",
    conversation: true,
    system: "Be brief.",
    tools: [tool({ name: "t0", idempotent: true, execute: () => "x" })],
  });
  const agents = [
    ["everything", orderlyAgent],
    ["limits", limitedAgent],
    ["little", fc.constant(plain)],
  ] as const;

  it.each(agents)(
    "of an agent with %s obeys its rules, and begins the next where it did",
    (of, some) => {
      let compared = 0;
      fc.assert(
        fc.property(
          some,
          agentInput(["t0", "t1", "child0"]),
          worldScript(),
          (reasoner, input, script) => {
            const directives = drive(reasoner, input, script).steps.flatMap(
              ({ step }) => step.directives,
            );
            const asked = directives.flatMap((one): Request[] =>
              one.type === "llm" ? [{ ...one, messages: flat(one.messages) } as Request] : [],
            );
            const sent = asked.map((one) => mendRequest(one, to));
            sent.forEach((one, i) => {
              expect(faultsOf(one.request, to)).toEqual([]);
              const [now, next] = [asked[i] as Request, asked[i + 1]];
              const after = sent[i + 1];
              if (next === undefined || after === undefined) return;
              const head = ({ tools: offered, system, responseFormat }: Request) =>
                JSON.stringify([offered, system, responseFormat]);
              if (head(now) !== head(next) || !beginsWith(next.messages, now.messages)) return;
              if ([...one.rules, ...after.rules].some(({ prefix }) => prefix !== undefined)) return;
              compared += 1;
              expect(head(after.request)).toBe(head(one.request));
              expect(beginsWith(after.request.messages, one.request.messages)).toBe(true);
            });
          },
        ),
        { seed: seeds[0] as number, numRuns: 12 },
      );
      // Nothing that is compared is no proof.
      if (of === "little") expect(compared).toBeGreaterThan(0);
    },
  );
});
