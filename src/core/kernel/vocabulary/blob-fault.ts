/** Validates file parts whose content lies elsewhere. */
type Loose = { readonly [part: string]: unknown };

/** Returns true if a part of a message is a file that lies elsewhere. */
export function isBlob(part: Loose): boolean {
  return part.type === "file" && part.blob !== undefined;
}

const measured: ReadonlySet<string> = new Set(["width", "height", "pages", "seconds"]);

/** Returns the fault of such a part, in words; `undefined` where nothing is. */
export function blobFault({ blob, data, mediaType, size, measures }: Loose): string | undefined {
  if (typeof blob !== "string" || blob === "") return "without blob, the id of the file";
  if (data !== undefined) return "with both blob and data";
  if (typeof mediaType !== "string") return "without mediaType";
  if (!isAmount(size) || !Number.isInteger(size))
    return "without size, its bytes as a whole number";
  if (measures === undefined) return undefined;
  if (typeof measures !== "object" || measures === null || Array.isArray(measures)) {
    return "with measures that are not an object";
  }
  const wrong = Object.entries(measures).find(
    ([name, value]) => !measured.has(name) || !isAmount(value),
  );
  return wrong === undefined
    ? undefined
    : `with measures.${wrong[0]}; ${[...measured].join(", ")} are taken, each a number of 0 or more`;
}

function isAmount(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
