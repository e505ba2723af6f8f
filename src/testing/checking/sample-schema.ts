/** Sample arguments for a tool, from its JSON Schema: enough for most, and wrong in no telling way. */
import type { Json, JsonObject } from "../../core/kernel/index.js";
import type { Choose } from "./choose.js";

const TEXTS: readonly string[] = ["a", "", "two words", "../b", "\u{1F9EA}"];
const NUMBERS: readonly number[] = [1, 0, 2, -3, 10];

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
      return TEXTS[choose(TEXTS.length)] as string;
    case "number":
    case "integer": {
      const number = NUMBERS[choose(NUMBERS.length)] as number;
      const { minimum, maximum } = shape;
      if (typeof minimum === "number" && number < minimum) return minimum;
      return typeof maximum === "number" && number > maximum ? maximum : number;
    }
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
