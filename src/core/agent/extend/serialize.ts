/**
 * Serializes an agent's context to plain data and back, for callers who store conversations
 * themselves. It is not the journal. Secrets in `deps` and what is not JSON are left out.
 */

import {
  asJson,
  isJsonObject,
  type Json,
  type JsonObject,
  listOf,
  toArray,
  toJson,
  vectorItems,
  vectorOf,
} from "../../kernel/values/index.js";
import {
  addUsage,
  describeThrown,
  isSecretKey,
  type Message,
  messageFault,
  noUsage,
  parseIsoTime,
  type Usage,
} from "../../kernel/vocabulary/index.js";
import { checkContext } from "../context/check-context.js";
import type {
  AgentContext,
  Batch,
  Call,
  PendingCalls,
  Preparing,
  QueuedMessage,
  ToolCallRecord,
} from "../context/context.js";
import { repairContext } from "../transcript/repair-context.js";
import type { TranscriptRepair } from "../transcript/repair-transcript.js";
import { newContext } from "./context-functions.js";

/** The version of the shape. It is raised when what a field means changes. */
const VERSION = 1;

/** A context as data: JSON through and through, the lists as arrays. */
export interface SerializedContext
  extends Omit<
    AgentContext,
    "messages" | "toolCalls" | "queue" | "batch" | "pending" | "preparing" | "deps" | "startedAt"
  > {
  readonly version: 1;
  readonly messages: readonly Message[];
  readonly toolCalls: readonly ToolCallRecord[];
  readonly queue: readonly QueuedMessage[];
  readonly batch: (Omit<Batch, "calls"> & { readonly calls: readonly JsonObject[] }) | null;
  readonly pending:
    | (Omit<PendingCalls, "calls"> & { readonly calls: readonly JsonObject[] })
    | null;
  readonly preparing:
    | (Omit<Preparing, "settlements"> & { readonly settlements: readonly Json[] })
    | null;
  /** Without secrets and without what is not JSON. */
  readonly deps: JsonObject;
  /** ISO 8601; milliseconds since 1970 where that cannot say it. */
  readonly startedAt: string | number;
}

/** The result of {@link deserialize}. */
export type Deserialized<Deps = JsonObject> =
  | {
      readonly ok: true;
      readonly context: AgentContext<Deps>;
      /** The changes made while reading: a transcript that was repaired. */
      readonly warnings: readonly string[];
    }
  | { readonly ok: false; readonly error: string };

/**
 * A context as data: its own fields and no other. Of `deps`, keys that look like secrets are left out
 * at every depth, by whole word-parts (`apiToken` goes, `maxTokens` stays); functions, instances,
 * getters and whatever else is not JSON are left out everywhere.
 */
export function serialize<Deps>(context: AgentContext<Deps>): SerializedContext {
  checkContext("serialize", context);
  const { messages, toolCalls, queue, batch, pending, preparing, deps, startedAt, request } =
    context;
  const own: Record<string, Json> = {};
  for (const key of Object.keys(newContext())) {
    own[key] = withoutForeign(context[key as keyof AgentContext], new Set(), false) ?? null;
  }
  return {
    version: VERSION,
    ...(own as unknown as Omit<SerializedContext, "version">),
    messages: toArray(messages).map((each) => cleaned(each)),
    toolCalls: toArray(toolCalls).map((each) => cleaned(each)),
    queue: toArray(queue).map((each) => cleaned(each)),
    batch: batch && cleaned({ ...batch, calls: vectorItems(batch.calls).map(withItems) }),
    pending: pending && cleaned({ ...pending, calls: pending.calls.map(withItems) }),
    preparing: preparing && (cleaned(withItems(preparing)) as SerializedContext["preparing"]),
    deps: (withoutForeign(deps, new Set(), true) ?? {}) as JsonObject,
    startedAt: isoTime(startedAt),
    // One that was about to be issued is built again.
    request: request?.type === "built" ? null : cleaned(request),
  };
}

/** A call, or a plug-in's step, with what settled its requests as an array. */
function withItems(of: Call | Preparing): JsonObject {
  const { settlements, ...rest } = of;
  const items = settlements === undefined ? {} : { settlements: vectorItems(settlements) };
  return asJson({ ...rest, ...items });
}

function cleaned<T>(value: T): T {
  return withoutForeign(value, new Set(), false) as T;
}

/** Year 10 000: later times have no ISO form of four digits. */
const LAST_ISO_TIME = 253_402_300_800_000;

function isoTime(at: number): string | number {
  const plain = Number.isInteger(at) && at >= 0 && at < LAST_ISO_TIME;
  return plain ? new Date(at).toISOString() : at;
}

/**
 * A value without what is not JSON, and without secrets where that is asked; `undefined` where it is
 * no JSON itself.
 */
function withoutForeign(value: unknown, above: Set<object>, secrets: boolean): Json | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value !== "object" || above.has(value)) return undefined;
  const array = Array.isArray(value);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (!array && prototype !== null && prototype !== Object.prototype) return undefined;
  above.add(value);
  const properties = Object.getOwnPropertyDescriptors(value) as Record<string, PropertyDescriptor>;
  // A getter's value is not part of the object, and may differ the next time.
  const inner = (key: string | number) => {
    const child: unknown = properties[key]?.value;
    return child === undefined ? undefined : withoutForeign(child, above, secrets);
  };
  const kept = array
    ? // An item that is not JSON leaves a gap, as JSON.stringify does it: the others keep their places.
      Array.from({ length: value.length }, (_, i) => inner(i) ?? null)
    : Object.fromEntries(
        Object.keys(value)
          .filter((key) => !(secrets && isSecretKey(key)) && key !== "__proto__")
          .map((key) => [key, inner(key)] as const)
          .filter((entry): entry is readonly [string, Json] => entry[1] !== undefined),
      );
  above.delete(value);
  return kept;
}

/**
 * Reads the data that {@link serialize} makes, and names what is not part of it. A field that is absent
 * is as in a new context, but for `needsResponse`, which is false. It throws nothing.
 */
export function deserialize<Deps extends object = JsonObject>(data: unknown): Deserialized<Deps> {
  try {
    // Copied first: proxies and getters may do anything when they are read.
    const plain: Json = toJson(data, "data");
    const { version } = isJsonObject(plain) ? plain : ({} as JsonObject);
    if (typeof version !== "number" || !Number.isInteger(version)) {
      return { ok: false, error: "missing or invalid version field" };
    }
    if (version !== VERSION) return { ok: false, error: `unsupported version: ${version}` };
    const warnings: string[] = [];
    const context = readContext(plain as JsonObject, warnings);
    return { ok: true, context: context as AgentContext<Deps>, warnings };
  } catch (thrown) {
    return { ok: false, error: describeThrown(thrown) };
  }
}

function readContext(data: JsonObject, warnings: string[]): AgentContext {
  const fresh = newContext();
  onlyParts("the data", data, ["version", ...Object.keys(fresh)]);
  const messages = arrayOf(data, "messages").map((each, i) => readMessage(each, `messages[${i}]`));
  const usage = objectOf(data, "usage");
  onlyParts("usage", usage, [...Object.keys(noUsage), "reasoningTokens", "cost"]);
  const deps = objectOf(data, "deps");
  const read = {
    messages: listOf(messages),
    deps,
    usage: addUsage(noUsage, usage as Partial<Usage>),
    toolCalls: listOf(arrayOf(data, "toolCalls").map(readRecord)),
    needsResponse: like(data, "needsResponse", false),
    startedAt: timeOf(data.startedAt),
    queue: listOf(
      arrayOf(data, "queue").map((each, i) =>
        readMessage<QueuedMessage>(each, `queue[${i}]`, QUEUED_PARTS),
      ),
    ),
    batch: readBatch(objectOrNull(data, "batch")),
    pending: readPending(objectOrNull(data, "pending")),
    notices: arrayOf(data, "notices") as unknown as AgentContext["notices"],
    preparing: readItems<Preparing>(objectOrNull(data, "preparing")),
  };
  const others = Object.entries(fresh)
    .filter(([name]) => !Object.hasOwn(read, name))
    .map(([name, otherwise]) => [name, like(data, name, otherwise, typeOf(name, otherwise))]);
  const context: AgentContext = { ...fresh, ...Object.fromEntries(others), ...read };
  // The calls of a batch that is open have no results yet.
  const repaired = repairContext(context, context.batch !== null);
  if (repaired.repair !== null) warnings.push(wordsOf(repaired.repair));
  return repaired.context;
}

const TEXTS = ["systemPrompt", "finishReason", "model", "cancelReason", "limit", "flaw"];

/** Returns the type of a field, also where it may be null. */
function typeOf(name: string, otherwise: unknown): string {
  if (otherwise !== null) return typeof otherwise;
  if (TEXTS.includes(name)) return "string";
  return name === "tokenBudget" || name === "costBudget" ? "number" : "object";
}

function objectOrNull(data: JsonObject, name: string): JsonObject | null {
  return like<JsonObject | null>(data, name, null, "object");
}

function readBatch(batch: JsonObject | null): Batch | null {
  if (batch === null) return null;
  return { ...batch, calls: vectorOf(callsOf(batch, "batch")) } as unknown as Batch;
}

function readPending(pending: JsonObject | null): PendingCalls | null {
  if (pending === null) return null;
  return { ...pending, calls: callsOf(pending, "pending") } as unknown as PendingCalls;
}

function callsOf(data: JsonObject, place: string): readonly Call[] {
  return arrayOf(data, "calls").map((call, i) => {
    if (!isJsonObject(call) || typeof call.id !== "string") {
      throw new Error(`${place}.calls[${i}] is not a tool call`);
    }
    return readItems<Call>(call) as Call;
  });
}

/** Reads a call or a plug-in's step that {@link withItems} has written. */
function readItems<T extends Call | Preparing>(data: JsonObject | null): T | null {
  if (data?.settlements === undefined) return data as T | null;
  return { ...data, settlements: vectorOf(arrayOf(data, "settlements")) } as unknown as T;
}

const MESSAGE_PARTS = ["role", "content", "providerOptions"];
const QUEUED_PARTS = [...MESSAGE_PARTS, "id"];

function readMessage<M extends Message>(value: Json, place: string, parts = MESSAGE_PARTS): M {
  const fault = messageFault(value, place);
  if (fault !== undefined) throw new Error(fault);
  onlyParts(place, value as JsonObject, parts);
  return value as unknown as M;
}

const NEEDED_PARTS = ["id", "callId", "name", "input", "status", "output"];
const RECORD_PARTS = [...NEEDED_PARTS, "edited", "error"];

function readRecord(value: Json, i: number): ToolCallRecord {
  const place = `toolCalls[${i}]`;
  if (!isJsonObject(value)) throw new Error(`${place} is not a record of a tool call`);
  onlyParts(place, value, RECORD_PARTS);
  const missing = NEEDED_PARTS.find((name) => value[name] === undefined);
  if (missing !== undefined) throw new Error(`${place} has no ${missing}`);
  return value as unknown as ToolCallRecord;
}

/** Throws where an object has a part of another name: what nobody reads would be lost in silence. */
function onlyParts(place: string, value: JsonObject, parts: readonly string[]): void {
  const unknown = Object.keys(value).find((name) => !parts.includes(name));
  if (unknown === undefined) return;
  throw new Error(`${unknown} is not a part of ${place}; ${parts.join(", ")} are`);
}

function wordsOf(repair: TranscriptRepair): string {
  const counts = Object.entries(repair).filter(([, count]) => count > 0);
  return `the transcript was repaired: ${counts.map(([what, count]) => `${count} ${what}`).join(", ")}`;
}

/** A field of the default's type, or the default where it is absent or null. */
function like<T>(data: JsonObject, name: string, otherwise: T, type: string = typeof otherwise): T {
  const value = data[name] ?? null;
  if (value === null) return otherwise;
  if (typeof value !== type || Array.isArray(value)) throw new Error(`${name} must be a ${type}`);
  return value as T;
}

function arrayOf(data: JsonObject, name: string): readonly Json[] {
  const value = data[name] ?? [];
  if (!Array.isArray(value)) throw new Error(`${name} must be an array`);
  return value;
}

function objectOf(data: JsonObject, name: string): JsonObject {
  return like<JsonObject>(data, name, {}, "object");
}

function timeOf(value: Json | undefined): number {
  if (value === undefined || value === null) return 0;
  const at = typeof value === "number" ? value : parseIsoTime(String(value));
  if (at === undefined || !Number.isFinite(at))
    throw new Error("startedAt must be a time in ISO 8601");
  return at;
}
