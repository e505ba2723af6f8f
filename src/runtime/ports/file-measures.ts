/**
 * Reads from the bytes of a file the measures by which models charge for it: pixels of an image, pages of a PDF,
 * seconds of sound, as far as the bytes tell. A file that is kept outside of its message has them beside its id.
 */

import { imageSize } from "../../core/kernel/values/index.js";
import type { FileMeasures } from "../../core/kernel/vocabulary/index.js";

/** Returns what can be read; `undefined` where nothing can. @param base64 the same bytes as text */
export function measuresOf(
  mediaType: string,
  bytes: Uint8Array,
  base64: string,
): FileMeasures | undefined {
  if (mediaType.startsWith("image")) return imageSize(base64);
  if (mediaType === "application/pdf") return counted("pages", pagesOf(bytes));
  const isSound = mediaType.startsWith("audio") || mediaType.startsWith("video");
  return isSound ? counted("seconds", secondsOf(bytes)) : undefined;
}

function counted(name: "pages" | "seconds", value: number | undefined): FileMeasures | undefined {
  return value === undefined || !Number.isFinite(value) || value <= 0
    ? undefined
    : { [name]: value };
}

/** The pages of a PDF: the largest count of a node of its page tree; of one that is packed nothing is known. */
function pagesOf(bytes: Uint8Array): number | undefined {
  const text = latin1(bytes);
  let most: number | undefined;
  for (const [, dictionary] of text.matchAll(/\/Type\s*\/Pages\b([^>]{0,2000})/g)) {
    most = larger(most, countIn(dictionary));
  }
  for (const [dictionary] of text.matchAll(/\/Count\s+\d{1,6}\b[^<>]{0,2000}\/Type\s*\/Pages\b/g)) {
    most = larger(most, countIn(dictionary));
  }
  return most;
}

function countIn(dictionary: string | undefined): number | undefined {
  const [, count] = /\/Count\s+(\d{1,6})\b/.exec(dictionary ?? "") ?? [];
  return count === undefined ? undefined : Number(count);
}

function larger(a: number | undefined, b: number | undefined): number | undefined {
  return b === undefined || (a !== undefined && a >= b) ? a : b;
}

/** The length of a WAV, MP4 or M4A file. */
function secondsOf(bytes: Uint8Array): number | undefined {
  return wordAt(bytes, 0) === "RIFF" && wordAt(bytes, 8) === "WAVE"
    ? wavSeconds(bytes)
    : mp4Seconds(bytes);
}

function wavSeconds(bytes: Uint8Array): number | undefined {
  const view = viewOf(bytes);
  let perSecond: number | undefined;
  for (let at = 12; at + 8 <= bytes.length; ) {
    const size = view.getUint32(at + 4, true);
    const chunk = wordAt(bytes, at);
    if (chunk === "fmt " && at + 20 <= bytes.length) perSecond = view.getUint32(at + 16, true);
    // A stream that was cut off says a size that is not there.
    if (chunk === "data" && perSecond !== undefined) {
      return Math.min(size, bytes.length - at - 8) / perSecond;
    }
    at += 8 + size + (size % 2);
  }
  return undefined;
}

/** Looks into `moov` for `mvhd`, which has the time scale and the length. */
function mp4Seconds(bytes: Uint8Array): number | undefined {
  const view = viewOf(bytes);
  let end = bytes.length;
  for (let at = 0; at + 8 <= end; ) {
    const size = view.getUint32(at);
    const box = wordAt(bytes, at + 4);
    if (box === "mvhd") return lengthIn(view, at);
    if (box === "moov") {
      end = Math.min(end, at + size);
      at += 8;
    } else if (size >= 8) at += size;
    else return undefined;
  }
  return undefined;
}

function lengthIn(view: DataView, at: number): number | undefined {
  const isLong = view.byteLength > at + 8 && view.getUint8(at + 8) === 1;
  const [scale, length] = isLong ? [at + 28, at + 32] : [at + 20, at + 24];
  if (length + (isLong ? 8 : 4) > view.byteLength) return undefined;
  const units = isLong ? Number(view.getBigUint64(length)) : view.getUint32(length);
  return units / view.getUint32(scale);
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

function wordAt(bytes: Uint8Array, at: number): string {
  return latin1(bytes.subarray(at, at + 4));
}

function latin1(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes);
}
