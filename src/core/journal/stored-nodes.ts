/**
 * A bounded cache of a journal's stored values by their references, for readers that take line by line: the
 * newest values, as many as the writer remembers, and all that the last directives still use.
 */
import type { Json, JsonObject } from "../kernel/values/index.js";
import { Generations } from "./generations.js";
import type { Node } from "./line.js";

/** A value that an event held: no node, it stands for itself. */
export class HeldValue {
  readonly value: Json;

  constructor(value: Json) {
    this.value = value;
  }
}

/** How much is held: characters, and values beside those of the newest step. */
export interface StoredLimits {
  readonly length: number;
  readonly nodes: number;
}

/** Stored values, the newest. */
export class StoredNodes {
  readonly #limits: StoredLimits | undefined;
  readonly #inEvents: (reference: string) => Json | undefined;
  readonly #nodes: Generations<Map<string, Node | HeldValue>>;

  /**
   * @param limits none: nothing is forgotten
   * @param inEvents what an event that is at hand holds
   */
  constructor(limits: StoredLimits | undefined, inEvents: (reference: string) => Json | undefined) {
    this.#limits = limits;
    this.#inEvents = inEvents;
    this.#nodes = new Generations(() => new Map(), limits?.length ?? Number.POSITIVE_INFINITY);
  }

  /** The maps of what is held. */
  get all(): readonly ReadonlyMap<string, Node | HeldValue>[] {
    return this.#nodes.all;
  }

  /** How many characters are held; 0 where nothing is forgotten. */
  get length(): number {
    return this.#nodes.length;
  }

  /** How often what was not kept since the time before was forgotten. */
  get turns(): number {
    return this.#nodes.turns;
  }

  /** Takes in what a line stores. */
  set(reference: string, node: Node): void {
    this.#put(reference, node);
    this.keep([node], true);
  }

  /** Takes in a value that a line holds and that is no node. */
  hold(reference: string, value: Json): void {
    this.#put(reference, new HeldValue(value));
  }

  /** What a reference stands for; what is asked for stays. */
  get(reference: string): Node | HeldValue | undefined {
    const [young, old] = this.#nodes.all;
    const found = young?.get(reference) ?? old?.get(reference);
    if (found !== undefined) this.keep([reference], true);
    return found;
  }

  /**
   * Keeps what nodes refer to, as the writer does that still refers to it.
   * @param held whether also what only an event holds, which will be forgotten
   */
  keep(nodes: readonly Node[], held: boolean): void {
    if (this.#limits === undefined) return;
    const open = [...nodes];
    const seen = new Set<string>();
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (typeof node === "string") {
        if (!node.startsWith("#") || seen.has(node)) continue;
        seen.add(node);
        const [young, old] = this.#nodes.all;
        if (young?.has(node) === true) continue;
        const cached = old?.get(node) ?? (held ? this.#held(node) : undefined);
        if (cached === undefined) continue;
        this.#put(node, cached);
        if (!(cached instanceof HeldValue)) open.push(cached);
      } else if (typeof node === "object" && node !== null) {
        for (const each of Object.values(node as JsonObject)) open.push(each);
      }
    }
  }

  /** To be called between two steps, so that all that one step wrote is there. */
  turnWhenFull(): void {
    if (this.#nodes.young.size >= (this.#limits?.nodes ?? Number.POSITIVE_INFINITY)) {
      this.#nodes.turn();
    }
  }

  #held(reference: string): HeldValue | undefined {
    const value = this.#inEvents(reference);
    return value === undefined ? undefined : new HeldValue(value);
  }

  #put(reference: string, node: Node | HeldValue): void {
    const json = node instanceof HeldValue ? node.value : node;
    const length = this.#limits === undefined ? 0 : JSON.stringify(json).length;
    this.#nodes.grow(length).set(reference, node);
  }
}
