/**
 * Writes the beginning of a value as JSON, for short displays of long values: the work is that of the
 * characters shown.
 */
import type { Json, JsonObject } from "../../core/kernel/values/index.js";

/** The beginning of a value as JSON, of a text as it is: of a long one no more is written than is asked for. */
export function jsonBeginning(value: Json, length: number): string {
  if (typeof value === "string") return value.slice(0, length);
  let written = "";
  const write = (each: Json): void => {
    if (written.length >= length) return;
    if (typeof each === "string") written += JSON.stringify(each.slice(0, length));
    else if (typeof each !== "object" || each === null) written += JSON.stringify(each);
    else if (Array.isArray(each)) {
      written += "[";
      for (const [i, item] of each.entries()) {
        if (written.length >= length) return;
        if (i > 0) written += ",";
        write(item);
      }
      written += "]";
    } else {
      written += "{";
      let isFirst = true;
      for (const name of Object.keys(each)) {
        if (written.length >= length) return;
        written += `${isFirst ? "" : ","}${JSON.stringify(name)}:`;
        isFirst = false;
        write((each as JsonObject)[name] as Json);
      }
      written += "}";
    }
  };
  write(value);
  return written;
}
