/** Messages at the border: whether what a caller hands over as a message has a message's shape. */
import { shownBriefly } from "./bounds.js";
import type { Message } from "./message.js";

type Loose = { readonly [part: string]: unknown };

/**
 * What is wrong with a value that should be a message, in words; `undefined` where it is one. Parts
 * of a kind that we do not know are a provider's own, and let through.
 */
export function messageFault(value: unknown): string | undefined {
  if (!isObject(value)) return "is no message";
  const { role, content } = value;
  switch (role) {
    case "system":
      return typeof content === "string" ? undefined : "needs a text as content";
    case "user":
    case "assistant":
      if (typeof content === "string") return undefined;
      if (!Array.isArray(content)) return "needs a text or parts as content";
      return partsFault(content) ?? (role === "user" ? notSaidFault(content) : undefined);
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

/** What is wrong with what a model answered; a call without arguments is what it said. */
export function answerFault(content: unknown): string | undefined {
  return Array.isArray(content) ? partsFault(content, true) : "has no list of parts as its content";
}

function partsFault(parts: readonly unknown[], isAnswer = false): string | undefined {
  const needed = isAnswer ? answered : texts;
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i];
    if (!isObject(part) || typeof part.type !== "string") return `has a part ${i} without a type`;
    const { type } = part;
    for (const name of Object.hasOwn(needed, type) ? (needed[type] as readonly string[]) : []) {
      if (typeof part[name] !== "string") return `has a ${type} part ${i} without ${name}`;
    }
    if (type === "tool-call" && part.input === undefined && !isAnswer)
      return `has a tool-call part ${i} without input`;
    if (type !== "tool-result") continue;
    if (!isObject(part.output) || typeof part.output.type !== "string") {
      return `has a tool-result part ${i} without an output`;
    }
  }
  return undefined;
}

/** What a user does not say: a model calls, a tool answers. */
function notSaidFault(parts: readonly unknown[]): string | undefined {
  const of = (type: unknown) => type === "tool-call" || type === "tool-result";
  const i = parts.findIndex((part) => of((part as Loose).type));
  return i < 0 ? undefined : `has a part ${i} that no user says`;
}

function isObject(value: unknown): value is Loose {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
