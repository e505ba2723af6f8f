/**
 * Rules on the root of a JSON Schema, of tools and of answers, which providers want to be an object: any
 * other root is wrapped as `{ value }`, in definitions and history alike, and unwrapped where the answer is
 * read.
 */

import { isJsonObject, type Json, type JsonObject } from "../../../core/kernel/values/index.js";
import type { AssistantPart, Message, ToolSchema } from "../../../core/kernel/vocabulary/index.js";
import { FAMILIES } from "./family.js";
import { mapMessages, mapParts, type Request, type Rule } from "./rule.js";

/** Keywords that no root may have: with them an object may be something else. */
const UNIONS = ["anyOf", "oneOf", "allOf", "enum", "const", "not", "$ref", "if"];

const hasUnion = (schema: JsonObject): boolean => UNIONS.some((keyword) => keyword in schema);

/** Returns true for a schema whose root says that it is an object, and nothing else. */
export const isObjectRoot = (schema: JsonObject): boolean =>
  schema.type === "object" && !hasUnion(schema);

/** Returns true for a root that speaks of an object, as the arguments of a call always are. */
function meansObject(schema: JsonObject): boolean {
  if (hasUnion(schema)) return false;
  const { type } = schema;
  return type === undefined
    ? "properties" in schema
    : Array.isArray(type) && type.includes("object");
}

/** A reference from the root, as it leads from the wrapper's root. */
function moved(value: Json): Json {
  if (Array.isArray(value)) return value.map(moved);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => {
      const inner = key === "$ref" && typeof each === "string" && each.startsWith("#");
      if (!inner) return [key, moved(each)];
      const ofWhole = /^#\/(?:\$defs|definitions)\//.test(each);
      return [key, ofWhole ? each : `#/properties/value${each.slice(1)}`];
    }),
  );
}

/** A schema in an object, as its only property. */
function wrapped(schema: JsonObject): JsonObject {
  const { $schema, $defs, definitions, ...rest } = schema;
  const outer = { $schema, $defs, definitions };
  const kept = Object.entries(outer).filter(([, value]) => value !== undefined);
  return moved({
    ...Object.fromEntries(kept),
    type: "object",
    properties: { value: rest },
    required: ["value"],
    additionalProperties: false,
  }) as JsonObject;
}

/** Returns the value of a wrapper; anything else as it is, since a model may have left the wrapper out. */
function unwrapped(value: Json): Json {
  const isWrapper = isJsonObject(value) && Object.keys(value).join() === "value";
  return isWrapper ? (value.value as Json) : value;
}

const toMend = ({ provider, inputSchema }: ToolSchema): boolean =>
  provider === undefined && !isObjectRoot(inputSchema);

const toWrap = (tool: ToolSchema): boolean => toMend(tool) && !meansObject(tool.inputSchema);

const isCallOf =
  (names: ReadonlySet<string>) =>
  (part: AssistantPart): part is Extract<AssistantPart, { readonly type: "tool-call" }> =>
    part.type === "tool-call" && part.providerExecuted !== true && names.has(part.toolName);

/** Arguments of tools. */
export const TOOL_ROOTS: Rule = {
  name: "schemas.tool-roots",
  families: FAMILIES,
  demands: "A tool's schema is of type object at its root, and no union stands beside that",
  source:
    "claude-code#40075, huly-mcp#66, google-calendar-mcp#39, spring-ai#4776, botocore bedrock-runtime",
  sure: "B",
  fault: ({ tools = [] }) =>
    tools.some(toMend) ? "a tool's schema is not an object at its root" : undefined,
  mend(request) {
    const { tools = [] } = request;
    const isWrapped = isCallOf(new Set(tools.filter(toWrap).map(({ name }) => name)));
    return {
      request: {
        ...mapMessages(request, (message) =>
          mapParts(message, (part) =>
            isWrapped(part) ? { ...part, input: { value: part.input } } : part,
          ),
        ),
        tools: tools.map((tool) => {
          if (!toMend(tool)) return tool;
          const { inputSchema: schema } = tool;
          return {
            ...tool,
            inputSchema: toWrap(tool) ? wrapped(schema) : { ...schema, type: "object" },
          };
        }),
      },
      back: (content) =>
        content.map((part) => (isWrapped(part) ? { ...part, input: unwrapped(part.input) } : part)),
    };
  },
};

/** The schema of a request's answer, where it has one. */
export function outputSchema({ responseFormat }: Request): JsonObject | undefined {
  return responseFormat?.type === "json" ? responseFormat.schema : undefined;
}

/** A request whose answer has another schema, or none. */
export function withOutputSchema(request: Request, schema: JsonObject | undefined): Request {
  const { responseFormat } = request;
  if (responseFormat?.type !== "json") return request;
  const { schema: _before, ...format } = responseFormat;
  return { ...request, responseFormat: schema === undefined ? format : { ...format, schema } };
}

/** A text's JSON: the whole of it, or what stands from its first brace to its last. */
function jsonIn(text: string): Json | undefined {
  for (const each of [text, text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1)]) {
    try {
      return JSON.parse(each);
    } catch {
      // The next one, if there is one.
    }
  }
  return undefined;
}

/** A model's text with its JSON changed; as it is where it holds none, or none that changes. */
function withJson(text: string, change: (value: Json) => Json): string {
  const value = jsonIn(text);
  if (value === undefined) return text;
  const changed = change(value);
  return changed === value ? text : JSON.stringify(changed);
}

const mapTexts = (part: AssistantPart, change: (value: Json) => Json): AssistantPart => {
  if (part.type !== "text") return part;
  const text = withJson(part.text, change);
  return text === part.text ? part : { ...part, text };
};

/** A model's earlier answers, as it gave them. */
function answersWrapped(message: Message): Message {
  const wrap = (value: Json) => ({ value });
  if (message.role !== "assistant") return message;
  if (typeof message.content === "string") {
    const value = jsonIn(message.content);
    return value === undefined ? message : { ...message, content: JSON.stringify(wrap(value)) };
  }
  return mapParts(message, (part) => mapTexts(part, wrap));
}

/** The answer, where it is to be JSON. */
export const OUTPUT_ROOT: Rule = {
  name: "schemas.output-root",
  families: FAMILIES,
  demands: "The schema of an answer is of type object at its root, and no union stands beside that",
  source:
    "OpenAI ResponseFormatJsonSchema, platform.claude.com structured outputs; JSON mode writes objects",
  sure: "A",
  prefix: "Only requests that ask for such an answer show earlier ones in the wrapper.",
  fault(request) {
    const schema = outputSchema(request);
    return schema === undefined || isObjectRoot(schema)
      ? undefined
      : "the answer's schema is not an object at its root";
  },
  mend(request) {
    const schema = outputSchema(request) as JsonObject;
    return {
      request: mapMessages(withOutputSchema(request, wrapped(schema)), answersWrapped),
      back: (content) => content.map((part) => mapTexts(part, unwrapped)),
    };
  },
};
