/**
 * Arbitrary scripts of writes and reads: most are valid for the graph, some are not, some are
 * hostile. Names are indexes into the list of existing nodes, so that a failing script shrinks.
 */
import fc from "fast-check";
import { refusedValue } from "../../testing/index.js";
import {
  type DecisionQuery,
  edgeTypes,
  nodeStatuses,
  nodeTypes,
  type Operation,
  type OptionOutcome,
  optionOutcomes,
  queryTypes,
} from "../pure/index.js";

/** The name of a node: by its place among those that there are, whole or cut off, or wrong. */
export interface NameChoice {
  readonly place: number;
  /** The number of characters of the id; 0: all. */
  readonly length: number;
  readonly wrong: boolean;
}

/** An operation, before it is known which nodes there are. */
export type OperationChoice = (named: (choice: NameChoice) => string) => Operation;

/** One step of a script. */
export type ScriptStep =
  | {
      readonly kind: "write";
      readonly scope: number;
      readonly operations: readonly OperationChoice[];
      /** A new key, that of an earlier write with its operations, or that of one with others. */
      readonly key: "new" | "repeat" | "reuse";
      readonly earlier: number;
    }
  | {
      readonly kind: "read";
      readonly scope: number;
      readonly query: (named: (choice: NameChoice) => string) => DecisionQuery;
    };

/** Ids that begin alike, that sort otherwise by letters than by bytes, and that programs trip over. */
const heads = ["a", "ab", "abc", "A", "b-", "b.", "b_", "c/d:", "__proto__", "0", "constructor"];

const name: fc.Arbitrary<NameChoice> = fc.record({
  place: fc.nat(40),
  length: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(4) }),
  wrong: fc.oneof(
    { weight: 20, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  ),
});
const id = fc.tuple(fc.constantFrom(...heads), fc.nat(9)).map(([head, n]) => `${head}${n}`);
const time = fc.nat(30);
const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 6 }),
  fc.constantFrom("'; --", "%_\\"),
);
const confidence = fc.option(fc.double({ min: 0, max: 1, noNaN: true }));
const metadata = fc.dictionary(
  fc.constantFrom("z", "a", "1", "in ner", "$"),
  fc.oneof(
    fc.integer(),
    text,
    fc.boolean(),
    fc.constant(null),
    fc.array(fc.nat(3), { maxLength: 2 }),
  ),
  { maxKeys: 3 },
);
const optional = { requiredKeys: [] as [] };

const addNode = fc
  .record({
    at: time,
    id,
    type: fc.constantFrom(...nodeTypes),
    label: text.map((label) => `label ${label}`),
    more: fc.record(
      {
        status: fc.constantFrom(...nodeStatuses.filter((status) => status !== "superseded")),
        confidence,
        rationale: fc.option(text),
        metadata,
        createdAt: time,
      },
      optional,
    ),
  })
  .map(({ at, more, ...node }): OperationChoice => {
    return () => ({ type: "addNode", at, node: { ...node, ...more } });
  });

const addEdge = fc
  .record({
    at: time,
    id,
    from: name,
    to: name,
    edgeType: fc.constantFrom(...edgeTypes),
    metadata: fc.option(metadata, { nil: undefined }),
  })
  .map((choice): OperationChoice => {
    const { at, edgeType, metadata } = choice;
    return (named) => {
      const ends = { fromId: named(choice.from), toId: named(choice.to) };
      const edge = { id: choice.id, ...ends, edgeType, ...(metadata && { metadata }) };
      return { type: "addEdge", at, edge };
    };
  });

const updateNode = fc
  .record({
    at: time,
    node: name,
    patch: fc.record(
      {
        label: text.map((label) => `label ${label}`),
        status: fc.constantFrom(...nodeStatuses),
        confidence,
        rationale: fc.option(text),
        metadata,
      },
      optional,
    ),
  })
  .map(({ at, node, patch }): OperationChoice => {
    return (named) => ({ type: "updateNode", at, id: named(node), patch });
  });

const deleteNode = fc.record({ at: time, node: name }).map(
  ({ at, node }): OperationChoice =>
    (named) => ({ type: "deleteNode", at, id: named(node) }),
);

const supersede = fc
  .record({ at: time, old: name, by: name, edgeId: id, rationale: fc.option(text) })
  .map(({ at, old, by, edgeId, rationale }): OperationChoice => {
    return (named) => ({
      type: "supersede",
      at,
      oldId: named(old),
      newId: named(by),
      edgeId,
      rationale,
    });
  });

const decideOption = fc
  .record({
    at: time,
    node: name,
    outcome: fc.constantFrom(...(Object.keys(optionOutcomes) as OptionOutcome[])),
    rationale: fc.option(text),
  })
  .map(({ at, node, outcome, rationale }): OperationChoice => {
    return (named) => ({ type: "decideOption", at, id: named(node), outcome, rationale });
  });

const fitting = fc.oneof(
  { weight: 6, arbitrary: addNode },
  { weight: 6, arbitrary: addEdge },
  { weight: 2, arbitrary: updateNode },
  { weight: 1, arbitrary: deleteNode },
  { weight: 2, arbitrary: supersede },
  { weight: 1, arbitrary: decideOption },
);

const hostileValue = fc.oneof(
  refusedValue(),
  fc.constantFrom<unknown>(
    null,
    "",
    " ",
    "\0",
    "a\0",
    "x".repeat(161),
    -1,
    1.5,
    2 ** 53,
    [],
    {},
    true,
    "superseded",
    "__proto__",
    { "\0": 1 },
    { a: ["\0"] },
  ),
);

/** An operation of which one part, at any depth, is something else. */
const hostile = fc
  .tuple(fitting, fc.array(fc.nat(8), { minLength: 1, maxLength: 3 }), hostileValue, fc.boolean())
  .map(([choice, way, value, adds]): OperationChoice => {
    return (named) => withFault(choice(named), way, adds ? "more" : undefined, value) as Operation;
  });

function withFault(
  of: unknown,
  way: readonly number[],
  added: string | undefined,
  value: unknown,
): unknown {
  const [turn, ...rest] = way;
  if (turn === undefined || typeof of !== "object" || of === null) return value;
  const keys = Object.keys(of);
  const key = rest.length === 0 && added !== undefined ? added : keys[turn % (keys.length || 1)];
  if (key === undefined) return value;
  const parts = of as Record<string, unknown>;
  return { ...parts, [key]: rest.length === 0 ? value : withFault(parts[key], rest, added, value) };
}

const write = fc
  .record({
    scope: fc.nat(1),
    operations: fc.array(
      fc.oneof({ weight: 40, arbitrary: fitting }, { weight: 1, arbitrary: hostile }),
      { minLength: 1, maxLength: 5 },
    ),
    key: fc.constantFrom("new", "new", "new", "new", "repeat", "reuse" as const),
    earlier: fc.nat(10),
  })
  .map((choice): ScriptStep => ({ kind: "write", ...choice }));

const optionally = <T extends object>(arbitrary: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(arbitrary, optional);
const asked = optionally({ limit: fc.integer({ min: 1, max: 8 }) });
const filter = optionally({
  types: fc.uniqueArray(fc.constantFrom(...nodeTypes), { maxLength: 3 }),
  statuses: fc.uniqueArray(fc.constantFrom(...nodeStatuses), { maxLength: 3 }),
});

const query = fc
  .record({
    type: fc.constantFrom(...queryTypes),
    one: name,
    other: name,
    asked,
    prefix: fc.boolean(),
    filter,
    order: fc.constantFrom("oldest", "newest"),
    direction: fc.constantFrom("outgoing", "incoming", "both"),
    all: fc.boolean(),
    count: fc.nat(3),
  })
  .map((choice) => {
    const { type, asked, prefix, filter, order, direction, all, count } = choice;
    return (named: (choice: NameChoice) => string): DecisionQuery => {
      const one = { nodeId: named(choice.one), prefix };
      const parts: Record<DecisionQuery["type"], object> = {
        activeGoals: {},
        recentDecisions: all ? { statuses: nodeStatuses } : {},
        pathBetween: { fromId: named(choice.one), toId: named(choice.other), prefix },
        descendants: one,
        ancestors: one,
        node: one,
        nodes: { where: filter, order },
        edges: all ? {} : { nodeId: named(choice.one), direction },
        history: all ? {} : { nodeId: named(choice.one) },
        why: one,
        summary: { decisionLimit: 1 + count },
        stats: {},
      };
      return { type, ...asked, ...parts[type] } as DecisionQuery;
    };
  });

const read = fc
  .record({ scope: fc.nat(1), query })
  .map((choice): ScriptStep => ({ kind: "read", ...choice }));

/** Some nodes to begin with: a graph in which little is there refuses most of what is drawn. */
const beginning = fc
  .record({
    scope: fc.nat(1),
    nodes: fc.uniqueArray(fc.tuple(id, addNode), { selector: ([head]) => head, maxLength: 14 }),
  })
  .map(({ scope, nodes }): ScriptStep[] => {
    const operations = nodes.map(([id, choice]): OperationChoice => {
      return (named) => {
        const operation = choice(named);
        return operation.type === "addNode"
          ? { ...operation, node: { ...operation.node, id } }
          : operation;
      };
    });
    if (operations.length === 0) return [];
    return [{ kind: "write", scope, operations, key: "new", earlier: 0 }];
  });

/** Scripts of writes and reads. */
export function decisionScript(): fc.Arbitrary<readonly ScriptStep[]> {
  const step = fc.oneof({ weight: 2, arbitrary: write }, { weight: 1, arbitrary: read });
  return fc
    .tuple(beginning, fc.array(step, { minLength: 1, maxLength: 24, size: "max" }))
    .map(([first, rest]) => [...first, ...rest]);
}
