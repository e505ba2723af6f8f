/**
 * Generates random scripts of writes and queries for `storeAgrees`, with fast-check: most are valid, some
 * must be refused, some are hostile. Nodes are named by their place among those that exist, so that a failing
 * script shrinks.
 */
import fc from "fast-check";
import { refusedValue } from "../../testing/index.js";
import {
  edgeTypes,
  nodeStatuses,
  nodeTypes,
  type Operation,
  optionOutcomes,
} from "../pure/index.js";

/** The name of a node: by its place among those that there are, whole or cut off, or wrong. */
interface NameChoice {
  readonly place: number;
  /** The number of characters of the id; 0: all. */
  readonly length: number;
  readonly wrong: boolean;
}

/** An operation or a query whose ids are names, and a fault that is put into it. */
export interface Draft {
  readonly of: object;
  readonly fault?: {
    /** The place: at each depth an index into the keys. */
    readonly way: readonly number[];
    readonly value: unknown;
    /** True for a field that is added, false for one that is replaced. */
    readonly adds: boolean;
  };
}

/** One step of a script. */
export type ScriptStep =
  | {
      readonly kind: "write";
      readonly scope: number;
      readonly operations: readonly Draft[];
      /** A new key, that of an earlier write with its operations, or that of one with others. */
      readonly key: "new" | "repeat" | "reuse";
      readonly earlier: number;
    }
  | { readonly kind: "read"; readonly scope: number; readonly query: Draft };

/** Gives the operation or query of a draft, with the ids of the nodes that there are. */
export function fromDraft({ of, fault }: Draft, ids: readonly string[]): unknown {
  const named = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    if ("wrong" in value) return nameOf(value as NameChoice, ids);
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, named(part)]));
  };
  return fault === undefined ? named(of) : withFault(named(of), fault.way, fault);
}

function nameOf({ place, length, wrong }: NameChoice, ids: readonly string[]): string {
  const id = ids[place % (ids.length || 1)];
  if (wrong || id === undefined) return `nobody${place}`;
  return length === 0 ? id : id.slice(0, length);
}

function withFault(
  of: unknown,
  [turn, ...rest]: readonly number[],
  fault: NonNullable<Draft["fault"]>,
): unknown {
  if (turn === undefined || typeof of !== "object" || of === null) return fault.value;
  const keys = Object.keys(of);
  const key = rest.length === 0 && fault.adds ? "more" : keys[turn % (keys.length || 1)];
  if (key === undefined) return fault.value;
  const parts = of as Record<string, unknown>;
  return { ...parts, [key]: rest.length === 0 ? fault.value : withFault(parts[key], rest, fault) };
}

type Fields = Readonly<Record<string, fc.Arbitrary<unknown>>>;

/** Objects with fields that are there always, and fields that are there sometimes. */
function fields(always: Fields, sometimes: Fields = {}): fc.Arbitrary<object> {
  return fc.record({ ...always, ...sometimes }, { requiredKeys: Object.keys(always) });
}
const typed = (type: string, always: Fields, sometimes?: Fields) =>
  fields({ type: fc.constant(type), ...always }, sometimes);
/** Mostly one value. */
const mostly = <T>(weight: number, usual: T, other: fc.Arbitrary<T>) =>
  fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: other });

/** Ids that begin alike, that sort otherwise by letters than by bytes, and that programs trip over. */
const heads = ["a", "ab", "abc", "A", "b-", "b.", "b_", "c/d:", "__proto__", "0", "constructor"];

const name = fc.record({
  place: fc.nat(40),
  length: mostly(4, 0, fc.nat(4)),
  wrong: mostly(20, false, fc.constant(true)),
});
const id = fc.tuple(fc.constantFrom(...heads), fc.nat(9)).map(([head, n]) => `${head}${n}`);
const at = fc.nat(30);
/** Any character. fast-check's own unit for this costs a second when it is first made, which is when this is loaded. */
const character = fc
  .nat(0x10_ffff - 0x800)
  .map((n) => String.fromCodePoint(n < 0xd8_00 ? n : n + 0x800));
const text = fc.oneof(
  fc.array(character, { maxLength: 6 }).map((each) => each.join("")),
  fc.constantFrom("'; --", "%_\\"),
);
const label = text.map((words) => `label ${words}`);
const confidence = fc.option(fc.double({ min: 0, max: 1, noNaN: true }));
const rationale = fc.option(text);
const anything = fc.oneof(fc.integer(), text, fc.boolean(), fc.constant(null), fc.array(at));
const keys = fc.constantFrom("z", "a", "1", "in ner", "$");
const metadata = fc.dictionary(keys, anything, { maxKeys: 3 });
const about = { confidence, rationale, metadata };
const status = fc.constantFrom(...nodeStatuses);

const addNode = typed("addNode", {
  at,
  node: fields(
    { id, type: fc.constantFrom(...nodeTypes), label },
    { ...about, status: status.filter((each) => each !== "superseded"), createdAt: at },
  ),
});
const edgeType = fc.constantFrom(...edgeTypes);
const addEdge = typed("addEdge", {
  at,
  edge: fields({ id, fromId: name, toId: name, edgeType }, { metadata }),
});
const outcome = fc.constantFrom(...Object.keys(optionOutcomes));
const operation = fc.oneof(
  { weight: 6, arbitrary: addNode },
  { weight: 6, arbitrary: addEdge },
  {
    weight: 2,
    arbitrary: typed("updateNode", {
      at,
      id: name,
      patch: fields({}, { ...about, label, status }),
    }),
  },
  { weight: 1, arbitrary: typed("deleteNode", { at, id: name }) },
  {
    weight: 2,
    arbitrary: typed("supersede", { at, oldId: name, newId: name, edgeId: id }, { rationale }),
  },
  { weight: 1, arbitrary: typed("decideOption", { at, id: name, outcome }, { rationale }) },
);

const hostileValue = fc.oneof(
  refusedValue(),
  fc.constantFrom<unknown>(null, "", " ", "\0", "a\0", "x".repeat(161), -1, 1.5, 2 ** 53),
  fc.constantFrom<unknown>([], {}, true, "superseded", "__proto__", { "\0": 1 }, { a: ["\0"] }),
);
const fault = fc.record({
  way: fc.array(fc.nat(8), { minLength: 1, maxLength: 3 }),
  value: hostileValue,
  adds: fc.boolean(),
});

const write = fc.record({
  kind: fc.constant("write" as const),
  scope: fc.nat(1),
  operations: fc.array(
    fc.oneof(
      { weight: 40, arbitrary: fc.record({ of: operation }) },
      { weight: 1, arbitrary: fc.record({ of: operation, fault }) },
    ),
    { minLength: 1, maxLength: 5 },
  ),
  key: fc.constantFrom("new", "new", "new", "new", "repeat", "reuse" as const),
  earlier: fc.nat(10),
});

const limit = { limit: fc.integer({ min: 1, max: 8 }) };
const asked = { ...limit, prefix: fc.boolean() };
const filter = fields(
  {},
  {
    types: fc.uniqueArray(fc.constantFrom(...nodeTypes), { maxLength: 3 }),
    statuses: fc.uniqueArray(status, { maxLength: 3 }),
  },
);
const query = fc.oneof(
  typed("activeGoals", {}, limit),
  typed("recentDecisions", {}, { ...limit, statuses: fc.constant(nodeStatuses) }),
  typed("nodes", {}, { ...limit, where: filter, order: fc.constantFrom("oldest", "newest") }),
  typed("pathBetween", { fromId: name, toId: name }, asked),
  ...["descendants", "ancestors", "node", "why"].map((type) =>
    typed(type, { nodeId: name }, asked),
  ),
  typed("edges", {}, limit),
  typed(
    "edges",
    { nodeId: name },
    { ...limit, direction: fc.constantFrom("outgoing", "incoming", "both") },
  ),
  typed("history", {}, { ...limit, nodeId: name }),
  typed("summary", {}, { ...limit, decisionLimit: fc.integer({ min: 1, max: 4 }) }),
  typed("stats", {}, limit),
);
const read = fc.record({
  kind: fc.constant("read" as const),
  scope: fc.nat(1),
  query: fc.record({ of: query }),
});

/** Some nodes to begin with: a graph in which little is there refuses most of what is drawn. */
const beginning = fc
  .record({
    scope: fc.nat(1),
    nodes: fc.uniqueArray(addNode, {
      selector: (added) => (added as Extract<Operation, { type: "addNode" }>).node.id,
      maxLength: 14,
    }),
  })
  .map(({ scope, nodes }): ScriptStep[] => {
    if (nodes.length === 0) return [];
    const operations = nodes.map((of) => ({ of }));
    return [{ kind: "write", scope, operations, key: "new", earlier: 0 }];
  });

/** Scripts of writes and reads. */
export function decisionScript(): fc.Arbitrary<readonly ScriptStep[]> {
  const step = fc.oneof({ weight: 2, arbitrary: write }, { weight: 1, arbitrary: read });
  return fc
    .tuple(beginning, fc.array(step, { minLength: 1, maxLength: 24, size: "max" }))
    .map(([first, rest]) => [...first, ...rest]);
}
