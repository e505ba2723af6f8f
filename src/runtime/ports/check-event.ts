/**
 * Validates events, messages and decisions that a caller sends to a run, so that the caller gets
 * the error.
 */

import { type Arrived, checkSize, type Incoming } from "../../core/driver/for-live-runs.js";
import * as shapes from "../../core/kernel/shapes.js";
import {
  asJson,
  cutText,
  isReckonerError,
  MAX_TEXT_LENGTH,
  ReckonerError,
} from "../../core/kernel/values/index.js";
import {
  type ApprovalDecided,
  type ApprovalDecision,
  checkDefinition,
  isSettlement,
  parseEvent,
  partFault,
  type RunEvent,
} from "../../core/kernel/vocabulary/index.js";
import { TAGS, tagsIn } from "./run-row.js";

/** The parts of a decision. A misspelt part would be as if it had been left out, and more than was meant be run. */
const DECISION: shapes.Shapes<ApprovalDecision> = {
  approve: shapes.ANYTHING,
  input: shapes.ANYTHING,
  value: shapes.ANYTHING,
  of: shapes.TEXT,
  reason: shapes.TEXT,
  by: shapes.TEXT,
};

/**
 * Looks at something of the caller's: its getters, or it itself as a proxy, may throw at each look.
 * @param what it is, as a message names it
 * @throws ReckonerError `event.invalid` where it cannot be read
 */
export function lookAt<T>(what: string, look: () => T): T {
  try {
    return look();
  } catch (cause) {
    if (isReckonerError(cause)) throw cause;
    const message = `${what} cannot be read; pass a plain object.`;
    throw new ReckonerError("event.invalid", message, { cause });
  }
}

/**
 * An event from outside, before it is stamped with the time.
 * @throws ReckonerError `event.invalid`, `event.tooLarge`, `json.refused`
 */
export function checkEvent(event: { readonly type: string }): Incoming {
  const raw = lookAt("The event", () => ({ ...event, at: 0 }));
  const { at: _at, ...incoming } = parseEvent(raw);
  const instead = INSTEAD.get(incoming.type) ?? (isSettlement(incoming) ? "settle()" : undefined);
  if (instead !== undefined) {
    const message = `An event ${incoming.type} from outside is not believed; use ${instead}.`;
    throw new ReckonerError("event.invalid", message);
  }
  const isTagged = (incoming.type as string) === "run.tagged";
  if (isTagged && tagsIn(incoming as RunEvent) === undefined) {
    const message = `The event run.tagged has as tags ${TAGS[1]}.`;
    throw new ReckonerError("event.invalid", message, { place: "tags" });
  }
  checkSize(asJson(incoming), `The event ${incoming.type}`);
  return incoming;
}

/** The ways to say what a plain event may not say. */
const INSTEAD: ReadonlyMap<string, string> = new Map([
  ["approval.decided", "decide(), or resume({ approvals })"],
  ["interrupt", "interrupt()"],
  ["start", "run()"],
]);

/** A settlement by hand, of something that is outstanding and that nobody here carries out. */
export interface SettledByHand {
  /** The `run` directives that lead to its run, each escaped, joined by `:`. Default: the root. */
  readonly path?: string | undefined;
  /** Of the directive. */
  readonly id: string;
  /** Without id and time. `by` says who gives it, and stands in the journal. */
  readonly settlement: {
    readonly type: string;
    readonly by: string;
    readonly [part: string]: unknown;
  };
}

/**
 * A settlement by hand, before it is stamped with the time.
 * @throws ReckonerError `event.invalid`, `event.tooLarge`, `json.refused`
 */
export function checkSettled(byHand: SettledByHand): Extract<Arrived, { type: "settle" }> {
  const { path = "", id, settlement } = lookAt("The settlement", () => ({ ...byHand }));
  const { by, ...rest } = lookAt("The settlement", () => ({ ...settlement }));
  if (typeof path !== "string" || typeof by !== "string") {
    const message =
      "A settlement by hand needs a path that is a string, and says by whom it is (by).";
    throw new ReckonerError("event.invalid", message);
  }
  const { at: _at, ...event } = parseEvent({ ...rest, id, origin: { by }, at: 0 } as never);
  if (!isSettlement(event)) {
    throw new ReckonerError("event.invalid", `The event ${event.type} settles no directive.`);
  }
  checkSize(asJson(event), `The event ${event.type}`);
  return { type: "settle", run: path, settlement: event as never };
}

/**
 * A decision, as far as it is one.
 * @param id of the approval, as the caller knows it
 * @throws ReckonerError `event.invalid`, `event.tooLarge`, `json.refused`
 */
export function checkDecision(id: string, decision: ApprovalDecision): ApprovalDecision {
  if (typeof id !== "string") {
    throw new ReckonerError("event.invalid", "The id of the approval to decide must be a string.");
  }
  const what = `The decision on ${JSON.stringify(id)}`;
  const parts = shapes.defined(lookAt(what, () => ({ ...decision })));
  if (typeof parts.approve !== "boolean") {
    const message = `${what} must say approve: true or approve: false.`;
    throw new ReckonerError("event.invalid", message, { place: id });
  }
  checkParts(id, parts);
  const event = parseEvent({ ...parts, type: "approval.decided", id, at: 0 });
  const { type: _type, id: _id, at: _at, ...checked } = event as ApprovalDecided;
  checkSize(asJson(checked), what);
  return checked;
}

/** @throws ReckonerError `event.invalid` where something is not a part of a decision */
function checkParts(id: string, decision: object): void {
  const fault = partFault(decision, DECISION);
  if (fault === undefined) return;
  const message = `The decision on ${JSON.stringify(id)}: ${fault}.`;
  throw new ReckonerError("event.invalid", message, { place: id });
}

/** @throws ReckonerError `event.invalid` where it is not a number of milliseconds */
export function checkDuration(name: string, ms: unknown): number {
  if (typeof ms === "number" && ms >= 0) return ms;
  throw new ReckonerError("event.invalid", `${name} must be a number of milliseconds, 0 or more.`);
}

/** Milliseconds that an interrupt's options let things settle. @throws ReckonerError `event.invalid` */
export function checkGrace(options: { readonly graceMs?: number | undefined }): number {
  return lookAt("What interrupt is given", () => {
    checkDefinition("event.invalid", "interrupt", options);
    const fault = partFault(options, { graceMs: shapes.ANYTHING });
    if (fault !== undefined) throw new ReckonerError("event.invalid", `interrupt: ${fault}.`);
    const { graceMs = 0 } = options;
    return checkDuration("graceMs", graceMs);
  });
}

/** A reason as it stands in an event. @throws ReckonerError `event.invalid` where it is not a string */
export function checkReason(what: string, reason: unknown): { readonly reason?: string } {
  if (reason === undefined) return {};
  if (typeof reason === "string") return { reason: cutText(reason) };
  throw new ReckonerError("event.invalid", `The reason of ${what} must be a string.`);
}

/** @throws ReckonerError `event.tooLarge` where one of a run's names is too long */
export function checkTexts(texts: { readonly [name: string]: string | undefined }): void {
  for (const [name, text] of Object.entries(texts)) {
    if (text === undefined || text.length <= MAX_TEXT_LENGTH) continue;
    throw new ReckonerError(
      "event.tooLarge",
      `${name} has ${text.length} characters; at most ${MAX_TEXT_LENGTH} are taken.`,
    );
  }
}
