/** Validates events: each has a type and a time, and a settlement an id. */

import { asJson, type Json, type JsonObject, toJson } from "../values/json.js";
import { ReckonerError } from "./errors.js";
import { type GivenEvent, type RunEvent, settles } from "./event.js";
import { messageFault } from "./message-fault.js";
import { settlementFault } from "./settlement-fault.js";

/**
 * An event as it may enter a run: JSON, with a type and a time, and an id where it settles.
 * @throws ReckonerError `event.invalid`, `json.refused`
 */
export function parseEvent(raw: GivenEvent): RunEvent & { readonly id?: Json } {
  const event = toJson(raw, "$") as unknown as RunEvent & { readonly id?: Json };
  const invalid = (what: string) => new ReckonerError("event.invalid", `The event ${what}.`);
  if (typeof event !== "object" || event === null || typeof event.type !== "string") {
    throw invalid("has no type");
  }
  if ((event.type as string) === "*") throw invalid("has the type *, which stands for every other");
  if (event.type.startsWith("xstate.")) throw invalid(`${event.type} is one of XState's own`);
  checkTime(event.at, `${event.type}.at`);
  if (settles[event.type] !== undefined && typeof event.id !== "string") {
    throw invalid(`${event.type} settles a directive, so it needs the directive's id`);
  }
  const parts = asJson(event);
  const fault = settles[event.type] === undefined ? partsFault(parts) : answerFault(parts);
  if (fault !== undefined) throw invalid(`${event.type} ${fault}`);
  return event;
}

/** Describes the fault of an event that answers a directive. */
function answerFault(event: JsonObject): string | undefined {
  const { type, approve, reason, origin } = event;
  if (!isOrigin(origin)) return "needs an origin that is { by, role? }, of texts";
  if (type !== "approval.decided") return settlementFault(event);
  if (typeof approve !== "boolean") return "must say approve: true or approve: false";
  return reasonFault(reason);
}

/** Returns true if a value says who outside gave a settlement, or is absent. */
function isOrigin(origin: Json | undefined): boolean {
  if (origin === undefined) return true;
  if (typeof origin !== "object" || origin === null || Array.isArray(origin)) return false;
  const { by, role, ...more } = origin as JsonObject;
  const isText = typeof by === "string" && (role === undefined || typeof role === "string");
  return isText && Object.keys(more).length === 0;
}

/** Describes the fault of a person's message or decision. */
function partsFault({ type, id, to, content, reason, partial }: JsonObject): string | undefined {
  switch (type) {
    case "message":
      return (
        messageFault({ role: "user", content }) ?? (id === undefined ? undefined : idFault(id))
      );
    case "message.edited":
      return idFault(id) ?? messageFault({ role: "user", content });
    case "message.removed":
      return idFault(id);
    case "message.moved":
      return idFault(id) ?? (isPlace(to) ? undefined : "needs to, a place from 0 on");
    case "interrupt":
      return partialFault(partial) ?? reasonFault(reason);
    case "cancel":
      return reasonFault(reason);
    default:
      return undefined;
  }
}

function idFault(id: Json | undefined): string | undefined {
  return typeof id === "string" && id !== "" ? undefined : "needs the id of a message, a string";
}

function isPlace(to: Json | undefined): boolean {
  return Number.isSafeInteger(to) && (to as number) >= 0;
}

function reasonFault(reason: Json | undefined): string | undefined {
  return reason === undefined || typeof reason === "string"
    ? undefined
    : "needs a string as reason";
}

/** Describes the fault of the partial answers of an interrupt. */
function partialFault(partial: Json | undefined): string | undefined {
  if (!isObject(partial)) return "needs partial, an object of what had streamed, by id";
  for (const [id, answer] of Object.entries(partial)) {
    if (!isObject(answer) || !Array.isArray(answer.content) || !isObject(answer.usage)) {
      return `needs content and usage for ${id}`;
    }
    const fault = messageFault({ role: "assistant", content: answer.content });
    if (fault !== undefined) return `${fault} for ${id}`;
  }
  return undefined;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @throws ReckonerError `event.invalid` where it is no time */
export function checkTime(at: unknown, what: string): void {
  if (typeof at === "number" && Number.isFinite(at)) return;
  throw new ReckonerError("event.invalid", `${what} must be a time in milliseconds since 1970.`);
}
