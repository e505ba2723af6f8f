/**
 * `checkJournal`: checks a journal against the present code. Unlike `replay` it
 * continues after a difference, as long as the recorded answers fit what the code now asks.
 */
import {
  type Cause,
  type Compared,
  causeOf,
  checkReasoner,
  type DecodedLine,
  type Difference,
  firstConfiguration,
  type HeaderLine,
  headerIn,
  isIgnored,
  isLineFault,
  type Remembered,
  Replay,
  type ReplayedStep,
  reasonerOf,
  stepDifferences,
  type UpgradeLine,
  UpgradeReader,
} from "../../core/journal/index.js";
import { type Json, messageOf, type Reasoner } from "../../core/kernel/index.js";
import * as shapes from "../../core/kernel/shapes.js";
import { BegunChildren } from "../journals/begun-children.js";
import { behindCut } from "../journals/behind-cut.js";
import { readHistoryPieces } from "../journals/history.js";
import { journalAt } from "../journals/journal-place.js";
import { linkedRuns } from "../journals/load.js";
import { emptyJournal, tornNotice } from "../journals/read-journal.js";
import { type JournalSegment, Segments } from "../journals/segments.js";
import type { JournalPort } from "../ports.js";
import { checkAllOptions, checkGivenReasoner, SET } from "../running/check-options.js";
import { LateValues } from "./late-values.js";

/** Differences that are ignored. */
export interface CheckOptions {
  /** Parts of directives that may differ: `system`, `tools`; or paths: `context.deps.now`. */
  readonly ignore?: readonly string[] | undefined;
  /** Keys of differences that were accepted. */
  readonly accepted?: ReadonlySet<string> | undefined;
}

/** What differs, and at which events. */
export interface ReportedCause extends Cause {
  readonly seqs: readonly number[];
}

/** The result of checking one journal. */
export interface JournalReport {
  /** `upgraded` is identical where it was compared, with segments that other code wrote. */
  readonly status: "identical" | "upgraded" | "diverged";
  readonly runId: string;
  /** Events that were compared. */
  readonly events: number;
  /** Events before the first difference that counts. */
  readonly identical: number;
  /** What the journal is made of: more than one where the run was upgraded. */
  readonly segments: readonly JournalSegment[];
  /** The first difference that counts. */
  readonly difference?: Difference;
  /** What the differences are grouped by; what follows from them is left out. */
  readonly causes: readonly ReportedCause[];
  /** How many differences were ignored or accepted. */
  readonly accepted: number;
  /** How many differences may follow from the causes. */
  readonly consequences: number;
  /** Where the check stopped, since the recorded answers no longer fit. */
  readonly stopped?: { readonly seq: number; readonly why: string };
  readonly notices: readonly string[];
}

/**
 * Checks a journal.
 * @throws ReckonerError `journal.*` where it cannot be read
 */
export async function checkJournal<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  journal: string | JournalPort,
  options: CheckOptions = {},
): Promise<JournalReport> {
  checkGivenReasoner(reasoner);
  checkAllOptions("checkJournal", options, { ignore: shapes.TEXTS, accepted: SET });
  return checkWith(reasoner, [], await journalAt(journal), options);
}

/**
 * Checks a journal, with older code to tell what its run began with.
 * @throws ReckonerError `journal.*` where it cannot be read
 */
export function checkWith<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  older: readonly Reasoner<Input, Output, Context>[],
  port: JournalPort,
  options: CheckOptions,
): Promise<JournalReport> {
  return new Check(reasoner, older, port, options).run();
}

/** What was found of a segment of a journal, and of those before it that are the code's own. */
interface Findings {
  /** The first difference that counts. */
  first: Difference | undefined;
  events: number;
  identical: number;
  accepted: number;
  consequences: number;
  /** Whether anything differed before, so that the digest of the state does. */
  differed: boolean;
  /** Whether what differs now may follow from what did before. */
  changed: boolean;
  readonly causes: Map<string, ReportedCause & { readonly seqs: number[] }>;
}

function nothingFound(): Findings {
  return {
    first: undefined,
    events: 0,
    identical: 0,
    accepted: 0,
    consequences: 0,
    differed: false,
    changed: false,
    causes: new Map(),
  };
}

class Check<Input, Output, Context> {
  readonly #root: Reasoner<Input, Output, Context>;
  readonly #older: readonly Reasoner<Input, Output, Context>[];
  readonly #port: JournalPort;
  readonly #options: CheckOptions;
  #own: Reasoner<Input, Output, Context>;
  #header: HeaderLine | undefined;
  #linked: unknown;
  #run: Replay<Input, Output, Context> | undefined;
  readonly #segments = new Segments<Input, Output, Context>();
  readonly #upgrades = new UpgradeReader();
  #found: Findings = nothingFound();
  #stopped: JournalReport["stopped"];
  /** What code threw at a segment that is not its own: a later upgrade makes up for it. */
  #thrown: { readonly thrown: unknown } | undefined;
  readonly #notices: string[] = [];
  readonly #values: LateValues;

  constructor(
    reasoner: Reasoner<Input, Output, Context>,
    older: readonly Reasoner<Input, Output, Context>[],
    port: JournalPort,
    options: CheckOptions,
  ) {
    this.#root = reasoner;
    this.#older = older;
    this.#own = reasoner;
    this.#port = port;
    this.#options = options;
    this.#values = new LateValues(port);
  }

  async run(): Promise<JournalReport> {
    let lines = 0;
    const children = new BegunChildren();
    const torn = (bytes: number) =>
      this.#notices.unshift(`line ${lines + 1}: ${tornNotice(bytes)}`);
    for await (const piece of readHistoryPieces(this.#port, torn)) {
      for (const line of piece) {
        lines = line.number;
        children.take(line);
        const header = headerIn(line);
        if (header !== undefined) {
          this.#header = header;
          await this.#begin(line.port, header);
        }
        const until = this.#take(line);
        if (until !== undefined) await until;
      }
    }
    if (this.#header === undefined) throw emptyJournal(this.#port);
    if (this.#thrown !== undefined) throw this.#thrown.thrown;
    const missing = await children.missing();
    this.#notices.push(...missing.map(({ notice }) => notice));
    return this.#report(this.#header.runId);
  }

  #report(runId: string): JournalReport {
    const { first, events, identical, accepted, consequences, causes } = this.#found;
    const segments = this.#segments.list();
    const upgraded = segments.length > 1;
    return {
      status: first !== undefined ? "diverged" : upgraded ? "upgraded" : "identical",
      runId,
      events,
      identical,
      segments,
      ...(first === undefined ? {} : { difference: first }),
      causes: [...causes.values()],
      accepted,
      consequences,
      ...(this.#stopped === undefined ? {} : { stopped: this.#stopped }),
      notices: [...this.#notices, ...this.#segments.notices()],
    };
  }

  async #begin(port: JournalPort, header: HeaderLine): Promise<void> {
    if (this.#run !== undefined) {
      this.#run = behindCut(this.#segments.code, this.#run, header);
      return;
    }
    this.#own = reasonerOf(this.#root, header);
    checkReasoner([this.#own], header);
    this.#segments.open([this.#own], firstConfiguration(header));
    try {
      this.#linked = await linkedRuns.contextOf([this.#own, ...this.#older], port, header);
    } catch (thrown) {
      if (this.#segments.last.matched) throw thrown;
      this.#thrown = { thrown };
    }
    this.#run = new Replay(this.#segments.code, { header, from: this.#linked });
  }

  /** @returns what to wait for, where something differs: a piece of lines is gone through at once */
  #take(line: DecodedLine): Promise<void> | undefined {
    const run = this.#run as Replay<Input, Output, Context>;
    const content = line.glance ?? line.line;
    this.#values.take(line);
    const upgraded = this.#upgrades.take(content, line.number);
    if (upgraded !== undefined) {
      this.#upgrade(run, upgraded.upgrade, upgraded.to);
      return undefined;
    }
    if (!("event" in content)) {
      if (this.#stopped === undefined && this.#thrown === undefined) run.take(line);
      return undefined;
    }
    this.#segments.last.events += 1;
    if (this.#stopped !== undefined || this.#thrown !== undefined) return undefined;
    if (run.state !== undefined && run.state.status !== "active") {
      this.#stopped = { seq: content.seq, why: "the run has ended" };
      return undefined;
    }
    const replayed = this.#step(run, line);
    if (replayed === undefined) return undefined;
    this.#found.events += 1;
    if (!replayed.same && !(replayed.alike && this.#found.differed)) {
      return this.#differs(replayed).then(() => this.#compared(replayed));
    }
    this.#compared(replayed);
    return undefined;
  }

  #compared(replayed: ReplayedStep<Context>): void {
    if (this.#found.first === undefined) this.#found.identical += 1;
    this.#stopped = stopOf(replayed);
  }

  #upgrade(
    run: Replay<Input, Output, Context>,
    upgrade: UpgradeLine["upgrade"],
    recorded: Remembered | undefined,
  ): void {
    // What came before other code went on is that code's, and nobody compares it with this one.
    if (!this.#segments.last.matched) this.#found = nothingFound();
    this.#found.differed = false;
    this.#found.changed = false;
    // An upgrade of a run that had not begun says nothing of what it begins with.
    if (recorded !== undefined) this.#thrown = undefined;
    this.#stopped = undefined;
    this.#segments.open([this.#own], upgrade.to);
    const { code } = this.#segments;
    try {
      const state = this.#segments.carriedOn(this.#header as HeaderLine, upgrade, recorded);
      run.upgrade(code, state, this.#linked);
      this.#found.differed = state !== recorded;
    } catch (thrown) {
      const { seq, value } = (recorded as Remembered).state;
      const computed = messageOf(thrown);
      this.#count({ seq, event: "upgrade", path: "upgrade", computed }, value);
      this.#stopped = { seq, why: computed };
    }
  }

  #step(run: Replay<Input, Output, Context>, line: DecodedLine): ReplayedStep<Context> | undefined {
    try {
      return run.take(line);
    } catch (thrown) {
      if (this.#segments.last.matched || isLineFault(thrown)) throw thrown;
      this.#thrown = { thrown };
      return undefined;
    }
  }

  async #differs({ line, step, before, proof }: ReplayedStep<Context>): Promise<void> {
    const { values, recorded } = await this.#values.upTo(line.seq, this.#linked);
    const compared: Compared<Context> = {
      reasoner: this.#own as Reasoner<never, unknown, Context>,
      line,
      step,
      proof,
      before,
      values,
      recorded,
      later: (): Json | undefined => undefined,
    };
    this.#found.differed = true;
    for (const difference of stepDifferences(compared)) this.#count(difference, before?.value);
  }

  #count(difference: Difference, from: Parameters<typeof causeOf>[2]): void {
    const { ignore = [], accepted } = this.#options;
    const found = this.#found;
    const own = causeOf(difference, this.#own.id, from);
    const counts = !isIgnored(difference, ignore) && accepted?.has(own.key) !== true;
    if (!counts) {
      found.accepted += 1;
      if (own.changesRun) found.changed = true;
      return;
    }
    found.first ??= difference;
    const same = found.causes.get(own.key);
    if (same !== undefined) same.seqs.push(difference.seq);
    else if (found.changed) found.consequences += 1;
    else found.causes.set(own.key, { ...own, seqs: [difference.seq] });
    if (own.changesRun) found.changed = true;
  }
}

/** Whether what was recorded settled something there that the present code has not asked. */
function stopOf<Context>(replayed: ReplayedStep<Context>): JournalReport["stopped"] {
  const now = replayed.step.ignored?.reason;
  if (now === undefined || now === "unhandled") return undefined;
  // Only here, since to ask for the line is to read it whole.
  const { line } = replayed;
  if (now === line.ignored) return undefined;
  const { type, id } = line.event as { readonly type: string; readonly id?: unknown };
  const named = typeof id === "string" ? ` ${id}` : "";
  return { seq: line.seq, why: `nothing waits for ${type}${named}` };
}
