/**
 * Moves large files (over 64 KiB) out of messages and results before a run takes them: the bytes go to the run's
 * `BlobPort`, and the run sees an id. A file that is named by its id has to be there.
 */

import {
  digestOf,
  MAX_DEPTH,
  ReckonerError,
  shownBriefly,
} from "../../core/kernel/values/index.js";
import type { BlobPart, FilePart, ImagePart } from "../../core/kernel/vocabulary/index.js";
import type { RunBlobs } from "./blobs.js";
import { measuresOf } from "./file-measures.js";

/** Bytes of a file that stays in its message. */
const MOST = 64 * 1024;
/** Characters of base64 that make no more than these. */
const MOST_BASE64 = Math.ceil(MOST / 3) * 4;

/** A file that a message names, and where it stands there. */
export interface NamedFile {
  readonly id: string;
  readonly place: string;
}

/** The files of what enters: taken out of it, and then kept. */
export class FileDoor {
  readonly #isOpen: boolean;
  #files = new Map<string, Uint8Array>();
  #named: NamedFile[] = [];

  /** @param isOpen false: everything stays as it is */
  constructor(isOpen: boolean) {
    this.#isOpen = isOpen;
  }

  /** Returns a value with ids in the place of large files. A value that cannot be read is left to whoever checks it. */
  take<T>(value: T, place: string): T {
    if (!this.#isOpen) return value;
    try {
      return this.#taken(value, place, 0, new Map()) as T;
    } catch {
      return value;
    }
  }

  /**
   * Keeps what was taken; nothing to wait for where there is nothing.
   * @returns the files that are named and are not there
   */
  settle(blobs: RunBlobs | undefined): Promise<readonly NamedFile[]> | undefined {
    if (blobs === undefined || this.#files.size + this.#named.length === 0) return undefined;
    const [files, named] = [this.#files, this.#named];
    this.#files = new Map();
    this.#named = [];
    return settled(blobs, files, named).catch((thrown: unknown) => {
      // They are kept when somebody asks again.
      this.#files = new Map([...files, ...this.#files]);
      this.#named.unshift(...named);
      throw thrown;
    });
  }

  #taken(value: unknown, place: string, depth: number, seen: Map<object, unknown>): unknown {
    if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return value;
    const found = seen.get(value);
    if (found !== undefined) return found;
    seen.set(value, value);
    const taken = this.#replaced(value, place, depth, seen);
    seen.set(value, taken);
    return taken;
  }

  #replaced(value: object, place: string, depth: number, seen: Map<object, unknown>): unknown {
    if (Array.isArray(value)) {
      return mapped(value, (each, n) => this.#taken(each, `${place}[${n}]`, depth + 1, seen));
    }
    if (!isPlain(value)) return value;
    const part = value as { readonly [name in "role" | "type" | "blob"]?: unknown };
    // A model's own files go back to it as they came.
    if (part.role === "assistant") return value;
    if (part.type === "file" && typeof part.blob === "string") {
      this.#named.push({ id: part.blob, place });
      return value;
    }
    const isFile = part.type === "file" || part.type === "image";
    const blob = isFile ? this.#blobOf(value as FilePart | ImagePart) : undefined;
    if (blob !== undefined) return blob;
    const entries = Object.entries(value);
    const values = mapped(
      entries.map(([, each]) => each as unknown),
      (each, n) => this.#taken(each, `${place}.${entries[n]?.[0]}`, depth + 1, seen),
    );
    const isSame = values.every((each, n) => each === entries[n]?.[1]);
    return isSame ? value : Object.fromEntries(entries.map(([name], n) => [name, values[n]]));
  }

  #blobOf(part: FilePart | ImagePart): BlobPart | undefined {
    const text: unknown = part.type === "image" ? part.image : part.data;
    if (typeof text !== "string" || text.length <= MOST_BASE64) return undefined;
    const [head = "", urlType] = /^data:([^;,]*)(?:;[^;,]*?)*?;base64,/i.exec(text) ?? [];
    const base64 = text.slice(head.length);
    const bytes = bytesOf(base64);
    if (bytes === undefined || bytes.length <= MOST) return undefined;
    const partType = part.mediaType ?? (part.type === "image" ? "image/*" : undefined);
    const mediaType = urlType || partType;
    if (mediaType === undefined) return undefined;
    const id = digestOf(bytes);
    this.#files.set(id, bytes);
    const measures = measuresOf(mediaType, bytes, base64);
    const { filename, providerOptions } = part as FilePart;
    return {
      ...{ type: "file", blob: id, mediaType, size: bytes.length },
      ...(measures === undefined ? {} : { measures: { ...measures } }),
      ...(filename === undefined ? {} : { filename }),
      ...(providerOptions === undefined ? {} : { providerOptions }),
    };
  }
}

/** @throws ReckonerError `blob.missing` where a file is named that is not there */
export function refuseMissing(missing: readonly NamedFile[] | undefined): void {
  const [first] = missing ?? [];
  if (first !== undefined) throw missingBlob(first);
}

/** The error of a file that is not there. */
export function missingBlob({ id, place }: NamedFile): ReckonerError {
  const message = `There is no file ${shownBriefly(id)} for ${place}; send its content, as data.`;
  return new ReckonerError("blob.missing", message, { place });
}

async function settled(
  blobs: RunBlobs,
  files: ReadonlyMap<string, Uint8Array>,
  named: readonly NamedFile[],
): Promise<readonly NamedFile[]> {
  for (const [id, bytes] of files) await blobs.keep(id, bytes);
  const missing: NamedFile[] = [];
  for (const each of named) if (!(await blobs.hold(each.id))) missing.push(each);
  return missing;
}

function mapped(
  values: readonly unknown[],
  change: (each: unknown, n: number) => unknown,
): readonly unknown[] {
  const changed = values.map(change);
  return changed.some((each, n) => each !== values[n]) ? changed : values;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

/** Decodes base64; `undefined` where it is none: a URL, say. */
function bytesOf(base64: string): Uint8Array | undefined {
  try {
    const text = atob(base64);
    const bytes = new Uint8Array(text.length);
    for (let n = 0; n < text.length; n++) bytes[n] = text.charCodeAt(n);
    return bytes;
  } catch {
    return undefined;
  }
}
