/**
 * Rules that ask a model for JSON in its system text, with the schema if there is one, for providers that
 * take no schema, no JSON beside tools, or no JSON mode without the word "json".
 */
import { isBeforeGemini3, originOf } from "./family.js";
import type { Request, Rule } from "./rule.js";
import { outputSchema } from "./schema-root.js";

/** The words that tell a model the schema of its answer. */
function schemaInWords(request: Request): string {
  return `Answer with JSON that fits this JSON Schema, and with nothing else:\n${JSON.stringify(outputSchema(request))}`;
}

const withWords = (request: Request, words: string): Request => {
  const { system } = request;
  return { ...request, system: system === undefined ? words : `${system}\n\n${words}` };
};

const isShown = (request: Request): boolean =>
  request.system?.includes(schemaInWords(request)) === true;

const ONLY_THEN = "Only requests that ask for such an answer say so in their system text.";

/** The schema of an answer, with servers that are sent none. */
export const SCHEMA_SHOWN: Rule = {
  name: "schemas.shown",
  families: ["openai-compatible"],
  demands: "A model whose client sends no schema is told the schema in words",
  source: "@ai-sdk/openai-compatible drops it unless supportsStructuredOutputs, captured",
  sure: "A",
  prefix: ONLY_THEN,
  only: ({ structuredOutputs }) => !structuredOutputs,
  fault: (request) =>
    outputSchema(request) === undefined || isShown(request)
      ? undefined
      : "the model is not told the schema of its answer",
  mend: (request) => ({ request: withWords(request, schemaInWords(request)) }),
};

/** JSON beside tools, which models of Google before Gemini 3 refuse. */
export const JSON_BESIDE_TOOLS: Rule = {
  name: "schemas.beside-tools",
  families: ["google"],
  demands: "Before Gemini 3 a request with tools does not ask for JSON",
  source: "python-genai#867, symfony/ai#803",
  sure: "B",
  prefix: ONLY_THEN,
  only: isBeforeGemini3,
  fault: ({ tools = [], responseFormat }) =>
    tools.length > 0 && responseFormat?.type === "json"
      ? "it asks for JSON beside tools"
      : undefined,
  mend(request, target) {
    const words = outputSchema(request) === undefined ? IN_JSON : schemaInWords(request);
    const { responseFormat: _json, ...rest } = request;
    return {
      request: withWords(rest, words),
      lost: [
        `${originOf(target)} takes no schema beside tools; it is told the form of its answer in words.`,
      ],
    };
  },
};

/** The words that demand JSON as an answer. */
export const IN_JSON = "Answer with JSON, and with nothing else.";

/**
 * JSON mode without a schema. The word is looked for in the system text alone: another message may be
 * gone or new in the next request, and the mended one would no longer begin it.
 */
export const JSON_IN_WORDS: Rule = {
  name: "json.in-words",
  families: ["openai-chat", "openai-responses", "mistral", "openai-compatible"],
  demands: 'JSON mode needs the word "json" in what the model reads',
  source: "pydantic-ai models/openai, OpenAI ResponseFormatJsonObject, Mistral's documentation",
  sure: "A",
  prefix: ONLY_THEN,
  fault: (request) =>
    request.responseFormat?.type === "json" &&
    outputSchema(request) === undefined &&
    !/json/i.test(request.system ?? "")
      ? 'it asks for JSON without the word "json"'
      : undefined,
  mend: (request) => ({ request: withWords(request, IN_JSON) }),
};
