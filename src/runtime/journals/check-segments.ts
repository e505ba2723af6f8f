/**
 * Compares a journal with code, line by line: each segment (the lines of one configuration) with
 * the reasoner of that configuration. Code of another configuration is compared only with the last
 * segment, and not after an upgrade that it cannot read.
 */
import {
  checkReasoner,
  type DecodedLine,
  type Difference,
  firstConfiguration,
  type HeaderLine,
  isLineFault,
  type Remembered,
  Replay,
  type ReplayedStep,
  reasonerOf,
  snapshotDigest,
  type UpgradeLine,
  UpgradeReader,
} from "../../core/journal/index.js";
import {
  firstDifference,
  isList,
  type Json,
  type List,
  messageOf,
  type Reasoner,
  type RunState,
  toArray,
} from "../../core/kernel/index.js";
import type { JournalPort } from "../ports.js";
import { callHook } from "../running/call-hook.js";
import { explainDifference } from "./difference.js";
import { forked } from "./linked-runs.js";
import { linkedRuns } from "./load.js";
import { emptyJournal } from "./read-journal.js";
import { type JournalSegment, Segments } from "./segments.js";
import { differs } from "./upgrade.js";

/** What comparing the lines of a journal says. */
export type ComparisonReport = {
  readonly runId: string;
  /** Events compared and found identical. */
  readonly events: number;
  /** What the journal is made of: more than one where the run was upgraded. */
  readonly segments: readonly JournalSegment[];
  /** Things worth knowing that are no difference: a torn last line, another configuration, a child that is gone. */
  readonly notices: readonly string[];
} & (
  | { readonly status: "identical" }
  | { readonly status: "diverged"; readonly difference: Difference }
);

/** What a replay says. */
export type ReplayReport = ComparisonReport & {
  /**
   * Child runs that have begun and whose journals are missing, by directive. Lines after a
   * difference are not read, so children that began there are not included.
   */
  readonly missing: readonly string[];
};

/** Compares a journal, line by line, with the code whose configuration each segment has. */
export class SegmentChecker<Input, Output, Context> {
  readonly #port: JournalPort;
  readonly #upgrades = new UpgradeReader();
  readonly #segments = new Segments<Input, Output, Context>();
  #reasoners: readonly Reasoner<Input, Output, Context>[];
  #header: HeaderLine | undefined;
  #linked: unknown;
  #run: Replay<Input, Output, Context> | undefined;
  /** The first difference of the present segment, and what a step of code that is not its own threw. */
  #found: ReplayedStep<Context> | undefined;
  #thrown: { readonly thrown: unknown } | undefined;
  /** What an upgrade came to, where the present code carries the run over to something else. */
  #carried: Difference | undefined;

  readonly #onStep: ((step: ReplayedStep<Context>) => void) | undefined;

  constructor(
    reasoners: readonly Reasoner<Input, Output, Context>[],
    port: JournalPort,
    onStep?: (step: ReplayedStep<Context>) => void,
  ) {
    this.#reasoners = reasoners;
    this.#port = port;
    this.#onStep = onStep;
  }

  /** @param port in which the header stands: of a fork's history, each in its own */
  async begin(header: HeaderLine, port: JournalPort): Promise<void> {
    this.#header = header;
    const before = this.#run;
    if (before?.state !== undefined) {
      const own = firstConfiguration(header);
      const { fingerprint } = this.#segments.last.configuration;
      if (own.fingerprint !== fingerprint) this.#segments.open(this.#reasoners, own);
      const { state, ledger } = before;
      const origin = forked({ state, memory: ledger.memory }, header.runId);
      this.#run = new Replay(this.#segments.code, origin);
      return;
    }
    this.#reasoners = this.#reasoners.map((each) => reasonerOf(each, header));
    checkReasoner(this.#reasoners, header);
    this.#segments.open(this.#reasoners, firstConfiguration(header));
    try {
      this.#linked = await linkedRuns.contextOf(this.#reasoners, port, header);
    } catch (thrown) {
      // Where an upgrade says what the run was, nobody has to know what it began with.
      if (this.#segments.last.matched) throw thrown;
      this.#thrown = { thrown };
    }
    this.#run = new Replay(this.#segments.code, { header, from: this.#linked });
  }

  /** @returns whether there is anything more to find out */
  take(line: DecodedLine): boolean {
    const content = line.glance ?? line.line;
    const run = this.#run as Replay<Input, Output, Context>;
    const upgraded = this.#upgrades.take(content, line.number);
    if (upgraded !== undefined) this.#upgrade(upgraded.upgrade, upgraded.to, run);
    else if ("event" in content) this.#event(line, run);
    else if (this.#thrown === undefined) run.take(line);
    const different = this.#found !== undefined || this.#thrown !== undefined;
    return this.#carried === undefined && !(this.#segments.last.matched && different);
  }

  #upgrade(
    upgrade: UpgradeLine["upgrade"],
    to: Remembered | undefined,
    run: Replay<Input, Output, Context>,
  ): void {
    const before = this.#segments.last.matched ? run.state : undefined;
    this.#found = undefined;
    // An upgrade of a run that had not begun says nothing of what it begins with.
    if (to !== undefined) this.#thrown = undefined;
    this.#segments.open(this.#reasoners, upgrade.to);
    if (before !== undefined && to !== undefined && this.#segments.last.matched) {
      this.#carried = this.#carriedOver(before as RunState, upgrade, to);
    }
    try {
      const state = this.#segments.carriedOn(this.#header as HeaderLine, upgrade, to);
      run.upgrade(this.#segments.code, state, this.#linked);
    } catch (thrown) {
      this.#thrown = { thrown };
    }
  }

  /** The first difference of what the present code makes of a state from what was recorded. */
  #carriedOver(
    before: RunState,
    { at, from, to }: UpgradeLine["upgrade"],
    { state, memory }: Remembered,
  ): Difference | undefined {
    const { input, budget } = this.#header as HeaderLine;
    const said = { seq: before.seq, event: "upgrade" };
    let computed: RunState;
    try {
      const over = { at, differs: differs(from, to), input, budget };
      computed = (this.#segments.code as Reasoner<Input, Output, Context>).migrate(before, over);
    } catch (thrown) {
      return { ...said, path: "upgrade", computed: messageOf(thrown) };
    }
    if (snapshotDigest({ state: computed, memory }) === snapshotDigest({ state, memory })) {
      return undefined;
    }
    const plain = (value: Json): Json => (isList(value) ? toArray(value as List<Json>) : value);
    for (const key of Object.keys({ ...state, ...computed }) as (keyof RunState)[]) {
      const recorded = plain(state[key] as Json);
      const found = firstDifference(recorded, plain(computed[key] as Json), key);
      if (found === undefined) continue;
      const { path, left, right } = found;
      return {
        ...said,
        path,
        ...(left === undefined ? {} : { recorded: left }),
        ...(right === undefined ? {} : { computed: right }),
      };
    }
    return { ...said, path: "state" };
  }

  #event(line: DecodedLine, run: Replay<Input, Output, Context>): void {
    const segment = this.#segments.last;
    segment.events += 1;
    if (this.#found !== undefined || this.#thrown !== undefined) return;
    let replayed: ReplayedStep<Context> | undefined;
    try {
      replayed = run.take(line);
    } catch (thrown) {
      if (isLineFault(thrown)) throw thrown;
      // Code of another configuration may not even read the state: a later upgrade makes up for it.
      this.#thrown = { thrown };
      return;
    }
    this.#tell(replayed);
    if (replayed?.same === false) this.#found = replayed;
    else segment.same += 1;
  }

  #tell(step: ReplayedStep<Context> | undefined): void {
    const onStep = this.#onStep;
    if (step !== undefined && onStep !== undefined) callHook("onStep", () => onStep(step));
  }

  /** What was found out. @throws whatever the code threw that has the configuration */
  async report(): Promise<ComparisonReport> {
    const header = this.#header;
    if (header === undefined) throw emptyJournal(this.#port);
    const found = this.#found;
    const report = {
      runId: header.runId,
      events: this.#segments.identical,
      segments: this.#segments.list(),
      notices: this.#segments.notices(),
    };
    if (this.#carried !== undefined) {
      return { ...report, status: "diverged", difference: this.#carried };
    }
    if (this.#thrown !== undefined) throw this.#thrown.thrown;
    if (found === undefined) return { ...report, status: "identical" };
    const code = this.#segments.code as Reasoner<Input, Output, Context>;
    const difference = await explainDifference(code, this.#port, found, this.#linked);
    return { ...report, status: "diverged", difference };
  }
}
