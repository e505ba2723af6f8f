/**
 * Replaces file ids in a model request by the content of the files, for the model that is asked. Also moves
 * large files out of a tool's result into the run's file store (`BlobPort`), before the result is recorded.
 */
import type { Outcome } from "../../core/driver/for-live-runs.js";
import { base64Of } from "../../core/kernel/values/index.js";
import type {
  BlobPart,
  FilePart,
  Message,
  ToolContentPart,
} from "../../core/kernel/vocabulary/index.js";
import type { RunBlobs } from "../ports/blobs.js";
import { FileDoor, missingBlob } from "../ports/file-door.js";
import { ModelError, type ModelRequest } from "../ports/ports.js";

type AnyPart = { readonly type: string };

/**
 * Returns a request with the content of the files that it names; the same where it names none.
 * @throws ModelError `blob.missing`; `port.failed` where the files cannot be reached, which passes
 */
export async function withFiles(request: ModelRequest, blobs: RunBlobs): Promise<ModelRequest> {
  const { messages, ...rest } = request;
  const fetched: Message[] = [];
  for (const [n, message] of messages.entries()) {
    fetched.push(await messageWithFiles(message, `messages[${n}]`, blobs));
  }
  return fetched.every((each, n) => each === messages[n])
    ? request
    : { ...rest, messages: fetched };
}

async function messageWithFiles(
  message: Message,
  place: string,
  blobs: RunBlobs,
): Promise<Message> {
  if (typeof message.content === "string") return message;
  const content = await partsWithFiles(message.content, `${place}.content`, blobs);
  return content === message.content ? message : ({ ...message, content } as Message);
}

async function partsWithFiles(
  parts: readonly AnyPart[],
  place: string,
  blobs: RunBlobs,
): Promise<readonly AnyPart[]> {
  const fetched: AnyPart[] = [];
  for (const [n, part] of parts.entries()) {
    fetched.push(await partWithFile(part, `${place}[${n}]`, blobs));
  }
  return fetched.every((each, n) => each === parts[n]) ? parts : fetched;
}

async function partWithFile(part: AnyPart, place: string, blobs: RunBlobs): Promise<AnyPart> {
  if ("blob" in part) return fileOf(part as BlobPart, place, blobs);
  const { output } = part as { readonly output?: { readonly type: string; value?: unknown } };
  if (part.type !== "tool-result" || output?.type.endsWith("content") !== true) return part;
  const inside = output.value as readonly AnyPart[];
  const value = await partsWithFiles(inside, `${place}.output.value`, blobs);
  return value === inside ? part : ({ ...part, output: { ...output, value } } as AnyPart);
}

async function fileOf(
  { blob, size: _size, measures: _measures, ...rest }: BlobPart,
  place: string,
  blobs: RunBlobs,
): Promise<FilePart> {
  let bytes: Uint8Array | undefined;
  try {
    bytes = await blobs.read(blob);
  } catch (cause) {
    const message = `The file for ${place} cannot be read.`;
    throw new ModelError({ code: "port.failed", message, transient: true }, { cause });
  }
  if (bytes !== undefined) return { ...rest, data: base64Of(bytes) };
  const { code, message } = missingBlob({ id: blob, place });
  throw new ModelError({ code, message, transient: false });
}

/** Returns an outcome of a tool whose large files lie outside; where they cannot be kept, they stay in it. */
export async function keptOutside(outcome: Outcome, blobs: RunBlobs): Promise<Outcome> {
  const content = contentOf(outcome);
  if (content === undefined) return outcome;
  const door = new FileDoor(true);
  const kept = door.take(content, "content");
  try {
    // The result names a file that is not there: whoever asks a model for it is told.
    await door.settle(blobs);
  } catch {
    return outcome;
  }
  if (outcome.type !== "settled") return { ...outcome, content: kept } as Outcome;
  return { ...outcome, settlement: { ...outcome.settlement, content: kept } } as Outcome;
}

function contentOf(outcome: Outcome): readonly ToolContentPart[] | undefined {
  const result = outcome.type === "settled" ? outcome.settlement : outcome;
  return (result as { readonly content?: readonly ToolContentPart[] }).content;
}
