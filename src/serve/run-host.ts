/**
 * `RunHost`: the interface to one run by its id (start, message, decide, cancel, read), whatever keeps the run:
 * a host with a database, or a durable engine.
 */

import type { ErrorCode, Json } from "../core/kernel/values/index.js";
import type { ApprovalDecision, Budget, UserPart } from "../core/kernel/vocabulary/index.js";
import type { HostRow } from "./host-row.js";

/** The one who says something to a run, and the name of what is said. */
export interface Sender {
  /** A name for what is said: the same name is one event, and is answered alike for an hour. Something else
   * under it is refused (`event.key`). Default: a random one. */
  readonly key?: string | undefined;
  /** The person, by an id. */
  readonly by?: string | undefined;
  /** The role in which the person says it. */
  readonly role?: string | undefined;
}

/** A run that begins. */
export interface NewHostedRun {
  /** The id of its reasoner. Default: the only one of the host. */
  readonly reasoner?: string | undefined;
  readonly input?: unknown;
  readonly person?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly seed?: string | undefined;
  readonly budget?: Budget | undefined;
}

/** The answer to what was said to a run. Over HTTP 200, 409 and 202. */
export type Answer =
  /** Taken: it is in the run's lines, of which there were so many then. */
  | { readonly outcome: "taken"; readonly key: string; readonly lines: number }
  /** Refused, and nothing has changed. */
  | {
      readonly outcome: "refused";
      readonly key: string;
      readonly code: ErrorCode;
      readonly message: string;
    }
  /** It is kept, and nobody has taken it yet: `answer(key)` says what became of it. */
  | { readonly outcome: "accepted"; readonly key: string };

/** A change of a message that waits for its turn, by the message's id. */
export type QueueChange =
  | { readonly type: "edited"; readonly content: string | readonly UserPart[] }
  | { readonly type: "removed" }
  /** `to`: its place among those that wait, from 0. */
  | { readonly type: "moved"; readonly to: number };

/** A run in short, as its host sees it. */
export interface HostedRow extends HostRow {
  readonly id: string;
  /** It cannot go on, and nobody tries any more: why, and what has to be mended before `unpark`. */
  readonly parked?: { readonly code: string; readonly message: string };
}

/** Lines of a run, as its journal has them. */
export interface LinesPage {
  /** The journal that they stand in: another one once the run was rewound, whose header says behind which event. */
  readonly journal: string;
  /** The number of the first line, from 0. */
  readonly from: number;
  readonly lines: readonly string[];
  /** No further line follows. */
  readonly ended: boolean;
}

/** The verbs of one run. What cannot be meant throws; what the run does not take is an {@link Answer}. */
export interface RunHost {
  /**
   * Starts it. A run that is there with the same input and reasoner is that run; with another it is refused
   * (`run.exists`).
   */
  start(run?: NewHostedRun, sender?: Sender): Promise<Answer>;
  /** A user says something. Its id, by which it can be changed while it waits, is the sender's key. */
  message(content: string | readonly UserPart[], sender?: Sender): Promise<Answer>;
  /** Changes a message that waits for its turn. */
  queued(id: string, change: QueueChange, sender?: Sender): Promise<Answer>;
  /**
   * Takes a message back with all that came of it, and says another one in its place: a rewind of the run.
   * @param seq the number of the message's event; 0 for what the run began with, which begins anew then
   * @param content absent: the same again, for another answer
   */
  edit(seq: number, content?: string | readonly UserPart[], sender?: Sender): Promise<Answer>;
  /** Decides an approval, by its id as the row has it. */
  decide(id: string, decision: ApprovalDecision, sender?: Sender): Promise<Answer>;
  /** Ends the present turn. @param graceMs milliseconds that tools may take to settle; default 0 */
  interrupt(reason?: string, graceMs?: number, sender?: Sender): Promise<Answer>;
  /** Ends the run. */
  cancel(reason?: string, sender?: Sender): Promise<Answer>;
  /** Sends an event of the machine's own. */
  send(
    event: { readonly type: string; readonly [part: string]: Json },
    sender?: Sender,
  ): Promise<Answer>;
  /** Asks again what became of something. @throws ReckonerError `run.missing` where nothing is known of the key */
  answer(key: string): Promise<Answer>;
  /** @throws ReckonerError `run.missing` */
  row(): Promise<HostedRow>;
  /** The lines from a number on, as many as fit a page. @throws ReckonerError `run.missing` */
  lines(from?: number): Promise<LinesPage>;
  /**
   * Of a run that was rewound the lines that stand in the journals before, which its own goes on from; absent where
   * runs cannot be rewound. @throws ReckonerError `run.missing`
   */
  shared?(): Promise<readonly string[]>;
}
