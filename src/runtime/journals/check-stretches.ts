/**
 * Compares a journal with code, line by line: each stretch with the reasoner whose configuration it
 * has. Code of another configuration is tried on the last stretch alone, and on none after an upgrade
 * that it cannot read.
 */
import {
  type Configuration,
  checkReasoner,
  configurationOf,
  type DecodedLine,
  type Difference,
  differenceOf,
  firstConfiguration,
  type HeaderLine,
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
import { explainDifference } from "./difference.js";
import { forkedState } from "./linked-runs.js";
import { linkedRuns } from "./load.js";
import { emptyJournal } from "./read-journal.js";
import { codeOf, differs } from "./upgrade.js";

/** Events of one configuration, one after the other, from an upgrade or the beginning on. */
export interface Stretch {
  /** Sequence number of the first event. */
  readonly from: number;
  /** How many events there are. */
  readonly events: number;
  readonly version: number;
  readonly fingerprint: string;
  /** Whether the code that has this configuration was given; else nobody knows. */
  readonly checked: boolean;
}

/** What a replay says. */
export type ReplayReport = {
  readonly runId: string;
  /** Events compared and found identical. */
  readonly events: number;
  /** What the journal is made of: more than one where the run was upgraded. */
  readonly stretches: readonly Stretch[];
  /** Things worth knowing that are no difference: a torn last line, another configuration. */
  readonly notices: readonly string[];
} & (
  | { readonly status: "identical" }
  | { readonly status: "diverged"; readonly difference: Difference }
);

/** A stretch while it is being read. */
interface OpenStretch {
  readonly from: number;
  readonly configuration: Configuration;
  /** Whether the code is that of the configuration, and not only the best that there is. */
  readonly matched: boolean;
  events: number;
  /** Events found identical, before the first that was not. */
  same: number;
}

/** Compares a journal, line by line, with the code whose configuration each stretch has. */
export class StretchChecker<Input, Output, Context> {
  readonly #port: JournalPort;
  readonly #upgrades = new UpgradeReader();
  readonly #stretches: OpenStretch[] = [];
  #reasoners: readonly Reasoner<Input, Output, Context>[];
  #header: HeaderLine | undefined;
  #linked: unknown;
  #code: Reasoner<Input, Output, Context> | undefined;
  #run: Replay<Input, Output, Context> | undefined;
  /** The first difference of the present stretch, and what a step of code that is not its own threw. */
  #found: ReplayedStep<Context> | undefined;
  #thrown: { readonly thrown: unknown } | undefined;
  /** What an upgrade came to, where the code at hand carries the run over to something else. */
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
      const { from, events, configuration } = this.#stretch;
      const own = firstConfiguration(header);
      if (own.fingerprint !== configuration.fingerprint) this.#open(own, from + events);
      const state = forkedState(before.state, header.runId);
      this.#run = new Replay(this.#code, { state, memory: before.ledger.memory });
      return;
    }
    this.#reasoners = this.#reasoners.map((each) => reasonerOf(each, header));
    checkReasoner(this.#reasoners, header);
    this.#linked = await linkedRuns.contextOf(this.#reasoners, port, header);
    this.#open(firstConfiguration(header), 0);
    this.#run = new Replay(this.#code, { header, from: this.#linked });
  }

  #open(configuration: Configuration, from: number): void {
    const own = codeOf(this.#reasoners, configuration, false);
    // Where no upgrade comes any more, the code at hand is compared all the same.
    const near = codeOf(this.#reasoners, configuration, true);
    this.#code = own ?? near ?? (from === 0 ? this.#reasoners[0] : undefined);
    const matched = own !== undefined;
    this.#stretches.push({ from, configuration, matched, events: 0, same: 0 });
  }

  get #stretch(): OpenStretch {
    return this.#stretches[this.#stretches.length - 1] as OpenStretch;
  }

  /** @returns whether there is anything more to find out */
  take(line: DecodedLine): boolean {
    const { line: content, number } = line;
    const run = this.#run as Replay<Input, Output, Context>;
    const upgraded = this.#upgrades.take(content, number);
    if (upgraded !== undefined) this.#upgrade(upgraded.upgrade, upgraded.to, run);
    else if ("event" in content) this.#event(line, run);
    else if (this.#thrown === undefined) run.take(line);
    const different = this.#found !== undefined || this.#thrown !== undefined;
    return this.#carried === undefined && !(this.#stretch.matched && different);
  }

  #upgrade(
    upgrade: UpgradeLine["upgrade"],
    to: Remembered | undefined,
    run: Replay<Input, Output, Context>,
  ): void {
    const { events, from, matched } = this.#stretch;
    const before = matched ? run.state : undefined;
    this.#found = undefined;
    this.#thrown = undefined;
    this.#open(upgrade.to, from + events);
    if (before !== undefined && to !== undefined && this.#stretch.matched) {
      this.#carried = this.#carriedOver(before as RunState, upgrade, to);
    }
    run.upgrade(this.#code, to, this.#linked);
  }

  /** The first difference of what the code at hand makes of a state from what was recorded. */
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
      computed = (this.#code as Reasoner<Input, Output, Context>).migrate(before, over);
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
    const stretch = this.#stretch;
    stretch.events += 1;
    if (this.#found !== undefined || this.#thrown !== undefined) return;
    try {
      const replayed = run.take(line);
      if (replayed !== undefined) this.#onStep?.(replayed);
      if (replayed?.same === false) this.#found = replayed;
      else stretch.same += 1;
    } catch (thrown) {
      // Code of another configuration may not even read the state: a later upgrade makes up for it.
      this.#thrown = { thrown };
    }
  }
  /** What was found out. @throws whatever the code threw that has the configuration */
  async report(): Promise<ReplayReport> {
    const header = this.#header;
    if (header === undefined) throw emptyJournal(this.#port);
    const last = this.#stretch;
    const found = this.#found;
    const stretches = this.#stretches.map((each) => ({
      from: each.from,
      events: each.events,
      version: each.configuration.version,
      fingerprint: each.configuration.fingerprint,
      checked: each.matched || (each === last && this.#code !== undefined),
    }));
    const events = this.#stretches.reduce(
      (sum, { same }, i) => (stretches[i]?.checked === true ? sum + same : sum),
      0,
    );
    const report = { runId: header.runId, events, stretches, notices: this.#notices(stretches) };
    if (this.#carried !== undefined) {
      return { ...report, status: "diverged", difference: this.#carried };
    }
    if (this.#thrown !== undefined) throw this.#thrown.thrown;
    if (found === undefined) return { ...report, status: "identical" };
    const code = this.#code as Reasoner<Input, Output, Context>;
    const difference = await explainDifference(code, this.#port, found, this.#linked);
    return { ...report, status: "diverged", difference };
  }

  #notices(stretches: readonly Stretch[]): readonly string[] {
    const notices = stretches
      .filter(({ checked }) => !checked)
      .map(
        ({ from, events, version }) =>
          `Not checked: ${events} events from ${from} on, of version ${version}, whose code is not at hand.`,
      );
    const { matched, configuration } = this.#stretch;
    if (matched || this.#code === undefined) return notices;
    const how = differenceOf(configuration, configurationOf(this.#code));
    return [...notices, `The reasoner's configuration is not the one that was recorded: ${how}.`];
  }
}
