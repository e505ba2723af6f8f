/**
 * `storeAgrees`: a property that compares a store with the graph in memory on arbitrary writes and
 * queries, refused and hostile ones included: same results, same order.
 */
import fc from "fast-check";
import { DecisionGraph, type DecisionQuery, type Operation } from "../../core/decisions/index.js";
import {
  firstDifference,
  isReckonerError,
  type Json,
  messageOf,
  printValue,
} from "../../core/kernel/index.js";
import type { StorePort } from "../../runtime/index.js";
import { decisionScript, type NameChoice, type ScriptStep } from "./decision-script.js";
import { type MakeStore, NEVER } from "./store-law.js";

/** A property of a store: `test(law.name, () => fc.assert(law.property))`. */
export interface StoreProperty {
  readonly name: string;
  readonly property: fc.IAsyncProperty<[boolean, readonly ScriptStep[]]>;
}

/**
 * The property that a store agrees with the graph in memory.
 * @param make a store that holds nothing yet; called anew for each run
 */
export function storeAgrees(make: MakeStore): StoreProperty {
  const property = fc.asyncProperty(fc.boolean(), decisionScript(), async (scoped, script) => {
    const pair = new Pair(await make({ scoped }), scoped);
    for (const step of script) await pair.take(step);
    await pair.compareAll();
  });
  return { name: "a store gives what the graph in memory gives", property };
}

/** What a call came to: an answer, or a refusal with all that it says. */
type Outcome = { readonly answer: unknown } | { readonly refused: Json };

interface Written {
  readonly scope: number;
  readonly key: string;
  readonly operations: readonly Operation[];
}

/** A store and the graphs that it should come to. */
class Pair {
  readonly #store: StorePort;
  readonly #scoped: boolean;
  readonly #graphs: DecisionGraph[] = [new DecisionGraph(), new DecisionGraph()];
  readonly #written: Written[] = [];
  readonly #log: string[] = [];

  constructor(store: StorePort, scoped: boolean) {
    this.#store = store;
    this.#scoped = scoped;
  }

  async take(step: ScriptStep): Promise<void> {
    const scope = this.#scoped ? step.scope : 0;
    if (step.kind === "read") await this.#read(scope, step.query(this.#namer(scope)));
    else await this.#write(this.#toWrite(scope, step));
  }

  /** Compares every query about every node. */
  async compareAll(): Promise<void> {
    for (const scope of this.#scoped ? [0, 1] : [0]) {
      const ids = this.#ids(scope);
      await this.#read(scope, { type: "nodes", limit: 1000 });
      await this.#read(scope, { type: "edges", limit: 1000 });
      await this.#read(scope, { type: "history", limit: 1000 });
      await this.#read(scope, { type: "summary" });
      for (const nodeId of ids) {
        for (const type of ["descendants", "ancestors", "why"] as const) {
          await this.#read(scope, { type, nodeId });
        }
        const toId = ids[(ids.indexOf(nodeId) + 1) % ids.length] as string;
        await this.#read(scope, { type: "pathBetween", fromId: nodeId, toId });
      }
    }
  }

  #toWrite(scope: number, step: ScriptStep & { kind: "write" }): Written {
    const earlier = this.#written[step.earlier % (this.#written.length || 1)];
    if (step.key === "repeat" && earlier !== undefined) return earlier;
    const key = step.key === "reuse" ? earlier?.key : undefined;
    const name = this.#namer(scope);
    const added: string[] = [];
    // What this transaction has added so far can be named too.
    const named = (choice: NameChoice) => name(choice, added);
    const operations = step.operations.map((choice) => {
      const operation = choice(named);
      const id = (operation as { node?: { id?: unknown } } | null)?.node?.id;
      if (typeof id === "string") added.push(id);
      return operation;
    });
    return { scope, key: key ?? `key/${this.#written.length}`, operations };
  }

  async #write(write: Written): Promise<void> {
    const { scope, key, operations } = write;
    this.#written.push(write);
    const expected = await outcome(async () =>
      (this.#graphs[scope] as DecisionGraph).write(operations, key),
    );
    const scoped = operations.map((operation) => this.#inScope(operation, scope));
    const actual = await outcome(() =>
      this.#store.write(scoped as readonly Json[], { signal: NEVER, idempotencyKey: key }),
    );
    this.#compare("write", { scope, key, operations }, actual, expected);
  }

  async #read(scope: number, query: DecisionQuery): Promise<void> {
    const expected = await outcome(async () => (this.#graphs[scope] as DecisionGraph).read(query));
    const whole = this.#inScope(query, scope);
    const actual = await outcome(() => this.#store.read(whole as Json, { signal: NEVER }));
    this.#compare("read", { scope, query }, actual, expected);
  }

  /** The scope goes first: what is hostile may have no room for it. */
  #inScope(value: unknown, scope: number): unknown {
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    if (!this.#scoped || !isObject || Object.getPrototypeOf(value) !== Object.prototype)
      return value;
    return { ...value, scope: `scope${scope}` };
  }

  #compare(kind: string, what: unknown, actual: Outcome, expected: Outcome): void {
    this.#log.push(`${kind} ${fc.stringify(what)}`);
    const found =
      firstDifference(actual as Json, expected as Json) ?? orderDifference(actual, expected);
    if (found === undefined) return;
    const { path, left, right } = found;
    const side = (value: Json | undefined) =>
      value === undefined ? "nothing" : printValue(value, 500);
    throw new Error(
      `At ${path} the store has ${side(left)}, the graph ${side(right)}, after\n${this.#log.join("\n")}`,
    );
  }

  #namer(scope: number): (choice: NameChoice, added?: readonly string[]) => string {
    const there = this.#ids(scope);
    return ({ place, length, wrong }, added = []) => {
      const ids = [...there, ...added];
      const id = ids[place % (ids.length || 1)];
      if (wrong || id === undefined) return `nobody${place}`;
      return length === 0 ? id : id.slice(0, length);
    };
  }

  #ids(scope: number): readonly string[] {
    const graph = this.#graphs[scope] as DecisionGraph;
    return graph.read({ type: "nodes", limit: 1000 }).nodes.map(({ id }) => id);
  }
}

async function outcome(act: () => Promise<unknown>): Promise<Outcome> {
  try {
    return { answer: await act() };
  } catch (thrown) {
    // Whatever has no code is a fault of the store's, and never what the graph says.
    if (!isReckonerError(thrown)) return { refused: ["no code", messageOf(thrown)] };
    return { refused: [thrown.code, thrown.place ?? null, thrown.message] };
  }
}

/** Values that are equal but for the order of their keys; of metadata the order is kept. */
function orderDifference(actual: Outcome, expected: Outcome) {
  const [left, right] = [JSON.stringify(actual), JSON.stringify(expected)];
  return left === right ? undefined : { path: "$ (the order of keys)", left, right };
}
