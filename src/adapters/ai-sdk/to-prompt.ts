/**
 * Converts a transcript to a provider's prompt, in the version of the specification that the model
 * implements. The transcript obeys the rules of the provider's family already.
 */
import type {
  AssistantPart,
  Message,
  ToolResultPart,
  UserPart,
} from "../../core/kernel/vocabulary/index.js";
import type { Request } from "./families/index.js";
import type { Version } from "./specification.js";
import { type Files, filePart } from "./to-file-part.js";
import { toToolOutput } from "./to-tool-output.js";

/** A message or a part of the prompt. */
type Part = { readonly [name: string]: unknown };

/**
 * The prompt. Nothing of the transcript is changed in place.
 * @param files the files that stand for URLs which the provider does not fetch
 */
export function toPrompt(
  version: Version,
  { system, messages }: Pick<Request, "system" | "messages">,
  files: Files,
): object[] {
  const prompt: object[] = system === undefined ? [] : [{ role: "system", content: system }];
  for (const message of messages) {
    const content = contentOf(version, message, files);
    prompt.push({ role: message.role, content, ...optionsOf(message) });
  }
  return prompt;
}

function contentOf(version: Version, message: Message, files: Files): string | Part[] {
  if (message.role === "system") return message.content;
  const { content } = message;
  if (typeof content === "string") return [{ type: "text", text: content }];
  return content.flatMap<Part>((part) => partOf(version, part, files));
}

function partOf(version: Version, part: UserPart | AssistantPart, files: Files): Part | Part[] {
  const options = optionsOf(part);
  switch (part.type) {
    case "text":
    case "reasoning":
      return { type: part.type, text: part.text, ...options };
    case "image":
    case "file":
      return filePart(version, part, files);
    case "reasoning-file":
      return { ...filePart(version, part, files), type: "reasoning-file" };
    case "custom":
      return { type: "custom", kind: part.kind, ...options };
    case "tool-call":
      return {
        type: "tool-call",
        toolCallId: part.toolCallId,
        toolName: part.toolName,
        input: part.input,
        ...(part.providerExecuted === undefined ? {} : { providerExecuted: part.providerExecuted }),
        ...options,
      };
    case "tool-result":
      return toolResult(version, part, files);
    case "source":
      return [];
    default:
      throw new Error(`No prompt for a part of type ${(part satisfies never as Part).type}`);
  }
}

function toolResult(version: Version, part: ToolResultPart, files: Files): Part {
  const { approvalId, approved = false, output } = part;
  if (approvalId !== undefined) {
    const reply = output.type === "execution-denied" ? output.reason : output.value;
    const reason = approved || typeof reply !== "string" ? {} : { reason: reply };
    return { type: "tool-approval-response", approvalId, approved, ...reason };
  }
  return {
    type: "tool-result",
    toolCallId: part.toolCallId,
    toolName: part.toolName,
    output: toToolOutput(version, part.output, files),
    ...optionsOf(part),
  };
}

type Optional = { readonly providerOptions?: unknown };

/** A part's or a message's options, where it has any. */
function optionsOf({ providerOptions }: Optional): Part {
  return providerOptions === undefined ? {} : { providerOptions };
}
