/**
 * The studio's time line of a run: a lane for each run of its tree, bars side by side, waiting dashed, idle
 * time compressed.
 */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { type Bar, type Lane, lineTime, placeOf, spanText, timeLineOf } from "../model/index.js";
import { chooseEvent } from "./route.js";
import type { OpenRun } from "./state.js";
import { brief } from "./text.js";

const ROW = 17;
const BAR = 15;
const GAP = 7;
const TOP = 4;
/** The least share of the line at which a bar has room for its words. */
const WORDS = 0.05;

/** A run, and what of it is chosen. */
export interface TimeLineProps {
  readonly run: OpenRun;
  readonly path: string;
  readonly event: string | undefined;
  readonly seq: number;
}

/** A lane and its place from above. */
interface PlacedLane {
  readonly lane: Lane;
  readonly y: number;
  readonly rows: readonly (readonly Bar[])[];
}

/** All lanes: each look of bars is one path, so that thousands are drawn as fast as ten. */
interface Drawn {
  readonly lanes: readonly PlacedLane[];
  readonly height: number;
  readonly paths: ReadonlyMap<string, string>;
  readonly places: ReadonlyMap<string, PlacedBar>;
}

/** A bar, its place from above, and the path of its run. */
interface PlacedBar {
  readonly bar: Bar;
  readonly y: number;
  readonly run: string;
}

export function TimeLineView({ run, path, event, seq }: TimeLineProps) {
  const { lanes, stretches } = run.derived("time line", timeLineOf);
  const drawn = run.derived("drawn time line", () => drawnOf(lanes));
  const box = useRef<HTMLDivElement>(null);
  const own = useMemo(() => laneOf(drawn, path), [drawn, path]);
  const still = useMemo(() => <Bars drawn={drawn} />, [drawn]);
  const names = useMemo(() => <LaneNames drawn={drawn} path={path} />, [drawn, path]);
  const moment = run.tree.at(seq)?.event.at;
  const at = moment === undefined ? undefined : placeOf(stretches, lineTime(moment, seq));
  const chosen = drawn.places.get(event ?? "");
  const under = ({ clientX, clientY }: MouseEvent) => {
    const { left, top, width } = box.current?.getBoundingClientRect() ?? new DOMRect();
    return barAt(drawn, (clientX - left) / width, clientY - top);
  };
  return (
    <section class="time-line" aria-label="Time line">
      {names}
      <div class="lanes-box">
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: keys go from bar to bar by the button that is among them. */}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the same. */}
        <div
          ref={box}
          class="lanes"
          style={{ height: `${drawn.height}px` }}
          onClick={(clicked) => {
            const found = under(clicked);
            if (found !== undefined) choose(found);
          }}
          onPointerMove={(moved) => {
            const found = under(moved);
            moved.currentTarget.title = found === undefined ? "" : barTitle(found.bar);
            moved.currentTarget.style.cursor = found === undefined ? "" : "pointer";
          }}
        >
          {own !== undefined && <div class="lane own" style={laneStyle(own)} />}
          {stretches
            .filter(({ idle }) => idle)
            .map(({ x, width, ms }) => (
              <div
                key={x}
                class="idle"
                style={placed(x, width)}
                title={`${spanText(ms)} in which nothing happened`}
              />
            ))}
          {still}
          {chosen !== undefined && (
            <div
              class="bar-at"
              style={{ ...placed(chosen.bar.x, chosen.bar.width), top: `${chosen.y}px` }}
            />
          )}
          <BarKeys drawn={drawn} path={path} event={event} />
          {at !== undefined && <div class="cursor" style={{ left: `${at * 100}%` }} />}
        </div>
        <div class="stretches" aria-hidden="true">
          {stretches.map(({ x, width, ms, idle }) => (
            <span key={x} class={idle ? "pause" : ""} style={placed(x, width)}>
              {idle ? `⋯ ${spanText(ms)}` : spanText(ms)}
            </span>
          ))}
        </div>
      </div>
    </section>
  );
}

function choose({ bar, run }: Pick<PlacedBar, "bar" | "run">): void {
  chooseEvent(bar.id, bar.endSeq ?? bar.seq, run);
}

interface BarKeysProps {
  readonly drawn: Drawn;
  readonly path: string;
  readonly event: string | undefined;
}

/** The bar that keys are at, as a button: of thousands of bars one is a stop of Tab, and arrows go from it to others. */
function BarKeys({ drawn, path, event }: BarKeysProps) {
  const [moved, setMoved] = useState<string | undefined>(undefined);
  const button = useRef<HTMLButtonElement>(null);
  // A bar that was chosen, here or elsewhere, is the one to go on from.
  useEffect(() => setMoved(undefined), [event, path]);
  // At once: a key that comes before the page is painted is for this bar, too.
  useLayoutEffect(() => {
    if (moved !== undefined) button.current?.focus();
  }, [moved]);
  const [first] = laneOf(drawn, path)?.lane.bars ?? [];
  const found = [moved, event, first?.id].flatMap((id) => drawn.places.get(id ?? "") ?? [])[0];
  if (found === undefined) return null;
  const { bar, y } = found;
  return (
    <button
      key={bar.id}
      ref={button}
      type="button"
      class="bar-key"
      aria-pressed={bar.id === event}
      aria-label={barTitle(bar)}
      title={barTitle(bar)}
      style={{ ...placed(bar.x, bar.width), top: `${y}px` }}
      onClick={(clicked) => {
        // The lanes look where the mouse is, and a key is nowhere.
        clicked.stopPropagation();
        choose(found);
      }}
      onKeyDown={({ key }) => setMoved(barBeside(drawn, found, key)?.id ?? moved)}
    />
  );
}

/** The bar that a key leads to: the one before or behind in its lane, or the nearest of the row above or below. */
function barBeside(drawn: Drawn, { bar, run }: PlacedBar, key: string): Bar | undefined {
  const bars = laneOf(drawn, run)?.lane.bars ?? [];
  const at = bars.indexOf(bar);
  if (key === "ArrowLeft") return bars[at - 1];
  if (key === "ArrowRight") return bars[at + 1];
  if (key === "Home") return bars[0];
  if (key === "End") return bars.at(-1);
  if (key !== "ArrowUp" && key !== "ArrowDown") return undefined;
  const rows = drawn.lanes.flatMap((lane) => lane.rows).filter((row) => row.length > 0);
  const own = rows.findIndex((row) => row.includes(bar));
  const row = rows[own + (key === "ArrowUp" ? -1 : 1)] ?? [];
  const away = (each: Bar) => Math.abs(each.x + each.width / 2 - bar.x - bar.width / 2);
  return row.reduce<Bar | undefined>(
    (near, each) => (near === undefined || away(each) < away(near) ? each : near),
    undefined,
  );
}

function LaneNames({ drawn, path }: { readonly drawn: Drawn; readonly path: string }) {
  return (
    <div class="lane-names">
      {drawn.lanes.map(({ lane }) => (
        <button
          key={lane.run}
          type="button"
          class="link"
          aria-pressed={lane.run === path}
          style={{
            height: `${lane.rows * ROW + GAP}px`,
            paddingInlineStart: `${lane.depth * 0.8}em`,
          }}
          onClick={() => {
            const [first] = lane.bars;
            if (first !== undefined) chooseEvent(first.id, first.endSeq ?? first.seq, lane.run);
          }}
        >
          {brief(lane.label, 30)}
        </button>
      ))}
    </div>
  );
}

/** The part that no step of the slider changes. */
function Bars({ drawn }: { readonly drawn: Drawn }) {
  const { lanes, height, paths } = drawn;
  const count = lanes.reduce((sum, { lane }) => sum + lane.bars.length, 0);
  return (
    <>
      <svg
        role="img"
        aria-label={`${count} bars in ${lanes.length} lanes; arrow keys go from bar to bar`}
        viewBox={`0 0 1 ${height}`}
        preserveAspectRatio="none"
      >
        {[...paths].map(([look, path]) => (
          <path key={look} class={look} d={path} />
        ))}
      </svg>
      {lanes.flatMap(({ lane, y }) =>
        lane.bars
          .filter(({ width }) => width > WORDS)
          .map((bar) => (
            <span
              key={bar.id}
              class={bar.waits ? "bar-words waits" : "bar-words"}
              style={{ ...placed(bar.x, bar.width), top: `${y + bar.row * ROW + 1}px` }}
              aria-hidden="true"
            >
              {brief(bar.label, 40)}
            </span>
          )),
      )}
    </>
  );
}

function drawnOf(lanes: readonly Lane[]): Drawn {
  let height = TOP;
  const paths = new Map<string, string[]>();
  const places = new Map<string, PlacedBar>();
  const add = (look: string, x: number, y: number, width: number, tall: number) => {
    const path = paths.get(look) ?? [];
    paths.set(look, path);
    path.push(`M${x.toFixed(5)} ${y}h${width.toFixed(5)}v${tall}h-${width.toFixed(5)}z`);
  };
  const placedLanes = lanes.map((lane): PlacedLane => {
    const y = height;
    const rows: Bar[][] = Array.from({ length: lane.rows }, () => []);
    for (const bar of lane.bars) {
      const { id, type, status, waits, row, x, width } = bar;
      const top = y + row * ROW + 1;
      rows[row]?.push(bar);
      places.set(id, { bar, y: top, run: lane.run });
      add(`bar t-${type} s-${status}${waits ? " waits" : ""}`, x, top, width, BAR);
    }
    height += lane.rows * ROW + GAP;
    return { lane, y, rows };
  });
  const joined = new Map([...paths].map(([look, path]) => [look, path.join("")]));
  return { lanes: placedLanes, height, paths: joined, places };
}

function laneOf({ lanes }: Drawn, path: string): PlacedLane | undefined {
  return lanes.find(({ lane }) => lane.run === path);
}

const laneStyle = ({ lane, y }: PlacedLane) => ({
  top: `${y}px`,
  height: `${lane.rows * ROW + 2}px`,
});

/** The bar at a place, and the path of its run. */
function barAt(
  { lanes }: Drawn,
  x: number,
  y: number,
): { readonly bar: Bar; readonly run: string } | undefined {
  const own = lanes.findLast((each) => each.y <= y);
  const row = own?.rows[Math.floor((y - own.y) / ROW)] ?? [];
  const bar = row.find((each) => each.x <= x && x <= each.x + each.width);
  return own === undefined || bar === undefined ? undefined : { bar, run: own.lane.run };
}

const placed = (x: number, width: number) => ({ left: `${x * 100}%`, width: `${width * 100}%` });

function barTitle({ words, from, to, waits }: Bar): string {
  return brief(`${words}${waits ? " (waiting)" : ""}: ${spanText(to - from)}`, 300);
}
