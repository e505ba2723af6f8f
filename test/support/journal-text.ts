// What a journal holds, as text and as lines.
import type { EventLine, Line } from "../../src/core/journal/index.js";
import type { JournalPort } from "../../src/runtime/index.js";

/** A journal's text, from a byte on. */
export async function textIn(port: JournalPort, from?: number): Promise<string> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let text = "";
  for await (const chunk of port.read(from)) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

/** Its whole lines, as JSON, but for the marks of snapshots, which a run leaves wherever it waits. */
export async function linesIn(port: JournalPort): Promise<readonly Line[]> {
  const text = await textIn(port);
  const lines = text.split("\n").slice(0, -1);
  return lines.filter((line) => !marksSnapshot(line)).map((line) => JSON.parse(line) as Line);
}

/** Returns true for the mark of a snapshot. */
export function marksSnapshot(line: string): boolean {
  return line.startsWith('{"mark":{"snapshot"');
}

/** The lines of its events. */
export async function eventsIn(port: JournalPort): Promise<readonly EventLine[]> {
  return (await linesIn(port)).filter((line): line is EventLine => "event" in line);
}
