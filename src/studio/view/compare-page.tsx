/**
 * The studio's page that compares two runs: the first difference on top, in words; then all rows, aligned by
 * their causes.
 */
import { signal } from "@preact/signals";
import { traceId } from "../../trace/pure/index.js";
import { type ComparedRow, type Comparison, compareRuns } from "../model/index.js";
import { Fault } from "./parts.js";
import { addressOf, type Route } from "./route.js";
import { type OpenRun, openRun } from "./state.js";
import { brief } from "./text.js";
import { Virtual } from "./virtual.js";
import { attempt } from "./why-view.js";

/** The row that keys have come to, and of which two runs. */
const place = signal<{ readonly of: string; readonly row: number } | undefined>(undefined);

/** The last comparison, and what it was of. */
let last: { readonly of: readonly unknown[]; readonly found: Comparison | string } | undefined;

/** Two runs compared, once until there is more of them; the words of what refuses it. */
function comparison({ tree: a }: OpenRun, { tree: b }: OpenRun): Comparison | string {
  const of = [a, b, a.lines, b.lines];
  if (last === undefined || of.some((each, i) => each !== last?.of[i]))
    last = { of, found: attempt(() => compareRuns(a, b)) };
  return last.found;
}

/** Goes from difference to difference. @returns true where the key meant something here */
export function keyInComparison(
  key: string,
  { a, b }: Extract<Route, { page: "compare" }>,
): boolean {
  const isNext = key === "j" || key === "ArrowDown";
  if (!isNext && key !== "k" && key !== "ArrowUp") return false;
  const [left, right] = [openRun(a), openRun(b)];
  if (left.isReading.value || right.isReading.value) return false;
  const found = comparison(left, right);
  if (typeof found === "string") return false;
  const others = found.rows.flatMap(({ status }, row) => (status === "same" ? [] : [row]));
  const at = place.value?.of === `${a} ${b}` ? others.indexOf(place.value.row) : -1;
  const row = others[Math.max(0, Math.min(others.length - 1, isNext ? at + 1 : at - 1))];
  if (row === undefined) return false;
  place.value = { of: `${a} ${b}`, row };
  // Tab and Enter go on from there: to the event in either run.
  const focus = () =>
    document.querySelector<HTMLElement>(`.compared [aria-posinset="${row + 1}"] a`)?.focus();
  focus();
  requestAnimationFrame(() => requestAnimationFrame(focus));
  return true;
}

function isNothing(runs: readonly OpenRun[]): boolean {
  return runs.some(({ tree }) => tree.moments.length === 0);
}

export function ComparePage({ a, b }: { readonly a: string; readonly b: string }) {
  const [left, right] = [openRun(a), openRun(b)];
  const versions = left.version.value + right.version.value;
  // All that follows lacks what stands behind a fault.
  const texts = new Set([left.ownFault, right.ownFault].filter((text) => text !== ""));
  const faults = [...texts].map((text) => <Fault key={text} text={text} />);
  // Of a run that is read to its middle it would be said that the rest is the other's alone.
  const isReading = left.isReading.value || right.isReading.value;
  if (isReading || versions === 0 || (texts.size > 0 && isNothing([left, right]))) {
    return (
      <main>
        {texts.size === 0 && <p class="quiet">Reading the two runs…</p>}
        {faults}
      </main>
    );
  }
  const found = comparison(left, right);
  if (typeof found === "string") {
    return (
      <main>
        {faults}
        <Fault text={found} />
      </main>
    );
  }
  const { words, rows, first, summary, configuration } = found;
  return (
    <main class="compare">
      {faults}
      <h1>
        <a href={addressOf({ page: "run", journal: a, path: "" })}>{brief(a, 80)}</a> and{" "}
        <a href={addressOf({ page: "run", journal: b, path: "" })}>{brief(b, 80)}</a>
      </h1>
      <p class="lead" role="status" dir="auto">
        {brief(words, 900)}
      </p>
      <p class="quiet">
        {summary.same} the same, {summary.differs} differ, {summary["only a"]} only in the first,{" "}
        {summary["only b"]} only in the second;{" "}
        {configuration === "same" ? "under one configuration" : "under different configurations"}
      </p>
      <Virtual
        items={rows}
        estimate={() => 34}
        label="Events and requests of both runs"
        class="compared"
        at={place.value?.of === `${a} ${b}` ? place.value.row : first < 0 ? undefined : first}
        keyOf={({ what, cause }) => `${what} ${cause}`}
        row={(row, i) => <Row row={row} isFirst={i === first} a={left} b={right} />}
      />
    </main>
  );
}

/** The address of a row in one of the runs: of its event, and of the request that it is about, where it has one. */
function addressIn({ name, tree }: OpenRun, cause: string, seq: number): string {
  const event = traceId(tree.root.header?.runId ?? "", cause);
  const eventPart = tree.trace.get(event) === undefined ? {} : { event };
  return addressOf({ page: "run", journal: name, path: "", seq, ...eventPart });
}

const MARKS = { same: "=", differs: "≠", "only a": "−", "only b": "+" } as const;

interface RowProps {
  readonly row: ComparedRow;
  readonly isFirst: boolean;
  readonly a: OpenRun;
  readonly b: OpenRun;
}

function Row({ row, isFirst, a, b }: RowProps) {
  const { status, cause, title, part, seqA, seqB, was, is } = row;
  return (
    <div class={`compared-row row-${status.replace(" ", "-")}${isFirst ? " first" : ""}`}>
      <span title={status}>{MARKS[status]}</span>
      <span dir="auto">
        {brief(title, 120)}
        {part !== undefined && (
          <>
            , in <code>{brief(part, 120)}</code>
          </>
        )}
      </span>
      <span class="places" title={brief(cause, 60)}>
        {seqA !== undefined && <a href={addressIn(a, cause, seqA)}>#{seqA}</a>}{" "}
        {seqB !== undefined && <a href={addressIn(b, cause, seqB)}>#{seqB}</a>}
      </span>
      {(was !== undefined || is !== undefined) && (
        <div class="difference" dir="auto">
          {status === "differs" && was === undefined && "only the second has "}
          {status === "differs" && is === undefined && "only the first has "}
          {was !== undefined && <span class="was">{brief(was, 300)}</span>}
          {was !== undefined && is !== undefined && " → "}
          {is !== undefined && <span class="is">{brief(is, 300)}</span>}
        </div>
      )}
    </div>
  );
}
