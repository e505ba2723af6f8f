/**
 * `plan`: a policy that follows a fixed graph of operations, as in the Graph-of-Thoughts paper. All
 * operations that are ready run in parallel.
 */

import type * as shapes from "../../kernel/shapes.js";
import { hashOf, type JsonObject, ReckonerError } from "../../kernel/values/index.js";
import { checkDefinition } from "../../kernel/vocabulary/index.js";
import { ancestors } from "../graph/walk.js";
import { FINITE, NAME, operationSpecFault } from "../operations/check-operation.js";
import { isMerge } from "../operations/is-merge.js";
import type {
  AggregationStrategy,
  Operation,
  OperationKind,
  OperationSpec,
} from "../operations/operation.js";
import { ROOT } from "../work-on-context.js";
import { describeValue } from "./describe-value.js";
import type { Policy } from "./policy.js";

/** In `after`: the operation before this one in the list. */
export const PREVIOUS = "(previous)";

/** These need thoughts to work on; the others can begin with the problem itself. */
const beginners: ReadonlySet<OperationKind> = new Set(["generate", "select"]);

/** The options of a plan. */
export interface PlanOptions {
  /** Default "plan". */
  readonly name?: string | undefined;
  /**
   * A score at which nothing more is asked: once an operation hands on an answer to the whole problem
   * that is as good, operations that would ask the model hand on what has reached it.
   */
  readonly until?: number | undefined;
}

const parts: shapes.Shapes<PlanOptions> = { name: NAME, until: FINITE };

/**
 * Makes a plan of operations. Each comes after the one before it in the list, unless its `after` says
 * which. The result is the best among what the operations hand on after which nothing comes.
 * @throws ReckonerError `thoughts.plan`: a cycle, an operation that is not there, the same edge or id
 * twice, an operation that needs thoughts and comes after nothing, a KeepBest of what nobody scored, a
 * parameter that cannot be
 */
export function plan<State extends object = JsonObject>(
  specs: readonly OperationSpec<State>[],
  options: PlanOptions = {},
): Policy<State> {
  checkDefinition("thoughts.plan", "plan, behind its operations,", options, parts);
  const { name = "plan", until } = options;
  if (!Array.isArray(specs)) throw refused("plan", "it takes a list of operations");
  const ids = specs.map((spec, i) => spec?.id ?? `${i}-${spec?.kind}`);
  const operations = new Map<string, Operation<OperationKind, State>>();
  specs.forEach((spec, i) => {
    const id = ids[i] as string;
    const fault = operationSpecFault(spec);
    if (fault !== undefined) throw refused(id, fault);
    if (operations.has(id)) throw refused(id, "another operation has this id");
    const after = predecessors(spec, ids[i - 1]);
    operations.set(id, { ...spec, id, after });
  });
  if (operations.size === 0) throw refused("plan", "it has no operations");
  const followers = followersOf(operations);
  const order = inOrder(operations, followers);
  checkScored(operations, order);
  const all = [...operations.values()];
  const sinks = ids.filter((id) => followers.get(id)?.length === 0);
  const partial = partialOf(order, followers);
  const merges = all.filter((each) => isMerge(each) && each.after.length > 1);
  const edges = hashOf(all.map(({ id, after }) => [id, ...after]));
  const made: Policy<State, string | null> = {
    name,
    configuration: describeValue({ all, until }),
    // A plan's operations say themselves how many thoughts there will be.
    defaults: { maxNodes: null, maxDepth: null },
    ...(until === undefined ? {} : { until }),
    operations,
    decide({ done, memory, output, standing }) {
      // Its memory is the plan that it followed last. Under another one all operations are looked at: those
      // that one comes after may be done already.
      const follows = done !== null && memory === edges;
      const due = (follows ? (followers.get(done.id) ?? []) : ids)
        .map((id) => operations.get(id) as Operation<OperationKind, State>)
        .filter(({ id, after }) => standing(id) === undefined && after.every(isDone));
      function isDone(id: string): boolean {
        return standing(id) === "done";
      }
      const begin = due.map(({ id, kind, after }) => {
        const taken = after.flatMap(output);
        const isFirst = after.length === 0 || (kind === "select" && taken.length === 0);
        return { use: id, id, on: isFirst ? [ROOT] : taken };
      });
      return { begin, memory: edges };
    },
    finals: ({ output }) => sinks.flatMap(output),
    whole({ id, operation }, { graph, output, standing }) {
      if (operation === null || partial.has(operation)) return false;
      // A merge may lack what one of its operations should have handed on, and all that is made of it.
      const lacking = merges.filter(
        (merge) =>
          standing(merge.id) !== undefined && merge.after.some((each) => output(each).length === 0),
      );
      if (lacking.length === 0) return true;
      const way = [operation, ...ancestors(graph, id).map((each) => each.operation)];
      return !lacking.some((merge) => way.includes(merge.id));
    },
  };
  return made as Policy<State>;
}

/** Operations as far as a plan's shape goes. */
interface Shape {
  readonly id: string;
  readonly kind: OperationKind;
  readonly after: readonly string[];
  readonly strategy?: AggregationStrategy | undefined;
  readonly improve?: unknown;
  readonly splits?: boolean | undefined;
}

function predecessors(
  { after }: Pick<OperationSpec, "after">,
  before: string | undefined,
): readonly string[] {
  if (after === undefined) return before === undefined ? [] : [before];
  const named = typeof after === "string" ? [after] : after;
  return named.map((each) => (each === PREVIOUS && before !== undefined ? before : each));
}

function followersOf(operations: ReadonlyMap<string, Shape>): Map<string, string[]> {
  const followers = new Map([...operations.keys()].map((id): [string, string[]] => [id, []]));
  for (const { id, kind, after } of operations.values()) {
    if (after.length === 0 && !beginners.has(kind)) {
      throw refused(id, `${kind} needs thoughts, but comes after nothing`);
    }
    if (new Set(after).size < after.length) throw refused(id, "it comes after the same one twice");
    for (const before of after) {
      const list = followers.get(before);
      if (list === undefined) throw refused(id, `there is no operation ${before} to come after`);
      list.push(id);
    }
  }
  return followers;
}

/** The operations, each behind those it comes after. */
function inOrder(
  operations: ReadonlyMap<string, Shape>,
  followers: ReadonlyMap<string, readonly string[]>,
): Shape[] {
  const missing = new Map([...operations].map(([id, { after }]) => [id, after.length]));
  const order = [...operations.values()].filter(({ after }) => after.length === 0);
  for (const { id } of order) {
    for (const next of followers.get(id) ?? []) {
      const left = (missing.get(next) as number) - 1;
      missing.set(next, left);
      if (left === 0) order.push(operations.get(next) as Shape);
    }
  }
  const stuck = [...missing].find(([, left]) => left > 0);
  if (stuck !== undefined) throw refused(stuck[0], "it waits for itself: the plan has a cycle");
  return order;
}

/** These hand on what they were given, with its score. */
const passing: ReadonlySet<OperationKind> = new Set([
  "keepBest",
  "keepValid",
  "groundTruth",
  "select",
  "connect",
]);

function checkScored(operations: ReadonlyMap<string, Shape>, order: readonly Shape[]): void {
  const scored = new Set<string>();
  for (const operation of order) {
    const { id, kind, after } = operation;
    const all = after.length > 0 && after.every((before) => scored.has(before));
    // A mere validation hands its inputs on; an improved version has no score yet.
    const passes = passing.has(kind) || (kind === "validate" && operation.improve === false);
    if (kind === "score" || (passes && all)) scored.add(id);
    if (kind === "keepBest" && !all) {
      const culprit = after.find((before) => !scored.has(before)) as string;
      throw refused(
        id,
        `keepBest takes thoughts of ${culprit} (${operations.get(culprit)?.kind}), which are not scored; put a score between them`,
      );
    }
  }
}

/**
 * The operations that make no answers to the whole problem: what splits it and what comes of that before a
 * merge, those of whose thoughts several selections pick, and those on the way to a merge of several
 * operations' thoughts that lead to some of them and not to all.
 */
function partialOf(
  order: readonly Shape[],
  followers: ReadonlyMap<string, readonly string[]>,
): ReadonlySet<string> {
  const kinds = new Map(order.map(({ id, kind }) => [id, kind]));
  /** The operations that lead to each, itself included. */
  const ways = new Map<string, ReadonlySet<string>>();
  const split = new Set<string>();
  const partial = new Set<string>();
  for (const operation of order) {
    const { id, after, splits } = operation;
    const before = after.map((each) => ways.get(each) as ReadonlySet<string>);
    const all = new Set([id, ...before.flatMap((each) => [...each])]);
    ways.set(id, all);
    const isPart = after.length > 0 && after.every((each) => split.has(each));
    if (splits === true || (isPart && !isMerge(operation))) split.add(id);
    const next = followers.get(id) ?? [];
    if (next.length > 1 && next.every((each) => kinds.get(each) === "select")) partial.add(id);
    if (!isMerge(operation)) continue;
    for (const each of all) {
      if (each !== id && !before.every((way) => way.has(each))) partial.add(each);
    }
  }
  return new Set([...split, ...partial]);
}

function refused(id: string, why: string): ReckonerError {
  return new ReckonerError("thoughts.plan", `Operation ${id}: ${why}.`, { place: id });
}
