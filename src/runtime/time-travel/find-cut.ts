/** Finds the place in a journal at which it is to be cut, without the code of its run. */
import {
  type Configuration,
  type EventLine,
  type HeaderLine,
  isEventLine,
  isHeaderLine,
  isUpgradeLine,
  type Line,
  type OwedLine,
  OwedLines,
  type RecordedDirective,
  type UpgradeLine,
} from "../../core/journal/index.js";
import {
  hasSettled,
  isSettlement,
  ReckonerError,
  type Settlement,
} from "../../core/kernel/index.js";
import type { RunName } from "../journals/child-journal.js";
import type { PastLine } from "../journals/history.js";
import { begunIn } from "../journals/inherited.js";
import { emptyJournal } from "../journals/read-journal.js";
import { viewOf } from "../journals/view.js";
import type { JournalPort } from "../ports.js";

/** An event of a journal, or an upgrade behind it, as a place to cut at. */
export interface Cut {
  /** The journal in which its line stands: of a fork that of the run that it shares it with. */
  readonly port: JournalPort;
  readonly runId: string;
  readonly seq: number;
  readonly hash: string;
  /** Time of the event, or of the upgrade. */
  readonly at: number;
  /** The header in effect: its configuration is that of the last upgrade before. */
  readonly header: HeaderLine;
  /** Time of what is behind it; what happened elsewhere before that is before the cut. */
  readonly nextAt: number;
  /** Whether that is an upgrade, of which a child's is a part. */
  readonly upgradesNext: boolean;
  /** Time of the last upgrade before it. */
  readonly upgradedAt: number | undefined;
  /** What is owed there. */
  readonly owed: ReadonlyMap<string, OwedLine>;
  /** The run beside whose journal its children lie: a fork's lie beside its own from the first. */
  readonly parent: RunName & { readonly port: JournalPort };
}

/** An event or an upgrade, on the way through a journal. */
export interface Passed {
  readonly line: EventLine | UpgradeLine;
  readonly hash: string;
  readonly at: number;
  /** Sequence number of the event; of an upgrade that of the last one before it. */
  readonly seq: number;
}

/** Which place is looked for, line by line. @returns whether the line is one behind it */
export type IsBehind = (passed: Passed) => boolean;

/** A journal that was looked through. */
export interface Looked {
  /** The journal's own header. */
  readonly header: HeaderLine;
  /** The one in effect before what is behind, also where there is no event. */
  readonly inEffect: HeaderLine;
  /** The last event or upgrade before the first that is behind; absent where there is no event. */
  readonly cut: Cut | undefined;
  /** The line behind it that was the first. */
  readonly behind: EventLine | UpgradeLine | undefined;
  /** How many events the run has taken, those behind the cut included. */
  readonly events: number;
  /** What settled, in its own lines, what was owed at a cut in the run that it was forked from. */
  readonly settled: readonly Settlement[];
  /** How many writes it asked for itself behind the cut, by their store. */
  readonly writes: { readonly [store: string]: number };
  /** The tools that it began itself behind the cut, by the ids of their calls. */
  readonly effects: ReadonlyMap<string, string | undefined>;
  /** The first decision before the cut whose call had not begun there, and has no outcome. */
  readonly allowed: Decision | undefined;
  /** The run directives that were open at the cut, or were issued behind it, and where they lie. */
  readonly runs: readonly { readonly id: string; readonly parent: Cut["parent"] }[];
}

/** A person's yes. */
export interface Decision {
  readonly id: string;
  /** The event that it is. */
  readonly seq: number;
}

/** Tells which decisions allowed which calls. */
class Decisions {
  /** Those whose call has not been carried out yet, by the provider's ids of the calls. */
  readonly #open = new Map<string, Decision>();
  /** By the ids of the tool directives. */
  readonly #allowed = new Map<string, Decision>();

  /**
   * Takes a line in.
   * @param asked the approval that it settles
   * @param issued what it asks for
   */
  take(line: Line, asked: OwedLine | undefined, issued: readonly OwedLine[]): void {
    if (!isEventLine(line)) return;
    const { event, seq, end } = line;
    const isYes = event.type === "approval.decided" && event.approve === true;
    const decision = isYes && asked !== undefined ? { id: asked.id, seq } : undefined;
    if (decision !== undefined && asked?.call !== undefined) this.#open.set(asked.call, decision);
    for (const { id, type, call = "" } of issued) {
      const allows = this.#open.get(call) ?? decision;
      if (type !== "tool" || allows === undefined) continue;
      this.#allowed.set(id, allows);
      this.#open.delete(call);
    }
    // Before the next request each call has its result, whatever carried it out.
    if (end !== undefined || issued.some(({ type }) => type === "llm")) this.#open.clear();
  }

  /** The decisions whose calls were not asked for yet. */
  get open(): readonly Decision[] {
    return [...this.#open.values()];
  }

  /** The decisions that allowed these directives. */
  of(ids: readonly string[]): readonly Decision[] {
    return ids.flatMap((id) => this.#allowed.get(id) ?? []);
  }
}

/**
 * Looks through a whole journal. A cut behind a decision that allowed a call which neither began nor has
 * an outcome moves back to before that decision: a person is asked again (J11).
 * @param set the directives whose answers are set
 * @returns with the decisions before which the cut was moved
 * @throws ReckonerError `journal.*` where it cannot be read
 */
export async function lookUndecided(
  port: JournalPort,
  isBehind: IsBehind,
  set: readonly string[] = [],
): Promise<Looked & { readonly undecided: readonly string[] }> {
  const undecided: string[] = [];
  let looked = await lookThrough(port, isBehind, set);
  for (let { allowed } = looked; allowed !== undefined; { allowed } = looked) {
    undecided.unshift(allowed.id);
    looked = await lookThrough(port, behindEvent(allowed.seq - 1), set);
  }
  return { ...looked, undecided };
}

/**
 * Looks through a whole journal.
 * @param set the directives whose answers are set: what allowed them does not matter
 * @throws ReckonerError `journal.*` where it cannot be read
 */
export async function lookThrough(
  port: JournalPort,
  isBehind: IsBehind,
  set: readonly string[] = [],
): Promise<Looked> {
  const lines = new OwedLines();
  const decisions = new Decisions();
  const effects = new Map<string, string | undefined>();
  /** The effects that began or settled behind the cut. */
  const happened = new Set<string>(set);
  let open: readonly Decision[] = [];
  let own: HeaderLine | undefined;
  let header: HeaderLine | undefined;
  let inEffect: HeaderLine | undefined;
  let upgradedAt: number | undefined;
  let cut: Cut | undefined;
  let behind: Passed["line"] | undefined;
  let parent: Cut["parent"] | undefined;
  let last: (Passed & Pick<PastLine, "port" | "runId">) | undefined;
  let events = 0;
  const writes = new Map<string, number>();
  const runs = new Map<string, Cut["parent"]>();
  const settled = new Map<string, Settlement>();
  const cutBefore = (next: Passed | undefined): Cut | undefined => {
    if (last === undefined || header === undefined || parent === undefined) return undefined;
    const { line: _line, ...place } = last;
    const nextAt = next?.at ?? Number.POSITIVE_INFINITY;
    const upgradesNext = next !== undefined && !isEventLine(next.line);
    const owed = new Map(lines.owed);
    return { ...place, header, nextAt, upgradesNext, upgradedAt, owed, parent };
  };
  const noteRuns = (issued: Iterable<Pick<RecordedDirective, "type" | "id">>) => {
    for (const { type, id } of issued) {
      if (type === "run" && id !== undefined) runs.set(id, parent as Cut["parent"]);
    }
  };
  for await (const past of viewOf(port).lines()) {
    const { line, hash, runId } = past;
    if (isHeaderLine(line)) {
      own = line;
      header = line;
      parent = { runId, hash, port: past.port };
      // What is open where a fork begins lies beside it from then on.
      if (behind !== undefined) noteRuns(lines.owed.values());
    }
    const passed = passedOf(past, events - 1);
    if (passed !== undefined && behind === undefined && isBehind(passed)) {
      behind = passed.line;
      open = decisions.open;
      inEffect = header;
      cut = cutBefore(passed);
      noteRuns(lines.owed.values());
    }
    if (isEventLine(line)) events = line.seq + 1;
    const answer = cut === undefined || cut.port === past.port ? undefined : settledBy(line);
    if (answer !== undefined && cut?.owed.has(answer.id) && !settled.has(answer.id)) {
      settled.set(answer.id, answer);
    }
    if (isUpgradeLine(line)) {
      header = upgraded(header as HeaderLine, line.upgrade.to);
      upgradedAt = line.upgrade.at;
    }
    const settles = settledBy(line);
    const asked = settles === undefined ? undefined : lines.owed.get(settles.id);
    const issued = lines.take(past);
    const owed = issued.flatMap(({ id = "" }) => lines.owed.get(id) ?? []);
    decisions.take(line, asked, owed);
    if (behind !== undefined) {
      countWrites(issued, lines, writes);
      noteRuns(issued);
      if (settles !== undefined) happened.add(settles.id);
      for (const id of begunIn(line)) {
        happened.add(id);
        const effect = lines.owed.get(id);
        if (effect?.type === "tool") effects.set(id, effect.name);
      }
    }
    if (passed !== undefined && events > 0) last = { ...passed, port: past.port, runId };
  }
  if (own === undefined) throw emptyJournal(port);
  if (behind === undefined) {
    cut = cutBefore(undefined);
    open = decisions.open;
    noteRuns(lines.owed.values());
  }
  const unbegun = [...(cut?.owed.values() ?? [])].filter(
    ({ id, type, begun }) => type === "tool" && !begun && !happened.has(id),
  );
  const allowing = [...open, ...decisions.of(unbegun.map(({ id }) => id))];
  return {
    effects,
    allowed: allowing.sort((a, b) => a.seq - b.seq)[0],
    header: own,
    inEffect: inEffect ?? (header as HeaderLine),
    cut,
    behind,
    events,
    settled: [...settled.values()],
    writes: Object.fromEntries(writes),
    runs: [...runs].map(([id, of]) => ({ id, parent: of })),
  };
}

function passedOf({ line, hash }: PastLine, before: number): Passed | undefined {
  if (isEventLine(line)) return { line, hash, at: line.event.at, seq: line.seq };
  if (isUpgradeLine(line)) return { line, hash, at: line.upgrade.at, seq: before };
  return undefined;
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

/** What is behind an event's line: an upgrade that comes next is. */
export function behindEvent(seq: number): IsBehind {
  return (passed) => (isEventLine(passed.line) ? passed.seq > seq : passed.seq >= seq);
}

/** What is behind the line with a hash. */
export function behindLine(hash: string): IsBehind {
  let met = false;
  return (passed) => {
    const isBehind = met;
    met ||= passed.hash === hash;
    return isBehind;
  };
}

/** What is behind a time, in milliseconds since 1970. */
export function behindTime(time: number): IsBehind {
  return ({ at }) => at > time;
}

/** What is behind the first settlement of any of these: that settlement is behind it. */
export function behindAnswers(ids: ReadonlySet<string>): IsBehind {
  return ({ line }) => ids.has(settledBy(line)?.id ?? "");
}

/** The settlement of a line, where it settled something. */
function settledBy(line: Line): Settlement | undefined {
  if (!isEventLine(line) || !hasSettled(line.ignored)) return undefined;
  return isSettlement(line.event) ? line.event : undefined;
}

/**
 * What in a child's journal is behind a cut of its parent's. Within one millisecond the order shows
 * in what the parent does to an open child alone: it upgrades it, or cancels it.
 */
export function behindMoment({ at, nextAt, upgradesNext, upgradedAt }: Cut): IsBehind {
  return ({ at: passedAt, line }) => {
    const byParent = isEventLine(line)
      ? line.event.type === "cancel"
      : upgradesNext || passedAt !== upgradedAt;
    return passedAt >= nextAt && (passedAt > at || byParent);
  };
}

/** @throws ReckonerError `fork.point` */
export function noSuchPoint(port: JournalPort, what: string): ReckonerError {
  return new ReckonerError("fork.point", `The journal ${port.name} ${what}.`, { place: port.name });
}
