/** Encodes bytes as base64 where there is no Buffer. */

/** Base64 text of bytes; text is taken to be that already. */
export function base64Of(data: string | Uint8Array): string {
  if (typeof data === "string") return data;
  let bytes = "";
  // In chunks: engines limit the number of arguments of a call.
  for (let at = 0; at < data.length; at += 8192) {
    bytes += String.fromCharCode(...data.subarray(at, at + 8192));
  }
  return btoa(bytes);
}
