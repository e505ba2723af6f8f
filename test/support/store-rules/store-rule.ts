// The type of a store rule, and helpers. A rule gets an empty decision store; it must not know which one.

import { printValue } from "../../../src/core/kernel/machine/index.js";
import {
  asJson,
  type ErrorCode,
  firstDifference,
  isReckonerError,
  type Json,
  messageOf,
  type ReckonerError,
} from "../../../src/core/kernel/values/index.js";
import { NEVER } from "../../../src/decisions/laws/pair.js";
import type {
  AnyResult,
  DecisionEdge,
  DecisionNode,
  DecisionQuery,
  FoundStats,
  Operation,
  QueryResult,
  WriteResult,
} from "../../../src/decisions/pure/index.js";
import type { StorePort } from "../../../src/runtime/index.js";

/** One rule. */
export interface StoreRule {
  readonly name: string;
  readonly holds: (store: StoreUnderTest) => Promise<void>;
}

let keys = 0;

/** A store with its calls' small print filled in. */
export class StoreUnderTest {
  readonly port: StorePort;

  constructor(port: StorePort) {
    this.port = port;
  }

  /** Writes operations, with a key of their own where none is given. */
  async write(operations: readonly Operation[], key?: string): Promise<WriteResult> {
    keys += 1;
    const call = { signal: NEVER, idempotencyKey: key ?? `key/${keys}` };
    return (await this.port.write(operations.map(asJson), call)) as object as WriteResult;
  }

  async read<const Q extends DecisionQuery>(query: Q): Promise<QueryResult<Q>> {
    const answer = await this.port.read(asJson(query), { signal: NEVER });
    return answer as object as AnyResult as QueryResult<Q>;
  }

  stats(): Promise<FoundStats> {
    return this.read({ type: "stats" });
  }

  /** All nodes and all edges: what has to be as it was after something was refused. */
  async everything(scope?: string): Promise<Json> {
    const of = scope === undefined ? {} : { scope };
    const nodes = await this.read({ type: "nodes", limit: 100_000, ...of });
    const edges = await this.read({ type: "edges", limit: 100_000, ...of });
    const history = await this.read({ type: "history", limit: 100_000, ...of });
    return asJson({ nodes, edges, history, stats: await this.read({ type: "stats", ...of }) });
  }
}

export { edge, node } from "../../../src/decisions/laws/store-law.js";

/** The ids of what was found. */
export function idsOf(found: {
  readonly nodes?: readonly DecisionNode[];
  readonly edges?: readonly DecisionEdge[];
}): string {
  return (found.nodes ?? found.edges ?? []).map((each) => each.id).join(" ");
}

/** @throws Error where two values are not the same JSON */
export function same(actual: unknown, expected: unknown, what: string): void {
  const found = firstDifference(actual as Json | undefined, expected as Json | undefined);
  if (found === undefined) return;
  throw new Error(
    `${what}: at ${found.path} there is ${printed(found.left)}, not ${printed(found.right)}`,
  );
}

function printed(value: Json | undefined): string {
  return value === undefined ? "nothing" : printValue(value, 300);
}

/** @throws Error where something is not refused with the code; the refusal, where it is */
export async function refused(
  code: ErrorCode,
  what: string,
  act: () => Promise<unknown>,
): Promise<ReckonerError> {
  let outcome = "it was accepted";
  try {
    await act();
  } catch (thrown) {
    if (isReckonerError(thrown) && thrown.code === code) return thrown;
    outcome = `what came was ${isReckonerError(thrown) ? thrown.code : "no code"}: ${messageOf(thrown)}`;
  }
  throw new Error(`${what}: ${code} was due, but ${outcome}`);
}
