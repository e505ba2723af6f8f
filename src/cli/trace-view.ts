/**
 * `reckoner graph --view trace`: draws the causes of events in a journal's run, its children and
 * the runs that it continues.
 */
import { isEventLine } from "../core/journal/index.js";
import { type Picture, tracePicture } from "../pictures/index.js";
import { type JournalPort, viewOf } from "../runtime/index.js";
import { explain, summaryOf } from "../trace/pure/index.js";
import { usageError } from "./failure.js";
import type { Io } from "./io.js";
import { journalFile, statsOf } from "./journal-files.js";
import { idMeant, observe, observedTraces, tracesOf } from "./observed.js";

/** The picture of a trace, and whether something of it could not be read. No config is needed. */
export async function traceView(
  io: Io,
  path: string,
  { at, explain: event }: { readonly at?: number; readonly explain?: string },
): Promise<{ readonly picture: Picture; readonly incomplete: boolean }> {
  const store =
    at === undefined ? observedTraces(io, path) : tracesOf(path, await upToEvent(io, path, at));
  const observed = await observe(io, store);
  const { trace } = observed;
  const { events } = trace;
  if (events.length === 0) throw usageError(`--view trace needs a run; ${path} has no event.`);
  const picture = tracePicture(
    events.map((each) => ({
      id: each.id,
      kind: each.type,
      label: summaryOf(each),
      parent: trace.parentOf(each)?.id ?? null,
      causes: each.causes,
      at: each.at,
      ...(each.durationMs === undefined ? {} : { durationMs: each.durationMs }),
    })),
    {
      title: `Trace of ${path}${at === undefined ? "" : `, event ${at}`}`,
      ...(event === undefined
        ? {}
        : { explain: explain(trace, idMeant(io, path, observed, event)).event.id }),
    },
  );
  return { picture, incomplete: observed.incomplete };
}

/** A journal as it was when an event had been taken: what came of it later is not known there. */
async function upToEvent(io: Io, path: string, at: number): Promise<JournalPort> {
  if (statsOf(io, path)?.isDirectory() === true) {
    throw usageError(`--at ${at} needs a journal; ${path} is a folder.`);
  }
  const port = journalFile(io, path);
  let lines = 0;
  let last: number | undefined;
  for await (const { line, number } of viewOf(port).ownTreeLines()) {
    if (isEventLine(line)) {
      if (line.seq > at && last === undefined) throw beforeTheFirst(at, line.seq);
      last = line.seq;
      if (line.seq > at) break;
    }
    lines = number;
  }
  if (last === undefined) throw usageError(`--view trace needs a run; ${path} has no event.`);
  if (last < at) throw usageError(`--at ${at} is past the last event, ${last}.`);
  return { ...port, read: (from) => upToLine(port.read.bind(port), lines, from) };
}

/** A fork and a run that goes on begin where another one was. */
function beforeTheFirst(at: number, first: number): Error {
  return usageError(`--at ${at} is before the run's own first event, ${first}.`);
}

/** The bytes of so many lines. */
async function* upToLine(
  read: JournalPort["read"],
  lines: number,
  from = 0,
): AsyncGenerator<Uint8Array> {
  let left = lines;
  let start = 0;
  for await (const bytes of read()) {
    let end = 0;
    while (left > 0 && end < bytes.length) {
      const newline = bytes.indexOf(10, end);
      if (newline < 0) end = bytes.length;
      else {
        end = newline + 1;
        left -= 1;
      }
    }
    yield bytes.subarray(Math.min(Math.max(from - start, 0), end), end);
    if (left === 0) return;
    start += bytes.length;
  }
}
