/**
 * `storeAgrees`: a property that compares a store with the graph in memory on arbitrary writes and
 * queries, refused and hostile ones included: same results, same order.
 */
import fc from "fast-check";
import { decisionScript, fromDraft, type ScriptStep } from "./decision-script.js";
import { Pair } from "./pair.js";
import type { MakeStore } from "./store-law.js";

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
    const written: Written[] = [];
    for (const step of script) await take(step, { pair, written, scoped });
    for (const scope of scoped ? [0, 1] : [0]) await pair.compareAll(scopeOf(scoped, scope));
  });
  return { name: "a store gives what the graph in memory gives", property };
}

interface Written {
  readonly key: string;
  readonly operations: readonly unknown[];
}

/** A script under way. */
interface Running {
  readonly pair: Pair;
  /** The writes so far, for those that repeat one. */
  readonly written: Written[];
  readonly scoped: boolean;
}

async function take(step: ScriptStep, { pair, written, scoped }: Running): Promise<void> {
  const scope = scopeOf(scoped, step.scope);
  const ids = [...(await pair.ids(scope))];
  if (step.kind === "read") return pair.read(within(scope, fromDraft(step.query, ids)));
  const earlier = written[step.earlier % (written.length || 1)];
  if (step.key === "repeat" && earlier !== undefined) {
    return pair.write(earlier.operations, earlier.key);
  }
  const operations = step.operations.map((draft) => {
    const operation = fromDraft(draft, ids);
    // Later operations can name the nodes that this transaction has added so far.
    const id = (operation as { node?: { id?: unknown } } | null)?.node?.id;
    if (typeof id === "string") ids.push(id);
    return within(scope, operation);
  });
  const own = `key/${written.length}`;
  const key = step.key === "reuse" ? (earlier?.key ?? own) : own;
  written.push({ key, operations });
  return pair.write(operations, key);
}

function scopeOf(scoped: boolean, scope: number): { readonly scope?: string } {
  return scoped ? { scope: `scope${scope}` } : {};
}

/** A value with its scope, if it has room for one. */
function within(scope: { readonly scope?: string }, value: unknown): unknown {
  const isPlain = typeof value === "object" && Object.getPrototypeOf(value) === Object.prototype;
  return isPlain ? { ...value, ...scope } : value;
}
