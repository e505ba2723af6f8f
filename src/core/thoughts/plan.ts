/**
 * A plan: a graph of operations, as in the Graph-of-Thoughts paper. Every operation that is ready runs,
 * side by side with the others.
 */
import { ReckonerError } from "../kernel/index.js";
import type { Operation, OperationKind, OperationSpec } from "./operation.js";
import type { Policy } from "./policy.js";

/** In `after`: the operation before this one in the list. */
export const PREVIOUS = "(previous)";

const idPattern = /^[\w.-]{1,60}$/;

/** These need thoughts to work on; the others can begin with the problem itself. */
const beginners: ReadonlySet<OperationKind> = new Set(["generate", "select"]);

/**
 * Makes a plan of operations. Each comes after the one before it in the list, unless its `after` says
 * which. The result is the best among what the operations hand on after which nothing comes.
 * @throws ReckonerError `thoughts.plan`: a cycle, an operation that is not there, the same edge or id
 * twice, an operation that needs thoughts and comes after nothing, a KeepBest of what nobody scored
 */
export function plan(specs: readonly OperationSpec[], name = "plan"): Policy {
  const ids = specs.map((spec, i) => spec.id ?? `${i}-${spec.kind}`);
  const operations = new Map<string, Operation>();
  specs.forEach((spec, index) => {
    const id = ids[index] as string;
    if (!idPattern.test(id)) {
      throw refused(id, "an id is up to 60 letters, digits, dots, underscores and hyphens");
    }
    if (operations.has(id)) throw refused(id, "another operation has this id");
    const after = predecessors(spec, ids[index - 1]);
    operations.set(id, { ...spec, id, after, index } as Operation);
  });
  if (operations.size === 0) throw refused("plan", "it has no operations");
  const followers = followersOf(operations);
  const order = inOrder(operations, followers);
  checkScored(operations, order);
  const all = [...operations.values()];
  const sinks = ids.filter((id) => followers.get(id)?.length === 0);
  return {
    name,
    configuration: all.map(describe),
    // A plan's operations say themselves how many thoughts there will be.
    defaults: { maxNodes: null, maxDepth: null },
    first: all.filter(({ after }) => after.length === 0).map(({ id }) => id),
    operation: (id) => operations.get(id) as Operation,
    next: (id) => followers.get(id) ?? [],
    finals: ({ output }) => sinks.flatMap(output),
  };
}

function predecessors({ after }: OperationSpec, before: string | undefined): readonly string[] {
  if (after === undefined) return before === undefined ? [] : [before];
  const named = typeof after === "string" ? [after] : after;
  return named.map((each) => (each === PREVIOUS && before !== undefined ? before : each));
}

function followersOf(operations: ReadonlyMap<string, Operation>): Map<string, string[]> {
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
  operations: ReadonlyMap<string, Operation>,
  followers: ReadonlyMap<string, readonly string[]>,
): Operation[] {
  const missing = new Map([...operations].map(([id, { after }]) => [id, after.length]));
  const order = [...operations.values()].filter(({ after }) => after.length === 0);
  for (const { id } of order) {
    for (const next of followers.get(id) ?? []) {
      const left = (missing.get(next) as number) - 1;
      missing.set(next, left);
      if (left === 0) order.push(operations.get(next) as Operation);
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

function checkScored(
  operations: ReadonlyMap<string, Operation>,
  order: readonly Operation[],
): void {
  const scored = new Set<string>();
  for (const { id, kind, after } of order) {
    const all = after.length > 0 && after.every((before) => scored.has(before));
    if (kind === "score" || (passing.has(kind) && all)) scored.add(id);
    if (kind === "keepBest" && !all) {
      const culprit = after.find((before) => !scored.has(before)) as string;
      throw refused(
        id,
        `keepBest takes thoughts of ${culprit} (${operations.get(culprit)?.kind}), which are not scored; put a score between them`,
      );
    }
  }
}

/** An operation as far as it is JSON: its functions by their names. */
function describe(operation: Operation): { readonly [key: string]: never } {
  const text = JSON.stringify(operation, (_key, value: unknown) =>
    typeof value === "function" ? `function ${value.name}` : value,
  );
  return JSON.parse(text);
}

function refused(id: string, why: string): ReckonerError {
  return new ReckonerError("thoughts.plan", `Operation ${id}: ${why}.`, { place: id });
}
