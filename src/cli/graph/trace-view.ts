/**
 * `reckoner graph --view trace`: draws the causes of events in a journal's run, its children and
 * the runs that it continues.
 */
import { isEventLine, LineDecoder } from "../../core/journal/index.js";
import { type Picture, tracePicture } from "../../pictures/index.js";
import type { JournalPort } from "../../runtime/index.js";
import { decoded, viewOf } from "../../runtime/journals/index.js";
import { journalTraces } from "../../trace/live/index.js";
import { journalFile, statsOf } from "../files/journal-files.js";
import { idMeant, observe, observedTraces } from "../observe/load-traces.js";
import { usageError } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";

/** The picture of a trace, and whether something of it could not be read. No config is needed. */
export async function traceView(
  io: Io,
  path: string,
  { at, explain: event }: { readonly at?: number | undefined; readonly explain?: string },
): Promise<{ readonly picture: Picture; readonly incomplete: boolean }> {
  const traces =
    at === undefined ? observedTraces(io, path) : journalTraces(await upToEvent(io, path, at));
  const { trace, unread } = await observe(io, traces);
  if (trace.events.length === 0) throw noEvent(path);
  const picture = tracePicture(trace, {
    title: `Trace of ${path}${at === undefined ? "" : `, event ${at}`}`,
    ...(event === undefined ? {} : { explain: idMeant(io, path, trace, event) }),
  });
  return { picture, incomplete: unread.length > 0 };
}

/** A journal as it was when an event had been taken: what came of it later is not known there. */
async function upToEvent(io: Io, path: string, at: number): Promise<JournalPort> {
  if (statsOf(io, path)?.isDirectory() === true) {
    throw usageError(`--at ${at} needs a journal; ${path} is a folder.`);
  }
  const port = journalFile(io, path);
  const decoder = new LineDecoder();
  let end = 0;
  let last: number | undefined;
  reading: for await (const batch of viewOf(port).rawLines().batches()) {
    for (const raw of batch) {
      const { line } = decoded(decoder, raw);
      if (isEventLine(line)) {
        // A fork and a run that goes on begin where another one was.
        if (line.seq > at && last === undefined)
          throw usageError(`--at ${at} is before the run's own first event, ${line.seq}.`);
        last = line.seq;
        if (line.seq > at) break reading;
      }
      end = raw.end;
    }
  }
  if (last === undefined) throw noEvent(path);
  if (last < at) throw usageError(`--at ${at} is past the last event, ${last}.`);
  return {
    ...port,
    async *read(from = 0) {
      let left = end - from;
      for await (const bytes of port.read(from)) {
        if (left > 0) yield bytes.subarray(0, left);
        left -= bytes.length;
        if (left <= 0) return;
      }
    },
  };
}

function noEvent(path: string): Error {
  return usageError(`--view trace needs a run; ${path} has no event.`);
}
