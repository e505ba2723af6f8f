/**
 * Rules on how many messages, images and files a provider takes in one model request, and how large they may
 * be. A run's own limits are narrower for texts.
 */
import { imageSize } from "../../../core/kernel/values/index.js";
import type { Message, ToolContentPart, UserPart } from "../../../core/kernel/vocabulary/index.js";
import { type Family, originOf, type Target } from "./family.js";
import { isMedia, type Media } from "./media.js";
import { mapMessages, mapResults, type Request, type Rule } from "./rule.js";
import { withOutput } from "./texts.js";
import { leadingSystems } from "./transcript.js";

/** The limits of a family for images and files. Lengths are characters of base64, or of a URL. */
interface MediaLimits {
  readonly images: number;
  readonly image: number;
  readonly file: number;
  /** All images and files of a request together. */
  readonly all: number;
  /** The longer side of an image. */
  readonly pixels: number;
  /** More images than `images` have to be smaller. */
  readonly crowd: { readonly images: number; readonly pixels: number };
}
const UNBOUNDED = Number.POSITIVE_INFINITY;
const limits: { readonly [F in Family]?: MediaLimits } = {
  anthropic: {
    images: 100,
    image: UNBOUNDED,
    file: UNBOUNDED,
    // Of 32 MB, with room for the text of the longest context.
    all: 28_000_000,
    pixels: 8_000,
    crowd: { images: 20, pixels: 2_000 },
  },
  "openai-responses": {
    images: UNBOUNDED,
    image: 20_971_520,
    file: 73_400_320,
    all: UNBOUNDED,
    pixels: UNBOUNDED,
    crowd: { images: UNBOUNDED, pixels: UNBOUNDED },
  },
};

const isImage = (part: Media): boolean =>
  part.type === "image" || part.mediaType.startsWith("image/");
const dataOf = (part: Media): string => (part.type === "image" ? part.image : part.data);

/** The longer side of an image in pixels; zero where its size is not known. */
function longSide(part: Media): number {
  const size = isImage(part) ? imageSize(dataOf(part)) : undefined;
  return size === undefined ? 0 : Math.max(size.width, size.height);
}

/** The images and files of a request that are too many or too large; the newest stay. */
function excess({ messages }: Request, { family }: Target): ReadonlySet<Media> {
  const { images, image, file, all, pixels, crowd } = limits[family] as MediaLimits;
  const out = new Set<Media>();
  const kept: Media[] = [];
  let [count, length] = [0, 0];
  for (const part of messages.flatMap(mediaOf).toReversed()) {
    const own = dataOf(part).length;
    const tooLarge = own > (isImage(part) ? image : file) || longSide(part) > pixels;
    const tooMany = length + own > all || (isImage(part) && count >= images);
    if (tooLarge || tooMany) out.add(part);
    else {
      length += own;
      if (isImage(part)) count += 1;
      kept.push(part);
    }
  }
  for (const part of kept.toReversed()) {
    if (count <= crowd.images) break;
    if (longSide(part) <= crowd.pixels) continue;
    out.add(part);
    count -= 1;
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

/** Images and files beyond the limits: those that are too large, and the oldest of too many. */
export const MEDIA_LIMITS: Rule = {
  name: "limits.media",
  families: ["anthropic", "openai-responses"],
  demands:
    "Anthropic: at most 100 images of 8 000 pixels a side, of 2 000 where there are more than 20, and 32 MB a request; OpenAI: an image of 20 971 520 characters, a file of 73 400 320",
  source: "platform.claude.com vision, errors; openai-openapi InputImageContent, InputFileContent",
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

const MOST_MESSAGES = 100_000;
/** Messages that later rules may add: a first one of a user, a last one that asks to go on. */
const ADDED = 2;

/** The messages that stay of too many: the system texts at the start, and the newest from a user's on. */
function newest(messages: readonly Message[]): readonly Message[] {
  const leading = leadingSystems(messages);
  const from = messages.length - MOST_MESSAGES + leading + ADDED;
  const begins = (role: Message["role"]) =>
    messages.findIndex((message, i) => i >= from && message.role === role);
  // A result without its call is refused; a user's message or an answer has nothing before it.
  const at = [begins("user"), begins("assistant")].find((place) => place >= 0) ?? messages.length;
  return [...messages.slice(0, leading), ...messages.slice(at)];
}

/** More messages than a request may have. */
export const MOST_MESSAGES_RULE: Rule = {
  name: "limits.messages",
  families: ["anthropic"],
  demands: "There are at most 100 000 messages",
  source: "anthropic-sdk-typescript resources/messages",
  sure: "A",
  prefix: "The oldest messages go where new ones exceed the limit.",
  fault: ({ messages }) =>
    messages.length > MOST_MESSAGES ? "there are more than 100 000 messages" : undefined,
  mend: (request, target) => ({
    request: { ...request, messages: newest(request.messages) },
    lost: [`${originOf(target)} takes 100 000 messages; the oldest are left out.`],
  }),
};
