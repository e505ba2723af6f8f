/**
 * `shown`: returns a message of a chat without the parts that were taken back, such as the text of an attempt
 * that failed. It runs in a browser's page, and needs no host.
 */
import { WITHDRAWN_CALL } from "./ui-stream.js";

/** A message, as far as `shown` looks at it. */
interface Message {
  readonly parts: readonly { readonly type: string }[];
}

/** A part, as far as `shown` looks into it. */
interface Part {
  readonly type: string;
  readonly text?: string;
  readonly state?: string;
  readonly toolCallId?: string;
  readonly errorText?: string;
  readonly approval?: { readonly id: string };
  readonly data?: unknown;
  readonly providerMetadata?: { readonly reckoner?: { readonly id?: string } };
}

const AGAIN = "data-reckoner-again";
const WITHDRAWN = "data-reckoner-withdrawn";
const FAILED = "data-reckoner-failed";
const WAITING = "data-reckoner-waiting";
const PROGRESS = "data-reckoner-progress";

/**
 * Returns a message as a person should see it: without the texts and calls of attempts that failed and the parts that say so,
 * without the progress of tools that have a result and waits that are over, and each text once, however often its stream was cut off and
 * resumed. Two pages show the same of a message that is whole, whatever became of their connections.
 */
export function shown<M extends Message>(message: M): M {
  const all = message.parts as readonly Part[];
  const parts = all.slice(all.findLastIndex(({ type }) => type === AGAIN) + 1);
  const gone = new Set(parts.flatMap((part) => (part.type === WITHDRAWN ? idsIn(part.data) : [])));
  const lastStep = parts.findLastIndex(({ type }) => type === "step-start");
  const settled = new Set(parts.flatMap((part) => (isSettled(part) ? [part.toolCallId] : [])));
  const texts = new Map<string, number>();
  const kept: Part[] = [];
  let isStep = false;
  for (const [at, part] of parts.entries()) {
    if (part.type === "step-start") {
      isStep = true;
      continue;
    }
    if (part.type === WITHDRAWN || isUnfinished(part, at < lastStep)) continue;
    if (part.type === WAITING && isOver(part.data)) continue;
    if (part.type === PROGRESS && settled.has(callIn(part.data))) continue;
    const id = part.providerMetadata?.reckoner?.id;
    if (id !== undefined && gone.has(id)) continue;
    const place = id?.replace(/~[^~]*$/, "");
    const before = place === undefined ? undefined : texts.get(place);
    if (before !== undefined) {
      kept[before] = cleaned(part);
      isStep = false;
      continue;
    }
    // A step of which nothing is left but that it failed, or waits, is none.
    if (isStep && part.type !== FAILED && part.type !== WAITING) kept.push({ type: "step-start" });
    isStep &&= part.type === WAITING;
    const to = place === undefined ? kept.length : behindTexts(kept);
    for (const [each, index] of texts) if (index >= to) texts.set(each, index + 1);
    if (place !== undefined) texts.set(place, to);
    kept.splice(to, 0, cleaned(part));
  }
  return { ...message, parts: kept } as unknown as M;
}

/**
 * True for a call that came to nothing before it was whole: it says so, or another step came behind it, since its page
 * was cut off.
 */
function isUnfinished({ type, state, errorText }: Part, isBehind: boolean): boolean {
  if (!type.startsWith("tool-")) return false;
  return (state === "input-streaming" && isBehind) || errorText === WITHDRAWN_CALL;
}

/** The place behind the texts of the last step: they stand before its calls, whichever streamed in again. */
function behindTexts(kept: readonly Part[]): number {
  let to = kept.length;
  while (to > 0 && kept[to - 1]?.toolCallId !== undefined) to -= 1;
  return to;
}

function idsIn(data: unknown): readonly string[] {
  return (data as { readonly ids?: readonly string[] } | undefined)?.ids ?? [];
}

function isOver(data: unknown): boolean {
  return (data as { readonly isOver?: boolean } | undefined)?.isOver === true;
}

function callIn(data: unknown): string | undefined {
  return (data as { readonly toolCallId?: string } | undefined)?.toolCallId;
}

function isSettled({ state }: Part): boolean {
  return state?.startsWith("output-") === true;
}

/** A part without what depends on the way by which it came: the id of a text, who answered an approval. */
function cleaned(part: Part): Part {
  const { providerMetadata, approval, ...rest } = part;
  if (providerMetadata?.reckoner !== undefined) {
    const { id: _id, ...own } = rest as Part & { readonly id?: string };
    return own;
  }
  if (approval === undefined) return part;
  if (!isSettled(part)) return part;
  const approved = part.state !== "output-denied";
  return { ...rest, approval: { id: approval.id, approved } } as Part;
}
