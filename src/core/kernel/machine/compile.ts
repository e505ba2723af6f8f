/**
 * Compiles a machine into tables. If it uses what tables do not support (parallel regions, history,
 * `enqueueActions`, `stateIn`), the reason is named with its place, and XState computes the steps.
 */
import type { AnyStateMachine, AnyStateNode } from "xstate";
import { compileActions, type Known } from "./compile-action.js";
import { compileGuard } from "./compile-guard.js";
import { layOutMove, layOutStart, ownActions } from "./compile-move.js";
import { noActor, noSpawn } from "./no-actor.js";
import { nodesOf, placeOf, type Transition, upwards } from "./nodes.js";
import { NotCompiled } from "./not-compiled.js";
import { microstepLimit } from "./own-machine.js";
import type { Leaf, Move, Tables } from "./tables.js";

/** How many event types are cached per leaf, so that unknown names cannot fill the memory. */
const MAX_TYPES = 256;

/** @returns the tables of a machine, or in words why there are none */
export function compile(machine: AnyStateMachine, afters: Known["afters"]): Tables | string {
  const { actions, guards, delays } = machine.implementations;
  const known: Known = { actions, guards, delays, afters, root: machine.root as AnyStateNode };
  const nodes = nodesOf(known.root);
  try {
    for (const node of nodes) checkNode(node, known);
  } catch (thrown) {
    if (thrown instanceof NotCompiled) return thrown.message;
    throw thrown;
  }
  const leaves = new Map<AnyStateNode, Leaf>();
  for (const node of nodes) {
    if (Object.keys(node.states).length === 0)
      leaves.set(node, new CompiledLeaf(node, known, leaves));
  }
  const byValue = new Map([...leaves.values()].map((leaf) => [JSON.stringify(leaf.value), leaf]));
  const { leaf, actions: first } = layOutStart(known);
  return {
    limit: microstepLimit(machine),
    start: { test: undefined, actions: first, to: leaves.get(leaf) as Leaf },
    contextOf: (input) => contextOf(machine, input),
    leafOf: (value) => byValue.get(JSON.stringify(value)),
  };
}

/** A machine's first context, an object of its own where a factory makes it. */
function contextOf({ config }: AnyStateMachine, input: unknown): unknown {
  const { context } = config as { readonly context?: unknown };
  if (typeof context !== "function") return context || {};
  return Object.assign({}, context({ input, spawn: noSpawn, self: noActor }));
}

/** @throws NotCompiled */
function checkNode(node: AnyStateNode, known: Known): void {
  const place = placeOf(node);
  if (node.type === "parallel") throw new NotCompiled(place, "is parallel");
  if (node.type === "history") throw new NotCompiled(place, "is a history state");
  if (node.type === "final" && node.parent === undefined) throw new NotCompiled(place, "is final");
  ownActions(node, known);
  for (const transition of [...node.transitions.values()].flat().concat(node.always ?? [])) {
    if ((transition.target?.length ?? 0) > 1) throw new NotCompiled(place, "has several targets");
    compileGuard(transition.guard, known, place);
    compileActions(transition.actions, known, place);
  }
}

/** A leaf whose moves are laid out when they are first asked for. */
class CompiledLeaf implements Leaf {
  readonly value: unknown;
  readonly tags: ReadonlySet<string>;
  readonly done: boolean;
  readonly #node: AnyStateNode;
  readonly #known: Known;
  readonly #leaves: ReadonlyMap<AnyStateNode, Leaf>;
  readonly #byType = new Map<string, readonly Move[]>();
  #always: readonly Move[] | undefined;

  constructor(node: AnyStateNode, known: Known, leaves: ReadonlyMap<AnyStateNode, Leaf>) {
    const path = upwards(node).reverse();
    this.value = valueAt(path);
    this.tags = new Set(path.flatMap(({ tags }) => tags));
    this.done = node.type === "final" && node.parent === known.root;
    this.#node = node;
    this.#known = known;
    this.#leaves = leaves;
  }

  on(type: string): readonly Move[] {
    return this.#byType.get(type) ?? this.#movesOn(type);
  }

  get always(): readonly Move[] {
    this.#always ??= this.#laidOut(upwards(this.#node).flatMap((node) => node.always ?? []));
    return this.#always;
  }

  #movesOn(type: string): readonly Move[] {
    const moves = this.#laidOut(upwards(this.#node).flatMap((node) => candidates(node, type)));
    if (this.#byType.size < MAX_TYPES) this.#byType.set(type, moves);
    return moves;
  }

  #laidOut(transitions: readonly Transition[]): readonly Move[] {
    return transitions.map((transition) => {
      const { leaf, actions } = layOutMove(this.#node, transition, this.#known);
      const test = compileGuard(transition.guard, this.#known, placeOf(transition.source));
      return { test, actions, to: this.#leaves.get(leaf) as Leaf };
    });
  }
}

/** The statechart's value where a leaf is active, frozen: it goes into states as it is. */
function valueAt(path: readonly AnyStateNode[]): unknown {
  const keys = path.slice(1).map(({ key }) => key);
  const last = keys.pop();
  if (last === undefined) return Object.freeze({});
  return keys.reduceRight<unknown>((value, key) => Object.freeze({ [key]: value }), last);
}

/** A state's own transitions for an event type: the exact ones, then wildcards, the longest first. */
function candidates(node: AnyStateNode, type: string): readonly Transition[] {
  const wild = [...node.transitions.keys()]
    .filter((each) => each !== type && matches(type, each))
    .sort((a, b) => b.length - a.length);
  return [type, ...wild].flatMap((each) => node.transitions.get(each) ?? []);
}

/** Whether a wildcard (`*`, `tool.*`) stands for an event type. */
function matches(type: string, descriptor: string): boolean {
  if (descriptor === "*") return true;
  if (!descriptor.endsWith(".*")) return false;
  const wanted = descriptor.split(".");
  const given = type.split(".");
  for (const [i, token] of wanted.entries()) {
    if (token === "*") return i === wanted.length - 1;
    if (token !== given[i]) return false;
  }
  return true;
}
