/**
 * Makes and checks what is sent to a run through its mailbox: a start, a message, a decision, an interrupt, a
 * cancel, an edit. Each is a JSON value (`Word`), and `mailOf` wraps it with its key for the store.
 */
import { type Arrived, checkSize } from "../core/driver/index.js";
import * as shapes from "../core/kernel/shapes.js";
import {
  canonical,
  digestOf,
  isReckonerError,
  type Json,
  ReckonerError,
  toJson,
} from "../core/kernel/values/index.js";
import type { ApprovalDecision, UserPart } from "../core/kernel/vocabulary/index.js";
import {
  checkAllOptions,
  checkArgument,
  checkEvent,
  checkGrace,
  checkReason,
  decided,
  isLabel,
  LABEL,
  TAGS,
} from "../runtime/for-hosts.js";
import type { NewHostedRun, QueueChange, Sender } from "./run-host.js";
import type { Fault, NewMail } from "./store.js";

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

const START: shapes.Shapes<NewHostedRun> = {
  reasoner: shapes.TEXT,
  input: shapes.ANYTHING,
  person: LABEL,
  tags: TAGS,
  seed: shapes.TEXT,
  budget: shapes.OBJECT,
};
const SENDER: shapes.Shapes<Sender> = {
  // Its own check says more of it.
  key: shapes.ANYTHING,
  by: shapes.TEXT,
  role: shapes.TEXT,
};

/**
 * A start.
 * @param take takes the files out of its input. Default: none
 * @throws ReckonerError `option.invalid`, `json.refused`, `event.tooLarge`
 */
export function startWord(
  run: NewHostedRun,
  take: (input: unknown) => unknown = (input) => input,
): Word {
  checkAllOptions("start", run, START);
  const { input = null, tags = [], ...rest } = run;
  const labels = tags.length === 0 ? {} : { tags };
  const checked = toJson({ ...shapes.defined(rest), ...labels, input: take(input) } as never);
  checkSize(checked, "The input");
  return { type: "start", run: checked as NewHostedRun };
}

/** A message. @param key its id, where it has none of its own */
export function messageWord(content: string | readonly UserPart[], key: string): Word {
  const event = { type: "message", id: key, content };
  return eventWord(event);
}

/** The changes of a message that waits, each with its parts. */
const CHANGES: { readonly [type: string]: shapes.Shapes<never> } = {
  edited: { content: shapes.ANYTHING } as shapes.Shapes<never>,
  removed: {} as shapes.Shapes<never>,
  moved: { to: shapes.ANYTHING } as shapes.Shapes<never>,
};
const CHANGE: shapes.Shape = shapes.open({ type: shapes.oneOf(...Object.keys(CHANGES)) }, "type");

/** A change of a message that waits. @throws ReckonerError `option.invalid`, and as `eventWord` */
export function queueWord(id: string, change: QueueChange): Word {
  checkArgument("The change of queued", change, CHANGE);
  const { type, ...parts } = change;
  checkAllOptions(`the change ${type} of queued`, parts, CHANGES[type] as never);
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
  return { type: "arrived", arrived: decided(id, own), ...shapes.defined({ by, role }) };
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
  if (!Number.isSafeInteger(seq) || seq < 0) {
    const message = "edit needs the number of a message's event, or 0 for what the run began with.";
    throw new ReckonerError("event.invalid", message, { place: "seq" });
  }
  if (content === undefined) return { type: "edit", seq };
  messageWord(content, "edit");
  return { type: "edit", seq, content };
}

/** Something that is said, as it waits; who says it is a part of its mark. */
export function mailOf(key: string, original: Word, { by, role }: Sender): NewMail {
  const word = JSON.parse(JSON.stringify(original)) as Json;
  return { key, word, mark: digestOf(canonical({ word, ...shapes.defined({ by, role }) })) };
}

/** The name of what is said. @throws ReckonerError `event.invalid`, `option.invalid` */
export function keyOf(sender: Sender, make: () => string): string {
  checkAllOptions("the sender", sender, SENDER);
  const { key } = sender;
  if (key === undefined) return make();
  if (isLabel(key)) return key;
  const message =
    "The key of a sender is a text of 1 to 200 characters, without control characters.";
  throw new ReckonerError("event.invalid", message, { place: "key" });
}

/** An error as an answer has it. */
export function faultOf(thrown: unknown): Fault {
  if (isReckonerError(thrown)) return { code: thrown.code, message: thrown.message };
  return {
    code: "port.failed",
    message: thrown instanceof Error ? thrown.message : String(thrown),
  };
}

/** The reason of a parked run, as whoever asks for it reads it. @param fault the one that it failed with */
export function parkedFor(id: string, fault: Fault): Fault {
  const why = `The run ${id} is parked, since it failed again and again: ${fault.code}: ${fault.message}`;
  return { code: "run.parked", message: why };
}
