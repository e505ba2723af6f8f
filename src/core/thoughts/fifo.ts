/** A first-in, first-out queue of texts as plain JSON; a push and a shift cost the same at any length. */
import {
  emptyVector,
  pushItem,
  sealOwn,
  type Vector,
  vectorItem,
  vectorItems,
  vectorOf,
  vectorSize,
} from "../kernel/values/index.js";

/** A queue. Its items before `first` have left it. */
export interface Queue {
  readonly items: Vector<string>;
  readonly first: number;
}

/** From this length on, items that have left are dropped when they are the half. */
const KEPT = 64;

/** A queue of these items. */
export function queueOf(items: readonly string[] = []): Queue {
  return sealOwn<Queue>({ items: items.length === 0 ? emptyVector() : vectorOf(items), first: 0 });
}

/** Returns the number of items that wait. */
export function queueSize({ items, first }: Queue): number {
  return vectorSize(items) - first;
}

/** The item that has waited longest. */
export function queueFront({ items, first }: Queue): string | undefined {
  return vectorItem(items, first);
}

/** All that wait, the first one first. */
export function queueItems({ items, first }: Queue): readonly string[] {
  return vectorItems(items).slice(first);
}

/** The queue with one more item at its end. */
export function queuePush({ items, first }: Queue, item: string): Queue {
  return sealOwn<Queue>({ items: pushItem(items, item), first });
}

/** The queue without its first item. */
export function queueShift(queue: Queue): Queue {
  const { items, first } = queue;
  const left = queueSize(queue) - 1;
  if (left <= 0) return queueOf();
  if (vectorSize(items) <= KEPT || first < left) return sealOwn<Queue>({ items, first: first + 1 });
  return queueOf(vectorItems(items).slice(first + 1));
}
