/**
 * Measures the length of a model request in Latin letters, from which its tokens are estimated. Each message is
 * measured once and cached, since a transcript grows from request to request.
 */
import { isList, type List, sumOfItems } from "../../core/kernel/values/index.js";
import {
  type LlmDirective,
  lettersAround,
  lettersOfMessages,
  type Message,
} from "../../core/kernel/vocabulary/index.js";

/** Letters of a request's texts, and of its media. */
export interface AskedLetters {
  readonly asked: number;
  readonly media: number;
}

/** The letters of messages and of full rows of them. */
const texts = new WeakMap<object, number>();
const media = new WeakMap<object, number>();
/** The letters of lists of tools: an agent's are the same from call to call. */
const around = new WeakMap<object, number>();

const textsIn = (message: Message) => lettersOfMessages([message], "texts");
const mediaIn = (message: Message) => lettersOfMessages([message], "media");

/** Returns the letters of a request. */
export function askedLetters(directive: LlmDirective): AskedLetters {
  const { messages, tools, system, responseFormat } = directive;
  const outside = lettersAround({ system, responseFormat } as LlmDirective) + lettersOfTools(tools);
  if (!isList(messages)) {
    const all = messages as readonly Message[];
    return {
      asked: outside + lettersOfMessages(all, "texts"),
      media: lettersOfMessages(all, "media"),
    };
  }
  const list = messages as List<Message>;
  return {
    asked: outside + sumOfItems(list, textsIn, texts),
    media: sumOfItems(list, mediaIn, media),
  };
}

function lettersOfTools(tools: LlmDirective["tools"]): number {
  if (tools === undefined) return 0;
  const found = around.get(tools);
  if (found !== undefined) return found;
  const letters = lettersAround({ tools });
  around.set(tools, letters);
  return letters;
}
