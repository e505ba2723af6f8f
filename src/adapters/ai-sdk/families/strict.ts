/**
 * Rules on schemas of tools and answers in a provider's strict mode, which holds the model to them, and on the
 * shapes of schemas that a provider takes at all. The rewriting is in `strict-schema.ts`.
 */
import {
  isJsonObject,
  type Json,
  type JsonObject,
  sameJson,
} from "../../../core/kernel/values/index.js";
import type { ToolSchema } from "../../../core/kernel/vocabulary/index.js";
import { originOf, type Target } from "./family.js";
import type { Request, Rule } from "./rule.js";
import { outputSchema, withOutputSchema } from "./schema-root.js";
import { storeName, withSettings } from "./settings.js";
import { closedSchema, googleSchema, type Strict, strictSchema } from "./strict-schema.js";

/** Under which name a client reads whether a schema of the answer is strict. */
function strictName(request: Request, target: Target): string {
  if (target.family === "openai-chat") return "openai";
  if (target.family === "openai-responses") return storeName(request, target);
  return target.provider.split(".")[0] as string;
}

/** Returns true if a client sends the schema of an answer as a strict one: it does where nothing is said. */
function isStrict(request: Request, target: Target): boolean {
  const options = request.settings?.providerOptions?.[strictName(request, target)];
  return options?.strictJsonSchema !== false;
}

const fits = (schema: JsonObject, strict: Strict): boolean =>
  "schema" in strict && sameJson(schema, strict.schema);

/** The schema of an answer, with clients that send it as a strict one. */
export const STRICT_OUTPUT: Rule = {
  name: "schemas.strict-output",
  families: ["openai-chat", "openai-responses", "openai-compatible"],
  demands: "In a strict schema every object is closed and requires all its properties",
  source: "OpenAI ResponseFormatJsonSchema; the clients of openai, groq and xai send strict: true",
  sure: "A",
  only: ({ structuredOutputs }) => structuredOutputs,
  fault(request, target) {
    const schema = outputSchema(request);
    if (schema === undefined || !isStrict(request, target)) return undefined;
    return fits(schema, strictSchema(schema))
      ? undefined
      : "the answer's strict schema is not closed";
  },
  mend(request, target) {
    const strict = strictSchema(outputSchema(request) as JsonObject);
    if ("schema" in strict) return { request: withOutputSchema(request, strict.schema) };
    const name = strictName(request, target);
    const all = request.settings?.providerOptions;
    const providerOptions = { ...all, [name]: { ...all?.[name], strictJsonSchema: false } };
    return {
      request: withSettings(request, { providerOptions }),
      lost: [
        `${originOf(target)} does not hold the answer to its schema, which no strict one says: ${strict.reason}.`,
      ],
    };
  },
};

/** The most that Anthropic takes over all strict tools of a request. */
const MOST = { tools: 20, optional: 24, unions: 16 };

/** Counts a schema's optional properties and its unions. */
function countsOf(value: Json): { readonly optional: number; readonly unions: number } {
  let [optional, unions] = [0, 0];
  const visit = (each: Json): void => {
    if (Array.isArray(each)) each.forEach(visit);
    if (!isJsonObject(each)) return;
    const { properties, required = [], type, anyOf, oneOf } = each;
    if (isJsonObject(properties))
      optional +=
        Object.keys(properties as JsonObject).length - (required as readonly Json[]).length;
    if (Array.isArray(type) || Array.isArray(anyOf) || Array.isArray(oneOf)) unions += 1;
    Object.values(each).forEach((inner) => {
      visit(inner);
    });
  };
  visit(value);
  return { optional, unions };
}

const isStrictTool = ({ strict, provider }: ToolSchema): boolean =>
  strict === true && provider === undefined;

/** The strict tools that go beyond what Anthropic compiles; those before stay. */
function beyond(tools: readonly ToolSchema[], { family }: Target): ReadonlySet<ToolSchema> {
  const out = new Set<ToolSchema>();
  if (family !== "anthropic") return out;
  let [count, optional, unions] = [0, 0, 0];
  for (const tool of tools.filter(isStrictTool)) {
    const more = countsOf(tool.inputSchema);
    const fitting =
      count < MOST.tools &&
      optional + more.optional <= MOST.optional &&
      unions + more.unions <= MOST.unions;
    if (!fitting) {
      out.add(tool);
      continue;
    }
    count += 1;
    optional += more.optional;
    unions += more.unions;
  }
  return out;
}

/** A tool's strict schema for a target. */
function strictFor(schema: JsonObject, { family }: Target): Strict {
  if (family === "bedrock") return { reason: "the model's list of strict tools is not known" };
  return family === "anthropic" ? closedSchema(schema) : strictSchema(schema);
}

/** Tools that ask to be strict. */
export const STRICT_TOOLS: Rule = {
  name: "schemas.strict-tools",
  families: [
    "openai-chat",
    "openai-responses",
    "anthropic",
    "bedrock",
    "mistral",
    "openai-compatible",
  ],
  demands:
    "In a strict tool every object is closed, and requires all its properties (not with Anthropic, which takes 20 strict tools with 24 optional properties and 16 unions); Bedrock takes strict tools of some models alone",
  source:
    "OpenAI FunctionObject, genkit#5230, inbox-zero#2323, sdk-typescript#885, pydantic-ai (live)",
  sure: "A",
  fault({ tools = [] }, target) {
    const strict = tools.filter(isStrictTool);
    const all = strict.every(({ inputSchema }) =>
      fits(inputSchema, strictFor(inputSchema, target)),
    );
    return all && beyond(tools, target).size === 0
      ? undefined
      : "a strict tool's schema is not closed";
  },
  mend(request, target) {
    const { tools = [] } = request;
    const lost: string[] = [];
    const out = beyond(tools, target);
    const loose = ({ strict: _strict, ...tool }: ToolSchema, why: string): ToolSchema => {
      lost.push(`${originOf(target)} does not hold calls of ${tool.name} to its schema: ${why}.`);
      return tool;
    };
    const mended = tools.map((tool) => {
      if (!isStrictTool(tool)) return tool;
      if (out.has(tool))
        return loose(tool, "there are too many strict tools, or they are too large");
      const strict = strictFor(tool.inputSchema, target);
      return "schema" in strict
        ? { ...tool, inputSchema: strict.schema }
        : loose(tool, strict.reason);
    });
    return { request: { ...request, tools: mended }, lost };
  },
};

/** A schema in which objects have properties and lists have items. */
function shaped(value: Json): Json {
  if (Array.isArray(value)) return value.map(shaped);
  if (!isJsonObject(value)) return value;
  const inner = Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, shaped(each)]),
  ) as JsonObject;
  if (value.type === "object" && !("properties" in value)) return { ...inner, properties: {} };
  return value.type === "array" && !("items" in value) ? { ...inner, items: {} } : inner;
}

const isShaped = ({ inputSchema, provider }: ToolSchema): boolean =>
  provider !== undefined || sameJson(inputSchema, shaped(inputSchema));

/** Objects without properties and lists without items, in tools. */
export const TOOL_SHAPES: Rule = {
  name: "schemas.shapes",
  families: ["openai-chat", "openai-responses", "mistral", "openai-compatible"],
  demands: "In a tool's schema an object has properties, and a list has items",
  source: "google-calendar-mcp#39, spring-ai#4776, fastmcp#2464",
  sure: "B",
  fault: ({ tools = [] }) =>
    tools.every(isShaped)
      ? undefined
      : "a schema has a list without items, or an object without properties",
  mend: (request) => ({
    request: {
      ...request,
      tools: (request.tools ?? []).map((tool) =>
        isShaped(tool) ? tool : { ...tool, inputSchema: shaped(tool.inputSchema) as JsonObject },
      ),
    },
  }),
};

/** A request whose schemas are in Google's keywords. */
function inGooglesKeywords(request: Request): Request {
  const { tools } = request;
  const schema = outputSchema(request);
  const googleTools = tools?.map((tool) =>
    tool.provider === undefined
      ? { ...tool, inputSchema: googleSchema(tool.inputSchema) as JsonObject }
      : tool,
  );
  const next = googleTools === undefined ? request : { ...request, tools: googleTools };
  return schema === undefined ? next : withOutputSchema(next, googleSchema(schema) as JsonObject);
}

/** Schemas in keywords that Google refuses (one is enough to refuse the request) or its client drops. */
export const GOOGLE_KEYWORDS: Rule = {
  name: "schemas.keywords",
  families: ["google"],
  demands:
    "A schema has no title, const, pattern, and no bounds but minLength and minItems; an enum has texts alone",
  source:
    "pizza-bot#62, cline#7339, pydantic-ai; @ai-sdk/google of 6 leaves them out unsaid, captured",
  sure: "B",
  fault: (request) =>
    sameJson(schemasOf(request), schemasOf(inGooglesKeywords(request)))
      ? undefined
      : "a schema has a keyword that is refused, or left out",
  mend: (request) => ({ request: inGooglesKeywords(request) }),
};

const schemasOf = (request: Request): Json => [
  ...(request.tools ?? []).map(({ inputSchema }) => inputSchema),
  outputSchema(request) ?? null,
];
