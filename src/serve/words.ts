/** The words that a run is told, as they wait in a mailbox: JSON, checked where they come in. */
import { type Arrived, checkSize } from "../core/driver/index.js";
import {
  type ApprovalDecision,
  isReckonerError,
  type Json,
  ReckonerError,
  toJson,
  type UserPart,
} from "../core/kernel/index.js";
import * as shapes from "../core/kernel/shapes.js";
import { checkEvent, checkGrace, checkReason, decided, isLabel } from "../runtime/for-hosts.js";
import type { NewHostedRun, QueueChange, Sender } from "./run-host.js";

/** Something that is said to a run. */
export type Word =
  | { readonly type: "start"; readonly run: NewHostedRun }
  | {
      readonly type: "arrived";
      readonly arrived: Extract<Arrived, { type: "event" | "decided" | "interrupt" | "cancel" }>;
      readonly by?: string | undefined;
      readonly role?: string | undefined;
    }
  /** @param content absent: the same again */
  | {
      readonly type: "edit";
      readonly seq: number;
      readonly content?: string | readonly UserPart[] | undefined;
    };

/** A start. @throws ReckonerError `event.invalid`, `json.refused`, `event.tooLarge` */
export function startWord(run: NewHostedRun): Word {
  const { person, tags = [], input = null, ...rest } = run;
  if ((person !== undefined && !isLabel(person)) || !tags.every(isLabel)) {
    const message =
      "person and tags of start are texts of 1 to 200 characters, without control characters.";
    throw new ReckonerError("event.invalid", message);
  }
  const labels = {
    ...(person === undefined ? {} : { person }),
    ...(tags.length === 0 ? {} : { tags }),
  };
  const checked = toJson({ ...shapes.given(rest), ...labels, input });
  checkSize(checked, "The input");
  return { type: "start", run: checked as NewHostedRun };
}

/** A message. @param key its id, where it has none of its own */
export function messageWord(content: string | readonly UserPart[], key: string): Word {
  const event = { type: "message", id: key, content };
  return eventWord(event);
}

/** A change of a message that waits. */
export function queueWord(id: string, change: QueueChange): Word {
  const { type, ...parts } = change;
  const event = { ...parts, id, type: `message.${type}` };
  return eventWord(event);
}

/** An event of a machine's own. @throws ReckonerError `event.invalid`, `event.tooLarge`, `json.refused` */
export function eventWord(event: { readonly type: string }): Word {
  return { type: "arrived", arrived: { type: "event", event: checkEvent(event) } };
}

/** A decision. */
export function decisionWord(id: string, decision: ApprovalDecision, { by, role }: Sender): Word {
  const own = by === undefined ? decision : { ...decision, by };
  return { type: "arrived", arrived: decided(id, own), ...shapes.given({ by, role }) };
}

/** An interrupt. */
export function interruptWord(reason: string | undefined, graceMs: number): Word {
  const ms = checkGrace({ graceMs });
  const arrived = { type: "interrupt", ...checkReason("interrupt", reason), graceMs: ms } as const;
  return { type: "arrived", arrived };
}

/** A cancel. */
export function cancelWord(reason: string | undefined): Word {
  return { type: "arrived", arrived: { type: "cancel", ...checkReason("cancel", reason) } };
}

/** An edit. */
export function editWord(seq: number, content: string | readonly UserPart[] | undefined): Word {
  if (!Number.isSafeInteger(seq) || seq < 1) {
    const message =
      "edit needs the number of a message's event, 1 or more; what a run began with is another run's.";
    throw new ReckonerError("event.invalid", message, { place: "seq" });
  }
  if (content === undefined) return { type: "edit", seq };
  messageWord(content, "edit");
  return { type: "edit", seq, content };
}

/** A word as JSON. */
export function wordJson(word: Word): Json {
  return JSON.parse(JSON.stringify(word)) as Json;
}

/** The name of what is said. @throws ReckonerError `event.invalid` */
export function keyOf({ key }: Sender, make: () => string): string {
  if (key === undefined) return make();
  if (isLabel(key)) return key;
  const message =
    "The key of a sender is a text of 1 to 200 characters, without control characters.";
  throw new ReckonerError("event.invalid", message, { place: "key" });
}

/** An error as an answer has it. */
export function faultOf(thrown: unknown): { readonly code: string; readonly message: string } {
  if (isReckonerError(thrown)) return { code: thrown.code, message: thrown.message };
  return {
    code: "port.failed",
    message: thrown instanceof Error ? thrown.message : String(thrown),
  };
}
