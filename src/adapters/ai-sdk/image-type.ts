/**
 * Detects the media type of an image from its first bytes. `to-file-part.ts` decides by it where the part names
 * no whole type, since providers refuse a wrong one.
 */

/** First bytes in hexadecimal, `.` for any digit. */
const signatures: readonly (readonly [mediaType: string, pattern: RegExp])[] = [
  ["image/png", /^89504e47/],
  ["image/jpeg", /^ffd8ff/],
  ["image/gif", /^47494638/],
  ["image/webp", /^52494646.{8}57454250/],
  ["image/avif", /^.{8}6674797061766966/],
  ["image/heic", /^.{8}6674797068656963/],
  ["image/bmp", /^424d/],
  ["image/tiff", /^(?:49492a00|4d4d002a)/],
];

/** The media type of an image in bytes or base64; `undefined` where it is none of those known. */
export function imageTypeOf(data: Uint8Array | string): string | undefined {
  let hex = "";
  for (const byte of typeof data === "string" ? firstBytes(data) : data.subarray(0, 12)) {
    hex += byte.toString(16).padStart(2, "0");
  }
  return signatures.find(([, pattern]) => pattern.test(hex))?.[0];
}

function firstBytes(base64: string): Uint8Array {
  try {
    return Uint8Array.from(atob(base64.slice(0, 16)), (each) => each.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
