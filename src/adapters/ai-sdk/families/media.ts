/**
 * Rules on the places in a model request where a provider takes images and files. The limits of their number
 * and size are in `limits.ts`.
 */
import type {
  FilePart,
  ImagePart,
  Message,
  ToolContentPart,
  ToolResultPart,
  UserPart,
} from "../../../core/kernel/vocabulary/index.js";
import { isBeforeGemini3 } from "./family.js";
import { firstFault, mapMessages, mapResults, type Rule } from "./rule.js";
import { NO_OUTPUT, withOutput } from "./texts.js";

/** An image or a file of a request. */
export type Media = ImagePart | FilePart;

/** Returns true for an image or a file that is here, or behind a URL. */
export const isMedia = (part: ToolContentPart | UserPart): part is Media =>
  part.type === "image" || (part.type === "file" && !("blob" in part));

const hasParts = ({ output }: ToolResultPart): boolean => output.type === "content";

/** A result's parts as one text, with a word for each image or file; and these. */
function textAndMedia(part: ToolResultPart): {
  readonly text: string;
  readonly media: readonly Media[];
} {
  const parts = part.output.type === "content" ? part.output.value : [];
  const media = parts.filter(isMedia);
  const words = parts.flatMap((each) => {
    if (each.type === "text") return [each.text];
    if (!isMedia(each)) return [];
    return [`[${each.type} ${media.indexOf(each) + 1}: in the user's message behind the results]`];
  });
  return { text: words.length === 0 ? NO_OUTPUT : words.join("\n"), media };
}

/** The parts of a user's message that shows a result's media. */
function shown(part: ToolResultPart): readonly UserPart[] {
  const { media } = textAndMedia(part);
  if (media.length === 0) return [];
  const kinds = media.map(({ type }, i) => `${type} ${i + 1}`).join(", ");
  return [{ type: "text", text: `From the result of ${part.toolName}: ${kinds}` }, ...media];
}

/** Images and files in results, for families whose results are text. */
export const MEDIA_IN_RESULTS: Rule = {
  name: "results.text-only",
  families: ["openai-chat", "google", "mistral", "openai-compatible"],
  demands: "A tool's result is text",
  source: "OpenAI ChatCompletionRequestToolMessage, vercel/ai#8209, captured",
  sure: "A",
  only: (target) => target.family !== "google" || isBeforeGemini3(target),
  fault: (request) =>
    firstFault(request, (message) =>
      message.role === "tool" && message.content.some(hasParts)
        ? "has a result of several parts"
        : undefined,
    ),
  mend: (request) => ({
    request: mapMessages(request, (message) => {
      if (message.role !== "tool") return message;
      const results = mapResults(message, (part) =>
        withOutput(part, (output) =>
          hasParts(part) ? { type: "text", value: textAndMedia(part).text } : output,
        ),
      );
      // Behind all results of the answer: between two of them it would part calls from results.
      const media = message.content.flatMap(shown);
      return media.length === 0 ? results : [results, { role: "user", content: media }];
    }),
  }),
};

/** A document beside which there is no text. */
const isBare = ({ role, content }: Message): boolean =>
  role === "user" &&
  typeof content !== "string" &&
  content.some(({ type }) => type === "file") &&
  !content.some(({ type }) => type === "text");

/** Bedrock's documents have a text beside them. */
export const DOCUMENT_TEXT: Rule = {
  name: "documents.beside-text",
  families: ["bedrock"],
  demands: "A text stands beside a document",
  source: "AWS, as pydantic-ai quotes it",
  sure: "A",
  fault: (request) =>
    firstFault(request, (message) => (isBare(message) ? "has a document and no text" : undefined)),
  mend: (request) => ({
    request: mapMessages(request, (message) =>
      isBare(message)
        ? ({
            ...message,
            content: [{ type: "text", text: "(a document)" }, ...message.content],
          } as Message)
        : message,
    ),
  }),
};
