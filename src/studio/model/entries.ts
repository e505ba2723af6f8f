/**
 * The types of a conversation's entries (inputs, answers, calls, other effects, the end), as plain data.
 * `conversation.ts` makes them, `rows.ts` divides them into the rows of a list.
 */
import type { EventLine } from "../../core/journal/index.js";
import type { Json, JsonObject } from "../../core/kernel/values/index.js";
import type { TraceStatus } from "../../trace/pure/index.js";

/** The parts of every entry. */
interface Entered {
  /** Of its event in the trace; of what has none `@` and its event's number. */
  readonly id: string;
  /** The event with which it began, and its time in milliseconds since 1970. */
  readonly seq: number;
  readonly at: number;
}

/** An event from outside: the start, a message, a cancel, an event of the machine's own. */
export interface InputEntry extends Entered {
  readonly kind: "input";
  /** `start`, `message`, `cancel`, or as the machine names it. */
  readonly type: string;
  readonly text: string;
  /** The whole event; of a start the input. */
  readonly value: Json;
  /** Set where the run took no notice of it. */
  readonly ignored?: EventLine["ignored"];
}

/** An effect and what came of it. */
export interface Effected extends Entered {
  readonly status: TraceStatus;
  readonly endSeq?: number;
  readonly durationMs?: number;
  readonly output?: Json;
  readonly error?: Json;
  /** Set where it took more than one. */
  readonly attempts?: number;
}

/** A person's part in a call. */
export interface ApprovalCard extends Entered {
  readonly directive: string;
  readonly title: string;
  readonly subject: Json;
  readonly status: TraceStatus;
  readonly endSeq?: number;
  /** Milliseconds from the question to the decision. */
  readonly waitedMs?: number;
  /** The decision, as it was recorded. */
  readonly decision?: JsonObject;
  /** Of a tool that asks for a value: its JSON Schema. */
  readonly ask?: Json;
}

/** A request that a person may have been asked about, and that a child run may have carried out. */
interface Asked extends Effected {
  /** The directive's id, or the name that the trace gives a call without one. */
  readonly directive: string;
  readonly name: string;
  readonly input: Json;
  readonly approval?: ApprovalCard;
  /** The path of the child run that carried it out. */
  readonly child?: string;
}

/** A call of a tool. */
export interface CallCard extends Asked {
  readonly kind: "call";
}

/** An answer of a model, or what became of the request. */
export interface AnswerEntry extends Effected {
  readonly kind: "answer";
  readonly directive: string;
  readonly model?: string;
  readonly text: string;
  readonly reasoning: string;
  /** All of the answer's parts. */
  readonly content: readonly Json[];
  readonly usage?: JsonObject;
  readonly calls: readonly CallCard[];
}

/** A read, a write, a timer, a child run or a question that belongs to no call. */
export interface EffectEntry extends Asked {
  readonly kind: "effect";
  readonly type: "read" | "write" | "timer" | "run" | "approval";
}

/** An operation of a run of thoughts: its model calls side by side. */
export interface OperationEntry extends Entered {
  readonly kind: "operation";
  readonly name: string;
  readonly answers: readonly AnswerEntry[];
}

/** A decision that was recorded. */
export interface DecisionEntry extends Entered {
  readonly kind: "decision";
  readonly description: string;
  readonly chosen: string;
  readonly reasoning: string;
}

/** From here on the run goes on under another configuration, or as a fork. */
export interface TurnEntry extends Entered {
  readonly kind: "upgrade" | "fork";
  readonly text: string;
}

/** The end of the run. */
export interface EndEntry extends Entered {
  readonly kind: "end";
  readonly status: string;
  readonly output?: Json;
  readonly fault?: Json;
}

/** An entry of a conversation. */
export type Entry =
  | InputEntry
  | AnswerEntry
  | CallCard
  | EffectEntry
  | OperationEntry
  | DecisionEntry
  | TurnEntry
  | EndEntry;
