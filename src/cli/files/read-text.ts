/** Reads a text file in UTF-8 or UTF-16, without the byte order mark that Windows puts before it. */
import { readFileSync } from "node:fs";

/** The text of a file, without its byte order mark. @throws what `readFileSync` throws */
export function readText(path: string): string {
  const bytes = readFileSync(path);
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe
      ? "utf-16le"
      : first === 0xfe && second === 0xff
        ? "utf-16be"
        : "utf-8";
  return new TextDecoder(encoding).decode(bytes);
}
