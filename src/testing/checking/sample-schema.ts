/** Sample arguments for a tool, from its JSON Schema: enough for most, and wrong in no telling way. */
import type { Json, JsonObject } from "../../core/kernel/index.js";
import type { Choose } from "./choose.js";

const TEXTS: readonly string[] = ["a", "", "two words", "../b", "\u{1F9EA}"];
const NUMBERS: readonly number[] = [1, 0, 2, -3, 10];
/** What is between a number and one that must not be reached, where it need not be whole. */
const STEP = 0.5;
/** Texts of a form; what has another is any text. */
const FORMS: { readonly [format: string]: string } = {
  date: "2024-02-29",
  "date-time": "2024-02-29T23:59:59Z",
  time: "23:59:59Z",
  email: "a@example.com",
  uri: "https://example.com/a",
  uuid: "00000000-0000-4000-8000-000000000000",
};

/** A value that fits a JSON Schema, as far as its type, properties, items and enums tell. */
export function sampleSchema(schema: Json | undefined, choose: Choose, depth = 0): Json {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema) || depth > 6) {
    return null;
  }
  const shape = schema as JsonObject;
  if ("const" in shape) return shape.const as Json;
  if ("default" in shape && choose(2) === 0) return shape.default as Json;
  if (Array.isArray(shape.enum)) return shape.enum[choose(shape.enum.length)] as Json;
  for (const union of [shape.anyOf, shape.oneOf, shape.allOf]) {
    if (Array.isArray(union)) return sampleSchema(union[choose(union.length)], choose, depth + 1);
  }
  switch (Array.isArray(shape.type) ? shape.type[choose(shape.type.length)] : shape.type) {
    case "string":
      return sampleText(shape, choose);
    case "number":
      return sampleNumber(shape, choose, STEP);
    case "integer":
      return sampleNumber(shape, choose, 1);
    case "boolean":
      return choose(2) === 1;
    case "array": {
      const size = Math.max(Number(shape.minItems ?? 0), choose(3));
      return Array.from({ length: size }, () => sampleSchema(shape.items, choose, depth + 1));
    }
    case "object":
      return sampleObject(shape, choose, depth);
    default:
      return "properties" in shape ? sampleObject(shape, choose, depth) : null;
  }
}

function sampleText({ minLength, maxLength, format }: JsonObject, choose: Choose): string {
  const form = FORMS[String(format)];
  if (form !== undefined) return form;
  const text = TEXTS[choose(TEXTS.length)] as string;
  const longer =
    typeof minLength === "number" ? text.padEnd(Math.min(minLength, 1_000), "a") : text;
  return typeof maxLength === "number" ? [...longer].slice(0, maxLength).join("") : longer;
}

/**
 * A number: most mistakes are made at the ends of what is allowed, and in its middle.
 * @param step between a number and one that must not be reached
 */
function sampleNumber(shape: JsonObject, choose: Choose, step: number): number {
  const least = endOf(shape.minimum, shape.exclusiveMinimum, step);
  const most = endOf(shape.maximum, shape.exclusiveMaximum, -step);
  const isWithin = (value: number) => !(value < least) && !(value > most);
  // Whole numbers without an end have one all the same, as schemas are written: what is safe.
  const ends = [least, most].filter((end) => Math.abs(end) < Number.MAX_SAFE_INTEGER);
  const middle = ends.length === 2 ? [Math.floor((least + most) / 2)] : [];
  const inner = NUMBERS.filter(isWithin);
  const [plain = 0] = [...inner.slice(0, 1), ...ends];
  const values = [...new Set([plain, ...inner, ...ends, ...middle])].filter(isWithin);
  return values[choose(values.length)] ?? plain;
}

/** An end of a range; NaN where there is none. */
function endOf(inclusive: Json | undefined, exclusive: Json | undefined, step: number): number {
  if (typeof exclusive === "number") return exclusive + step;
  return typeof inclusive === "number" ? inclusive : Number.NaN;
}

function sampleObject(shape: JsonObject, choose: Choose, depth: number): Json {
  const required = Array.isArray(shape.required) ? shape.required : [];
  const sample: Record<string, Json> = {};
  for (const [key, property] of Object.entries((shape.properties ?? {}) as JsonObject)) {
    if (required.includes(key) || choose(2) === 1) {
      sample[key] = sampleSchema(property, choose, depth + 1);
    }
  }
  return sample;
}
