/** All kinds of operations of thoughts, by name. A new one is added here and in `operation.ts`. */

import { aggregateKind } from "./aggregate.js";
import { groundTruthKind, keepBestKind, keepValidKind, selectKind } from "./choose.js";
import { connectKind } from "./connect.js";
import { growingKind } from "./generate.js";
import type { Kind } from "./kind.js";
import type { Operation, OperationKind } from "./operation.js";
import { scoreKind } from "./score.js";
import { validateKind } from "./validate.js";

const kinds: { readonly [K in OperationKind]: Kind<K> } = {
  generate: growingKind,
  score: scoreKind,
  improve: growingKind,
  validate: validateKind,
  aggregate: aggregateKind,
  keepBest: keepBestKind,
  keepValid: keepValidKind,
  groundTruth: groundTruthKind,
  select: selectKind,
  connect: connectKind,
};

/** Returns the way to carry out operations of a kind. */
export function kindOf(kind: OperationKind): Kind<OperationKind> {
  return kinds[kind];
}

/** Names the treatment of an operation's answers: its kind, and a mark that it takes them together. */
export function mannerOf(operation: Operation): string {
  const { kind, parseAll, combined, strategy = "synthesis" }: Taking = operation;
  const ways = [parseAll !== undefined && "parseAll", combined === true && "combined"];
  return [kind, strategy !== "synthesis" && strategy, ...ways].filter(Boolean).join(", ");
}

interface Taking {
  readonly kind: OperationKind;
  readonly parseAll?: unknown;
  readonly combined?: boolean | undefined;
  readonly strategy?: string | undefined;
}
