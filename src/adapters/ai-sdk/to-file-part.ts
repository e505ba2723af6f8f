/**
 * Converts images and files to parts of a provider's prompt: base64, the content of a data URL, or a URL. It
 * decides their media type (`takeFile`): the one that is declared, where it is whole; else the one that the
 * bytes show (`image-type.ts`); else the one that came with a download.
 */

import { base64Of, shownBriefly } from "../../core/kernel/values/index.js";
import type {
  BlobPart,
  FilePart,
  ImagePart,
  Message,
  ReasoningFilePart,
} from "../../core/kernel/vocabulary/index.js";
import { ModelError } from "../../runtime/for-adapters.js";
import { imageTypeOf } from "./image-type.js";
import type { Version } from "./specification.js";

/** A file that was fetched for a URL that the provider does not fetch itself. */
export interface FetchedFile {
  readonly data: Uint8Array | string;
  readonly mediaType?: string | undefined;
}

/** The fetched files, by URL. */
export type Files = ReadonlyMap<string, FetchedFile>;

/** A file, taken apart: its data, or where they are. */
export interface TakenFile {
  readonly data: Uint8Array | string | URL;
  /** The URL as it was written, where reading and writing it changes it. */
  readonly originalUrl?: string;
  readonly mediaType: string | undefined;
}

type AnyFile = ImagePart | FilePart | BlobPart | ReasoningFilePart;

/** An image or a file as a part of a prompt. */
export function filePart(version: Version, part: AnyFile, files: Files): Record<string, unknown> {
  const { data, originalUrl, mediaType } = takeFile(part, files);
  const original = originalUrl === undefined ? {} : { originalUrl };
  const { filename } = part as { readonly filename?: string };
  return {
    type: "file",
    // If the image type is unknown, only the top-level type is given, in the form that each version
    // wants.
    mediaType: mediaType ?? (version === "v4" ? "image" : "image/*"),
    ...(version === "v4"
      ? {
          data:
            data instanceof URL ? { type: "url", url: data, ...original } : { type: "data", data },
        }
      : { data, ...original }),
    ...(filename === undefined ? {} : { filename }),
    ...(part.providerOptions === undefined ? {} : { providerOptions: part.providerOptions }),
  };
}

/** A file's data and media type, fetched ones included. */
export function takeFile(part: AnyFile, files: Files): TakenFile {
  if ("blob" in part) throw unfetched(part);
  const text = part.type === "image" ? part.image : part.data;
  const held = heldIn(text);
  const url = held === undefined ? urlOf(text) : undefined;
  const fetched = url === undefined ? undefined : files.get(url.href);
  const data = fetched?.data ?? held?.data ?? url ?? text;
  const declaredType = held?.mediaType ?? part.mediaType;
  const wholeType = isWhole(declaredType) ? declaredType : undefined;
  const found = data instanceof URL ? undefined : imageTypeOf(data);
  return {
    data,
    mediaType: wholeType ?? found ?? fetched?.mediaType ?? declaredType,
    ...(data instanceof URL && data.href !== text ? { originalUrl: text } : {}),
  };
}

/**
 * Refuses a request with a file whose content nobody has fetched, before anything is made of it.
 * @throws ModelError `llm.failed`
 */
export function refuseBlobs(messages: readonly Message[]): void {
  for (const { content } of messages) {
    if (typeof content === "string") continue;
    for (const part of content) {
      const output = part.type === "tool-result" ? part.output : undefined;
      const inside = output?.type === "content" || output?.type === "error-content";
      const parts: readonly object[] = inside ? output.value : [part];
      const blob = parts.find((each) => "blob" in each);
      if (blob !== undefined) throw unfetched(blob as BlobPart);
    }
  }
}

/** A provider takes the content of a file, and not the id by which we know it. */
function unfetched({ blob, mediaType, size }: BlobPart): ModelError {
  const message = `A message has the file ${shownBriefly(blob)} (${mediaType}, ${size} bytes) by its id, and nobody has fetched it; put its content into the part, as data.`;
  return new ModelError({ code: "llm.failed", message, transient: false });
}

/** `image` and `image/*` say less than the data. */
function isWhole(mediaType: string | undefined): boolean {
  return mediaType?.includes("/") === true && !mediaType.endsWith("/*");
}

/** Returns the content of a data URL, as base64. */
function heldIn(text: string): { data: string; mediaType: string | undefined } | undefined {
  const [all, mediaType, base64] = /^data:([^;,]*)(?:;[^;,]*?)*?(;base64)?,/i.exec(text) ?? [];
  if (all === undefined) return undefined;
  const rest = text.slice(all.length);
  const data = base64 === undefined ? base64Of(unescaped(rest)) : unescapedText(rest);
  return { data, mediaType: mediaType || undefined };
}

/** Base64 is seldom escaped, and may be long. */
function unescapedText(text: string): string {
  return text.includes("%") ? new TextDecoder().decode(unescaped(text)) : text;
}

const PERCENT = 0x25;

/** The bytes that a URL's text stands for; a `%` that escapes nothing is itself. */
function unescaped(text: string): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  let end = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    const next = byte === PERCENT ? String.fromCharCode(...bytes.subarray(at + 1, at + 3)) : "";
    const isEscape = /^[0-9a-f]{2}$/i.test(next);
    bytes[end++] = isEscape ? Number.parseInt(next, 16) : byte;
    if (isEscape) at += 2;
  }
  return bytes.subarray(0, end);
}

/** A text as a URL; base64 is none, since it has no colon. */
export function urlOf(text: string): URL | undefined {
  return /^[a-z][a-z0-9+.-]*:/i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
}
