/**
 * Chooses the form in which an operation of thoughts asks the model to answer: JSON of the operation's own
 * schema, of a score or of a verdict, or else plain text.
 */
import type { JsonObject } from "../../kernel/values/index.js";
import { jsonSchemaOf, type ResponseFormat } from "../../kernel/vocabulary/index.js";
import type { Operation } from "../operations/operation.js";
import type { ThoughtsSpec } from "../spec.js";

const because = { type: "string", description: "What speaks for it, in a few words." } as const;

const objectOf = (properties: JsonObject): JsonObject => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

const oneScore = objectOf({
  reasoning: because,
  score: { type: "number", description: "From 0 (useless) to 10 (solves the problem)." },
});
const manyScores = objectOf({
  reasoning: because,
  scores: {
    type: "array",
    items: { type: "number" },
    description: "For each thought, in their order, a number from 0 to 10.",
  },
});
const verdict = objectOf({ reasoning: because, valid: { type: "boolean" } });

/** JSON Schemas of the schemas that were met: one is described once. */
const described = new WeakMap<object, JsonObject>();

/**
 * The form of an operation's answers: of the schema it brings, or of a score or a verdict where the
 * default prompt asks for one and the default parser reads it. An operation with a prompt or a parser of
 * one's own is asked for text: the prompt says how.
 */
export function formatOf(
  spec: ThoughtsSpec,
  operation: Operation,
  about: { readonly path: string },
): ResponseFormat | undefined {
  if ("schema" in operation && operation.schema !== undefined) {
    const schema = described.get(operation.schema) ?? jsonSchemaOf(operation.schema, operation.id);
    described.set(operation.schema, schema);
    return { type: "json", name: operation.kind, schema };
  }
  const { kind } = operation;
  if (kind !== "score" && kind !== "validate") return undefined;
  const isOwn = operation.prompt !== undefined || spec.replaced.includes(kind);
  const isRead = operation.parse !== undefined || operation.parseAll !== undefined;
  if (!spec.structured || isOwn || isRead) return undefined;
  if (kind === "score") {
    return { type: "json", name: "score", schema: operation.combined ? manyScores : oneScore };
  }
  // An improvement is a text.
  if (!about.path.includes("/check/")) return undefined;
  return { type: "json", name: "verdict", schema: verdict };
}
