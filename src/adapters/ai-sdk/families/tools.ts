/**
 * Rules on the tools of a model request: which are sent, which of them the model has to call, and what the
 * calls in its history carry.
 */

import { isJsonObject } from "../../../core/kernel/values/index.js";
import {
  type AssistantPart,
  type ToolCallPart,
  type ToolChoice,
  type ToolSchema,
  takesText,
} from "../../../core/kernel/vocabulary/index.js";
import { FAMILIES, type Family, originOf, type Target } from "./family.js";
import {
  callsOf,
  firstFault,
  mapMessages,
  mapParts,
  partsOf,
  type Request,
  type Rule,
} from "./rule.js";

/** Arguments of a call in the history are an object: others stand in one, as they were written. */
export const ARGUMENTS: Rule = {
  name: "calls.arguments",
  families: FAMILIES,
  demands: "Arguments of calls are a JSON object, or the text of one of OpenAI's custom tools",
  source:
    "Anthropic's errors, @ai-sdk/amazon-bedrock, ollama openai.go; @ai-sdk/openai writes {} instead",
  sure: "A",
  fault(request, target) {
    const plain = plainIn(request, target);
    return firstFault(request, (message) =>
      partsOf(message).some((part) => part.type === "tool-call" && !plain(part))
        ? "has a call whose arguments are no object"
        : undefined,
    );
  },
  mend(request, target) {
    const plain = plainIn(request, target);
    const mended = (part: AssistantPart): AssistantPart => {
      if (part.type !== "tool-call" || plain(part)) return part;
      const { malformed: _text, ...call } = part;
      return isJsonObject(part.input) ? call : { ...call, input: { rawInvalidInput: part.input } };
    };
    return { request: mapMessages(request, (message) => mapParts(message, mended)) };
  },
};

/** Tells of calls if their arguments are as they may be sent: an object, or a text for a tool of texts. */
function plainIn({ tools = [] }: Request, { family }: Target): (call: ToolCallPart) => boolean {
  const own = family === "openai-responses" ? tools.filter(takesText) : [];
  const ofText = new Set(own.map(({ name }) => name));
  return ({ input, malformed, toolName }) =>
    malformed !== true &&
    (isJsonObject(input) || (typeof input === "string" && ofText.has(toolName)));
}

const choiceWords = (choice: ToolChoice): string =>
  typeof choice === "string" ? JSON.stringify(choice) : `{ tool: ${JSON.stringify(choice.tool)} }`;

const isForced = (choice: ToolChoice | undefined): choice is Exclude<ToolChoice, "auto" | "none"> =>
  choice === "required" || typeof choice === "object";

/** A choice among no tools. */
export const CHOICE_WITHOUT_TOOLS: Rule = {
  name: "choice.without-tools",
  families: FAMILIES,
  demands: "There is no choice of tools without tools",
  source: "OpenAI chat completions, vllm#10000",
  sure: "A",
  fault: ({ tools = [], toolChoice }) =>
    tools.length === 0 && toolChoice !== undefined ? "there is a choice, and no tool" : undefined,
  mend({ toolChoice, ...request }) {
    const lost = isForced(toolChoice)
      ? [`toolChoice ${choiceWords(toolChoice)} is left out of a request without tools.`]
      : [];
    return { request, lost };
  },
};

const isAmong = ({ tools = [], toolChoice }: Request): boolean =>
  typeof toolChoice !== "object" || tools.some(({ name }) => name === toolChoice.tool);

/** A choice of a tool that is not sent. */
export const CHOICE_OF_NONE: Rule = {
  name: "choice.of-none",
  families: FAMILIES,
  demands: "The tool that is chosen is among those that are sent",
  source: "OpenAI chat completions",
  sure: "A",
  fault: (request) => (isAmong(request) ? undefined : "the tool that is chosen is not sent"),
  mend: (request) => ({
    request: { ...request, toolChoice: "auto" },
    lost: [
      `toolChoice ${choiceWords(request.toolChoice as ToolChoice)} names a tool that is not sent; it is "auto".`,
    ],
  }),
};

type ThinkingOptions = { readonly type?: unknown } | undefined;

/** Returns true if a request's settings turn budget thinking on. */
function thinks({ settings }: Request): boolean {
  const { anthropic, bedrock } = settings?.providerOptions ?? {};
  const options = [anthropic?.thinking, bedrock?.reasoningConfig] as readonly ThinkingOptions[];
  return options.some((each) => each?.type === "enabled");
}

/** Models that refuse to be made to call a tool, by family. */
const refusing: { readonly [F in Family]?: RegExp } = {
  // SDK and pydantic-ai differ on Fable 5; what nobody refuses is taken.
  anthropic: /claude-(?:sonnet-5-5|opus-5-5|fable-5|mythos-5)/,
  bedrock: /^(?!.*(?:claude|nova|mistral))|claude-(?:sonnet-5-5|opus-5-5|fable-5|mythos-5)/,
  "openai-compatible": /kimi|moonshot|deepseek-(?:reasoner|r1)/i,
};

const refusesForce = (request: Request, { family, modelId }: Target): boolean =>
  (refusing[family]?.test(modelId) ?? false) ||
  ((family === "anthropic" || family === "bedrock") && thinks(request));

/** A forced call, with models that refuse it. */
export const FORCED_CHOICE: Rule = {
  name: "choice.forced",
  families: ["anthropic", "bedrock", "openai-compatible"],
  demands: "Nobody makes these models call a tool, and none that thinks within a budget",
  source: "@ai-sdk/anthropic, pydantic-ai profiles, botocore bedrock-runtime, bifrost#5097",
  sure: "A",
  fault: (request, target) =>
    isForced(request.toolChoice) && refusesForce(request, target)
      ? "a call is forced, which the model refuses"
      : undefined,
  mend: (request, target) => ({
    request: { ...request, toolChoice: "auto" },
    lost: [
      `${originOf(target)} refuses toolChoice ${choiceWords(request.toolChoice as ToolChoice)}; it is "auto".`,
    ],
  }),
};

/** The tool that a history speaks of, where the request offers none. */
const stub = (name: string): ToolSchema => ({
  name,
  description: "No longer offered.",
  inputSchema: { type: "object", properties: {} },
});

/** Calls in a history whose request has no tools. */
export const TOOLS_ABSENT: Rule = {
  name: "tools.absent",
  families: ["anthropic", "bedrock"],
  demands: "As soon as the history has calls, there are tools",
  source:
    "dify#17545, pentagi#160, epam/ai-dial-adapter-bedrock#344; @ai-sdk/amazon-bedrock deletes the history",
  sure: "B",
  prefix: "The tools went with the request itself; stubs stand for them.",
  fault: ({ tools = [], messages }) =>
    tools.length === 0 &&
    callsOf(messages).some(({ providerExecuted }) => providerExecuted !== true)
      ? "the history has calls, and there are no tools"
      : undefined,
  mend(request) {
    const own = callsOf(request.messages).filter(
      ({ providerExecuted }) => providerExecuted !== true,
    );
    const names = new Set(own.map(({ toolName }) => toolName));
    return { request: { ...request, tools: [...names].map(stub), toolChoice: "none" } };
  },
};

/** The words that tell a model that it may call no tool. */
export const NO_CALL = "Answer now without calling a tool.";

/** Tools that may not be called, where there is no word for it and the client would delete the history. */
export const NONE_IN_WORDS: Rule = {
  name: "choice.none-in-words",
  families: ["bedrock"],
  demands: 'There is no choice "none"',
  source:
    "botocore bedrock-runtime ToolChoice; @ai-sdk/amazon-bedrock deletes every call and result",
  sure: "A",
  prefix: "Only the request that may call no tool says so in its system text.",
  fault: ({ toolChoice }) => (toolChoice === "none" ? 'the choice is "none"' : undefined),
  mend({ system, ...request }) {
    const text = system === undefined ? NO_CALL : `${system}\n\n${NO_CALL}`;
    return { request: { ...request, system: text, toolChoice: "auto" } };
  },
};

/** Tools that may not be called, where the choice "none" makes a model write garbled text. */
export const NONE_WITHOUT_TOOLS: Rule = {
  name: "choice.none-without-tools",
  families: ["mistral"],
  demands: 'Tools are not sent with the choice "none"',
  source: "pydantic-ai models/mistral",
  sure: "A",
  prefix: "Only the request that may call no tool has none.",
  fault: ({ toolChoice }) => (toolChoice === "none" ? 'the choice is "none"' : undefined),
  mend({ tools: _tools, toolChoice: _none, ...request }) {
    return { request };
  },
};

const MOST_TOOLS = 128;

/** More tools than the family takes: the first stay, and the one that is chosen. */
export const MOST_TOOLS_RULE: Rule = {
  name: "limits.tools",
  families: ["openai-chat", "openai-responses"],
  demands: "There are at most 128 tools",
  source: "OpenAI CreateChatCompletionRequest",
  sure: "A",
  fault: ({ tools = [] }) =>
    tools.length > MOST_TOOLS ? "there are more than 128 tools" : undefined,
  mend(request, target) {
    const { tools = [], toolChoice } = request;
    const chosen = tools.findIndex(
      ({ name }) => typeof toolChoice === "object" && name === toolChoice.tool,
    );
    const kept =
      chosen < MOST_TOOLS
        ? tools.slice(0, MOST_TOOLS)
        : [...tools.slice(0, MOST_TOOLS - 1), tools[chosen] as ToolSchema];
    return {
      request: { ...request, tools: kept },
      lost: [`${originOf(target)} takes 128 tools; those behind are not offered.`],
    };
  },
};
