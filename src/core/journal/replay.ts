/**
 * Replays recorded events through a reasoner, and compares each step with its line. Runs are also
 * loaded this way, so that what is resumed is what was replayed.
 */

import type { Reasoner, RunState, Step } from "../kernel/machine/index.js";
import { ReckonerError, shownBriefly } from "../kernel/values/index.js";
import { isEffect, type RunEvent } from "../kernel/vocabulary/index.js";
import { type DecodedLine, endOfGlance, type Glance, openOf } from "./decode-line.js";
import { Ledger, type Proof } from "./ledger.js";
import type { EventLine, HeaderLine, Line, StepProof } from "./line.js";
import { broken } from "./line-fault.js";
import type { JournalMemory } from "./memory.js";
import type { Remembered } from "./snapshot.js";

/** `,"state":"…"`, with which a proof ends. */
const DIGEST_LENGTH = 43;
const DIGEST = /^,"state":"[\w-]{32}"$/;

/** Where a replay begins: with a run's header, or behind a line whose state is known. */
export type ReplayOrigin<Context> =
  | {
      readonly header: HeaderLine;
      /** The context of the run that this one goes on from; `undefined` where its header names none. */
      readonly from: unknown;
    }
  | { readonly state: RunState<Context>; readonly memory: JournalMemory };

/** A step that was folded, and whether its line says the same. */
export class ReplayedStep<Context> {
  readonly event: RunEvent;
  readonly step: Step<Context>;
  readonly before: RunState<Context> | undefined;
  readonly same: boolean;
  /** Whether it says the same but for the digest of the whole state, which is one. */
  readonly alike: boolean;
  readonly #decoded: DecodedLine;
  readonly #proof: Proof;

  constructor(
    decoded: DecodedLine,
    step: Step<Context>,
    before: RunState<Context> | undefined,
    proof: Proof,
  ) {
    const { text } = proof;
    const open = openOf(decoded.text);
    this.event = (decoded.glance ?? (decoded.line as EventLine)).event;
    this.step = step;
    this.before = before;
    this.same = open.endsWith(text);
    this.alike = this.same || isAlike(open, text);
    this.#decoded = decoded;
    this.#proof = proof;
  }

  get line(): EventLine {
    return this.#decoded.line as EventLine;
  }

  /**
   * Whether it comes to the state that the line says, whatever is asked for: the same place and the
   * same effects, and behind the start, which also sets what is configured, the same changes.
   */
  get sameState(): boolean {
    const { line, proof, step } = this;
    const stateIn = ({ value, ignored, end, set }: StepProof) =>
      JSON.stringify([value, ignored, end, line.seq === 0 ? null : set]);
    const issued = (line.do ?? []).map(({ type, id }) => [type, id]);
    const asked = step.directives.map((each) => [each.type, "id" in each ? each.id : undefined]);
    return stateIn(line) === stateIn(proof) && JSON.stringify(issued) === JSON.stringify(asked);
  }

  /** The proof of the step as the line would say it. */
  get proof(): StepProof {
    return JSON.parse(`{${this.#proof.text.slice(1)}}`) as StepProof;
  }
}

/** A line whose event was folded. */
interface Folded<Input, Output, Context> {
  readonly glance: Glance;
  readonly step: Step<Context>;
  readonly reasoner: Reasoner<Input, Output, Context>;
}

/** A replay that goes on with a state; code of another version takes nothing of it. */
export function replayFrom<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context> | undefined,
  origin: { readonly state: RunState<Context>; readonly memory: JournalMemory },
): Replay<Input, Output, Context> {
  const isOwn = origin.state.version === reasoner?.version;
  return new Replay(isOwn ? reasoner : undefined, origin);
}

/**
 * Returns the state and memory that a fork goes on from: its own run's, all else as it was. An interrupt that was
 * asked for is not inherited, since a person decided it (J11), nor is what a port has kept of an attempt.
 */
export function forked<Context>(
  { state, memory }: { readonly state: RunState<Context>; readonly memory: JournalMemory },
  runId: string,
): { readonly state: RunState<Context>; readonly memory: JournalMemory } {
  const { interrupt: _decided, handles: _others, ...own } = memory;
  const isOwn = memory.interrupt === undefined && memory.handles === undefined;
  return { state: forkedState(state, runId), memory: isOwn ? memory : own };
}

/** A state as a fork has it: its own run's, all else as it was. */
export function forkedState<Context>(state: RunState<Context>, runId: string): RunState<Context> {
  return Object.freeze({ ...state, runId });
}

/** Replays one journal; its lines are taken in one by one, in their order. */
export class Replay<Input, Output, Context> {
  #reasoner: Reasoner<Input, Output, Context> | undefined;
  #origin: ReplayOrigin<Context>;
  #ledger: Ledger;
  #state: RunState<Context> | undefined;
  #lost = false;
  /** True where the last steps were not compared. */
  #passed = false;

  /** @param reasoner that wrote what comes next; without one, only marks are followed */
  constructor(
    reasoner: Reasoner<Input, Output, Context> | undefined,
    origin: ReplayOrigin<Context>,
  ) {
    this.#reasoner = reasoner;
    this.#origin = origin;
    if ("header" in origin) {
      this.#ledger = new Ledger();
    } else {
      this.#state = origin.state;
      this.#ledger = new Ledger(origin);
    }
  }

  /** The state after the newest line; absent before the start's. */
  get state(): RunState<Context> | undefined {
    return this.#state;
  }

  get ledger(): Ledger {
    return this.#ledger;
  }

  /** Whether there were events since the state that nobody could fold. */
  get lost(): boolean {
    return this.#lost;
  }

  /**
   * Goes on under another configuration.
   * @param to the state from here on; absent where the run had not begun
   * @param from the context of the run that this one goes on from, where it has not begun
   */
  upgrade(
    reasoner: Reasoner<Input, Output, Context> | undefined,
    to: Remembered | undefined,
    from: unknown,
  ): void {
    this.#reasoner = reasoner;
    this.#lost = false;
    if (to !== undefined) {
      this.#state = to.state as RunState<Context>;
      this.#ledger = new Ledger(to);
    } else if ("header" in this.#origin && from !== undefined) {
      this.#origin = { ...this.#origin, from };
    }
  }

  /**
   * Takes the next line in.
   * @returns the step, where it is an event's
   * @throws ReckonerError `journal.format` where the line was read as far as its event and the rest of it is
   * no line's
   */
  take(decoded: DecodedLine): ReplayedStep<Context> | undefined {
    const before = this.#state;
    const folded = this.#fold(decoded);
    if (folded === undefined) return undefined;
    const { glance, step, reasoner } = folded;
    if (this.#passed && before !== undefined) {
      this.#ledger = new Ledger({ state: before as RunState, memory: this.#ledger.memory });
    }
    this.#passed = false;
    const proof = this.#ledger.prove(reasoner, glance.event, step, glance.starts ?? []);
    const replayed = new ReplayedStep(decoded, step, before, proof);
    // What was not read is right where it is the same, all of it, whatever state it is of; directives
    // in lines before it are no part of it.
    const all = isAll(proof, decoded);
    if (!(all && replayed.alike && proof.spilled.length === 0)) checkLine(decoded);
    if (replayed.same && !all) {
      throw broken("journal.format", decoded.number, "records more of its step than the step gave");
    }
    if (replayed.same && !areStarts(glance.starts, step)) {
      throw broken("journal.format", decoded.number, "begins what its step did not issue");
    }
    return replayed;
  }

  /**
   * Takes the next line in without comparing it, for who only wants to get to one behind it.
   * @returns the state after it, where it is an event's
   * @throws ReckonerError as {@link take}
   */
  pass(decoded: DecodedLine): RunState<Context> | undefined {
    const folded = this.#fold(decoded);
    if (folded === undefined) return undefined;
    const { glance, step } = folded;
    const { says } = checkLine(decoded) as EventLine;
    this.#ledger.pass(glance.event, step, glance.starts ?? []);
    if (says !== undefined) this.#ledger.takeDescription(says);
    this.#passed = true;
    return step.state;
  }

  /** The step of a line, where it is an event's, taken; it is not in the ledger yet. */
  #fold(decoded: DecodedLine): Folded<Input, Output, Context> | undefined {
    const line = decoded.glance ?? decoded.line;
    if ("mark" in line) this.#ledger.mark(line.mark);
    if (!("event" in line) || "type" in line) return undefined;
    const reasoner = this.#reasoner;
    if (reasoner === undefined || this.#beginsUnknown()) {
      this.#lost = true;
      return undefined;
    }
    if (this.#state !== undefined && line.event.at < this.#state.at) {
      throw broken("journal.format", decoded.number, "is earlier than the event before it");
    }
    const step = this.#step(reasoner, line);
    this.#state = step.state;
    return { glance: line, step, reasoner };
  }

  /** Whether the run goes on from one whose context nobody knows, and has not begun. */
  #beginsUnknown(): boolean {
    if (this.#state !== undefined || !("header" in this.#origin)) return false;
    const { header, from } = this.#origin;
    return header.from !== undefined && from === undefined;
  }

  #step(reasoner: Reasoner<Input, Output, Context>, line: Glance): Step<Context> {
    if (this.#state !== undefined) return reasoner.step(this.#state, line.event);
    const { header, from } = this.#origin as {
      readonly header: HeaderLine;
      readonly from: unknown;
    };
    const { type, at } = line.event;
    if (type !== "start" || at !== header.at) {
      const message = `The journal has ${shownBriefly(type)} as its first event, which does not begin the run of its header.`;
      throw new ReckonerError("journal.format", message, { place: `event ${line.seq}` });
    }
    return startOf(reasoner, header, from);
  }
}

function isAlike(open: string, text: string): boolean {
  return (
    open.slice(0, -DIGEST_LENGTH).endsWith(text.slice(0, -DIGEST_LENGTH)) &&
    DIGEST.test(open.slice(-DIGEST_LENGTH))
  );
}

/** What stands in an event's line before its proof, and behind it. */
const BESIDE_PROOF: ReadonlySet<string> = new Set([
  "run",
  "begin",
  "values",
  "items",
  "seq",
  "event",
  "starts",
  "hash",
]);

/** Returns true if a proof is all that a line has of a step, as long as the line ends in it. */
function isAll({ text, parts }: Proof, decoded: DecodedLine): boolean {
  if (decoded.glance !== undefined) {
    return endOfGlance(decoded.text) + text.length === openOf(decoded.text).length;
  }
  let own = 0;
  for (const part in decoded.line) if (!BESIDE_PROOF.has(part)) own += 1;
  return own === parts;
}

/** Reads a line whole. @throws ReckonerError where it is no line of a journal's */
function checkLine(decoded: DecodedLine): Line {
  return decoded.line;
}

/** The start that a header describes. @param from the context that its link leads to, or `undefined` */
export function startOf<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  header: HeaderLine,
  from: unknown,
): Step<Context> {
  return reasoner.start(header.input as Input, {
    at: header.at,
    runId: header.runId,
    prepared: true,
    ...(header.seed === undefined ? {} : { seed: header.seed }),
    ...(header.budget === undefined ? {} : { budget: header.budget }),
    ...(from === undefined ? {} : { from }),
  });
}

/**
 * Checks that a journal is of one of these reasoners, of whatever version.
 * @throws ReckonerError `journal.reasoner` where the journal is of none of them
 */
export function checkReasoner(
  reasoners: readonly { readonly id: string }[],
  header: HeaderLine,
): void {
  const { id } = header.reasoner;
  if (reasoners.some((each) => each.id === id)) return;
  const ids = [...new Set(reasoners.map((each) => each.id))].join(", ");
  throw new ReckonerError(
    "journal.reasoner",
    `The journal is of ${id}, the given reasoner is ${ids}; use the one that wrote it.`,
  );
}

/** Returns true if all that begins with a line was issued by its step, each once and in order. */
function areStarts(starts: readonly number[] = [], { directives }: Step<unknown>): boolean {
  return starts.every((place, n) => {
    const directive = directives[place];
    return directive !== undefined && isEffect(directive) && place > (starts[n - 1] ?? -1);
  });
}
