/**
 * Estimates how many tokens a request or an answer is, without a tokenizer. Measured in Latin letters,
 * four of which make a token; other scripts and media count as many as they may take at most in the
 * known families, since budgets are kept by these numbers.
 */
import type { LlmDirective } from "./directive.js";
import type { AssistantPart, FileMeasures, Message } from "./message.js";

/** Letters of a token. */
const PER_TOKEN = 4;

/** Anything but Latin letters, signs and digits, for which the rule of four to a token is made. */
const OTHER = /[\u0250-\u1dff\u1f00-\u200f\u2028-\uffff]/;

/** Han, kana and hangul: up to one and a half tokens each. */
const EAST_ASIAN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uffef]/u;

/** Returns the number of Latin letters that make as many tokens as a text. */
export function lettersOfText(text: string): number {
  if (!OTHER.test(text)) return text.length;
  let letters = 0;
  for (const letter of text) letters += lettersOfOne(letter);
  return letters;
}

function lettersOfOne(letter: string): number {
  // Emoji and rare characters take up to four tokens.
  if (letter.length > 1) return 4 * PER_TOKEN;
  if (!OTHER.test(letter)) return 1;
  return EAST_ASIAN.test(letter) ? 1.5 * PER_TOKEN : PER_TOKEN;
}

/** The countable content: texts and JSON, media, or both. */
export type Counted = "texts" | "media" | "all";

/** The same of messages: of their texts, of media by what they may take, of all else as JSON. */
export function lettersOfMessages(messages: readonly Message[], counted: Counted = "all"): number {
  let letters = 0;
  for (const { content } of messages) {
    if (typeof content !== "string") letters += lettersOfParts(content, counted);
    else if (counted !== "media") letters += lettersOfText(content);
  }
  return letters;
}

/** The same of what a model wrote in an answer: what its provider's tools came to is no word of its own. */
export function lettersOfAnswer(content: readonly AssistantPart[]): number {
  let letters = 0;
  for (const part of content) {
    if (part.type === "text" || part.type === "reasoning") letters += lettersOfText(part.text);
    if (part.type === "tool-call") letters += lettersOfJson([part.toolName, part.input]);
  }
  return letters;
}

/** The same of what stands around the messages of a request. */
export function lettersAround({
  system = "",
  tools,
  responseFormat,
}: Pick<LlmDirective, "system" | "tools" | "responseFormat">): number {
  return lettersOfText(system) + lettersOfJson(tools) + lettersOfJson(responseFormat);
}

function lettersOfParts(parts: readonly object[], counted: Counted): number {
  let letters = 0;
  for (const part of parts) letters += lettersOfPart(part, counted);
  return letters;
}

/** The fields of a part that an estimate looks at. */
interface Part {
  readonly type?: string;
  readonly text?: unknown;
  readonly data?: unknown;
  readonly image?: unknown;
  readonly mediaType?: unknown;
  readonly size?: unknown;
  readonly measures?: FileMeasures;
  readonly output?: { readonly type?: string; readonly value?: unknown };
}

function lettersOfPart(part: Part, counted: Counted): number {
  const { type, output } = part;
  if (type === "image" || type === "file" || type === "reasoning-file") {
    return counted === "texts" ? 0 : PER_TOKEN * tokensOfMedia(part);
  }
  if (type === "tool-result" && output?.type?.endsWith("content") && Array.isArray(output.value)) {
    return lettersOfParts(output.value, counted);
  }
  if (counted === "media") return 0;
  const isText = (type === "text" || type === "reasoning") && typeof part.text === "string";
  return isText ? lettersOfText(part.text) : lettersOfJson(part);
}

function lettersOfJson(value: unknown): number {
  return value === undefined ? 0 : lettersOfText(JSON.stringify(value) ?? "");
}

/** Tokens of an image of unknown size. */
const IMAGE = 2_500;
/** Tokens of a page: its text, and its picture. */
const PAGE = 3_000;
/** Bytes of a page, where nothing says how many pages there are. */
const PAGE_BYTES = 32 * 1024;
/** More pages are taken by nobody. */
const MOST_PAGES = 1_000;
const AUDIO_PER_SECOND = 32;
const VIDEO_PER_SECOND = 300;

function tokensOfMedia({ type, image, data, mediaType, size, measures = {} }: Part): number {
  const media = typeof mediaType === "string" ? mediaType : "";
  const { width = 0, height = 0, pages, seconds } = measures;
  if (type === "image" || media.startsWith("image")) {
    return width > 0 && height > 0 ? tokensOfImage(width, height) : IMAGE;
  }
  const bytes = typeof size === "number" ? size : bytesIn(data ?? image);
  if (media.startsWith("audio")) return Math.ceil(AUDIO_PER_SECOND * (seconds ?? bytes / 8_000));
  if (media.startsWith("video")) return Math.ceil(VIDEO_PER_SECOND * (seconds ?? bytes / 100_000));
  if (media.startsWith("text/") || media.endsWith("json")) return Math.ceil(bytes / 3);
  return PAGE * Math.min(MOST_PAGES, Math.max(1, pages ?? Math.ceil(bytes / PAGE_BYTES)));
}

/** The bytes of base64 text; of what lies behind a URL nothing is known. */
function bytesIn(data: unknown): number {
  if (typeof data !== "string" || /^[a-z][a-z0-9+.-]{0,20}:\/\//i.test(data)) return 0;
  return Math.floor((3 * data.length) / 4);
}

/** The largest cost of an image in the known families. */
function tokensOfImage(width: number, height: number): number {
  const fitted = (most: number) => Math.min(1, most / Math.max(width, height));
  // Tiles of 512 pixels, once it fits 2048 and its short side 768.
  const tiled = Math.min(fitted(2048), 768 / Math.min(width, height));
  const tiles = Math.ceil((width * tiled) / 512) * Math.ceil((height * tiled) / 512);
  const patches = Math.min(1_536, Math.ceil(width / 32) * Math.ceil(height / 32));
  const area = (width * height * fitted(1568) ** 2) / 750;
  const wide = 258 * Math.ceil(width / 768) * Math.ceil(height / 768);
  return Math.ceil(Math.max(85 + 170 * tiles, 1.62 * patches, area, wide));
}
