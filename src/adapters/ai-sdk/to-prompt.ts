/**
 * Converts a transcript to a provider's prompt, in the version of the specification that the model
 * implements. What that version cannot express is left out.
 */
import type {
  AssistantPart,
  Json,
  JsonObject,
  Message,
  ToolResultPart,
  UserPart,
} from "../../core/kernel/index.js";
import type { Dialect } from "./specification.js";
import { type Files, filePart } from "./to-file-part.js";
import { toToolOutput } from "./to-tool-output.js";

/** A message or a part of the prompt. */
type Part = { readonly [name: string]: unknown };

/**
 * The prompt. Nothing of the transcript is changed in place.
 * @param files the files that stand for URLs which the provider does not fetch
 */
export function toPrompt(
  dialect: Dialect,
  system: string | undefined,
  messages: readonly Message[],
  files: Files,
): object[] {
  const prompt: object[] = system === undefined ? [] : [{ role: "system", content: system }];
  let results: ToolResultPart[] = [];
  const tell = () => {
    if (results.length > 0) {
      prompt.push({
        role: "tool",
        content: results.map((part) => toolResult(dialect, part, files)),
      });
    }
    results = [];
  };
  for (const message of messages) {
    // Providers want the results of one answer in one message.
    if (message.role === "tool") {
      results.push(...withOptions(message));
      continue;
    }
    tell();
    const content = contentOf(dialect, message, files);
    if (message.role === "assistant" && content.length === 0) continue;
    prompt.push({ role: message.role, content, ...optionsOf(message) });
  }
  tell();
  return prompt;
}

/** A message's own options go with its last result, since the message is merged with others. */
function withOptions({ content, providerOptions }: Extract<Message, { role: "tool" }>) {
  if (providerOptions === undefined) return content;
  return content.map((part, i) =>
    i < content.length - 1
      ? part
      : { ...part, providerOptions: { ...providerOptions, ...part.providerOptions } },
  );
}

function contentOf(
  dialect: Dialect,
  message: Exclude<Message, { role: "tool" }>,
  files: Files,
): string | Part[] {
  if (message.role === "system") return message.content;
  const { content } = message;
  if (typeof content === "string") {
    return content === "" && message.role === "assistant" ? [] : [{ type: "text", text: content }];
  }
  return message.role === "user"
    ? (content as readonly UserPart[]).flatMap((part) => userPart(dialect, part, files))
    : (content as readonly AssistantPart[]).flatMap((part) => assistantPart(dialect, part, files));
}

function userPart(dialect: Dialect, part: UserPart, files: Files): Part[] {
  if (part.type !== "text") return [filePart(dialect.version, part, files)];
  return part.text === "" ? [] : [textPart(part)];
}

function assistantPart(dialect: Dialect, part: AssistantPart, files: Files): Part[] {
  const options = optionsOf(part);
  switch (part.type) {
    case "text":
      return part.text === "" && part.providerOptions === undefined ? [] : [textPart(part)];
    case "reasoning":
      return [{ type: "reasoning", text: part.text, ...options }];
    case "file":
      return [filePart(dialect.version, part, files)];
    case "reasoning-file":
      return dialect.version === "v4"
        ? [{ ...filePart(dialect.version, part, files), type: "reasoning-file" }]
        : [];
    case "custom":
      return dialect.version === "v4" ? [{ type: "custom", kind: part.kind, ...options }] : [];
    // A prompt has no place for sources: what a provider has to see of them again stands in the
    // options of the texts that cite them, and in its tools' results.
    case "source":
      return [];
    case "tool-call":
      return [
        {
          type: "tool-call",
          toolCallId: part.toolCallId,
          toolName: part.toolName,
          input: objectOf(part.input),
          ...(part.providerExecuted === undefined
            ? {}
            : { providerExecuted: part.providerExecuted }),
          ...options,
        },
      ];
    case "tool-result":
      return [toolResult(dialect, part, files)];
    default:
      throw new Error(`No prompt for a part of type ${(part satisfies never as Part).type}`);
  }
}

function textPart(part: { readonly text: string } & Optional): Part {
  return { type: "text", text: part.text, ...optionsOf(part) };
}

function toolResult(dialect: Dialect, part: ToolResultPart, files: Files): Part {
  return {
    type: "tool-result",
    toolCallId: part.toolCallId,
    toolName: part.toolName,
    output: toToolOutput(dialect, part.output, files),
    ...optionsOf(part),
  };
}

/** Arguments that are no object are refused by providers; the result beside them quotes them. */
function objectOf(input: Json): JsonObject {
  const isObject = typeof input === "object" && input !== null && !Array.isArray(input);
  return isObject ? (input as JsonObject) : {};
}

type Optional = { readonly providerOptions?: unknown };

/** A part's or a message's options, where it has any. */
export function optionsOf({ providerOptions }: Optional): Part {
  return providerOptions === undefined ? {} : { providerOptions };
}
