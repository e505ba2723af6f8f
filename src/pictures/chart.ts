/**
 * Draws a statechart: nested states, parallel regions, initial and final states, and at each
 * transition its event, guard and actions (worded by `core/kernel/machine/chart-text.ts`). It draws
 * any XState machine.
 */

import {
  chartData,
  type RecordedState,
  type RunChart,
  transitionTexts,
} from "../core/kernel/machine/index.js";
import * as shapes from "../core/kernel/shapes.js";
import { groupBy, ReckonerError } from "../core/kernel/values/index.js";
import { checkArguments } from "../core/kernel/vocabulary/index.js";
import { lookEntry } from "./legend.js";
import type {
  LegendEntry,
  Picture,
  PictureEdge,
  PictureGroup,
  PictureNode,
  PictureOptions,
  Tone,
} from "./picture.js";
import { shippedMachine } from "./shipped-machines.js";

/** An XState machine. */
interface Machine {
  readonly root: object;
}

/**
 * A machine, a reasoner that has one, or the chart of one as a journal has it: states and transitions, or the name
 * of a machine that comes with this package.
 */
export type Charted = RunChart | Machine | { readonly id: string; readonly machine: Machine };

/** A state value: where a run is. */
export type ChartValue = string | { readonly [region: string]: ChartValue | undefined };

/** The options of a chart's picture. */
export interface ChartPictureOptions extends PictureOptions {
  /** The states that a run is in stand out. */
  readonly active?: ChartValue | undefined;
}

const partOf = (value: unknown, name: "root" | "machine" | "id" | "key"): unknown =>
  (value as { readonly [part: string]: unknown } | null | undefined)?.[name];
const isRooted = (value: unknown): boolean => typeof partOf(value, "root") === "object";
const CHARTED: shapes.Shape = [
  (value) =>
    isRooted(value) ||
    isRooted(partOf(value, "machine")) ||
    ["id", "key"].every((name) => typeof partOf(value, name as "id") === "string") ||
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
  const draw = (state: RecordedState): void => {
    const { id, parent, any, start } = placeIn(places, state);
    const around = parent === undefined || parent === root ? undefined : placeIn(places, parent).id;
    const { states: children = [], initial } = state;
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
      const [first] = targetsIn(places, initial?.to);
      if (first !== undefined) {
        nodes.push({ id: start, label: "initial", shape: "dot", tone: "plain", ...within });
        const labels = initial?.do === undefined ? {} : { labels: [`/ ${initial.do.join(", ")}`] };
        edges.push({ ...PLAIN, weight: 8, from: start, to: placeIn(places, first).id, ...labels });
      }
    }
    edges.push(...edgesOf(state, places));
    for (const child of children) draw(child);
  };
  draw(root);
  return { kind: "chart", title, nodes, edges, groups, rows: [], legend, notes: [] };
}

function rootOf(of: Charted): RecordedState {
  if (typeof of === "string") {
    const shipped = shippedMachine(of);
    if (shipped !== undefined) return chartData(shipped);
    const message = `This package has no machine ${of}: another version of it wrote the journal. Draw the chart with the code that wrote it.`;
    throw new ReckonerError("journal.configuration", message, { place: of });
  }
  if ("machine" in of) return chartData(of.machine);
  return "root" in of ? chartData(of) : of;
}

/** The place of a state, and the ids of what is drawn of it: no two in a picture are alike. */
interface Place {
  readonly id: string;
  readonly parent: RecordedState | undefined;
  /** Id of what stands for any state within a group. */
  readonly any: string;
  /** Id of the dot where a group begins. */
  readonly start: string;
}
interface Places {
  readonly of: ReadonlyMap<RecordedState, Place>;
  readonly states: ReadonlyMap<string, RecordedState>;
}

function placesOf(root: RecordedState): Places {
  const states: [RecordedState, RecordedState | undefined][] = [[root, undefined]];
  for (const [state] of states) {
    for (const child of state.states ?? []) states.push([child, state]);
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
  const of = new Map(
    states.map(([state, parent], i) => {
      const id = ids[i] as string;
      return [state, { id, parent, any: free(`${id}·any`), start: free(`${id}·initial`) }];
    }),
  );
  return { of, states: new Map(states.map(([state]) => [state.id, state])) };
}

/** The states of ids. */
function targetsIn(places: Places, ids: readonly string[] = []): RecordedState[] {
  return ids.flatMap((id) => places.states.get(id) ?? []);
}

const placeIn = (places: Places, state: RecordedState): Place => places.of.get(state) as Place;

/** Returns true when a state is a group, or stands in it; its id does not tell, which may be any. */
function isWithin(places: Places, state: RecordedState, group: RecordedState): boolean {
  let at: RecordedState | undefined = state;
  while (at !== undefined && at !== group) at = places.of.get(at)?.parent;
  return at === group;
}

const PLAIN = { line: "solid", tone: "plain" } as const;
const EVENTLESS = { line: "dashed", tone: "plain" } as const;

function nodeOf(state: RecordedState, id: string, active: boolean): PictureNode {
  const { key, type = "atomic", history, tags = [] } = state;
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
  const ended = tags.includes("failed") ? "red" : tags.includes("cancelled") ? "grey" : "green";
  const tone: Tone = type === "final" ? ended : "plain";
  const look = { shape: type === "final" ? "double" : "round", tone } as const;
  return active
    ? { ...about, ...look, border: "thick", borderTone: "blue", weight: 1 }
    : { ...about, ...look };
}

function groupOf(state: RecordedState, id: string, active: boolean): Omit<PictureGroup, "line"> {
  const label = state.type === "parallel" ? `${state.key} (side by side)` : state.key;
  return { id, label, details: detailsOf(state, []), tone: active ? "blue" : "plain" };
}

function detailsOf(state: RecordedState, inside: readonly string[]): string[] {
  const { entry, exit, tags, does = [], type } = state;
  return [
    ...(entry === undefined ? [] : [`entry / ${entry.join(", ")}`]),
    ...inside,
    ...(exit === undefined ? [] : [`exit / ${exit.join(", ")}`]),
    ...does.map((actor) => `does ${actor}`),
    // The tone says how a final state ends.
    ...(type === "final" || tags === undefined ? [] : [`tags ${tags.join(", ")}`]),
  ];
}

interface LabelledTransition {
  readonly text: string;
  /** Ids of states. */
  readonly to: readonly string[];
  readonly eventless: boolean;
}

/** All transitions of a state with their texts, those without an event last. */
function transitionsOf({ on = [] }: RecordedState): LabelledTransition[] {
  const lists = groupBy(on, ({ event = "", delay = "" }) => `${event} ${delay}`).values();
  return [...lists].flatMap((list) => {
    const texts = transitionTexts(
      list.map(({ event = "", do: actions = [], ...rest }) => ({
        ...rest,
        eventType: event,
        actions,
      })),
    );
    return list.map(({ event, to = [] }, i): LabelledTransition => {
      return { text: texts[i] as string, to, eventless: event === undefined };
    });
  });
}

/** Returns the events that a state handles without leaving it. */
function insideOf(state: RecordedState, root: RecordedState): string[] {
  return transitionsOf(state).flatMap(({ text, to }) => {
    if (to.length > 0 || (text === "" && state !== root)) return [];
    return [text.includes("/") ? text : `${text} is taken`];
  });
}

/** Returns true when a transition of a state with states in it leads to one of those. */
function leadsWithin(state: RecordedState, places: Places): boolean {
  return transitionsOf(state).some(({ to }) =>
    targetsIn(places, to).some((target) => isWithin(places, target, state)),
  );
}

/** The edges that leave a state; those with the same ends are one, a text for each. */
function edgesOf(state: RecordedState, places: Places): PictureEdge[] {
  const found = new Map<string, PictureEdge & { labels: string[] }>();
  const { id, any } = placeIn(places, state);
  const isGroup = state.states !== undefined;
  for (const { text, to: ids, eventless } of transitionsOf(state)) {
    for (const target of targetsIn(places, ids)) {
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
function activeStates(state: RecordedState, value: ChartValue): RecordedState[] {
  const parts = typeof value === "string" ? { [value]: {} } : value;
  return Object.entries(parts).flatMap(([key, below]) => {
    const child = state.states?.find((each) => each.key === key);
    return child === undefined || below === undefined ? [] : [child, ...activeStates(child, below)];
  });
}

const legend: readonly LegendEntry[] = [
  lookEntry("begins here", { shape: "dot" }),
  lookEntry("the run is here", { border: "thick", borderTone: "blue" }),
  lookEntry("final: done", { shape: "double", tone: "green" }),
  lookEntry("final: failed", { shape: "double", tone: "red" }),
  lookEntry("final: cancelled", { shape: "double", tone: "grey" }),
  lookEntry("where it was last", { shape: "history" }),
  { text: "on an event", edge: PLAIN },
  { text: "at once, where the condition holds", edge: EVENTLESS },
];
