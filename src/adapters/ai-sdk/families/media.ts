/** Rules on images and files: where they may stand, how many there may be, and how large. */
import type {
  FilePart,
  ImagePart,
  Message,
  ToolContentPart,
  ToolResultPart,
  UserPart,
} from "../../../core/kernel/index.js";
import { type Family, isBeforeGemini3, originOf, type Target } from "./family.js";
import { firstFault, mapMessages, mapResults, type Request, type Rule } from "./rule.js";
import { NO_OUTPUT, withOutput } from "./texts.js";

type Media = ImagePart | FilePart;

const isMedia = (part: ToolContentPart | UserPart): part is Media =>
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

/** How many images a request may have, and how long base64 or a URL may be, by family. */
interface MediaLimits {
  readonly images: number;
  /** Characters of an image. */
  readonly image: number;
  /** Characters of a file. */
  readonly file: number;
}
const UNBOUNDED = Number.POSITIVE_INFINITY;
const limits: { readonly [F in Family]?: MediaLimits } = {
  anthropic: { images: 100, image: UNBOUNDED, file: UNBOUNDED },
  "openai-responses": { images: UNBOUNDED, image: 20_971_520, file: 73_400_320 },
};

/** The places of a request's images and files that are too many or too large; the newest stay. */
function excess({ messages }: Request, { family }: Target): ReadonlySet<Media> {
  const { images, image, file } = limits[family] as MediaLimits;
  const out = new Set<Media>();
  let count = 0;
  for (const part of messages.flatMap(mediaOf).toReversed()) {
    const isImage = part.type === "image" || part.mediaType.startsWith("image/");
    const { length } = part.type === "image" ? part.image : part.data;
    if (length > (isImage ? image : file)) out.add(part);
    else if (isImage && ++count > images) out.add(part);
  }
  return out;
}

function mediaOf(message: Message): readonly Media[] {
  if (typeof message.content === "string") return [];
  if (message.role === "user") return message.content.filter(isMedia);
  if (message.role !== "tool") return [];
  return message.content.flatMap(({ output }) =>
    output.type === "content" ? output.value.filter(isMedia) : [],
  );
}

/** The text in place of an image or a file that is left out. */
const leftOut = ({ type }: Media) => ({ type: "text", text: `(${type} left out)` }) as const;

/** Images beyond the limit, the oldest first, and what is too large. */
export const MEDIA_LIMITS: Rule = {
  name: "limits.media",
  families: ["anthropic", "openai-responses"],
  demands:
    "At most 100 images (Anthropic); an image of 20 971 520 characters, a file of 73 400 320 (OpenAI)",
  source: "platform.claude.com vision, openai-openapi InputImageContent, InputFileContent",
  sure: "A",
  prefix: "An old image goes where a new one exceeds the limit.",
  fault: (request, target) =>
    excess(request, target).size > 0
      ? "there are too many or too large images or files"
      : undefined,
  mend(request, target) {
    const out = excess(request, target);
    const kept = <Part extends ToolContentPart | UserPart>(part: Part) =>
      isMedia(part) && out.has(part) ? leftOut(part) : part;
    const mended = mapMessages(request, (message) => {
      if (message.role === "user" && typeof message.content !== "string")
        return { ...message, content: message.content.map(kept) };
      return mapResults(message, (part) =>
        withOutput(part, (output) =>
          output.type === "content" && output.value.some((each) => out.has(each as Media))
            ? { ...output, value: output.value.map(kept) }
            : output,
        ),
      );
    });
    return {
      request: mended,
      lost: [
        `Images or files beyond the limits of ${originOf(target)} are left out, the oldest first.`,
      ],
    };
  },
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
