/**
 * Calls the `decide` of a policy of thoughts, and validates all of its decisions before the first of them
 * begins.
 */

import * as shapes from "../../kernel/shapes.js";
import {
  emptyTable,
  emptyVector,
  messageOf,
  sealJson,
  vectorOf,
} from "../../kernel/values/index.js";
import { partFault } from "../../kernel/vocabulary/index.js";
import type { Entry, OperationState } from "../context.js";
import { getThought } from "../graph/graph.js";
import { OPERATION_ID } from "../operations/check-operation.js";
import { mannerOf } from "../operations/index.js";
import {
  begunCount,
  entryOfThought,
  findState,
  putState,
  trial,
  type Work,
} from "../work-on-context.js";
import type { Begin, Done } from "./policy.js";
import { PolicyFault } from "./policy-fault.js";
import { progressOf } from "./progress.js";

/**
 * Notes the operations that a policy begins at the start, or after an operation that is done; returns their
 * ids.
 * @throws PolicyFault that says which decision is wrong, and how
 */
export function decidedAfter(work: Work, done: Done | null): readonly string[] {
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
    const fault = partFault(decided, decidedParts);
    if (fault !== undefined) throw new PolicyFault(`decide, ${when}: ${fault}`);
    if ("memory" in decided) remember(work, (decided as { memory: unknown }).memory, when);
  }
  return list.map((decision: unknown, i) => {
    const state = begunBy(work, decision, `decision ${i + 1}, ${when}`);
    putState(work, state);
    return state.id;
  });
}

/** Calls one of a policy's own functions. */
export function called<T>(what: string, call: () => T): T {
  const outcome = trial(call);
  if ("answer" in outcome) return outcome.answer;
  const { how, why } = outcome;
  throw new PolicyFault(`${what} ${how === "threw" ? "threw" : "returned a promise"}: ${why}`);
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

const decidedParts = { begin: shapes.ANYTHING, memory: shapes.ANYTHING };

const parts: shapes.Shapes<Begin> = {
  use: shapes.ANYTHING,
  on: shapes.ANYTHING,
  id: shapes.ANYTHING,
};

/** The state of an operation that begins by a decision. */
function begunBy(work: Work, decision: unknown, where: string): OperationState {
  const { operations } = work.spec.policy;
  const refused = (why: string) => new PolicyFault(`${where}: ${why}`);
  if (typeof decision !== "object" || decision === null) {
    throw refused(`it is ${named(decision)}, and not { use, on }`);
  }
  const { use, on, id: ownId } = decision as Partial<Begin>;
  const misspelt = partFault(decision, parts);
  if (misspelt !== undefined) throw refused(misspelt);
  const operation = typeof use === "string" ? operations.get(use) : undefined;
  if (use === undefined || operation === undefined) {
    const names = [...operations.keys()].join(", ");
    throw refused(`there is no operation ${named(use)} to use (it has ${names})`);
  }
  // The number counts what was begun: the same decisions get the same ids.
  const id = ownId ?? `${use}.${begunCount(work) + 1}`;
  const invalid = shapes.misfit(id, OPERATION_ID);
  if (invalid !== undefined) throw refused(`the id ${named(id)} ${invalid}`);
  if (findState(work, id) !== undefined) throw refused(`an operation ${id} was begun before`);
  const taken = typeof on === "string" ? [on] : on;
  if (!Array.isArray(taken)) throw refused(`${use} takes no thoughts: \`on\` is their ids`);
  const inputs = taken.map((each: unknown) => entryNamed(work, each, where));
  return {
    id,
    use,
    status: "running",
    manner: mannerOf(operation),
    inputs: vectorOf(inputs),
    asks: emptyTable(),
    open: 0,
    versions: emptyTable(),
    output: emptyVector(),
  };
}

/**
 * The thought that a policy names, by its id or as an operation handed it on.
 * @throws PolicyFault that begins with the place, where the thought is not there or its verdicts are no JSON
 */
export function entryNamed(work: Work, reference: unknown, where: string): Entry {
  const isId = typeof reference === "string";
  const id = isId ? reference : (reference as Partial<Entry> | null | undefined)?.id;
  const thought = typeof id === "string" ? getThought(work.graph, id) : undefined;
  if (thought === undefined) {
    throw new PolicyFault(`${where}: there is no thought ${named(id ?? reference)}`);
  }
  if (isId) return entryOfThought(thought);
  const { score = null, valid = null, solved = null } = reference as Partial<Entry>;
  try {
    return sealJson<Entry>({ id, score, valid, solved });
  } catch {
    throw new PolicyFault(`${where}: the verdicts on ${id} are not JSON`);
  }
}

function named(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "function") return "a function";
  return typeof value === "object" && value !== null ? "an object" : String(value);
}
