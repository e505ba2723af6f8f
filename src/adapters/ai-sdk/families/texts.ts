/** Rules on texts in a model request: none is blank, and no message and no tool result is without content. */
import type {
  Message,
  ToolContentPart,
  ToolOutput,
} from "../../../core/kernel/vocabulary/index.js";
import { FAMILIES, type Family, type Target } from "./family.js";
import { firstFault, isBlank, mapMessages, mapResults, type Rule } from "./rule.js";

/** The text of a user's message that says nothing. */
export const NO_TEXT = "(no text)";
/** The text of an empty result. */
export const NO_OUTPUT = "(no output)";

type Text = { readonly text: string; readonly providerOptions?: object };

/** Families that take blank texts; an empty one may carry a signature or an item there. */
const BLANK_TAKERS: readonly Family[] = ["openai-chat", "openai-responses", "google"];

function saysNothing({ text, providerOptions }: Text, { family }: Target): boolean {
  return BLANK_TAKERS.includes(family)
    ? text === "" && providerOptions === undefined
    : isBlank(text);
}

/** A message's content without texts that say nothing; the same where there is none. */
function cleaned(message: Message, target: Target): Message {
  const { content } = message;
  if (typeof content === "string" || message.role === "tool") return message;
  const parts = content.filter(
    (part) => part.type !== "text" || !saysNothing(part as unknown as Text, target),
  );
  return parts.length === content.length
    ? message
    : ({ ...message, content: parts } as unknown as Message);
}

/** Texts that are blank, or empty where blanks are taken. */
export const BLANK_TEXT: Rule = {
  name: "texts.blank",
  families: FAMILIES,
  demands:
    "No text part is empty; for Anthropic, Bedrock, Mistral and compatible servers none is blank",
  source: "claude-code#23369, opencode#31259, botocore#3525, hermes-agent#61318",
  sure: "B",
  fault: (request, target) =>
    firstFault(request, (message) =>
      cleaned(message, target) === message ? undefined : "has a text that says nothing",
    ),
  mend: (request, target) => ({ request: mapMessages(request, (each) => cleaned(each, target)) }),
};

function isEmpty({ role, content }: Message, { family }: Target): boolean {
  if (typeof content !== "string") return content.length === 0;
  return BLANK_TAKERS.includes(family) && role === "user" ? content === "" : isBlank(content);
}

/** A message without content: one of a user stays as a placeholder, so that the roles keep their order. */
export const EMPTY_MESSAGE: Rule = {
  name: "messages.empty",
  families: FAMILIES,
  demands: "No message and no system text is without content",
  source: "pydantic-ai models, pi#3443, langchain#34140",
  sure: "A",
  fault: (request, target) =>
    request.system !== undefined && isBlank(request.system)
      ? "the system text is blank"
      : firstFault(request, (message) => (isEmpty(message, target) ? "says nothing" : undefined)),
  mend(request, target) {
    const { system, ...rest } = mapMessages(request, (message) => {
      if (!isEmpty(message, target)) return message;
      return message.role === "user" ? { ...message, content: NO_TEXT } : [];
    });
    return { request: system === undefined || isBlank(system) ? rest : { ...rest, system } };
  },
};

/** A result's output that says something. */
function filled(output: ToolOutput): ToolOutput {
  switch (output.type) {
    case "text":
    case "error-text":
      return isBlank(output.value) ? { ...output, value: NO_OUTPUT } : output;
    case "content":
    case "error-content": {
      const parts = output.value.filter((part) => part.type !== "text" || !isBlank(part.text));
      if (parts.length > 0)
        return parts.length === output.value.length ? output : { ...output, value: parts };
      return { type: output.type === "content" ? "text" : "error-text", value: NO_OUTPUT };
    }
    default:
      return output;
  }
}

/** Results that say nothing. */
export const EMPTY_RESULT: Rule = {
  name: "results.empty",
  families: FAMILIES,
  demands: "A tool's result has content: a list of parts has at least one, and no text is blank",
  source: "platform.claude.com handle-tool-calls, OpenAI ChatCompletionRequestToolMessage",
  sure: "A",
  fault: (request) =>
    firstFault(request, (message) =>
      mapResults(message, (part) => withOutput(part, filled)) === message
        ? undefined
        : "has a result that says nothing",
    ),
  mend: (request) => ({
    request: mapMessages(request, (message) =>
      mapResults(message, (part) => withOutput(part, filled)),
    ),
  }),
};

/** A result with its output mapped; the same where it does not change. */
export function withOutput<Part extends { readonly output: ToolOutput }>(
  part: Part,
  map: (output: ToolOutput) => ToolOutput,
): Part {
  const output = map(part.output);
  return output === part.output ? part : { ...part, output };
}

/** Families that have a sign for a failed result. */
const WITH_ERROR_SIGN: readonly Family[] = ["anthropic"];

const SAYS_SO =
  /\b(?:errors?|fail(?:s|ed|ure)?|denied|rejected|refused|interrupted|cannot|invalid|not (?:found|executed))\b/i;

/** An error's text, which says that it is one. */
const asError = (text: string): string => (SAYS_SO.test(text) ? text : `Error: ${text}`);

/** A failed output as a plain one that says so. */
function inWords(output: ToolOutput): ToolOutput {
  switch (output.type) {
    case "error-text":
      return { type: "text", value: asError(output.value) };
    case "execution-denied":
      return { type: "text", value: asError(output.reason ?? DENIED) };
    case "error-json":
      return typeof output.value === "string"
        ? { type: "text", value: asError(output.value) }
        : { type: "json", value: { error: output.value } };
    case "error-content": {
      const text = textsOnly(output.value);
      return text === undefined ? withWord(output.value) : { type: "text", value: asError(text) };
    }
    default:
      return output;
  }
}

type Parts = readonly ToolContentPart[];

/** The text of parts that are nothing else. */
function textsOnly(parts: Parts): string | undefined {
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  return texts.length === parts.length ? texts.join("\n") : undefined;
}

/** Parts of a failed result, for which no version of the SDK has a sign. */
const withWord = (parts: Parts): ToolOutput => ({
  type: "content",
  value: [{ type: "text", text: FAILED }, ...parts],
});

const FAILED = "The tool call failed.";
const DENIED = "Tool call execution denied.";

/** A failed output in the form that has a sign: text, or parts that say so. */
function signed(output: ToolOutput): ToolOutput {
  if (output.type === "execution-denied")
    return { type: "error-text", value: output.reason ?? DENIED };
  if (output.type !== "error-content") return output;
  const text = textsOnly(output.value);
  return text === undefined ? withWord(output.value) : { type: "error-text", value: text };
}

const errorForm = ({ family }: Target) => (WITH_ERROR_SIGN.includes(family) ? signed : inWords);

/**
 * Failed results. A model reads them the same way whatever its client's version: some write them plainly,
 * some into JSON of their own.
 */
export const FAILED_RESULT: Rule = {
  name: "results.failed",
  families: FAMILIES,
  demands: "A failed result says so in words where the family has no sign for it",
  source: "@ai-sdk clients of both majors, captured",
  sure: "A",
  fault: (request, target) =>
    firstFault(request, (message) =>
      mapResults(message, (part) => withOutput(part, errorForm(target))) === message
        ? undefined
        : "has a failed result without the family's form",
    ),
  mend: (request, target) => ({
    request: mapMessages(request, (message) =>
      mapResults(message, (part) => withOutput(part, errorForm(target))),
    ),
  }),
};
