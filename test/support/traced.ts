// Runs in virtual time, and their traces.
import type { Line } from "../../src/core/journal/index.js";
import {
  type JournalPort,
  type ModelPort,
  memoryJournal,
  type RunOptions,
  run,
  type VirtualClock,
  virtualClock,
} from "../../src/runtime/index.js";
import type { JournalTraces } from "../../src/trace/live/index.js";
import {
  isoTime,
  RunTrace,
  type RunTraceOptions,
  type TraceEvent,
} from "../../src/trace/pure/index.js";
import { linesIn } from "./journal-text.js";

/** The trace of journal lines. */
export function traceOf(lines: Iterable<Line>, options?: RunTraceOptions): RunTrace {
  const trace = new RunTrace(options);
  for (const line of lines) trace.take(line);
  return trace;
}

/** The trace of a journal. */
export async function traced(journal: JournalPort): Promise<readonly TraceEvent[]> {
  return traceOf(await linesIn(journal)).events();
}

/** A model port on a clock: each answer takes so many milliseconds. */
export function slow(model: ModelPort, clock: VirtualClock, ms: number): ModelPort {
  return {
    name: model.name,
    async generate(request, call) {
      await clock.sleep(ms, call.signal);
      return await model.generate(request, call);
    },
  };
}

/** Runs to the end in virtual time. */
export async function lived(
  reasoner: never,
  input: unknown,
  options: Partial<RunOptions> & { readonly clock?: VirtualClock } = {},
): Promise<{
  readonly journal: JournalPort;
  readonly clock: VirtualClock;
  readonly status: string;
}> {
  const { clock = virtualClock(1_000), journal = memoryJournal(), ...rest } = options;
  const live = run(reasoner, input as never, { runId: "r", ...rest, clock, journal });
  let over = false;
  const end = live.then(
    (value) => {
      over = true;
      return value;
    },
    (thrown: unknown) => {
      over = true;
      throw thrown;
    },
  );
  while (!over) {
    await new Promise((resolve) => setImmediate(resolve));
    if (!over) clock.jump();
  }
  return { journal: journal as JournalPort, clock, status: (await end).status };
}

/** An event made up for a test. */
export function event(id: string, more: Partial<TraceEvent> = {}): TraceEvent {
  const at = more.at ?? 0;
  return {
    id,
    type: "tool_call",
    agentId: "a",
    runId: "r",
    session: "s",
    timestamp: isoTime(at),
    at,
    causes: more.parentEvent === undefined ? [] : [more.parentEvent],
    status: "succeeded",
    fields: {},
    seq: at,
    ...more,
  };
}

/** The present contents of journals: the trace and its parts. */
export async function contentsOf(traces: JournalTraces) {
  const { trace, unread } = await traces.read();
  return { trace, events: trace.events, runs: trace.runs, unread };
}
