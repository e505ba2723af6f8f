/** Validates messages that a caller passes. */

import { blobFault, isBlob } from "./blob-fault.js";
import type { Message } from "./message.js";
import { shownBriefly } from "./size-limits.js";

type Loose = { readonly [part: string]: unknown };

/**
 * Describes the fault of a value that should be a message; `undefined` where it is one. A model's parts
 * of a kind that we do not know are a provider's own, and let through.
 */
export function messageFault(value: unknown): string | undefined {
  if (!isObject(value)) return "is not a message";
  const { role, content } = value;
  switch (role) {
    case "system":
      return typeof content === "string" ? undefined : "needs a string as content";
    case "user":
    case "assistant":
      if (typeof content === "string") return undefined;
      if (!Array.isArray(content)) return "needs a string or parts as content";
      return role === "user" ? saidFault(content) : partsFault(content);
    case "tool":
      return Array.isArray(content) ? partsFault(content) : "needs tool results as content";
    default:
      return `has role ${shownBriefly(role)}; one of ${roles.join(", ")} is needed`;
  }
}

const roles: readonly Message["role"][] = ["system", "user", "assistant", "tool"];

type Texts = { readonly [type: string]: readonly string[] };

/** The texts that parts of a kind must have; others are checked by whoever sends them on. */
const texts: Texts = {
  text: ["text"],
  reasoning: ["text"],
  "tool-call": ["toolCallId", "toolName"],
  "tool-result": ["toolCallId", "toolName"],
};
/** Those of an answer: what a model makes beside words has no other form in JSON. */
const answered: Texts = {
  ...texts,
  file: ["data", "mediaType"],
  "reasoning-file": ["data", "mediaType"],
  source: ["sourceType", "id"],
  custom: ["kind"],
};

/** Those of what a user says, which nobody but the caller writes. */
const said: Texts = { text: ["text"], image: ["image"], file: ["data", "mediaType"] };

/** Describes the fault of a model's answer; a call without arguments is what it said. */
export function answerFault(content: unknown): string | undefined {
  return Array.isArray(content)
    ? partsFault(content, answered)
    : "has no list of parts as its content";
}

function partsFault(parts: readonly unknown[], needed: Texts = texts): string | undefined {
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i];
    if (!isObject(part) || typeof part.type !== "string") return `has a part ${i} without a type`;
    const { type } = part;
    if (isBlob(part)) {
      const fault = needed === answered ? "with blob; a model's file has data" : blobFault(part);
      if (fault !== undefined) return `has a file part ${i} ${fault}`;
      continue;
    }
    for (const name of Object.hasOwn(needed, type) ? (needed[type] as readonly string[]) : []) {
      if (typeof part[name] !== "string") return `has ${anOf(type)} part ${i} without ${name}`;
    }
    if (type === "tool-call" && part.input === undefined && needed !== answered)
      return `has a tool-call part ${i} without input`;
    if (type !== "tool-result") continue;
    if (!isObject(part.output) || typeof part.output.type !== "string") {
      return `has a tool-result part ${i} without an output`;
    }
  }
  return undefined;
}

/** A user says something, and what we know: a model calls, a tool answers, a provider makes the rest. */
function saidFault(parts: readonly unknown[]): string | undefined {
  if (parts.length === 0) return "needs a part at least";
  const fault = partsFault(parts, said);
  if (fault !== undefined) return fault;
  const i = parts.findIndex((part) => !Object.hasOwn(said, (part as Loose).type as string));
  if (i < 0) return undefined;
  const { type } = parts[i] as Loose;
  return `has a part ${i} of type ${shownBriefly(type)}; text, image or file is needed`;
}

function anOf(type: string): string {
  return `${type.startsWith("i") ? "an" : "a"} ${type}`;
}

function isObject(value: unknown): value is Loose {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
