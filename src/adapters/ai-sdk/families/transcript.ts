/**
 * Rules on the order of messages in a model request: results behind their calls, roles, and the place of a
 * system text.
 */
import { repairTranscript } from "../../../core/agent/index.js";
import type { AssistantPart, Message, ToolMessage } from "../../../core/kernel/vocabulary/index.js";
import { FAMILIES, type Family, isMistralModel, originOf, type Target } from "./family.js";
import { firstFault, mapMessages, mapParts, partsOf, type Rule, userText } from "./rule.js";

/** The kinds of a model's parts that a request has a form for, or a rule. */
const KINDS: ReadonlySet<string> = new Set<AssistantPart["type"]>([
  "text",
  "reasoning",
  "reasoning-file",
  "file",
  "source",
  "custom",
  "tool-call",
  "tool-result",
]);

/** Parts that other programs keep in a transcript: questions for approval, where a step began. */
export const UNKNOWN_PARTS: Rule = {
  name: "parts.unknown",
  families: FAMILIES,
  demands: "A model's message has parts of the SDK's specification",
  source: "vercel/ai#11110; @ai-sdk/mistral throws for any other part",
  sure: "A",
  fault: (request) =>
    firstFault(request, (message) =>
      partsOf(message).every(({ type }) => KINDS.has(type))
        ? undefined
        : "has a part of another kind",
    ),
  mend(request, target) {
    const others = request.messages.flatMap(partsOf).filter(({ type }) => !KINDS.has(type));
    // An approval that was asked for and decided is in the call's result.
    const lost = new Set(others.map(({ type }) => String(type)));
    lost.delete("tool-approval-request");
    return {
      request: mapMessages(request, (message) =>
        mapParts(message, (part) => (KINDS.has(part.type) ? part : [])),
      ),
      lost: [...lost].map((type) => `Parts of type ${type} are not sent to ${originOf(target)}.`),
    };
  },
};

/** Every call has one result right behind it, and every result its call. */
export const PAIRING: Rule = {
  name: "results.paired",
  families: FAMILIES,
  demands:
    "Every call has exactly one result, in the message behind it and in the calls' order, and every result its call",
  source: "OpenAI chat, claude-code#13460, gemini-cli#16415, bedrock converse",
  sure: "B",
  fault: ({ messages }) =>
    repairTranscript(messages).repair === null ? undefined : "a call and its result do not meet",
  mend: (request, target) => ({
    request: { ...request, messages: repairTranscript(request.messages).messages },
    lost: [
      `A transcript in which calls and results do not meet was put in order for ${originOf(target)}.`,
    ],
  }),
};

/** A message's own options go with its last result, since the message is merged with others. */
function resultsOf({ content, providerOptions }: ToolMessage): ToolMessage["content"] {
  if (providerOptions === undefined) return content;
  return content.map((part, i) =>
    i < content.length - 1
      ? part
      : { ...part, providerOptions: { ...providerOptions, ...part.providerOptions } },
  );
}

/** Results of one answer are one message. */
export const ONE_RESULT_MESSAGE: Rule = {
  name: "results.merged",
  families: FAMILIES,
  demands: "All results of one answer stand in one message",
  source: "anthropic-sdk-typescript#653, gemini-cli#16415, pipecat#3420",
  sure: "B",
  fault: ({ messages }) =>
    messages.some(
      (message, i) =>
        message.role === "tool" &&
        (message.providerOptions !== undefined || messages[i - 1]?.role === "tool"),
    )
      ? "an answer has its results in several messages"
      : undefined,
  mend(request) {
    const messages: Message[] = [];
    for (const message of request.messages) {
      const last = messages.at(-1);
      if (message.role !== "tool") messages.push(message);
      else if (last?.role !== "tool") messages.push({ role: "tool", content: resultsOf(message) });
      else {
        messages[messages.length - 1] = {
          role: "tool",
          content: [...last.content, ...resultsOf(message)],
        };
      }
    }
    return { request: { ...request, messages } };
  },
};

/** Families that take one system text, at the start: those whose clients join several are not here. */
const ONE_SYSTEM: readonly Family[] = ["mistral", "openai-compatible"];
const SYSTEM_FIRST: readonly Family[] = ["anthropic", "google", "bedrock", ...ONE_SYSTEM];

/** Counts the system texts at the start. */
export const leadingSystems = (messages: readonly Message[]): number => {
  const first = messages.findIndex(({ role }) => role !== "system");
  return first < 0 ? messages.length : first;
};

/** Instructions in the middle, as a user's message that says what it is. */
function asUser({ content, providerOptions }: Extract<Message, { role: "system" }>): Message {
  const options = providerOptions === undefined ? {} : { providerOptions };
  return { ...userText(`[Instructions]\n${content}`), ...options } as Message;
}

/** Instructions in the middle of a transcript. Put at its top they would change what was cached. */
export const SYSTEM_IN_THE_MIDDLE: Rule = {
  name: "system.in-the-middle",
  families: SYSTEM_FIRST,
  demands: "System texts stand at the start",
  source: "@ai-sdk/google and @ai-sdk/amazon-bedrock throw; pydantic-ai, pi-mono compat table",
  sure: "A",
  fault(request) {
    const leading = leadingSystems(request.messages);
    return firstFault(request, ({ role }, i) =>
      role === "system" && i >= leading ? "stands in the middle" : undefined,
    );
  },
  mend(request, target) {
    const leading = leadingSystems(request.messages);
    return {
      request: mapMessages(request, (message, i) =>
        message.role === "system" && i >= leading ? asUser(message) : message,
      ),
      lost: [
        `${originOf(target)} reads instructions in the middle of a transcript as a user's message.`,
      ],
    };
  },
};

/** Several system texts at the start. */
export const SYSTEM_ONCE: Rule = {
  name: "system.once",
  families: ONE_SYSTEM,
  demands: "There is one system text",
  source: "pi-mono compat table, pydantic-ai models",
  sure: "A",
  fault: ({ messages }) =>
    leadingSystems(messages) > 0 ? "there are several system texts" : undefined,
  mend(request) {
    const leading = leadingSystems(request.messages);
    const texts = request.messages.slice(0, leading).map(({ content }) => content);
    const system = [...(request.system === undefined ? [] : [request.system]), ...texts].join(
      "\n\n",
    );
    return { request: { ...request, system, messages: request.messages.slice(leading) } };
  },
};

/** The text of a user who has said nothing yet. */
export const BEGIN = "(The conversation begins.)";
/** The words that ask a model to go on behind its own. */
export const GO_ON = "Continue.";
/** A model's word between results and a user. */
export const SEEN = "I have read the results.";

const USER_FIRST: readonly Family[] = [
  "openai-responses",
  "anthropic",
  "google",
  "bedrock",
  "mistral",
  "openai-compatible",
];

const firstBehindSystems = (messages: readonly Message[]): Message | undefined =>
  messages[leadingSystems(messages)];

/** A conversation begins with a user. */
export const FIRST_USER: Rule = {
  name: "roles.first-user",
  families: USER_FIRST,
  demands: "There is a user's message, and it comes first",
  source: "Anthropic messages API, bedrock converse (live, pydantic-ai), gemini-cli#11814",
  sure: "A",
  prefix: "A placeholder for a conversation without a message is gone when a user begins it.",
  fault: ({ messages }) =>
    firstBehindSystems(messages)?.role === "user" ? undefined : "the first message is not a user's",
  mend(request) {
    const leading = leadingSystems(request.messages);
    return {
      request: { ...request, messages: request.messages.toSpliced(leading, 0, userText(BEGIN)) },
    };
  },
};

const NO_PREFILL: readonly Family[] = ["anthropic", "google", "bedrock", "openai-compatible"];

/** An answer that a provider's own tool works on goes back as it is: `pause_turn`. */
function isPaused(message: Message): boolean {
  const last: AssistantPart | undefined = partsOf(message).at(-1);
  return (
    last?.type === "tool-result" || (last?.type === "tool-call" && last.providerExecuted === true)
  );
}

/** Returns true if a message is a model's word with which a request must not end. */
const isLastWord = (message: Message | undefined): boolean =>
  message?.role === "assistant" && !isPaused(message);

/** A request does not end with the model's own words. */
export const LAST_USER: Rule = {
  name: "roles.last-user",
  families: NO_PREFILL,
  demands: "The last message is a user's or a result; an answer that was paused goes back as it is",
  source: "llxprt-code#3695, crewAI#6973, opencode-dynamic-context-pruning#520",
  sure: "B",
  prefix: "A user's own message takes the place of the word that asked the model to go on.",
  fault: ({ messages }) =>
    isLastWord(messages.at(-1)) ? "the last message is the model's" : undefined,
  mend: (request) => ({
    request: { ...request, messages: [...request.messages, userText(GO_ON)] },
  }),
};

const hasDocument = ({ role, content }: Message): boolean =>
  role === "user" &&
  typeof content !== "string" &&
  content.some((part) => part.type === "file" && !part.mediaType.startsWith("image/"));

/** Returns true if a user's message must not stand right behind results. */
function needsWordBefore(message: Message, target: Target): boolean {
  if (message.role !== "user") return false;
  if (isMistralModel(target)) return true;
  if (target.family !== "bedrock") return false;
  return /llama/i.test(target.modelId) || hasDocument(message);
}

/** A user's message does not stand right behind results. */
export const WORD_BETWEEN: Rule = {
  name: "roles.word-between",
  families: ["mistral", "bedrock", "openai-compatible"],
  demands: "Between results and a user's message stands a word of the model",
  source: "avante#2695, hermes-agent#20154, litellm#6323; bedrock: pydantic-ai, pi-mono",
  sure: "B",
  fault: (request, target) =>
    firstFault(request, (message, i) =>
      request.messages[i - 1]?.role === "tool" && needsWordBefore(message, target)
        ? "stands right behind results"
        : undefined,
    ),
  mend: (request, target) => ({
    request: mapMessages(request, (message, i) =>
      request.messages[i - 1]?.role === "tool" && needsWordBefore(message, target)
        ? [{ role: "assistant", content: [{ type: "text", text: SEEN }] }, message]
        : message,
    ),
  }),
};

/** A message's content as parts. */
function contentOf({ content }: Message): readonly object[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

const isJoined = ({ role }: Message, before: Message | undefined): boolean =>
  before?.role === role && (role === "user" || role === "assistant");

/** Neighbours of one role are one message. */
export const JOINED: Rule = {
  name: "roles.joined",
  families: ["google", "mistral"],
  demands: "No two neighbours are of one role",
  source: "crush#279, gemini-cli#26956, pydantic-ai models",
  sure: "C",
  prefix: "A message that comes behind one of its own role is joined to it.",
  fault: (request) =>
    firstFault(request, (message, i) =>
      isJoined(message, request.messages[i - 1]) ? "comes behind one of its own role" : undefined,
    ),
  mend(request) {
    const messages: Message[] = [];
    for (const message of request.messages) {
      const last = messages.at(-1);
      if (last !== undefined && isJoined(message, last)) {
        const content = [...contentOf(last), ...contentOf(message)];
        messages[messages.length - 1] = { ...last, content } as Message;
      } else messages.push(message);
    }
    return { request: { ...request, messages } };
  },
};
