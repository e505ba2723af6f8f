/**
 * Rules on names of tools (in definitions, choice and history alike) and of schemas: letters and length that a
 * provider takes.
 */
import type { AssistantPart, Message } from "../../../core/kernel/vocabulary/index.js";
import { FAMILIES, type Family, type Target } from "./family.js";
import { mapMessages, type Request, type Rule } from "./rule.js";
import { outputSchema, withOutputSchema } from "./schema-root.js";

const COMMON = /^[a-zA-Z0-9_-]{1,64}$/;
const LONG = /^[a-zA-Z0-9_-]{1,128}$/;
const patterns: { readonly [F in Family]: RegExp } = {
  "openai-chat": COMMON,
  "openai-compatible": COMMON,
  mistral: COMMON,
  "openai-responses": LONG,
  anthropic: LONG,
  google: /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/,
  bedrock: /^[a-zA-Z][a-zA-Z0-9_]{0,63}$/,
};

/** Families whose clients make an answer's tool of this name themselves. */
const WITH_JSON_TOOL: readonly Family[] = ["anthropic", "bedrock", "google"];

const takes = ({ family }: Target, name: string): boolean =>
  patterns[family].test(name) && !(name === "json" && WITH_JSON_TOOL.includes(family));

/** Characters of a made name, which leaves room for a number. */
const MADE_LENGTH = 56;

/** A name for a target, of one that it does not take; the nth try, from 1. */
function another(name: string, n: number): string {
  const letters = name.replace(/[^a-zA-Z0-9_]/g, "_");
  const begun = /^[a-zA-Z]/.test(letters) ? letters : `tool_${letters}`;
  const first = begun === "json" ? "json_tool" : begun.slice(0, MADE_LENGTH);
  return n === 1 ? first : `${first}_${n}`;
}

/** The names that a request speaks of: of its own tools in order, then as the history has them. */
function namesIn({ tools = [], messages }: Request): ReadonlySet<string> {
  const names = new Set(
    tools.flatMap(({ name, provider }) => (provider === undefined ? [name] : [])),
  );
  const theirs = new Set(tools.flatMap(({ name, provider }) => (provider ? [name] : [])));
  for (const { role, content } of messages) {
    if (role === "user" || typeof content === "string") continue;
    for (const part of content) {
      const own = part.type === "tool-call" ? part.providerExecuted !== true : role === "tool";
      if ("toolName" in part && own && !theirs.has(part.toolName)) names.add(part.toolName);
    }
  }
  return names;
}

/** Names as they are sent: one map for the whole request, in which no two names are one. */
function sentNames(request: Request, target: Target): ReadonlyMap<string, string> {
  const used = new Set(
    (request.tools ?? []).map(({ name }) => name).filter((name) => takes(target, name)),
  );
  const sent = new Map<string, string>([...used].map((name) => [name, name]));
  for (const name of namesIn(request)) {
    if (sent.has(name)) continue;
    let made = name;
    for (let n = 1; used.has(made) || !takes(target, made); n++) made = another(name, n);
    used.add(made);
    sent.set(name, made);
  }
  return sent;
}

type Named = { readonly toolName: string };

function renamed<M extends Message>(message: M, sent: ReadonlyMap<string, string>): Message {
  const { role, content } = message;
  if (role === "user" || role === "system" || typeof content === "string") return message;
  return {
    ...message,
    content: content.map((part) => {
      const theirs =
        (part.type === "tool-call" && part.providerExecuted === true) ||
        (part.type === "tool-result" && role === "assistant");
      return theirs ? part : withName(part, sent);
    }),
  } as Message;
}

function withName(part: AssistantPart, names: ReadonlyMap<string, string>): AssistantPart {
  if (part.type !== "tool-call" && part.type !== "tool-result") return part;
  const toolName = names.get((part as Named).toolName);
  return toolName === undefined || toolName === part.toolName ? part : { ...part, toolName };
}

/** Names of tools. */
export const TOOL_NAMES: Rule = {
  name: "tools.names",
  families: FAMILIES,
  demands:
    "Names of tools are 1 to 64 letters, digits, _ and - (128 with OpenAI's Responses and Anthropic); Google's begin with a letter or _, Bedrock's with a letter and have no -; json is the client's own with Anthropic, Google and Bedrock",
  source:
    "OpenAI FunctionObject and FunctionToolParam, ccs#25, botocore bedrock-runtime, @ai-sdk clients",
  sure: "A",
  fault: (request, target) =>
    [...sentNames(request, target)].some(([name, sent]) => name !== sent)
      ? "a tool's name is not of the family's form"
      : undefined,
  mend(request, target) {
    const sent = sentNames(request, target);
    const { tools, toolChoice } = request;
    const was = new Map([...sent].map(([name, as]) => [as, name]));
    const named = (name: string) => sent.get(name) ?? name;
    return {
      request: {
        ...mapMessages(request, (message) => renamed(message, sent)),
        ...(tools === undefined
          ? {}
          : { tools: tools.map((tool) => ({ ...tool, name: named(tool.name) })) }),
        ...(typeof toolChoice === "object" ? { toolChoice: { tool: named(toolChoice.tool) } } : {}),
      },
      names: was,
      back: (content) =>
        content.map((part) =>
          part.type === "tool-call" && part.providerExecuted !== true ? withName(part, was) : part,
        ),
    };
  },
};

/** The name of an answer's schema. */
export const SCHEMA_NAME: Rule = {
  name: "schemas.name",
  families: ["openai-chat", "openai-responses", "mistral", "openai-compatible"],
  demands: "The name of a schema is 1 to 64 letters, digits, _ and -",
  source: "OpenAI ResponseFormatJsonSchema",
  sure: "A",
  fault: ({ responseFormat }) =>
    responseFormat?.type === "json" &&
    responseFormat.name !== undefined &&
    !COMMON.test(responseFormat.name)
      ? "the schema's name is not of the family's form"
      : undefined,
  mend(request) {
    const format = withOutputSchema(request, outputSchema(request)).responseFormat;
    if (format?.type !== "json") return { request };
    const name = format.name?.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, 64) || "response";
    return { request: { ...request, responseFormat: { ...format, name } } };
  },
};
