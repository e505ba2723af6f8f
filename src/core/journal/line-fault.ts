/** What is wrong with the shape of a line whose bytes are right: nobody has to trust who wrote it. */
import { isReckonerError, parseEvent } from "../kernel/index.js";
import { type Line, readableFormats } from "./line.js";

/** What is wrong with a line, in words; `undefined` where nothing is. */
export function lineFault(line: Line, number: number): string | undefined {
  if ((line.type === "header") !== (number === 1)) return "is out of place: the header comes first";
  switch (line.type) {
    case "header":
      if (!readableFormats.includes(line.format)) {
        return `has format ${JSON.stringify(line.format)}; this version reads ${readableFormats.join(", ")}`;
      }
      if (typeof line.runId !== "string" || typeof line.at !== "number") return "lacks runId or at";
      if (line.from !== undefined && !isLink(line.from)) return "goes on from what is no run";
      return typeof line.reasoner?.id === "string" ? undefined : "lacks the reasoner";
    case "event": {
      if (!Number.isSafeInteger(line.seq)) return "has no sequence number";
      if (!isObject(line.event)) return "has no event";
      try {
        parseEvent(line.event);
      } catch (thrown) {
        if (isReckonerError(thrown)) return `has no event: ${thrown.message}`;
        throw thrown;
      }
      const { directives = [], values = {}, starts = [], end = {} } = line;
      if (!isArrayOf(directives, isDirectiveRecord)) return "has directives that are none";
      if (!isObject(values)) return "has values that are none";
      if (!isArrayOf(starts, isMark)) return "has starts that are none";
      return isObject(end) ? undefined : "has an end that is none";
    }
    case "mark":
      return isMark(line) ? undefined : "is a mark without id and attempt";
    default:
      return `has an unknown type ${JSON.stringify((line satisfies never as Line).type)}`;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isArrayOf(value: unknown, is: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(is);
}

function isMark(value: unknown): boolean {
  return isObject(value) && typeof value.id === "string" && Number.isSafeInteger(value.attempt);
}

function isDirectiveRecord(value: unknown): boolean {
  if (!isObject(value) || typeof value.type !== "string" || !isObject(value.parts)) return false;
  return Object.values(value.parts).every(isPart);
}

function isPart(value: unknown): boolean {
  if (typeof value === "string") return true;
  if (!isObject(value)) return false;
  if ("is" in value) return true;
  return (
    typeof value.list === "string" &&
    Number.isSafeInteger(value.size) &&
    Number.isSafeInteger(value.from) &&
    isArrayOf(value.items, (item) => typeof item === "string")
  );
}

function isLink(value: unknown): boolean {
  if (!isObject(value)) return false;
  const texts = [value.journal, value.runId, value.hash];
  return texts.every((text) => typeof text === "string") && Number.isSafeInteger(value.seq);
}
