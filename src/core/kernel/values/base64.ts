/** Encodes bytes as base64, in any runtime: the core knows neither Buffer nor `btoa`. */

const DIGITS: readonly number[] = Array.from(
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
  (digit) => digit.charCodeAt(0),
);
/** The code of `=`. */
const PADDING = 61;

/** So many bytes are encoded at a time; a multiple of three, so that only the last chunk is padded. */
const CHUNK = 6144;

/** Base64 text of bytes (RFC 4648, with padding); a text is taken to be that already. */
export function base64Of(data: string | Uint8Array): string {
  if (typeof data === "string") return data;
  let text = "";
  for (let at = 0; at < data.length; at += CHUNK) {
    text += String.fromCharCode(...codesOf(data.subarray(at, at + CHUNK)));
  }
  return text;
}

function codesOf(bytes: Uint8Array): number[] {
  const codes: number[] = [];
  for (let i = 0; i < bytes.length; i += 3) {
    const left = bytes.length - i;
    const a = bytes[i] as number;
    const b = left > 1 ? (bytes[i + 1] as number) : 0;
    const c = left > 2 ? (bytes[i + 2] as number) : 0;
    codes.push(
      DIGITS[a >> 2] as number,
      DIGITS[((a & 3) << 4) | (b >> 4)] as number,
      left > 1 ? (DIGITS[((b & 15) << 2) | (c >> 6)] as number) : PADDING,
      left > 2 ? (DIGITS[c & 63] as number) : PADDING,
    );
  }
  return codes;
}
