/** Calls a policy's `decide`, and validates its decisions before any of them begins. */
import {
  describeThrown,
  emptyTable,
  emptyVector,
  isUnawaited,
  type JsonObject,
  messageOf,
  type Parts,
  partFault,
  sealJson,
  toJson,
} from "../../kernel/index.js";
import * as shapes from "../../kernel/shapes.js";
import type { Entry, OperationState } from "../context.js";
import { getThought } from "../graph/graph.js";
import { OPERATION_ID, operationSpecFault } from "../operations/check-operation.js";
import { begunCount, knownEntry, knownState, operationOf, putState, type Work } from "../work.js";
import type { Begin, Done } from "./policy.js";
import { PolicyFault } from "./policy-fault.js";
import { progressOf } from "./progress.js";

/** An operation that was decided for. */
export interface Decided {
  readonly id: string;
  /** The policy's name for it. */
  readonly use: string;
  /** The parameters laid over its own. */
  readonly over: JsonObject;
  /** The thoughts it takes; `undefined`: those of the operations it comes after. */
  readonly inputs: readonly Entry[] | undefined;
}

const NOTHING: JsonObject = Object.freeze({});

/** An operation that has just begun. */
export function blank(id: string, index: number, use: string, over: JsonObject): OperationState {
  return {
    id,
    index,
    use,
    with: over,
    status: "running",
    manner: "",
    inputs: emptyVector(),
    asks: emptyTable(),
    open: 0,
    output: emptyVector(),
  };
}

/**
 * Returns the policy's decisions at the start, or after an operation that is done.
 * @throws PolicyFault that says which decision is wrong, and how
 */
export function decidedAfter(work: Work, done: Done | null): readonly Decided[] {
  const { policy } = work.spec;
  const when = done === null ? "at the start" : `after ${done.id}`;
  const decided = called(`decide, ${when},`, () => policy.decide(progressOf(work, done)));
  const list = Array.isArray(decided) ? decided : (decided as { begin?: unknown } | null)?.begin;
  if (!Array.isArray(list)) {
    throw new PolicyFault(
      `decide, ${when}, returned ${named(decided)}, which is not a list of operations to begin`,
    );
  }
  if (!Array.isArray(decided)) {
    const fault = partFault(decided as object, decidedParts);
    if (fault !== undefined) throw new PolicyFault(`decide, ${when}: ${fault}`);
    if ("memory" in (decided as object))
      remember(work, (decided as { memory: unknown }).memory, when);
  }
  // One in its place begins when the last of those that it comes after is done, and is decided then again.
  return list
    .map((decision: unknown, i) => decisionOf(work, decision, `decision ${i + 1}, ${when}`))
    .filter(({ id, inputs }) => inputs !== undefined || isDue(work, id));
}

/** Returns true when an operation in its place has not begun, and all that it comes after is done. */
function isDue(work: Work, id: string): boolean {
  if (knownState(work, id) !== undefined) return false;
  return operationOf(work, id).after.every((each) => knownState(work, each)?.status === "done");
}

/** The operations of a plan that an upgrade left nothing to wait for, in the plan's order. */
export function dueAfterUpgrade(work: Work): readonly Decided[] {
  const { fixed, operations } = work.spec.policy;
  const names = fixed === true ? [...operations.keys()] : [];
  return names.filter((id) => isDue(work, id)).map(inItsPlace);
}

/** Calls one of a policy's own functions. */
export function called<T>(what: string, call: () => T): T {
  let said: T;
  try {
    said = call();
  } catch (thrown) {
    if (thrown instanceof PolicyFault) throw thrown;
    throw new PolicyFault(`${what} threw: ${describeThrown(thrown)}`);
  }
  if (isUnawaited(said)) {
    throw new PolicyFault(`${what} returned a promise: it is async, and the core is synchronous`);
  }
  return said;
}

function remember(work: Work, memory: unknown, when: string): void {
  try {
    work.memory = sealJson(memory ?? null, "$.memory");
  } catch (thrown) {
    throw new PolicyFault(
      `the memory that decide returned, ${when}, is not JSON: ${messageOf(thrown)}`,
    );
  }
}

/** An operation in its place in the policy: it takes the thoughts of those it comes after. */
function inItsPlace(id: string): Decided {
  return { id, use: id, over: NOTHING, inputs: undefined };
}

const decidedParts = { begin: true, memory: true } as const;

const parts: Parts<Begin> = { use: true, on: true, id: true, with: true };

function decisionOf(work: Work, decision: unknown, where: string): Decided {
  const { operations } = work.spec.policy;
  const known = ` (it has ${[...operations.keys()].join(", ")})`;
  const refused = (why: string) => new PolicyFault(`${where}: ${why}`);
  if (typeof decision === "string") {
    if (!operations.has(decision)) throw refused(`there is no operation ${decision}${known}`);
    return inItsPlace(decision);
  }
  if (typeof decision !== "object" || decision === null) {
    throw refused(`it is ${named(decision)}, neither an operation's id nor { use, on }`);
  }
  const { use, on, id: given, with: over = {} } = decision as Partial<Begin>;
  const misspelt = partFault(decision, parts);
  if (misspelt !== undefined) throw refused(misspelt);
  const operation = typeof use === "string" ? operations.get(use) : undefined;
  if (use === undefined || operation === undefined) {
    throw refused(`there is no operation ${named(use)} to use${known}`);
  }
  // The number counts what was begun: the same decisions get the same ids.
  const index = begunCount(work) + 1;
  const id = given ?? `${use}.${index}`;
  const invalid = shapes.misfit(id, OPERATION_ID);
  if (invalid !== undefined) throw refused(`the id ${named(id)} ${invalid}`);
  if (knownState(work, id) !== undefined) throw refused(`an operation ${id} was begun before`);
  const ids = typeof on === "string" ? [on] : on;
  if (!Array.isArray(ids) || ids.length === 0) {
    throw refused(`${use} takes no thoughts: \`on\` is their ids`);
  }
  const inputs = ids.map((each: unknown) => {
    const thought = getThought(work.graph, String(each));
    if (thought === undefined) throw refused(`there is no thought ${named(each)} for ${use}`);
    return knownEntry(thought);
  });
  const made = jsonOver(over);
  if (made === undefined) throw refused(`what is laid over ${use} is not a JSON object`);
  const fixed = ["kind", "id", "after", "index"].find((key) => key in made);
  if (fixed !== undefined) throw refused(`${fixed} of ${use} cannot be laid over`);
  const fault = operationSpecFault({ ...operation, ...made });
  if (fault !== undefined) throw refused(`${use}: ${fault}`);
  putState(work, blank(id, index, use, made));
  return { id, use, over: made, inputs };
}

function jsonOver(over: unknown): JsonObject | undefined {
  try {
    const json = toJson(over);
    return shapes.OBJECT[0](json) ? (json as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

function named(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "function") return "a function";
  return typeof value === "object" && value !== null ? "an object" : String(value);
}
