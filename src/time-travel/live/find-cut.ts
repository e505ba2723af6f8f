/**
 * Finds the event, or the upgrade behind one, at which `fork`, `rewind` and `salvage` cut a journal, with
 * what is outstanding there and which tools began after it. It reads lines alone, without the code of the
 * run.
 */
import {
  type Configuration,
  decodeLine,
  type EventLine,
  type HeaderLine,
  idFromRoot,
  isEventLine,
  isHeaderLine,
  isUpgradeLine,
  type Line,
  type OwedLines,
  OwedTree,
  type RecordedDirective,
  ROOT_RUN,
  runOf,
  type SetAnswer,
  type TreeOwed,
  type UpgradeLine,
} from "../../core/journal/index.js";
import { hasSettled } from "../../core/kernel/machine/index.js";
import { ReckonerError } from "../../core/kernel/values/index.js";
import { isSettlement, type Settlement } from "../../core/kernel/vocabulary/index.js";
import {
  begunIn,
  emptyJournal,
  type JournalPort,
  type PastLine,
  viewOf,
} from "../../runtime/index.js";

/** An event of a tree, or an upgrade behind it, as a place to cut at. */
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
  /** The debts there, by the ids by which the root knows them. */
  readonly owed: ReadonlyMap<string, TreeOwed>;
  /** The paths of the child runs that are there. */
  readonly children: readonly string[];
}

/** An event or an upgrade, on the way through a journal. */
export interface Passed {
  readonly line: EventLine | UpgradeLine;
  readonly hash: string;
  readonly at: number;
  /** The place of the event in the tree; of an upgrade that of the last event before it. */
  readonly seq: number;
  /** Hash of the event's or upgrade's line before it. */
  readonly before: string | undefined;
}

/** Looks for a place, line by line. @returns whether the line is one behind it */
export type IsBehind = (passed: Passed) => boolean;

/** A journal that was looked through. */
export interface Looked {
  /** The journal's own header. */
  readonly header: HeaderLine;
  /** The last event or upgrade before the first that is behind; absent where there is no event. */
  readonly cut: Cut | undefined;
  /** The line behind it that was the first. */
  readonly behind: EventLine | UpgradeLine | undefined;
  /** The number of events that the tree has taken, those behind the cut included. */
  readonly events: number;
  /** The settlements, in a fork's own lines, of what was owed at a cut in the original. */
  readonly settled: readonly SetAnswer[];
  /** The number of writes that it asked for behind the cut, by their store. */
  readonly writes: { readonly [store: string]: number };
  /** The tools that it began behind the cut. */
  readonly effects: readonly EffectAfterCut[];
  /** The first decision before the cut whose call had not begun there, and has no outcome. */
  readonly allowed: Decision | undefined;
}

/** A tool that began after a cut: what it did is still done. */
export interface EffectAfterCut {
  /** Id of its directive, as the root knows it. */
  readonly id: string;
  readonly tool: string;
  /** True if it may be repeated; absent where the code was not given. */
  readonly idempotent?: boolean;
}

/** A person's yes. */
export interface Decision {
  readonly id: string;
  /** The event that it is. */
  readonly seq: number;
}

/** Tells which decisions of a tree allowed which calls. */
class Decisions {
  /** Those whose call has not been carried out yet, by the run and the provider's ids of the calls. */
  readonly #open = new Map<string, Decision>();
  /** By the ids of the tool directives, as the root knows them. */
  readonly #allowed = new Map<string, Decision>();

  /**
   * Takes a line in.
   * @param asked the approval that it settles
   * @param issuedIn gives what it asks for
   */
  take(line: Line, asked: TreeOwed | undefined, issuedIn: () => readonly TreeOwed[]): void {
    if (!isEventLine(line)) return;
    const { run = "", event, seq, end } = line;
    const isYes = event.type === "approval.decided" && event.approve === true;
    if (!isYes && this.#open.size === 0) return;
    const issued = issuedIn();
    const id = asked === undefined ? "" : idFromRoot(run, asked.id);
    const decision = isYes && asked !== undefined ? { id, seq } : undefined;
    const key = (call: string) => `${run} ${call}`;
    if (decision !== undefined && asked?.call !== undefined) {
      this.#open.set(key(asked.call), decision);
    }
    for (const { id, type, call = "" } of issued) {
      const allows = this.#open.get(key(call)) ?? decision;
      if (type !== "tool" || allows === undefined) continue;
      this.#allowed.set(idFromRoot(run, id), allows);
      this.#open.delete(key(call));
    }
    // Before the next request each call has its result, whatever carried it out.
    if (end === undefined && !issued.some(({ type }) => type === "llm")) return;
    for (const each of [...this.#open.keys()])
      if (each.startsWith(key(""))) this.#open.delete(each);
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
 * @param isDamaged there is a fault behind its end: what was allowed and asked for may have begun behind that
 * @returns with the decisions before which the cut was moved
 * @throws ReckonerError `journal.*` where it cannot be read
 */
export async function lookUndecided(
  port: JournalPort,
  isBehind: IsBehind,
  set: readonly string[] = [],
  isDamaged = false,
): Promise<Looked & { readonly undecided: readonly string[] }> {
  const undecided: string[] = [];
  let looked = await lookThrough(port, isBehind, set, isDamaged);
  for (let { allowed } = looked; allowed !== undefined; { allowed } = looked) {
    undecided.unshift(allowed.id);
    looked = await lookThrough(port, behindEvent(allowed.seq - 1), set, isDamaged);
  }
  return { ...looked, undecided };
}

/**
 * Looks through a whole journal. Its lines are skimmed, and read whole only where that leaves something open.
 * @param set the directives whose answers are set: what allowed them does not matter
 * @throws ReckonerError `journal.*` where it cannot be read
 */
export async function lookThrough(
  port: JournalPort,
  isBehind: IsBehind,
  set: readonly string[] = [],
  isDamaged = false,
): Promise<Looked> {
  const look = async (skims: boolean) => {
    const looking = new Looking(isBehind, set, skims);
    for await (const lines of viewOf(port).treePieces(skims ? "owed" : "whole")) {
      for (const line of lines) looking.take(line);
    }
    return looking;
  };
  const skimmed = await look(true);
  const looked = skimmed.isVague ? await look(false) : skimmed;
  return looked.result(port, isDamaged);
}

/** A journal on the way through it. */
class Looking {
  readonly #isBehind: IsBehind;
  readonly #skims: boolean;
  readonly #tree: OwedTree;
  readonly #decisions = new Decisions();
  readonly #effects = new Map<string, EffectAfterCut>();
  /** The effects that began or settled behind the cut. */
  readonly #happened: Set<string>;
  readonly #writes = new Map<string, number>();
  readonly #settled = new Map<string, SetAnswer>();
  #open: readonly Decision[] = [];
  #own: HeaderLine | undefined;
  #header: HeaderLine | undefined;
  #cut: Cut | undefined;
  #behind: Passed["line"] | undefined;
  #last: Passed | undefined;
  #lastOf: PastLine | undefined;
  #events = 0;

  constructor(isBehind: IsBehind, set: readonly string[], skims: boolean) {
    this.#isBehind = isBehind;
    this.#skims = skims;
    this.#tree = new OwedTree(skims);
    this.#happened = new Set(set);
  }

  get isVague(): boolean {
    return this.#tree.isVague;
  }

  take(past: PastLine): void {
    const { line } = past;
    if (isHeaderLine(line)) {
      this.#own = line;
      this.#header = line;
    }
    if (this.#behind === undefined) this.#pass(past);
    if (isEventLine(line)) this.#events = line.seq + 1;
    const run = runOf(past);
    const settles = settledBy(line);
    if (settles !== undefined) this.#settle(past, run, settles);
    if (isUpgradeLine(line)) this.#header = upgraded(this.#header as HeaderLine, line.upgrade.to);
    const asked = settles === undefined ? undefined : this.#tree.of(run)?.owed.get(settles.id);
    const { issued } = this.#tree.take(past);
    const lines = this.#tree.of(run);
    this.#decisions.take(line, asked && { ...asked, run }, () =>
      issued.flatMap(({ id = "" }) => {
        const owed = lines?.owed.get(id);
        return owed === undefined ? [] : [{ ...owed, run }];
      }),
    );
    if (this.#behind !== undefined) this.#happen(line, run, issued, lines);
  }

  #pass(past: PastLine): void {
    const passed = passedOf(past, this.#events - 1, this.#last?.hash);
    if (passed === undefined) return;
    if (this.#isBehind(passed)) {
      this.#behind = this.#whole(past) as Passed["line"];
      this.#cutHere();
    } else if (isEventLine(past.line) || this.#events > 0) {
      this.#last = passed;
      this.#lastOf = past;
    }
  }

  result(port: JournalPort, isDamaged: boolean): Looked {
    if (this.#own === undefined) throw emptyJournal(port);
    if (this.#behind === undefined) this.#cutHere();
    const unbegun = [...(this.#cut?.owed ?? [])].flatMap(([id, { type, begun }]) =>
      type === "tool" && !begun && !this.#happened.has(id) ? [id] : [],
    );
    const allowing = [...this.#open, ...this.#decisions.of(isDamaged ? [] : unbegun)];
    return {
      effects: [...this.#effects.values()],
      allowed: allowing.sort((a, b) => a.seq - b.seq)[0],
      header: this.#own,
      cut: this.#cut,
      behind: this.#behind,
      events: this.#events,
      settled: [...this.#settled.values()],
      writes: Object.fromEntries(this.#writes),
    };
  }

  #cutHere(): void {
    this.#open = this.#decisions.open;
    const [last, header] = [this.#last, this.#header];
    if (last === undefined || this.#lastOf === undefined || header === undefined) return;
    const { port, runId } = this.#lastOf;
    const { seq, hash, at } = last;
    const children = [...this.#tree.runs].filter((run) => run !== ROOT_RUN);
    this.#cut = { port, runId, seq, hash, at, header, owed: this.#tree.owed, children };
  }

  /** A settlement, behind the cut or in a fork's own lines. */
  #settle(past: PastLine, run: string, { id }: Settlement): void {
    if (this.#cut === undefined) return;
    const key = idFromRoot(run, id);
    this.#happened.add(key);
    if (this.#cut.port === past.port || !this.#cut.owed.has(key) || this.#settled.has(key)) return;
    const event = settledBy(this.#whole(past));
    if (event !== undefined) this.#settled.set(key, { run, event });
  }

  /** Takes in the effects of a line behind the cut. */
  #happen(
    line: Line,
    run: string,
    issued: readonly RecordedDirective[],
    lines: OwedLines | undefined,
  ): void {
    if (lines !== undefined) countWrites(issued, lines, this.#writes);
    for (const id of begunIn(line)) {
      const begun = idFromRoot(run, id);
      this.#happened.add(begun);
      const effect = lines?.owed.get(id);
      if (effect?.type === "tool") {
        this.#effects.set(begun, { id: begun, tool: effect.name ?? "" });
      }
    }
  }

  #whole(past: PastLine): Line {
    return this.#skims ? decodeLine(past).line : past.line;
  }
}

function passedOf(
  { line, hash }: PastLine,
  seq: number,
  before: string | undefined,
): Passed | undefined {
  if (isEventLine(line)) return { line, hash, at: line.event.at, seq: line.seq, before };
  if (isUpgradeLine(line)) return { line, hash, at: line.upgrade.at, seq, before };
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

/** Matches lines behind an event's: an upgrade that comes next is. */
export function behindEvent(seq: number): IsBehind {
  return (passed) => (isEventLine(passed.line) ? passed.seq > seq : passed.seq >= seq);
}

/** Matches lines behind the one with a hash. */
export function behindLine(hash: string): IsBehind {
  return ({ before }) => before === hash;
}

/** Matches lines behind a time, in milliseconds since 1970. */
export function behindTime(time: number): IsBehind {
  return ({ at }) => at > time;
}

/** The cut is before the first settlement of any of these, as the root knows them. */
export function behindAnswers(ids: ReadonlySet<string>): IsBehind {
  return ({ line }) => {
    const settled = settledBy(line);
    if (settled === undefined || !isEventLine(line)) return false;
    return ids.has(idFromRoot(line.run ?? ROOT_RUN, settled.id));
  };
}

/** The settlement of a line, where it settled something. */
function settledBy(line: Line): Settlement | undefined {
  if (!isEventLine(line) || !hasSettled(line.ignored)) return undefined;
  return isSettlement(line.event) ? line.event : undefined;
}

/** @throws ReckonerError `fork.point` */
export function noSuchPoint(port: JournalPort, what: string): ReckonerError {
  return new ReckonerError("fork.point", `The journal ${port.name} ${what}.`, { place: port.name });
}
