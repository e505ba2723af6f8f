/** Looking through a journal for the place at which it is to be cut, without any code of its run. */
import {
  type Configuration,
  type EventLine,
  type HeaderLine,
  isEventLine,
  isHeaderLine,
  type OwedLine,
  OwedLines,
  type RecordedDirective,
} from "../../core/journal/index.js";
import { isSettlement, ReckonerError } from "../../core/kernel/index.js";
import type { RunName } from "../journals/child-journal.js";
import { type PastLine, readHistory } from "../journals/history.js";
import { emptyJournal } from "../journals/read-journal.js";
import type { JournalPort } from "../ports.js";

/** An event of a journal, as a place to cut at. */
export interface Cut {
  /** The journal in which its line stands: of a fork that of the run that it shares it with. */
  readonly port: JournalPort;
  readonly runId: string;
  readonly seq: number;
  readonly hash: string;
  /** Time of the event. */
  readonly at: number;
  /** The header in effect: its configuration is that of the last upgrade before. */
  readonly header: HeaderLine;
  /** Time of the event behind it; what happened elsewhere before that is before the cut. */
  readonly nextAt: number;
  /** What is owed there. */
  readonly owed: ReadonlyMap<string, OwedLine>;
  /** The run beside whose journal its children lie, as they know it. */
  readonly parent: RunName;
}

/** Which event is looked for, by the lines so far. @returns whether the line is one behind it */
export type IsBehind = (line: EventLine, owed: ReadonlyMap<string, OwedLine>) => boolean;

/** A journal that was looked through. */
export interface Looked {
  /** The journal's own header. */
  readonly header: HeaderLine;
  /** The last event before the first that is behind it; absent where there is none. */
  readonly cut: Cut | undefined;
  /** The line behind it that was the first. */
  readonly behind: EventLine | undefined;
  /** How many events the run has taken, those behind the cut included. */
  readonly events: number;
  /** How many writes were asked for behind the cut, by their store. */
  readonly writes: { readonly [store: string]: number };
}

/**
 * Looks through a whole journal.
 * @throws ReckonerError `journal.*` where it cannot be read
 */
export async function lookThrough(port: JournalPort, isBehind: IsBehind): Promise<Looked> {
  const lines = new OwedLines();
  let own: HeaderLine | undefined;
  let header: HeaderLine | undefined;
  let cut: Cut | undefined;
  let behind: EventLine | undefined;
  let parent: RunName | undefined;
  let last: ((nextAt: number) => Cut) | undefined;
  let events = 0;
  const writes = new Map<string, number>();
  for await (const line of readHistory(port)) {
    if (isHeaderLine(line.line)) {
      own = line.line;
      header = own;
      parent = { runId: line.runId, hash: line.hash };
    }
    if ("upgrade" in line.line) header = upgraded(header as HeaderLine, line.line.upgrade.to);
    if (isEventLine(line.line)) {
      if (behind === undefined && isBehind(line.line, lines.owed)) {
        behind = line.line;
        cut = last?.(line.line.event.at);
      }
      events = line.line.seq + 1;
    }
    const issued = lines.take(line.line, line.number);
    if (!isEventLine(line.line)) continue;
    if (behind !== undefined) countWrites(issued, lines, writes);
    const known = { header: header as HeaderLine, parent: parent as RunName };
    last = (nextAt) => cutAt(line, { ...known, nextAt, owed: new Map(lines.owed) });
  }
  if (own === undefined) throw emptyJournal(port);
  if (behind === undefined) cut = last?.(Number.POSITIVE_INFINITY);
  return { header: own, cut, behind, events, writes: Object.fromEntries(writes) };
}

function cutAt(line: PastLine, rest: Omit<Cut, "port" | "runId" | "seq" | "hash" | "at">): Cut {
  const { port, runId, hash } = line;
  const { seq, event } = line.line as EventLine;
  return { port, runId, seq, hash, at: event.at, ...rest };
}

function upgraded(
  { configuration: _before, ...header }: HeaderLine,
  { version, ...configuration }: Configuration,
): HeaderLine {
  return { ...header, reasoner: { id: header.reasoner.id, version }, ...configuration };
}

function countWrites(
  issued: readonly RecordedDirective[],
  lines: OwedLines,
  writes: Map<string, number>,
): void {
  for (const each of issued) {
    if (each.type !== "write") continue;
    const store = lines.nameOf(each) ?? "a store";
    writes.set(store, (writes.get(store) ?? 0) + 1);
  }
}

/** What is behind an event. */
export function behindEvent(seq: number): IsBehind {
  return (line) => line.seq > seq;
}

/** What is behind a time, in milliseconds since 1970. */
export function behindTime(at: number): IsBehind {
  return ({ event }) => event.at > at;
}

/** What is behind the first settlement of any of these: that settlement is behind it. */
export function behindAnswers(ids: ReadonlySet<string>): IsBehind {
  return ({ event, ignored }) => isSettlement(event) && ignored !== "stale" && ids.has(event.id);
}

/** @throws ReckonerError `fork.point` */
export function noSuchPoint(port: JournalPort, what: string): ReckonerError {
  return new ReckonerError("fork.point", `The journal ${port.name} ${what}.`, { place: port.name });
}
