/**
 * Converts the parts of a user's message: from what clients of the AI SDK and of AG-UI send, and back to what
 * pages show.
 */

import * as shapes from "../../core/kernel/shapes.js";
import { type JsonObject, ReckonerError } from "../../core/kernel/values/index.js";
import type { BlobPart, UserPart } from "../../core/kernel/vocabulary/index.js";

/** A part of a message, as the AI SDK has it. */
export interface UiPart {
  readonly type: string;
  readonly [part: string]: unknown;
}

type Part = { type: string; [part: string]: unknown };

/** The beginning of the address of a file that the host keeps: a page shows its name alone. */
const BLOB = "reckoner-blob:";

/** The parts of a user's message. */
export function userParts(content: string | readonly UserPart[]): Part[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return content.map((part): Part => {
    if (part.type === "text") return { type: "text", text: part.text };
    const { mediaType = "image/png", data, image, filename } = part as unknown as JsonObject;
    const source = "blob" in part ? addressOf(part) : String(image ?? data ?? "");
    const url = /^[a-z][a-z0-9+.-]*:/i.test(source) ? source : `data:${mediaType};base64,${source}`;
    return { type: "file", mediaType, url, ...(filename === undefined ? {} : { filename }) };
  });
}

function addressOf({ blob, size, measures }: BlobPart): string {
  const more = JSON.stringify({ size, measures });
  return `${BLOB}${encodeURIComponent(blob)}?${encodeURIComponent(more)}`;
}

/** The file that an address names; `undefined` where it is none of ours. */
function blobAt(url: string): Pick<BlobPart, "blob" | "size" | "measures"> | undefined {
  const [blob, more] = url.startsWith(BLOB) ? url.slice(BLOB.length).split("?") : [];
  if (blob === undefined || more === undefined) return undefined;
  try {
    return { blob: decodeURIComponent(blob), ...JSON.parse(decodeURIComponent(more)) };
  } catch {
    return undefined;
  }
}

/** Checks no more than letters: the text may be long. */
const BASE64 = /^[\w+/-]*={0,2}$/;
const DATA = /^data:[^,]{0,500};base64,/i;

const isBase64 = (value: unknown) => typeof value === "string" && BASE64.test(value);

/** The address of a file: on the web, one that holds it, or that of a file which the host keeps. */
const ADDRESS: shapes.Shape = [
  (value) => {
    if (typeof value !== "string") return false;
    const [data] = DATA.exec(value) ?? [];
    if (data !== undefined) return isBase64(value.slice(data.length));
    return /^https?:\/\/./i.test(value) || blobAt(value) !== undefined;
  },
  "an address that begins with https: or http:, or with data: and holds base64",
];
const MEDIA_TYPE: shapes.Shape = [
  (value) => typeof value === "string" && /^[\w.+-]+\/[\w.+*-]+(?:;.*)?$/.test(value),
  "a media type, such as image/png",
];
const TEXT_PART = shapes.open({ text: shapes.TEXT }, "text");

/** The parts that the AI SDK's page sends. Those of the page's own, and where steps begin, say nothing. */
const SENT: shapes.Shape = shapes.listOf([
  shapes.OBJECT[0],
  "an object",
  (part: object) => (isOwn(part) ? undefined : shapes.findFault(part, SAID)),
]);
const SAID = shapes.tagged("type", {
  text: TEXT_PART,
  file: shapes.open(
    { url: ADDRESS, mediaType: MEDIA_TYPE, filename: shapes.TEXT },
    "url",
    "mediaType",
  ),
});

function isOwn({ type }: { readonly type?: unknown }): boolean {
  return typeof type === "string" && /^(?:data-|step-start$)/.test(type);
}

const FILE_PART = shapes.open(
  {
    source: shapes.tagged("type", {
      data: shapes.open({ value: [isBase64, "base64"], mimeType: MEDIA_TYPE }, "value", "mimeType"),
      url: shapes.open({ value: ADDRESS, mimeType: MEDIA_TYPE }, "value"),
    }),
  },
  "source",
);
/** The parts that a client of AG-UI sends. */
const SENT_BY_AG_UI = shapes.either(
  shapes.TEXT,
  shapes.listOf(
    shapes.tagged("type", {
      text: TEXT_PART,
      ...{ image: FILE_PART, audio: FILE_PART, video: FILE_PART, document: FILE_PART },
    }),
  ),
);

/** @throws ReckonerError `event.invalid` with the place */
function checkSent(value: unknown, shape: shapes.Shape, name: string): void {
  const fault = shapes.misfit(value, shape, name);
  if (fault === undefined) return;
  throw new ReckonerError("event.invalid", `The message cannot be taken: ${fault}.`, {
    place: name,
  });
}

/** The content of a user's message, of the parts that a page sends. @throws ReckonerError `event.invalid` */
export function contentOf(parts: readonly UiPart[]): string | readonly UserPart[] {
  checkSent(parts, SENT, "parts");
  const content = parts.flatMap((part): readonly UserPart[] => {
    if (part.type === "text") return [{ type: "text", text: part.text as string }];
    if (part.type !== "file") return [];
    const { url, mediaType, filename } = part as unknown as FileSent;
    return [filePart(url, mediaType, filename)];
  });
  const [first, ...rest] = content;
  return first?.type === "text" && rest.length === 0 ? first.text : content;
}

interface FileSent {
  readonly url: string;
  readonly mediaType: string;
  readonly filename?: string;
}

function filePart(url: string, mediaType: string, filename?: string): UserPart {
  const kept = blobAt(url);
  const named = filename === undefined ? {} : { filename };
  if (kept !== undefined) return { type: "file", mediaType, ...kept, ...named };
  const data = url.replace(DATA, "");
  if (mediaType.startsWith("image/")) return { type: "image", image: data, mediaType };
  return { type: "file", data, mediaType, ...named };
}

/** The content of a user's message, as a client of AG-UI sends it. @throws ReckonerError `event.invalid` */
export function contentOfAgUi(content: unknown): string | readonly UserPart[] {
  checkSent(content, SENT_BY_AG_UI, "content");
  if (typeof content === "string") return content;
  return (content as readonly (UiPart & { readonly source: AgUiSource })[]).map((part) => {
    if (part.type === "text") return { type: "text", text: part.text as string };
    const unknown = part.type === "image" ? "image/*" : "application/octet-stream";
    const { value, mimeType = unknown } = part.source;
    return filePart(value, mimeType);
  });
}

interface AgUiSource {
  readonly value: string;
  readonly mimeType?: string;
}
