/**
 * A second implementation of the `after` timers, from XState's own delayed events: the oracle for
 * K7. It counts the timers of each name itself.
 */

import type { Reasoner } from "../src/core/kernel/machine/index.js";
import { type Json, tableHas } from "../src/core/kernel/values/index.js";
import type { HistoryStep } from "../src/testing/checking/world.js";

interface Action {
  readonly type: string;
  readonly params?: unknown;
}
interface Node {
  readonly path: readonly string[];
  readonly after: readonly { readonly eventType: string; readonly delay: unknown }[];
  readonly states: object;
}

/** The timers of one run's delayed transitions. */
export class AfterTimers {
  readonly #names = new Map<string, string>();
  readonly #count = new Map<string, number>();

  constructor({ root }: Reasoner["machine"]) {
    const visit = (node: Node): void => {
      for (const { eventType, delay } of node.after) {
        this.#names.set(eventType, `after/${[...node.path, delay].join("/")}`);
      }
      for (const child of Object.values(node.states) as Node[]) visit(child);
    };
    visit(root);
  }

  /** XState's event of a timer that fires. */
  eventOf(id: string): string | undefined {
    const name = id.slice(0, id.lastIndexOf("/"));
    return [...this.#names].find(([, each]) => each === name)?.[0];
  }

  /** The directives that XState's actions stand for. */
  told(
    actions: readonly Action[],
    { before, event }: Pick<HistoryStep, "before" | "event">,
  ): readonly Json[] {
    const directives: Json[] = [];
    const open = new Map<string, Json>();
    const cancelled = new Set<string>();
    const stop = (name: string): void => {
      const timer = open.get(name);
      const target = `${name}/${(this.#count.get(name) ?? 0) - 1}`;
      const settled = "id" in event && event.id === target;
      const owed = before !== undefined && tableHas(before.outstanding, target) && !settled;
      if (timer !== undefined) directives.splice(directives.indexOf(timer), 1);
      else if (owed && !cancelled.has(name)) directives.push({ type: "cancel", target });
      open.delete(name);
      cancelled.add(name);
    };
    for (const { type, params } of actions) {
      if (type === "issue") directives.push(...([params].flat() as Json[]));
      if (type === "xstate.raise") {
        const { id, delay } = params as { readonly id?: string; readonly delay?: number };
        const name = id === undefined ? undefined : this.#names.get(id);
        if (name === undefined || delay === undefined) continue;
        // A history state may lead to where the machine is: then a state is entered that was not left.
        stop(name);
        const number = this.#count.get(name) ?? 0;
        const timer = { type: "timer", id: `${name}/${number}`, until: event.at + delay };
        open.set(name, timer);
        directives.push(timer);
      }
      if (type === "xstate.cancel") {
        stop(this.#names.get((params as { readonly sendId: string }).sendId) as string);
      }
    }
    for (const name of open.keys()) this.#count.set(name, (this.#count.get(name) ?? 0) + 1);
    return directives;
  }
}
