/**
 * Checking one journal of a corpus against the code at hand: unlike `replay` it goes on behind a
 * difference, for as long as what was recorded answers what the code now asks.
 */
import {
  type Cause,
  type Compared,
  causeOf,
  type Difference,
  type HeaderLine,
  isHeaderLine,
  isIgnored,
  type RecordedDirective,
  RecordedValues,
  type Replay,
  type ReplayedStep,
  Replay as ReplayOf,
  reasonerOf,
  stepDifferences,
} from "../../core/journal/index.js";
import type { Json, Reasoner } from "../../core/kernel/index.js";
import { inherit } from "../journals/difference.js";
import { readHistory } from "../journals/history.js";
import { journalAt } from "../journals/journal-place.js";
import { linkedRuns } from "../journals/load.js";
import { emptyJournal, tornNotice } from "../journals/read-journal.js";
import { behindCut } from "../journals/replay.js";
import type { JournalPort } from "../ports.js";

/** What does not count. */
export interface CheckOptions {
  /** Parts of directives that may differ: `system`, `tools`; or paths: `context.deps.now`. */
  readonly ignore?: readonly string[];
  /** Keys of differences that were accepted. */
  readonly accepted?: ReadonlySet<string>;
}

/** What differs, and at which events. */
export interface CheckedCause extends Cause {
  readonly seqs: readonly number[];
}

/** What came of one journal. */
export interface Checked {
  readonly status: "identical" | "diverged";
  readonly runId: string;
  /** Events that were compared. */
  readonly events: number;
  /** Events before the first difference that counts. */
  readonly identical: number;
  /** The first difference that counts. */
  readonly difference?: Difference;
  /** What the differences are grouped by; what follows from them is left out. */
  readonly causes: readonly CheckedCause[];
  /** How many differences were ignored or accepted. */
  readonly accepted: number;
  /** How many differences may follow from the causes. */
  readonly consequences: number;
  /** Where what was recorded no longer answers what is asked. */
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
): Promise<Checked> {
  return new Check(reasoner, await journalAt(journal), options).run();
}

class Check<Input, Output, Context> {
  readonly #root: Reasoner<Input, Output, Context>;
  readonly #port: JournalPort;
  readonly #options: CheckOptions;
  #own: Reasoner<Input, Output, Context>;
  #linked: unknown;
  #first: Difference | undefined;
  #identical = 0;
  #accepted = 0;
  #consequences = 0;
  /** Whether anything differed before, so that the digest of the state does. */
  #differed = false;
  /** Whether what differs now may follow from what did before. */
  #changed = false;
  readonly #causes = new Map<string, CheckedCause & { readonly seqs: number[] }>();
  readonly #notices: string[] = [];
  /** What the lines hold, from the first difference on. */
  #values: RecordedValues | undefined;

  constructor(
    reasoner: Reasoner<Input, Output, Context>,
    port: JournalPort,
    options: CheckOptions,
  ) {
    this.#root = reasoner;
    this.#own = reasoner;
    this.#port = port;
    this.#options = options;
  }

  async run(): Promise<Checked> {
    let header: HeaderLine | undefined;
    let run: Replay<Input, Output, Context> | undefined;
    let events = 0;
    let stopped: Checked["stopped"];
    const torn = (bytes: number) => this.#notices.unshift(tornNotice(bytes));
    for await (const line of readHistory(this.#port, torn)) {
      if (isHeaderLine(line.line)) {
        header = line.line;
        run =
          run === undefined
            ? await this.#begin(line.port, header)
            : behindCut(this.#own, run, header);
      }
      if (stopped !== undefined || run === undefined) continue;
      const recorded = this.#values?.take(line.line);
      if ("event" in line.line && run.state !== undefined && run.state.status !== "active") {
        stopped = { seq: line.line.seq, why: "the run has ended" };
        continue;
      }
      const replayed = run.take(line);
      if (replayed === undefined) continue;
      events += 1;
      if (!replayed.same && !(replayed.alike && this.#differed)) {
        await this.#differs(replayed, recorded);
      }
      if (this.#first === undefined) this.#identical += 1;
      stopped = stopOf(replayed);
    }
    if (header === undefined) throw emptyJournal(this.#port);
    return {
      status: this.#first === undefined ? "identical" : "diverged",
      runId: header.runId,
      events,
      identical: this.#identical,
      ...(this.#first === undefined ? {} : { difference: this.#first }),
      causes: [...this.#causes.values()],
      accepted: this.#accepted,
      consequences: this.#consequences,
      ...(stopped === undefined ? {} : { stopped }),
      notices: this.#notices,
    };
  }

  async #begin(port: JournalPort, header: HeaderLine): Promise<Replay<Input, Output, Context>> {
    this.#own = reasonerOf(this.#root, header);
    this.#linked = await linkedRuns.contextOf(this.#own, port, header);
    const run = new ReplayOf(this.#own, { header, from: this.#linked });
    if (header.fingerprint !== this.#own.fingerprint) {
      this.#notices.push("The reasoner's configuration is not the one that was recorded.");
    }
    return run;
  }

  /** What the lines hold up to one: most journals are the same, and nobody asks. */
  async #readUpTo(seq: number): Promise<readonly RecordedDirective[]> {
    const values = new RecordedValues();
    inherit(values, this.#linked);
    this.#values = values;
    for await (const { line } of readHistory(this.#port)) {
      const recorded = values.take(line);
      if ("event" in line && line.seq === seq) return recorded;
    }
    return [];
  }

  async #differs(
    { line, step, before, proof }: ReplayedStep<Context>,
    known: readonly RecordedDirective[] | undefined,
  ): Promise<void> {
    const recorded = known ?? (await this.#readUpTo(line.seq));
    const compared: Compared<Context> = {
      reasoner: this.#own as Reasoner<never, unknown, Context>,
      line,
      step,
      proof: proof(),
      before,
      values: this.#values as RecordedValues,
      recorded,
      later: (): Json | undefined => undefined,
    };
    this.#differed = true;
    for (const difference of stepDifferences(compared)) this.#take(difference, before?.value);
  }

  #take(difference: Difference, from: Parameters<typeof causeOf>[2]): void {
    const { ignore = [], accepted } = this.#options;
    const own = causeOf(difference, this.#own.id, from);
    const counts = !isIgnored(difference, ignore) && accepted?.has(own.key) !== true;
    if (!counts) {
      this.#accepted += 1;
      if (own.changesRun) this.#changed = true;
      return;
    }
    this.#first ??= difference;
    const same = this.#causes.get(own.key);
    if (same !== undefined) same.seqs.push(difference.seq);
    else if (this.#changed) this.#consequences += 1;
    else this.#causes.set(own.key, { ...own, seqs: [difference.seq] });
    if (own.changesRun) this.#changed = true;
  }
}

/** Whether what was recorded settled something there that the code at hand has not asked. */
function stopOf<Context>({ line, step }: ReplayedStep<Context>): Checked["stopped"] {
  const now = step.ignored?.reason;
  if (now === undefined || now === line.ignored || now === "unhandled") return undefined;
  const id = "id" in line.event ? ` ${String(line.event.id)}` : "";
  return { seq: line.seq, why: `nothing waits for ${line.event.type}${id}` };
}
