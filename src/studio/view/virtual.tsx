/**
 * A list of any length that draws only the rows in sight, for conversations, runs and comparisons. Heights
 * are measured as rows come into sight.
 */
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";

/** Pixels beyond the edges of which the rows are drawn as well: one at least, which a key may lead to. */
const BEYOND = 400;

interface VirtualProps<Item> {
  /** The same list as long as nothing of it has changed. */
  readonly items: readonly Item[];
  /** The height of a row that was not measured yet: rather too little than too much of the list is drawn at first. */
  readonly estimate: (item: Item) => number;
  readonly label: string;
  readonly keyOf: (item: Item) => string;
  /** The row that is to be in sight: it is scrolled to where it is another item, and not where the list has grown. */
  readonly at?: number | undefined;
  readonly class?: string;
  readonly row: (item: Item, index: number) => ComponentChildren;
}

/** The list. */
export function Virtual<Item>(props: VirtualProps<Item>) {
  const { items, estimate, label, keyOf, at, row } = props;
  const count = items.length;
  const box = useRef<HTMLDivElement>(null);
  const heights = useRef(new Map<string, number>());
  const [view, setView] = useState({ top: 0, height: 800 });
  const [measured, setMeasured] = useState(0);
  const tops = useMemo(
    () => topsOf(items, (item) => heights.current.get(keyOf(item)) ?? estimate(item)),
    [items, measured],
  );
  const bottom = view.top + view.height;
  const first = Math.max(
    0,
    Math.min(indexAt(tops, view.top) - 1, indexAt(tops, view.top - BEYOND)),
  );
  const last = Math.min(
    count,
    1 + Math.max(indexAt(tops, bottom) + 1, indexAt(tops, bottom + BEYOND)),
  );

  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const look = () => setView({ top: element.scrollTop, height: element.clientHeight });
    look();
    element.addEventListener("scroll", look, { passive: true });
    const sized = new ResizeObserver(look);
    sized.observe(element);
    return () => {
      element.removeEventListener("scroll", look);
      sized.disconnect();
    };
  }, []);

  useLayoutEffect(() => {
    let changed = false;
    for (const child of box.current?.querySelectorAll<HTMLElement>(
      ":scope > .space > [data-key]",
    ) ?? []) {
      const key = child.dataset.key ?? "";
      const height = child.offsetHeight;
      if (height > 0 && heights.current.get(key) !== height) {
        heights.current.set(key, height);
        changed = true;
      }
    }
    if (changed) setMeasured((n) => n + 1);
  });

  const item = at === undefined ? undefined : items[at];
  useEffect(() => {
    const element = box.current;
    if (element === null || at === undefined || item === undefined) return;
    const [top = 0, bottom = 0] = [tops[at], tops[at + 1]];
    if (top >= element.scrollTop && bottom <= element.scrollTop + element.clientHeight) return;
    element.scrollTop = Math.max(0, top - element.clientHeight / 3);
  }, [item && keyOf(item)]);

  const rows = items.slice(first, last).map((item, i) => {
    const key = keyOf(item);
    return (
      <div
        key={key}
        data-key={key}
        role="listitem"
        aria-posinset={first + i + 1}
        aria-setsize={count}
      >
        {row(item, first + i)}
      </div>
    );
  });
  return (
    <div
      class={`virtual ${props.class ?? ""}`}
      ref={box}
      role="list"
      aria-label={label}
      tabIndex={0}
    >
      <div
        class="space"
        role="presentation"
        style={{ height: `${tops[count] ?? 0}px`, paddingTop: `${tops[first] ?? 0}px` }}
      >
        {rows}
      </div>
    </div>
  );
}

function topsOf<Item>(items: readonly Item[], heightOf: (item: Item) => number): readonly number[] {
  const tops = [0];
  for (const item of items) tops.push((tops.at(-1) as number) + heightOf(item));
  return tops;
}

/** The last row that begins at or above a place. */
function indexAt(tops: readonly number[], y: number): number {
  let [low, high] = [0, tops.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((tops[middle] as number) <= y) low = middle;
    else high = middle - 1;
  }
  return low;
}
