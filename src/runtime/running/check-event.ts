/** What enters a run from outside: checked where it enters, so that whoever sent it is told. */
import {
  type ApprovalDecision,
  asJson,
  exceeds,
  type Json,
  MAX_EVENT_LENGTH,
  MAX_TEXT_LENGTH,
  parseEvent,
  ReckonerError,
  type RunEvent,
} from "../../core/kernel/index.js";
import type { Incoming } from "../effects/effect-host.js";

/**
 * An event from outside, before it is stamped with the time.
 * @throws ReckonerError `event.invalid`, `event.tooLarge`, `json.refused`
 */
export function checkEvent(event: { readonly type: string }): Incoming {
  const { at: _at, ...incoming } = parseEvent({ ...event, at: 0 } as RunEvent);
  checkSize(asJson(incoming), `The event ${incoming.type}`);
  return incoming as Incoming;
}

/**
 * A decision, as far as it is one.
 * @param id of the approval, as the caller knows it
 * @throws ReckonerError `event.invalid`, `event.tooLarge`, `json.refused`
 */
export function checkDecision(id: string, decision: ApprovalDecision): ApprovalDecision {
  if (typeof decision?.approve !== "boolean") {
    throw new ReckonerError(
      "event.invalid",
      `The decision on ${JSON.stringify(id)} must say approve: true or approve: false.`,
      { place: id },
    );
  }
  const {
    type: _type,
    id: _id,
    at: _at,
    ...checked
  } = parseEvent({
    ...decision,
    type: "approval.decided",
    id,
    at: 0,
  }) as unknown as ApprovalDecision & { type: string; id: string; at: number };
  checkSize(asJson(checked), `The decision on ${JSON.stringify(id)}`);
  return checked;
}

/** @throws ReckonerError `event.tooLarge` where what it makes of the journal's line could not be read */
export function checkSize(value: Json, what: string): void {
  if (!exceeds(value, MAX_EVENT_LENGTH)) return;
  throw new ReckonerError(
    "event.tooLarge",
    `${what} has more than 8 MiB of JSON; store it elsewhere and say where it is.`,
  );
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
