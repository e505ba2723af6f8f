/**
 * Measures what a model is asked, in Latin letters. A transcript goes on from request to request, and
 * is measured once: a call does not cost the length of the run.
 */
import {
  isList,
  itemAt,
  type List,
  type LlmDirective,
  lettersAround,
  lettersOfMessages,
  type Message,
  sharesPrefix,
  sizeOf,
} from "../../core/kernel/index.js";

/** Letters of a request's texts, and of its media. */
export interface AskedLetters {
  readonly asked: number;
  readonly media: number;
}

interface Measured extends AskedLetters {
  readonly messages: List<Message>;
}

/** The last transcript that was measured, of each host. */
const measured = new WeakMap<object, Measured>();

/** @param host whose requests go on from one another */
export function askedLetters(directive: LlmDirective, host: object): AskedLetters {
  const { messages } = directive;
  const { asked, media } = isList(messages)
    ? ofTranscript(messages as List<Message>, host)
    : of(messages as readonly Message[]);
  return { asked: asked + lettersAround(directive), media };
}

function ofTranscript(messages: List<Message>, host: object): AskedLetters {
  const last = measured.get(host);
  const before = last !== undefined && sharesPrefix(messages, last.messages) ? last : undefined;
  const added: Message[] = [];
  for (let i = before === undefined ? 0 : sizeOf(before.messages); i < sizeOf(messages); i++) {
    added.push(itemAt(messages, i) as Message);
  }
  const more = of(added);
  const all = {
    messages,
    asked: more.asked + (before?.asked ?? 0),
    media: more.media + (before?.media ?? 0),
  };
  measured.set(host, all);
  return all;
}

function of(messages: readonly Message[]): AskedLetters {
  return {
    asked: lettersOfMessages(messages, "texts"),
    media: lettersOfMessages(messages, "media"),
  };
}
