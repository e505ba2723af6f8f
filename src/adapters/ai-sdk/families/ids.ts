/**
 * The rule on the ids of tool calls: unique over the whole model request, in the letters and length that the
 * provider's family takes. Servers that count calls in each answer repeat them (`call_0`).
 */

import { digestOf } from "../../../core/kernel/values/index.js";
import type { AssistantPart, Message } from "../../../core/kernel/vocabulary/index.js";
import { FAMILIES, type Family, isMistralModel, type Target } from "./family.js";
import { mapMessages, type Rule } from "./rule.js";

/** Characters of an id, by family; older servers of OpenAI's chat take forty. */
const longest: { readonly [F in Family]?: number } = { "openai-chat": 40, "openai-compatible": 40 };
const LONGEST = 64;

/** The form of the ids that a target takes, and the way to make one of an id that it does not take. */
interface Form {
  takes(id: string): boolean;
  /** The nth try, from 1, until one is free. */
  another(id: string, n: number): string;
}

const NINE = 9;
const nineLetters: Form = {
  takes: (id) => /^[a-zA-Z0-9]{9}$/.test(id),
  another: (id, n) =>
    digestOf(`${n}\n${id}`)
      .replace(/[^a-zA-Z0-9]/g, "0")
      .slice(0, NINE),
};

function lettersAndLength(length: number): Form {
  return {
    takes: (id) => /^[a-zA-Z0-9_-]+$/.test(id) && id.length <= length,
    another(id, n) {
      const letters = id.replace(/[^a-zA-Z0-9_-]/g, "_") || "call";
      const end = n === 1 ? "" : `_${n}`;
      if (letters.length + end.length <= length) return `${letters}${end}`;
      return `${digestOf(id)}${end}`;
    },
  };
}

function formOf(target: Target): Form {
  return isMistralModel(target) ? nineLetters : lettersAndLength(longest[target.family] ?? LONGEST);
}

/**
 * Each call's id in a request, in the order of the transcript: its own where the target takes it and
 * no call before has it. One map for calls and results, and so none of two calls is taken for another.
 */
class Ids {
  readonly #form: Form;
  readonly #used = new Set<string>();
  /** The newest call of each id: that is whose result comes next. */
  readonly #now = new Map<string, string>();
  changed = false;

  constructor(form: Form) {
    this.#form = form;
  }

  ofCall(id: string): string {
    let sent = id;
    for (let n = 1; this.#used.has(sent) || !this.#form.takes(sent); n++)
      sent = this.#form.another(id, n);
    this.#used.add(sent);
    this.#now.set(id, sent);
    if (sent !== id) this.changed = true;
    return sent;
  }

  ofResult(id: string): string {
    return this.#now.get(id) ?? id;
  }

  /** A message with its ids as they are sent. */
  in(message: Message): Message {
    if (message.role === "system" || message.role === "user" || typeof message.content === "string")
      return message;
    const content = message.content.map((part) => {
      if (part.type === "tool-call") return withId(part, this.ofCall(part.toolCallId));
      return part.type === "tool-result" ? withId(part, this.ofResult(part.toolCallId)) : part;
    });
    return { ...message, content } as Message;
  }

  /** Ids as they were, by those that were sent. */
  back(): ReadonlyMap<string, string> {
    return new Map([...this.#now].map(([id, sent]) => [sent, id]));
  }
}

const withId = <Part extends { readonly toolCallId: string }>(
  part: Part,
  toolCallId: string,
): Part => (part.toolCallId === toolCallId ? part : { ...part, toolCallId });

/** Results of calls of earlier answers, as providers' own tools bring them, with the ids as they were. */
function resultsBack(
  content: readonly AssistantPart[],
  was: ReadonlyMap<string, string>,
): readonly AssistantPart[] {
  const here = new Set(
    content.flatMap((part) => (part.type === "tool-call" ? [part.toolCallId] : [])),
  );
  return content.map((part) =>
    part.type === "tool-result" && !here.has(part.toolCallId)
      ? withId(part, was.get(part.toolCallId) ?? part.toolCallId)
      : part,
  );
}

/** Ids of calls. */
export const CALL_IDS: Rule = {
  name: "calls.ids",
  families: FAMILIES,
  demands:
    "Ids of calls are unique over the request and of letters, digits, _ and -: at most 64, 40 with OpenAI's chat, exactly nine letters and digits with Mistral's models",
  source:
    "qwen-code#8160, langchain#37756, vercel/ai#5171, ironclaw#1241, OpenAI FunctionCallOutputItemParam",
  sure: "B",
  fault({ messages }, target) {
    const ids = new Ids(formOf(target));
    for (const message of messages) ids.in(message);
    return ids.changed ? "a call's id is repeated, or not of the family's form" : undefined;
  },
  mend(request, target) {
    const ids = new Ids(formOf(target));
    const mended = mapMessages(request, (message) => ids.in(message));
    const was = ids.back();
    return { request: mended, back: (content) => resultsBack(content, was) };
  },
};
