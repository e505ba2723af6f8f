/**
 * Finds the place of a mistake in a configuration that XState refused, since XState's errors name
 * none. Only refused configurations are searched, so that nothing is refused that XState accepts.
 */
import { Refusals } from "./refusals.js";

interface Config {
  readonly [key: string]: unknown;
}

/** @throws ReckonerError `machine.invalid` with each place that is found */
export function refuseConfig(config: object, cause: unknown): never {
  const refusals = new Refusals();
  const root = config as Config;
  try {
    visit(root, [], { root, ids: idsOf(root, []) }, refusals);
  } catch {
    // What cannot even be read is said in XState's own words, below.
  }
  refusals.throwAny("machine.invalid");
  const words = cause instanceof Error ? cause.message : String(cause);
  const unknown = new Refusals();
  unknown.add("machine", `XState refuses it: ${words.replace(/\.$/, "")}`);
  unknown.throwAny("machine.invalid");
  throw cause;
}

interface Tree {
  readonly root: Config;
  /** States with an id of their own. */
  readonly ids: ReadonlyMap<string, Config>;
}

function visit(node: Config, path: readonly string[], tree: Tree, refusals: Refusals): void {
  const place = ["machine", ...path.map((key) => `states.${key}`)].join(".");
  if (typeof node !== "object" || node === null) {
    refusals.add(place, "it is not a state; write {} for one without anything");
    return;
  }
  const states = statesOf(node);
  const names = Object.keys(states);
  const compound = names.length > 0 && (node.type === undefined || node.type === "compound");
  if (compound && node.initial === undefined) {
    const first = JSON.stringify(names[0]);
    refusals.add(
      `${place}.initial`,
      `it is missing; say which state comes first, ${first} perhaps`,
    );
  }
  for (const [event, given] of Object.entries((node.on ?? {}) as Config)) {
    const at = `${place}.on[${JSON.stringify(event)}]`;
    if (event === "") refusals.add(at, "an event has a name; write `always` for none");
    else checkTargets(given, at, node, path, tree, refusals);
  }
  for (const [delay, given] of Object.entries((node.after ?? {}) as Config)) {
    checkTargets(given, `${place}.after[${JSON.stringify(delay)}]`, node, path, tree, refusals);
  }
  for (const key of ["always", "onDone"]) {
    if (node[key] !== undefined) {
      checkTargets(node[key], `${place}.${key}`, node, path, tree, refusals);
    }
  }
  for (const name of names) visit(states[name] as Config, [...path, name], tree, refusals);
}

function checkTargets(
  given: unknown,
  place: string,
  node: Config,
  path: readonly string[],
  tree: Tree,
  refusals: Refusals,
): void {
  const all = Array.isArray(given) ? given : [given];
  for (const [i, transition] of all.entries()) {
    const at = Array.isArray(given) ? `${place}[${i}]` : place;
    const { target, cond } =
      typeof transition === "object" && transition !== null
        ? (transition as Config)
        : { target: transition, cond: undefined };
    if (cond !== undefined) refusals.add(`${at}.cond`, "it is called `guard` now");
    for (const name of Array.isArray(target) ? target : [target]) {
      if (typeof name !== "string" || leadsSomewhere(name, node, path, tree)) continue;
      const own = path.length === 0 && !name.startsWith(".") && !name.startsWith("#");
      const mend = own ? `; a target of the machine's own is written ".${name}"` : "";
      refusals.add(`${at}.target`, `there is no state ${JSON.stringify(name)}${mend}`);
    }
  }
}

/** Whether a target is there: `#id`, `.child`, or a sibling. */
function leadsSomewhere(
  target: string,
  node: Config,
  path: readonly string[],
  { root, ids }: Tree,
): boolean {
  const [head = "", ...rest] = target.replace(/^[#.]/, "").split(".");
  const walk = (from: Config | undefined, keys: readonly string[]) =>
    keys.reduce<Config | undefined>((at, key) => at && (statesOf(at)[key] as Config), from);
  if (target.startsWith("#")) {
    // An id may have dots of its own.
    return ids.has(target.slice(1)) || walk(ids.get(head), rest) !== undefined;
  }
  if (target.startsWith(".")) return walk(node, [head, ...rest]) !== undefined;
  return path.length > 0 && walk(root, [...path.slice(0, -1), head, ...rest]) !== undefined;
}

function idsOf(node: Config, path: readonly string[]): Map<string, Config> {
  const ids = new Map<string, Config>();
  if (typeof node?.id === "string") ids.set(node.id, node);
  else if (path.length === 0) ids.set("(machine)", node);
  for (const [key, child] of Object.entries(statesOf(node))) {
    for (const [id, found] of idsOf(child as Config, [...path, key])) ids.set(id, found);
  }
  return ids;
}

function statesOf(node: Config | null | undefined): Config {
  return (node?.states ?? {}) as Config;
}
