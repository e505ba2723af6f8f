/**
 * Compares the lines of a journal with what the code makes of the same events. `replay`, `redrive`, fixtures and
 * the laws use it. Each segment (the lines of one configuration) is compared with the reasoner of that
 * configuration. Code of another configuration is compared only with the last segment, and not after an upgrade
 * that it cannot read. It stops at the first difference or goes on.
 */
import {
  type AnyReasoner,
  differs,
  type FoldedStep,
  FoldedTree,
  type TreeEvent,
} from "../../core/driver/index.js";
import {
  type Cause,
  type CausedDifference,
  checkReasoner,
  type Difference,
  differenceAt,
  differencesOf,
  type EventLine,
  firstConfiguration,
  type HeaderLine,
  headerIn,
  isLineFault,
  type LineFold,
  type Remembered,
  type ReplayedStep,
  ROOT_RUN,
  RunLines,
  stateProof,
  type TreeUpgrade,
  type UpgradeLine,
} from "../../core/journal/index.js";
import type { Reasoner, RunState } from "../../core/kernel/machine/index.js";
import {
  firstDifference,
  isList,
  type Json,
  type List,
  messageOf,
  toArray,
  type ValueDifference,
} from "../../core/kernel/values/index.js";
import { callHook } from "../ports/call-hook.js";
import type { JournalPort } from "../ports/ports.js";
import { comparedWith, contextAfter } from "./explain-difference.js";
import { Findings, type Tolerated, together } from "./findings.js";
import type { PastLine } from "./history.js";
import { LateValues } from "./late-values.js";
import { linkedRuns } from "./load.js";
import { emptyJournal, takeKnowing } from "./read-journal.js";
import { type JournalSegment, Segments } from "./segments.js";

/** The result of a replay. */
export type ReplayReport = {
  readonly runId: string;
  /** Events found identical, before the first difference that counts. */
  readonly events: number;
  /** Events that were compared. */
  readonly compared: number;
  /** The segments of the journal: more than one where the run was upgraded. */
  readonly segments: readonly JournalSegment[];
  /** The differences that count, one of each cause; what follows from them is left out. */
  readonly causes: readonly CausedDifference[];
  /** How many differences were ignored or accepted. */
  readonly accepted: number;
  /** How many differences may follow from the causes. */
  readonly consequences: number;
  /** The causes of these, once each. One counts where the cause that it follows from is accepted. */
  readonly following: readonly Cause[];
  /** The place at which the comparison stopped, since the recorded answers no longer fit. */
  readonly stopped?: { readonly seq: number; readonly why: string };
  /** Things worth knowing that are no difference: a torn last line, another configuration. */
  readonly notices: readonly string[];
} & (
  | { readonly status: "identical" }
  /** With the first difference that counts. */
  | { readonly status: "diverged"; readonly difference: Difference }
);

/** The options of a check. */
export interface CheckOptions<Context> extends Tolerated {
  readonly keepGoing: boolean;
  readonly onStep: ((step: ReplayedStep<Context>) => void) | undefined;
}

/** The parts of an event's line that a step needs. */
type Seen = Pick<EventLine, "seq" | "run" | "begin">;

/** A child run that is compared. */
interface ComparedChild {
  readonly lines: RunLines;
  readonly values: LateValues;
  readonly found: Findings;
}

/** Compares a journal, line by line, with the code whose configuration each segment has. */
export class Checker<Input, Output, Context> implements LineFold<PastLine> {
  readonly #port: JournalPort;
  readonly #options: CheckOptions<Context>;
  readonly #segments = new Segments<Input, Output, Context>();
  readonly #values: LateValues;
  #reasoners: readonly Reasoner<Input, Output, Context>[];
  /** The context of the run that this one goes on from. */
  #linked: unknown;
  #found: Findings;
  readonly #tree: FoldedTree;
  readonly #children = new Map<string, ComparedChild>();
  /** The findings in children that are over. */
  #over: Findings[] = [];
  readonly #root = new RunLines(ROOT_RUN);
  /** The differences of what only follows, which the line shows that is taken. */
  #underived: { readonly at: TreeEvent; readonly found: ValueDifference }[] = [];
  /** Thrown by code at a segment that is not its own: a later upgrade makes up for it. */
  #thrown: { readonly thrown: unknown } | undefined;
  #stopped: ReplayReport["stopped"];

  constructor(
    reasoners: readonly Reasoner<Input, Output, Context>[],
    port: JournalPort,
    options: CheckOptions<Context>,
  ) {
    this.#reasoners = reasoners;
    this.#port = port;
    this.#options = options;
    this.#values = new LateValues(port);
    this.#found = new Findings(options);
    this.#tree = new FoldedTree({
      code: () => this.#segments.code as AnyReasoner | undefined,
      strict: false,
      tell: (at, found) => this.#underived.push({ at, found }),
    });
  }

  /** True when the first difference was found and no later upgrade can make up for it. */
  get over(): boolean {
    return this.#isFound && this.#segments.last.matched;
  }

  /** True when there is a difference, and one is enough. */
  get #isFound(): boolean {
    return !this.#options.keepGoing && this.#all.some(({ first }) => first !== undefined);
  }

  /** The findings in all runs, the root's first. */
  get #all(): readonly Findings[] {
    const live = [...this.#children.values()].map(({ found }) => found);
    return [this.#found, ...this.#over, ...live];
  }

  /** Returns what to wait for: a header's links, or what was recorded where something differs. */
  take(line: PastLine): Promise<void> | undefined {
    for (const own of this.#root.take(line)) this.#values.take(own);
    for (const { lines, values } of this.#children.values()) {
      for (const own of lines.take(line)) values.take(own);
    }
    const header = headerIn(line);
    if (header !== undefined) return this.#begin(header, line.port);
    const content = line.glance ?? line.line;
    if ("event" in content) return this.#event(line, content);
    const tree = this.#tree;
    const take = () => {
      const taken = this.#isPassed ? tree.pass(line) : tree.take(line);
      if (taken !== undefined && "upgrade" in taken) this.#upgrade(taken);
    };
    return takeKnowing(line.port, line, take, (lists) => tree.know(lists)) ?? undefined;
  }

  /** True when lines are only counted. */
  get #isPassed(): boolean {
    return this.#stopped !== undefined || this.#thrown !== undefined || this.#isFound;
  }

  /** @param port in which the header stands: of a fork's history, each in its own */
  async #begin(header: HeaderLine, port: JournalPort): Promise<void> {
    const own = firstConfiguration(header);
    if (this.#tree.root !== undefined) {
      const { fingerprint } = this.#segments.last.configuration;
      if (own.fingerprint !== fingerprint) this.#segments.open(this.#reasoners, own);
      this.#tree.fork(header);
      return;
    }
    checkReasoner(this.#reasoners, header);
    this.#segments.open(this.#reasoners, own);
    try {
      this.#linked = await linkedRuns.contextOf(this.#reasoners, port, header);
    } catch (thrown) {
      // If an upgrade says what the run was, nobody has to know what it began with.
      if (this.#segments.last.matched) throw thrown;
      this.#thrown = { thrown };
    }
    this.#tree.begin(header, this.#linked);
  }

  #upgrade(upgraded: TreeUpgrade): void {
    const { upgrade, to } = upgraded;
    const { matched } = this.#segments.last;
    const before = matched && !this.#found.differed ? this.#tree.root?.state : undefined;
    // An event before other code went on is that code's, and nobody compares it with this one.
    if (!matched) {
      this.#found = new Findings(this.#options);
      this.#children.clear();
      this.#over = [];
    }
    this.#found.begin();
    // An upgrade of a run that had not begun says nothing of what it begins with.
    if (to !== undefined) this.#thrown = undefined;
    this.#stopped = undefined;
    this.#segments.open(this.#reasoners, upgrade.to);
    if (before !== undefined && to !== undefined && this.#segments.last.matched) {
      const carried = this.#carriedOver(before, upgrade, to);
      if (carried !== undefined) this.#differsAtUpgrade(before, carried);
      this.#found.begin();
    }
    try {
      const state = this.#segments.carriedOn(this.#tree.header, upgrade, to);
      this.#tree.upgrade({ ...upgraded, to: state }, this.#linked);
      this.#found.differed = state !== to;
    } catch (thrown) {
      const { state } = to as Remembered;
      const why = messageOf(thrown);
      this.#differsAtUpgrade(state, { path: "upgrade", left: undefined, right: why });
      this.#stopped = { seq: state.seq, why };
    }
  }

  #differsAtUpgrade({ seq, value }: RunState, found: ValueDifference): void {
    this.#found.take(this.#differenceAt({ seq, event: "upgrade", from: value }, found));
  }

  #differenceAt(
    place: Omit<Parameters<typeof differenceAt>[0], "reasoner">,
    found: ValueDifference,
  ): Difference {
    const { id } = this.#segments.code as Reasoner<Input, Output, Context>;
    return differenceAt({ ...place, reasoner: id }, found);
  }

  /** The first difference of what the present code makes of a state from what was recorded. */
  #carriedOver(
    before: RunState,
    { at, from, to }: UpgradeLine["upgrade"],
    { state, memory }: Remembered,
  ): ValueDifference | undefined {
    const { input, budget } = this.#tree.header;
    let computed: RunState;
    try {
      const over = { at, differs: differs(from, to), input, budget };
      computed = (this.#segments.code as Reasoner<Input, Output, Context>).migrate(before, over);
    } catch (thrown) {
      return { path: "upgrade", left: undefined, right: messageOf(thrown) };
    }
    if (stateProof({ state: computed, memory }) === stateProof({ state, memory })) {
      return undefined;
    }
    const plain = (value: Json): Json => (isList(value) ? toArray(value as List<Json>) : value);
    for (const key of Object.keys({ ...state, ...computed }) as (keyof RunState)[]) {
      const found = firstDifference(plain(state[key] as Json), plain(computed[key] as Json), key);
      if (found !== undefined) return found;
    }
    return { path: "state", left: undefined, right: undefined };
  }

  #event(line: PastLine, { seq, run: path = ROOT_RUN, begin }: Seen): Promise<void> | undefined {
    this.#segments.last.events += 1;
    if (!this.#isPassed && this.#found.differed && hasEnded(this.#tree.root?.state)) {
      this.#stopped = { seq, why: "the run has ended" };
    }
    if (this.#isPassed) {
      this.#tree.pass(line);
      return undefined;
    }
    this.#letGo();
    if (begin !== undefined) this.#beginChild(path, line);
    this.#underived = [];
    let folded: FoldedStep | undefined;
    try {
      folded = this.#tree.take(line) as FoldedStep | undefined;
    } catch (thrown) {
      // Code of another configuration may not even read the state: a later upgrade makes up for it.
      if (this.#segments.last.matched || isLineFault(thrown)) throw thrown;
      this.#thrown = { thrown };
    }
    for (const { at, found } of this.#underived) this.#differsAt(at, found);
    if (folded === undefined) return undefined;
    const { replayed } = folded;
    const { onStep } = this.#options;
    if (onStep !== undefined && path === ROOT_RUN) {
      callHook("onStep", () => onStep(replayed as ReplayedStep<Context>));
    }
    const found = this.#findingsOf(path);
    if (replayed.same || (replayed.alike && found.differed)) this.#compared(folded);
    else return this.#differs(folded).then(() => this.#compared(folded));
    return undefined;
  }

  #beginChild(path: string, line: PastLine): void {
    const { lines, values } = this.#childAt(path);
    const { root } = this.#root;
    if (root !== undefined) lines.take(root);
    for (const own of lines.take(line)) values.take(own);
  }

  /** Lets go of what was read of children that are over. */
  #letGo(): void {
    if (this.#children.size === this.#tree.size) return;
    const live = new Set([...this.#tree.children].map(({ path }) => path));
    for (const [path, { found }] of this.#children) {
      if (live.has(path)) continue;
      this.#over.push(found);
      this.#children.delete(path);
    }
  }

  #findingsOf(path: string): Findings {
    return path === ROOT_RUN ? this.#found : this.#childAt(path).found;
  }

  /** A child of an earlier segment is read again where something of it differs. */
  #childAt(path: string): ComparedChild {
    const cached = this.#children.get(path);
    if (cached !== undefined) return cached;
    const values = new LateValues(this.#port, path);
    const child = { lines: new RunLines(path), values, found: new Findings(this.#options) };
    this.#children.set(path, child);
    return child;
  }

  /** Something that only follows does not. */
  #differsAt({ run, seq, event }: TreeEvent, found: ValueDifference): void {
    const difference = this.#differenceAt({ seq, event: event.type, from: undefined }, found);
    this.#findingsOf(run).take(ofRun(run, difference));
  }

  async #differs({ path, reasoner, replayed }: FoldedStep): Promise<void> {
    const { seq } = replayed.line;
    const child = path === ROOT_RUN ? undefined : this.#childAt(path);
    const linked = child === undefined ? this.#linked : undefined;
    const recorded = await (child?.values ?? this.#values).upTo(seq, linked);
    // A difference is accepted whichever snapshots are kept.
    const isLate = this.#options.keepGoing || child !== undefined;
    const later = isLate ? undefined : await contextAfter(this.#port, seq);
    const compared = comparedWith(reasoner, replayed, { ...recorded, later });
    for (const each of differencesOf(compared)) this.#findingsOf(path).take(ofRun(path, each));
  }

  #compared({ path, replayed }: FoldedStep): void {
    this.#findingsOf(path).compared += 1;
    if (this.#all.every(({ first }) => first === undefined)) this.#segments.last.same += 1;
    if (path === ROOT_RUN) this.#stopped = stopOf(replayed);
  }

  /** Returns the findings. @throws whatever code threw that no upgrade has made up for */
  report(): Omit<ReplayReport, "status"> & { readonly difference?: Difference } {
    if (this.#tree.root === undefined) throw emptyJournal(this.#port);
    if (this.#thrown !== undefined) throw this.#thrown.thrown;
    const { first, compared, causes, accepted, consequences, following } = together(this.#all);
    return {
      runId: this.#tree.header.runId,
      events: this.#segments.identical,
      compared,
      segments: this.#segments.list(),
      ...(first === undefined ? {} : { difference: first }),
      causes,
      accepted,
      consequences,
      following,
      ...(this.#stopped === undefined ? {} : { stopped: this.#stopped }),
      notices: this.#segments.notices(),
    };
  }
}

function hasEnded(state: RunState<unknown> | undefined): boolean {
  return state !== undefined && state.status !== "active";
}

/** A difference, and the run in which it shows. */
function ofRun(run: string, difference: Difference): Difference {
  return run === ROOT_RUN ? difference : { ...difference, run };
}

/** Finds a recorded settlement of something that the present code has not asked for. */
function stopOf<Context>(replayed: ReplayedStep<Context>): ReplayReport["stopped"] {
  const now = replayed.step.ignored?.reason;
  if (now === undefined || now === "unhandled") return undefined;
  // Only here, since to ask for the line is to read it whole.
  const { line } = replayed;
  if (now === line.ignored) return undefined;
  const { type, id } = line.event as { readonly type: string; readonly id?: unknown };
  const named = typeof id === "string" ? ` ${id}` : "";
  return { seq: line.seq, why: `nothing waits for ${type}${named}` };
}
