/**
 * Computes the time line of a tree for drawing: a lane for each run, with rows for what went on side by side
 * in it. Time in which nothing but waiting went on is compressed, so that a run that waited for a week has
 * the width of what it did.
 */
import type { TraceEvent, TraceEventType, TraceStatus } from "../../trace/pure/index.js";
import type { RecordedTree } from "./recorded-tree.js";
import { labelOf, wordsOf } from "./why.js";

/** A stretch of time in which something went on, or waited. */
export interface Bar {
  /** Of its event in the trace. */
  readonly id: string;
  readonly type: TraceEventType;
  readonly status: TraceStatus;
  /** In a few words, and in a sentence. */
  readonly label: string;
  readonly words: string;
  readonly seq: number;
  readonly endSeq?: number;
  /** Milliseconds since 1970. A bar that is not over ends with the last event. */
  readonly from: number;
  readonly to: number;
  /** True for what waits: for a person, for a timer. */
  readonly waits: boolean;
  /** The row in its lane, from 0. */
  readonly row: number;
  /** The place on the line, from 0 to 1, and its width. */
  readonly x: number;
  readonly width: number;
}

/** A run's lane. */
export interface Lane {
  /** The path of the run; "" for the root. */
  readonly run: string;
  readonly label: string;
  /** Its depth in the tree; 0 for the root. */
  readonly depth: number;
  readonly rows: number;
  readonly bars: readonly Bar[];
}

/**
 * A stretch of the line: one in which something happened, or one that is compressed. Its ends are in the line's own
 * milliseconds, of which each event adds one to the clock's: what happened at one moment stands in its order.
 */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  /** Milliseconds of the clock. */
  readonly ms: number;
  readonly x: number;
  readonly width: number;
  readonly idle: boolean;
}

/** The time line of a tree. */
export interface TimeLine {
  readonly from: number;
  readonly to: number;
  readonly lanes: readonly Lane[];
  readonly stretches: readonly Stretch[];
}

/** The types that wait and do nothing. */
const WAITING: ReadonlySet<TraceEventType> = new Set(["approval", "timer"]);
/** The width of a compressed stretch, against that of all that happened. */
const IDLE_SHARE = 0.06;
/** Shorter pauses stay as they are, as a share of the time in which something happened. */
const MIN_PAUSE = 0.15;
/** The least width of a bar. */
const MIN_WIDTH = 0.004;

/** The time line of all runs of a tree. */
export function timeLineOf(tree: RecordedTree): TimeLine {
  const events = tree.trace.events.filter(({ type }) => type !== "error");
  const first = events[0]?.at ?? tree.root.header?.at ?? 0;
  const last = tree.moments.reduce((most, { event }) => Math.max(most, event.at), first);
  const ends = {
    first: lineTime(first, events[0]?.seq ?? 0),
    last: lineTime(last, tree.moments.at(-1)?.seq ?? 0),
  };
  const spans = events.map((event) => spanOf(event, last, ends.last));
  const stretches = stretchesOf(spans, ends);
  const placed = (at: number) => placeOf(stretches, at);
  const lanes = tree.runs.map((run): Lane => {
    const own = spans.filter(({ event }) => event.runId === run.header?.runId);
    const rows: number[] = [];
    const bars = own.map(({ event, from, to, waits, line }): Bar => {
      const x = Math.min(placed(line.from), 1 - MIN_WIDTH);
      const width = Math.max(MIN_WIDTH, placed(line.to) - x);
      const free = rows.findIndex((end) => end <= x + 1e-9);
      const row = free < 0 ? rows.length : free;
      rows[row] = x + width;
      const { id, type, status, seq, endSeq } = event;
      return {
        id,
        type,
        status,
        label: labelOf(event),
        words: wordsOf(event),
        seq,
        ...(endSeq === undefined ? {} : { endSeq }),
        from,
        to,
        waits,
        row,
        x,
        width,
      };
    });
    return {
      run: run.path,
      label: run.header?.reasoner.id ?? "",
      depth: run.path === "" ? 0 : run.path.split(":").length,
      rows: Math.max(1, rows.length),
      bars,
    };
  });
  return { from: first, to: last, lanes, stretches };
}

/** An event's time in the line's own milliseconds. @param at milliseconds since 1970 */
export function lineTime(at: number, seq: number): number {
  return at + seq;
}

/** The place of a time of the line, from 0 to 1. */
export function placeOf(stretches: readonly Stretch[], at: number): number {
  const [first] = stretches;
  if (first === undefined || at <= first.from) return 0;
  const found = stretches.find(({ to }) => at <= to);
  if (found === undefined) return 1;
  const share = found.to === found.from ? 0 : (at - found.from) / (found.to - found.from);
  return found.x + found.width * Math.max(0, Math.min(1, share));
}

interface Span {
  readonly event: TraceEvent;
  readonly from: number;
  readonly to: number;
  readonly waits: boolean;
  /** The same in the line's own milliseconds. */
  readonly line: { readonly from: number; readonly to: number };
}

function spanOf(event: TraceEvent, last: number, lastOfLine: number): Span {
  const { at, durationMs, status, type, seq, endSeq = seq } = event;
  const isOpen = status === "open";
  const to = Math.max(at, isOpen ? last : at + (durationMs ?? 0));
  const from = lineTime(at, seq);
  const line = { from, to: Math.max(from, isOpen ? lastOfLine : lineTime(to, endSeq)) };
  return { event, from: at, to, waits: WAITING.has(type), line };
}

/** A stretch before it has its place. */
type Unplaced = Omit<Stretch, "x" | "width">;

/** Divides the time where nothing happens for long: points and what is carried out count, waiting does not. */
function stretchesOf(
  spans: readonly Span[],
  { first, last }: { readonly first: number; readonly last: number },
): readonly Stretch[] {
  // A child is busy itself, or waits: the call of it says nothing more.
  const busy = spans
    .filter(({ event, waits }) => !waits && event.type !== "delegation" && !isOfChild(event))
    .map(({ from, to, line }) => ({ ...line, at: from, end: to }))
    // A decision, or a timer that goes off, is a moment at which something happened.
    .concat(
      spans
        .filter(({ waits }) => waits)
        .map(({ to, line }) => ({ from: line.to, to: line.to, at: to, end: to })),
    )
    .sort((a, b) => a.from - b.from);
  const merged: (typeof busy)[number][] = [];
  const extend = (before: (typeof busy)[number], each: (typeof busy)[number]) => {
    before.to = Math.max(before.to, each.to);
    before.end = Math.max(before.end, each.end);
  };
  for (const each of busy) {
    const before = merged.at(-1);
    if (before !== undefined && each.from <= before.to) extend(before, each);
    else merged.push({ ...each });
  }
  const work = merged.reduce((sum, { from, to }) => sum + to - from, 0);
  const pauses = merged.slice(1).map(({ from }, i) => from - (merged[i]?.to ?? from));
  const short = pauses.filter((pause) => pause <= MIN_PAUSE * work);
  const limit = Math.max(MIN_PAUSE * work, ...short);
  const joined: (typeof busy)[number][] = [];
  for (const each of merged) {
    const before = joined.at(-1);
    if (before !== undefined && each.from - before.to <= limit) extend(before, each);
    else joined.push({ ...each });
  }
  const raw = joined.flatMap((each, i): readonly Unplaced[] => {
    const { from, to, at, end } = each;
    const before = joined[i - 1];
    const idle =
      before === undefined
        ? []
        : [{ from: before.to, to: from, ms: Math.max(0, at - before.end), idle: true }];
    return [...idle, { from, to, ms: end - at, idle: false }];
  });
  const tail = raw.at(-1)?.to ?? first;
  if (raw.length === 0) raw.push({ from: first, to: last, ms: last - first, idle: false });
  else if (last > tail) raw.push({ from: tail, to: last, ms: last - tail, idle: true });
  return laidOut(raw);
}

function isOfChild({ fields, type }: TraceEvent): boolean {
  return type === "tool_call" && fields.via === "requests";
}

/** Gives each stretch its width: what is compressed a fixed one, the rest by time, none nothing. */
function laidOut(raw: readonly Unplaced[]): readonly Stretch[] {
  const idles = raw.filter(({ idle }) => idle).length;
  const idleWidth = idles === 0 ? 0 : Math.min(IDLE_SHARE, 0.4 / idles);
  const busy = raw.filter(({ idle }) => !idle);
  const work = busy.reduce((sum, { from, to }) => sum + to - from, 0);
  const left = 1 - idles * idleWidth;
  const least = Math.min(0.03, left / (2 * busy.length));
  const shared = left - least * busy.length;
  let x = 0;
  return raw.map((each): Stretch => {
    const share = work === 0 ? 1 / busy.length : (each.to - each.from) / work;
    const width = each.idle ? idleWidth : least + shared * share;
    const placed = { ...each, x, width };
    x += width;
    return placed;
  });
}
