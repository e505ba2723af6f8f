/** Makes sample arguments for a tool from its JSON Schema. */
import type { Json, JsonObject } from "../../core/kernel/values/index.js";
import type { Choose } from "./choose.js";

const TEXTS: readonly string[] = ["a", "", "two words", "../b", "\u{1F9EA}"];
const NUMBERS: readonly number[] = [1, 0, 2, -3, 10];
/** The distance between a number and one that must not be reached, where there is room for it. */
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
  if ("const" in shape) return shape.const;
  if ("default" in shape && choose(2) === 0) return shape.default;
  if (Array.isArray(shape.enum)) return shape.enum[choose(shape.enum.length)] as Json;
  for (const union of [shape.anyOf, shape.oneOf, shape.allOf]) {
    if (Array.isArray(union)) return sampleSchema(union[choose(union.length)], choose, depth + 1);
  }
  switch (Array.isArray(shape.type) ? shape.type[choose(shape.type.length)] : shape.type) {
    case "string":
      return sampleText(shape, choose);
    case "number":
      return sampleNumber(shape, choose, false);
    case "integer":
      return sampleNumber(shape, choose, true);
    case "boolean":
      return choose(2) === 1;
    case "array": {
      const { minItems = 0, maxItems } = shape;
      const size = Math.max(Number(minItems), choose(3));
      const length = typeof maxItems === "number" ? Math.min(size, maxItems) : size;
      return Array.from({ length }, () => sampleSchema(shape.items, choose, depth + 1));
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
  // Lengths are those of letters, of which some are two characters.
  const letters = [...text];
  if (typeof minLength === "number") {
    while (letters.length < Math.min(minLength, 1_000)) letters.push("a");
  }
  return (typeof maxLength === "number" ? letters.slice(0, maxLength) : letters).join("");
}

/** A number: most mistakes are made at the ends of what is allowed, and in its middle. */
function sampleNumber(shape: JsonObject, choose: Choose, isWhole: boolean): number {
  const low = endOf(shape.minimum, shape.exclusiveMinimum, 1);
  const high = endOf(shape.maximum, shape.exclusiveMaximum, -1);
  const room = Math.abs(high.at - low.at);
  const step = room < 2 * STEP ? room / 2 : STEP;
  const inner = ({ at, isOpen }: End, inwards: 1 | -1): number => {
    if (!isWhole) return isOpen ? at + inwards * step : at;
    const whole = inwards * Math.ceil(inwards * at);
    return isOpen && whole === at ? at + inwards : whole;
  };
  const [least, most] = [inner(low, 1), inner(high, -1)];
  const isWithin = (value: number) => !(value < least) && !(value > most);
  // Whole numbers without an end have one all the same, as schemas are written: what is safe.
  const ends = [least, most].filter((end) => Math.abs(end) < Number.MAX_SAFE_INTEGER);
  const middle = ends.length === 2 ? [Math.floor((least + most) / 2)] : [];
  const usual = NUMBERS.filter(isWithin);
  const [plain = 0] = [...usual.slice(0, 1), ...ends];
  const values = [...new Set([plain, ...usual, ...ends, ...middle])].filter(isWithin);
  return values[choose(values.length)] ?? plain;
}

/** An end of a range; at NaN where there is none. */
interface End {
  readonly at: number;
  /** It must not be reached. */
  readonly isOpen: boolean;
}

/** The narrower of two ends. */
function endOf(inclusive: Json | undefined, exclusive: Json | undefined, inwards: 1 | -1): End {
  const closed = typeof inclusive === "number" ? inclusive : Number.NaN;
  if (typeof exclusive !== "number") return { at: closed, isOpen: false };
  const isClosed = inwards * closed > inwards * exclusive;
  return isClosed ? { at: closed, isOpen: false } : { at: exclusive, isOpen: true };
}

function sampleObject(shape: JsonObject, choose: Choose, depth: number): Json {
  const required = Array.isArray(shape.required) ? shape.required : [];
  const sample: [string, Json][] = [];
  for (const [key, property] of Object.entries(shape.properties ?? {})) {
    if (required.includes(key) || choose(2) === 1) {
      sample.push([key, sampleSchema(property, choose, depth + 1)]);
    }
  }
  // A property may have any name: an assignment to __proto__ makes none.
  return Object.fromEntries(sample);
}
