/** Snapshots read: whatever is wrong with one is said in words, and another is taken. */
import {
  isJsonObject,
  isReckonerError,
  type Json,
  type JsonObject,
  MAX_OWN_DEPTH,
  parseSealed,
  type RunState,
  sealJson,
  shownBriefly,
  stateFault,
  TABLE_KEY,
} from "../kernel/index.js";
import { fromContent } from "./from-content.js";
import { isAskedInterrupt } from "./line-fault.js";
import type { JournalMemory } from "./memory.js";
import {
  SNAPSHOT_FORMAT as FORMAT,
  type Remembered,
  type Snapshot,
  type SnapshotPlace,
} from "./snapshot.js";

/** Around a machine's own values stand the snapshot, the state and its field. */
const MAX_CONTENT_DEPTH: number = MAX_OWN_DEPTH + 8;

/**
 * Reads a snapshot.
 * @returns what is wrong with it, in words, where it is none
 */
export function decodeSnapshot(text: string): Snapshot | string {
  let raw: JsonObject;
  try {
    // Its content is sealed first, in place, so that what is built of it is not copied.
    raw = parseSealed<JsonObject>(text, "$", MAX_CONTENT_DEPTH);
  } catch (thrown) {
    return isReckonerError(thrown) ? thrown.message : "it is not JSON";
  }
  if (!isJsonObject(raw)) return "it is not an object";
  if (raw.format !== FORMAT) return `its format is ${shownBriefly(raw.format)}, not ${FORMAT}`;
  const { place, state, memory } = raw;
  if (!isPlace(place)) return "it lacks its place";
  if (!isJsonObject(state) || !isJsonObject(memory)) return "it lacks its state";
  const built = snapshotOf(state, memory);
  return typeof built === "string" ? built : { place, ...built };
}

/** A state and what is remembered at it, from their content. @returns in words what is wrong */
export function snapshotOf(state: JsonObject, memory: JsonObject): Remembered | string {
  if (!isParts(memory.parts) || !isJsonObject(memory.usage)) return "it lacks what is remembered";
  try {
    const built = sealJson(fromContent(state)) as unknown as RunState;
    const remembered = sealJson(fromContent(memory)) as unknown as JournalMemory;
    const fault = stateFault(built);
    if (fault !== undefined) return `its state ${fault}`;
    if (!isTable(remembered.begun)) return "it lacks what has begun";
    const { failed, interrupt } = remembered;
    if (failed !== undefined && !isTable(failed)) return "its failed attempts are none";
    if (interrupt !== undefined && !isAskedInterrupt(interrupt)) return "its interrupt is none";
    return { state: built, memory: remembered };
  } catch (thrown) {
    return isReckonerError(thrown) ? thrown.message : "its state is not JSON of this format";
  }
}

function isTable(value: unknown): boolean {
  return typeof value === "object" && value !== null && TABLE_KEY in value;
}

/** The refs of directives' parts: texts, of which nothing else may look like one. */
function isParts(value: Json | undefined): boolean {
  if (!isJsonObject(value)) return false;
  return Object.values(value).every(
    (parts) => isJsonObject(parts) && Object.values(parts).every((ref) => typeof ref === "string"),
  );
}

function isPlace(value: Json | undefined): value is JsonObject & SnapshotPlace {
  if (!isJsonObject(value) || typeof value.hash !== "string" || !isJsonObject(value.listed))
    return false;
  const { seq, lines, bytes, listed } = value;
  return [seq, lines, bytes, listed.lines, listed.bytes].every(
    (each) => Number.isSafeInteger(each) && (each as number) >= 0,
  );
}
