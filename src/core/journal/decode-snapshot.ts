/**
 * Reads stored snapshots back into states. If one is broken, the reason is returned in words, so that the
 * caller continues with another snapshot, or with the lines of the journal.
 */

import { type RunState, stateFault } from "../kernel/machine/index.js";
import {
  digestOf,
  isJsonObject,
  isObject,
  isReckonerError,
  type Json,
  type JsonObject,
  MAX_OWN_DEPTH,
  parseSealed,
  ReckonerError,
  sealJson,
  shownBriefly,
  TABLE_KEY,
} from "../kernel/values/index.js";
import { fromContent, type ListFrom } from "./from-content.js";
import { isArrayOf, isAskedInterrupt, isDescription, isText, type Unknown } from "./line-fault.js";
import type { JournalMemory } from "./memory.js";
import { fromRows, type RowTexts } from "./shared-rows.js";
import {
  SNAPSHOT_FORMAT as FORMAT,
  type Remembered,
  type RunSnapshot,
  type Snapshot,
  type SnapshotClaim,
} from "./snapshot.js";

/** Around a machine's own values stand the snapshot, its runs, the state and its field. */
const MAX_CONTENT_DEPTH: number = MAX_OWN_DEPTH + 10;

/** A stored snapshot that nothing has proved yet. */
export interface StoredText {
  readonly claim: SnapshotClaim;
  readonly digest: string;
  readonly text: string;
}

/** Reads what a stored snapshot claims to be. @returns in words what is wrong with it */
export function openSnapshot(stored: string): StoredText | string {
  const end = stored.indexOf("\n");
  let claim: unknown;
  try {
    claim = JSON.parse(stored.slice(0, Math.max(0, end)));
  } catch {
    return "it lacks its place";
  }
  const { format, lines, bytes, runId, at } = (claim ?? {}) as Record<string, unknown>;
  if (format !== FORMAT) return `its format is ${shownBriefly(format)}, not ${FORMAT}`;
  const isCount = (each: unknown) => Number.isSafeInteger(each) && (each as number) >= 0;
  if (!isCount(lines) || !isCount(bytes) || typeof runId !== "string" || typeof at !== "number") {
    return "it lacks its place";
  }
  const text = stored.slice(end + 1);
  return { claim: { lines, bytes, runId, at } as SnapshotClaim, digest: digestOf(text), text };
}

/**
 * Reads a snapshot that its mark proves.
 * @param rows the texts of those that it may name
 * @returns in words what is wrong with it
 */
export function readSnapshotText(text: string, rows: RowTexts): Snapshot | string {
  const row = (name: string): Json => {
    const own = rows.get(name);
    if (own === undefined || digestOf(own) !== name) {
      throw new ReckonerError("json.refused", `It lacks its row ${name}.`);
    }
    return parseSealed<Json>(own, "$", MAX_CONTENT_DEPTH);
  };
  const short = fromRows(row);
  try {
    // Its content is sealed first, in place, so that what is built of it is not copied.
    const raw = parseSealed<JsonObject>(text, "$", MAX_CONTENT_DEPTH);
    if (!isWhole(raw)) return "it lacks its parts";
    const runs = (raw.runs as readonly JsonObject[]).map(({ state, memory, ...rest }) => {
      const built = remembered(state as JsonObject, memory as JsonObject, short);
      return typeof built === "string" ? built : ({ ...rest, ...built } as unknown as RunSnapshot);
    });
    const fault = runs.find((each) => typeof each === "string");
    return fault ?? ({ ...raw, runs } as unknown as Snapshot);
  } catch (thrown) {
    return isReckonerError(thrown) ? thrown.message : "it is not of this format";
  }
}

/**
 * A state and what is remembered at it, from their content.
 * @param short gives Lists that do not stand there whole
 * @returns in words what is wrong
 * @throws ReckonerError `journal.configuration` where it is not known what a List goes on from
 */
export function remembered(
  state: JsonObject,
  memory: JsonObject,
  short?: ListFrom,
): Remembered | string {
  if (!isParts(memory.parts) || !isJsonObject(memory.usage)) return "it lacks what is remembered";
  try {
    const built = sealJson(fromContent(state, short)) as RunState;
    const own = sealJson(fromContent(memory)) as JournalMemory;
    const fault = stateFault(built, "its state");
    if (fault !== undefined) return fault;
    if (!isTable(own.begun)) return "it lacks what has begun";
    const { failed, handles, interrupt, says, waitedMs = 0 } = own;
    if (!Number.isFinite(waitedMs) || waitedMs < 0) return "it has waited for no time";
    if (failed !== undefined && !isTable(failed)) return "its failed attempts are none";
    if (handles !== undefined && !isTable(handles)) return "its handles are none";
    if (interrupt !== undefined && !isAskedInterrupt(interrupt)) return "its interrupt is none";
    if (says !== undefined && !isDescription(says)) return "it describes its run wrongly";
    return { state: built, memory: own };
  } catch (thrown) {
    if (isReckonerError(thrown) && thrown.code === "journal.configuration") throw thrown;
    return isReckonerError(thrown) ? thrown.message : "its state is not JSON of this format";
  }
}

/** Returns true if the parts of a snapshot are what they should be, but for states and what is remembered. */
function isWhole({ place, runs, issued, references }: JsonObject): boolean {
  if (!isObject(place) || !isArrayOf(runs, isRun) || (runs as readonly Json[]).length === 0) {
    return false;
  }
  const { seq, lines, bytes, hash } = place;
  const isPlaced = isText(hash) && [seq, lines, bytes].every(Number.isSafeInteger);
  const isIssue = (each: unknown) => isArrayOf(each, isText);
  const isReference = (each: unknown) =>
    Array.isArray(each) && isText(each[0]) && Number.isSafeInteger(each[1]);
  return isPlaced && isArrayOf(issued, isIssue) && isArrayOf(references, isReference);
}

function isRun(run: unknown, at: number): boolean {
  if (!isObject(run) || !isObject(run.configuration) || !isObject(run.written)) return false;
  const { written, configuration, begin } = run;
  const { version, fingerprint } = configuration;
  const isNamed =
    at === 0 ? run.run === "" : isText(run.run) && isObject(begin) && "input" in begin;
  const isList = (list: unknown) =>
    isObject(list) && Number.isSafeInteger(list.size) && isText(list.head);
  return (
    isNamed &&
    isObject(run.state) &&
    isObject(run.memory) &&
    Number.isSafeInteger(version) &&
    isText(fingerprint) &&
    isArrayOf(written.lists, isList) &&
    isArrayOf(written.held, isText) &&
    Number.isFinite(written.length) &&
    isObject(written.derived) &&
    isDerivedContent(written.derived)
  );
}

function isDerivedContent({ items, calls, tools, results, said: userMessages }: Unknown): boolean {
  const isResult = (each: unknown) => Array.isArray(each) && isText(each[0]) && each.length === 2;
  return (
    Array.isArray(items) &&
    isArrayOf(calls, (each) => isObject(each) && isText(each.toolCallId)) &&
    isArrayOf(tools, isText) &&
    isArrayOf(results, isResult) &&
    Array.isArray(userMessages)
  );
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
