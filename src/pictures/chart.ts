/**
 * Draws a statechart: nested states, parallel regions, initial and final states, and at each
 * transition its event, guard and actions (worded by `core/kernel/machine/chart-text.ts`). It draws
 * any XState machine.
 */

import {
  actionTexts,
  checkArguments,
  ReckonerError,
  type RunChart,
  transitionTexts,
} from "../core/kernel/index.js";
import * as shapes from "../core/kernel/shapes.js";
import type {
  LegendEntry,
  Picture,
  PictureEdge,
  PictureGroup,
  PictureNode,
  Tone,
} from "./picture.js";
import { type ChartState, chartStateOf } from "./recorded-chart.js";
import { shippedChart } from "./shipped-charts.js";

/**
 * A machine, a reasoner that has one, or the chart of one as a journal has it: states and transitions, or the name
 * of a machine that comes with this package.
 */
export type Charted =
  | RunChart
  | { readonly root: ChartState }
  | { readonly id: string; readonly machine: { readonly root: ChartState } };

/** A state value: where a run is. */
export type ChartValue = string | { readonly [region: string]: ChartValue | undefined };

/** The options of a chart's picture. */
export interface ChartPictureOptions {
  readonly title?: string | undefined;
  /** The states that a run is in stand out. */
  readonly active?: ChartValue | undefined;
}

const isRooted = (value: unknown): boolean =>
  typeof (value as { readonly root?: unknown } | null | undefined)?.root === "object";
const isRecorded = (value: unknown): boolean => {
  const { id, key } = (value ?? {}) as { readonly id?: unknown; readonly key?: unknown };
  return typeof id === "string" && typeof key === "string";
};
const CHARTED: shapes.Shape = [
  (value) =>
    isRooted(value) ||
    isRooted((value as { readonly machine?: unknown } | null)?.machine) ||
    isRecorded(value) ||
    typeof value === "string",
  "a machine, a reasoner that has one, or a recorded chart",
];
const VALUE: shapes.Shape = [
  (value) => typeof value === "string" || shapes.OBJECT[0](value),
  "a state value: a string, or an object of them by their regions",
];

const OPTIONS = /* @__PURE__ */ shapes.optionsOf({ title: shapes.TEXT, active: VALUE });

/**
 * The picture; writers make a text of it.
 * @throws ReckonerError `option.invalid`; `journal.configuration` for the name of a machine that this package does
 * not have in that version
 */
export function chartPicture(of: Charted, options: ChartPictureOptions = {}): Picture {
  checkArguments("chartPicture", { of, options }, { of: CHARTED, options: OPTIONS });
  const root = rootOf(of);
  const own = typeof of === "object" && "machine" in of ? of.id : root.key;
  const { title = own, active } = options;
  const here = new Set(active === undefined ? [] : activeStates(root, active));
  const places = placesOf(root);
  const nodes: PictureNode[] = [];
  const edges: PictureEdge[] = [];
  const groups: PictureGroup[] = [];
  // In the order of the document. XState has made the machine by recursion, too.
  const draw = (state: ChartState): void => {
    const { id, parent, any, start } = placeIn(places, state);
    const around = parent === undefined || parent === root ? undefined : placeIn(places, parent).id;
    const children = Object.values(state.states);
    const inside = insideOf(state, root);
    if (children.length === 0) {
      nodes.push({
        ...nodeOf(state, id, here.has(state)),
        ...(around === undefined ? {} : { group: around }),
        details: detailsOf(state, inside),
      });
    } else {
      const within = state === root ? {} : { group: id };
      if (state !== root) {
        groups.push({
          ...groupOf(state, id, here.has(state)),
          ...(around === undefined ? {} : { parent: around }),
          line: parent?.type === "parallel" ? "dashed" : "solid",
        });
      }
      // It stands for whichever state within the group: what is handled wherever the run is.
      if (inside.length > 0 || leadsWithin(state, places)) {
        const look = { shape: "pill", tone: "grey" } as const;
        nodes.push({ id: any, label: "in any state", ...look, ...within, details: inside });
      }
      const [first] = state.type === "compound" ? (state.initial?.target ?? []) : [];
      if (first !== undefined) {
        nodes.push({ id: start, label: "initial", shape: "dot", tone: "plain", ...within });
        const done = actionTexts(state.initial?.actions ?? []);
        const labels = done.length === 0 ? {} : { labels: [`/ ${done.join(", ")}`] };
        edges.push({ ...PLAIN, weight: 8, from: start, to: placeIn(places, first).id, ...labels });
      }
    }
    edges.push(...edgesOf(state, places));
    for (const child of children) draw(child);
  };
  draw(root);
  return { kind: "chart", title, nodes, edges, groups, rows: [], legend, notes: [] };
}

function rootOf(of: Charted): ChartState {
  if (typeof of === "string") {
    const shipped = shippedChart(of);
    if (shipped !== undefined) return shipped;
    const message = `This package has no machine ${of}: another version of it wrote the journal. Draw the chart with the code that wrote it.`;
    throw new ReckonerError("journal.configuration", message, { place: of });
  }
  if ("machine" in of) return of.machine.root;
  return "root" in of ? of.root : chartStateOf(of);
}

/** The place of a state, and the ids of what is drawn of it: no two in a picture are alike. */
interface Place {
  readonly id: string;
  readonly parent: ChartState | undefined;
  /** Id of what stands for any state within a group. */
  readonly any: string;
  /** Id of the dot where a group begins. */
  readonly start: string;
}
type Places = ReadonlyMap<ChartState, Place>;

function placesOf(root: ChartState): Places {
  const states: [ChartState, ChartState | undefined][] = [[root, undefined]];
  for (const [state] of states) {
    for (const child of Object.values(state.states)) states.push([child, state]);
  }
  const taken = new Set<string>();
  const free = (name: string): string => {
    let id = name;
    while (taken.has(id)) id += "…";
    taken.add(id);
    return id;
  };
  // The state a.b beside a state a that has a state b has the id of that one.
  const ids = states.map(([{ id }]) => free(id));
  return new Map(
    states.map(([state, parent], i) => {
      const id = ids[i] as string;
      return [state, { id, parent, any: free(`${id}·any`), start: free(`${id}·initial`) }];
    }),
  );
}

const placeIn = (places: Places, state: ChartState): Place => places.get(state) as Place;

/** Returns true when a state is a group, or stands in it; its id does not tell, which may be any. */
function isWithin(places: Places, state: ChartState, group: ChartState): boolean {
  let at: ChartState | undefined = state;
  while (at !== undefined && at !== group) at = places.get(at)?.parent;
  return at === group;
}

const PLAIN = { line: "solid", tone: "plain" } as const;
const EVENTLESS = { line: "dashed", tone: "plain" } as const;

function nodeOf(state: ChartState, id: string, active: boolean): PictureNode {
  const { key, type, history, tags } = state;
  const about = { id, label: key, tally: type };
  if (type === "history") {
    return {
      ...about,
      label: history === "deep" ? "H*" : "H",
      title: key,
      shape: "history",
      tone: "plain",
    };
  }
  const tone: Tone =
    type !== "final"
      ? "plain"
      : tags.includes("failed")
        ? "red"
        : tags.includes("cancelled")
          ? "grey"
          : "green";
  const look = { shape: type === "final" ? "double" : "round", tone } as const;
  return active
    ? { ...about, ...look, border: "thick", borderTone: "blue", weight: 1 }
    : { ...about, ...look };
}

function groupOf(state: ChartState, id: string, active: boolean): Omit<PictureGroup, "line"> {
  const label = state.type === "parallel" ? `${state.key} (side by side)` : state.key;
  return { id, label, details: detailsOf(state, []), tone: active ? "blue" : "plain" };
}

function detailsOf(state: ChartState, inside: readonly string[]): string[] {
  const { entry, exit, tags, invoke = [], type } = state;
  const [onEntry, onExit] = [actionTexts(entry), actionTexts(exit)];
  return [
    ...(onEntry.length === 0 ? [] : [`entry / ${onEntry.join(", ")}`]),
    ...inside,
    ...(onExit.length === 0 ? [] : [`exit / ${onExit.join(", ")}`]),
    ...invoke.map(({ src }) => `does ${typeof src === "string" ? src : "an actor"}`),
    // The tone says how a final state ends.
    ...(type === "final" || tags.length === 0 ? [] : [`tags ${tags.join(", ")}`]),
  ];
}

interface LabelledTransition {
  readonly text: string;
  readonly targets: readonly ChartState[];
  readonly eventless: boolean;
}

/** All transitions of a state with their texts, those without an event last. */
function toldOf({ transitions, always = [] }: ChartState): LabelledTransition[] {
  const lists = [...transitions.values(), always ?? []];
  return lists.flatMap((list) => {
    const texts = transitionTexts(list);
    return list.map(
      ({ target, eventType }, i): LabelledTransition => ({
        text: texts[i] as string,
        targets: target ?? [],
        eventless: eventType === "",
      }),
    );
  });
}

/** Returns the events that a state handles without leaving it. */
function insideOf(state: ChartState, root: ChartState): string[] {
  return toldOf(state).flatMap(({ text, targets }) => {
    if (targets.length > 0 || (text === "" && state !== root)) return [];
    return [text.includes("/") ? text : `${text} is taken`];
  });
}

/** Returns true when a transition of a state with states in it leads to one of those. */
function leadsWithin(state: ChartState, places: Places): boolean {
  return toldOf(state).some(({ targets }) => targets.some((to) => isWithin(places, to, state)));
}

/** The edges that leave a state; those with the same ends are one, a text for each. */
function edgesOf(state: ChartState, places: Places): PictureEdge[] {
  const found = new Map<string, PictureEdge & { labels: string[] }>();
  const { id, any } = placeIn(places, state);
  const isGroup = Object.keys(state.states).length > 0;
  for (const { text, targets, eventless } of toldOf(state)) {
    for (const target of targets) {
      const from = isGroup && isWithin(places, target, state) ? any : id;
      const to = placeIn(places, target).id;
      const key = JSON.stringify([from, to, eventless]);
      const edge = found.get(key) ?? { ...(eventless ? EVENTLESS : PLAIN), from, to, labels: [] };
      if (text !== "") edge.labels.push(text);
      found.set(key, edge);
    }
  }
  return [...found.values()].map(({ labels, ...edge }) => ({
    ...edge,
    ...(labels.length === 0 ? {} : { labels }),
  }));
}

/** The states of a value, and what they stand in. A name that is not there is passed over. */
function activeStates(state: ChartState, value: ChartValue): ChartState[] {
  const parts = typeof value === "string" ? { [value]: {} } : value;
  return Object.entries(parts).flatMap(([key, below]) => {
    const child = Object.hasOwn(state.states, key) ? state.states[key] : undefined;
    return child === undefined || below === undefined ? [] : [child, ...activeStates(child, below)];
  });
}

const legend: readonly LegendEntry[] = [
  { text: "begins here", node: { shape: "dot", tone: "plain" }, means: ["shape"] },
  {
    text: "the run is here",
    node: { shape: "round", tone: "plain", border: "thick", borderTone: "blue" },
    means: ["borderTone"],
  },
  { text: "final: done", node: { shape: "double", tone: "green" }, means: ["shape", "tone"] },
  { text: "final: failed", node: { shape: "double", tone: "red" }, means: ["shape", "tone"] },
  { text: "final: cancelled", node: { shape: "double", tone: "grey" }, means: ["shape", "tone"] },
  { text: "where it was last", node: { shape: "history", tone: "plain" }, means: ["shape"] },
  { text: "on an event", edge: PLAIN },
  { text: "at once, where the condition holds", edge: EVENTLESS },
];
