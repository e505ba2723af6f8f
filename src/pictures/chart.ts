/**
 * Draws a statechart: nested states, parallel regions, initial and final states, and at each
 * transition its event, guard and actions (worded by `core/kernel/machine/chart-text.ts`). It draws
 * any XState machine.
 */

import {
  actionTexts,
  type ChartTransition,
  type Named,
  transitionTexts,
} from "../core/kernel/index.js";
import * as shapes from "../core/kernel/shapes.js";
import { checkDrawn } from "./check-arguments.js";
import type {
  LegendEntry,
  Picture,
  PictureEdge,
  PictureGroup,
  PictureNode,
  Tone,
} from "./picture.js";
import { unusedId } from "./unused-id.js";

/** A resolved state of an XState machine, as far as it is drawn. */
export interface ChartState {
  readonly id: string;
  readonly key: string;
  readonly type: "atomic" | "compound" | "parallel" | "final" | "history";
  readonly history?: false | "shallow" | "deep";
  readonly states: { readonly [key: string]: ChartState };
  readonly initial?: {
    readonly target?: readonly ChartState[] | undefined;
    readonly actions?: readonly Named[];
  };
  readonly entry: readonly Named[];
  readonly exit: readonly Named[];
  readonly tags: readonly string[];
  readonly invoke?: readonly { readonly src: unknown }[];
  readonly always?: readonly (ChartTransition & ChartTargets)[] | undefined;
  readonly transitions: ReadonlyMap<string, readonly (ChartTransition & ChartTargets)[]>;
}

interface ChartTargets {
  readonly target?: readonly ChartState[] | undefined;
}

/** A machine, or a reasoner that has one. */
export type Charted =
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
const CHARTED: shapes.Shape = [
  (value) => isRooted(value) || isRooted((value as { readonly machine?: unknown } | null)?.machine),
  "a machine, or a reasoner that has one",
];
const VALUE: shapes.Shape = [
  (value) => typeof value === "string" || shapes.OBJECT[0](value),
  "a state value: a string, or an object of them by their regions",
];

/**
 * The picture; writers make a text of it.
 * @throws ReckonerError `option.invalid`
 */
export function chartPicture(of: Charted, options: ChartPictureOptions = {}): Picture {
  checkDrawn("chartPicture", { of: [of, CHARTED] }, options, { title: shapes.TEXT, active: VALUE });
  const root = "machine" in of ? of.machine.root : of.root;
  const { title = "machine" in of ? of.id : root.key, active } = options;
  const here = active === undefined ? new Set<ChartState>() : activeStates(root, active);
  const places = new Places(root);
  const nodes: PictureNode[] = [];
  const edges: PictureEdge[] = [];
  const groups: PictureGroup[] = [];
  // In the order of the document, without recursion: machines may be deep.
  const open: { state: ChartState; parent: ChartState | undefined }[] = [
    { state: root, parent: undefined },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { state, parent } = next;
    const id = places.idOf(state);
    const around = parent === undefined || parent === root ? undefined : places.idOf(parent);
    const within = state === root ? {} : { group: id };
    const children = Object.values(state.states);
    const inside = insideOf(state, root);
    if (children.length === 0) {
      nodes.push({
        ...nodeOf(state, id, here.has(state)),
        ...(around === undefined ? {} : { group: around }),
        details: detailsOf(state, inside),
      });
    } else {
      if (state !== root) {
        const dashed = parent?.type === "parallel";
        groups.push({
          ...groupOf(state, id, here.has(state)),
          ...(around === undefined ? {} : { parent: around }),
          line: dashed ? "dashed" : "solid",
        });
      }
      if (inside.length > 0 || leadsWithin(state, places)) {
        nodes.push({ ...anyOf(places.anyIn(state)), ...within, details: inside });
      }
      const [first] = state.type === "compound" ? (state.initial?.target ?? []) : [];
      if (first !== undefined) {
        const start = places.startIn(state);
        nodes.push({ id: start, label: "initial", shape: "dot", tone: "plain", ...within });
        const done = actionTexts(state.initial?.actions ?? []);
        edges.push({
          ...PLAIN,
          weight: 8,
          from: start,
          to: places.idOf(first),
          ...labelled(done.length === 0 ? [] : [`/ ${done.join(", ")}`]),
        });
      }
    }
    edges.push(...edgesOf(state, places));
    for (const child of children.reverse()) open.push({ state: child, parent: state });
  }
  return { kind: "chart", title, nodes, edges, groups, rows: [], legend, notes: [] };
}

/** Where the states of a machine stand, and what they are called in the picture: no two are alike. */
class Places {
  readonly #parents = new Map<ChartState, ChartState | undefined>();
  readonly #ids = new Map<ChartState, string>();
  readonly #own = new Map<string, string>();
  readonly #taken = new Set<string>();

  constructor(root: ChartState) {
    const open: [ChartState, ChartState | undefined][] = [[root, undefined]];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const [state, parent] = next;
      this.#parents.set(state, parent);
      // The state a.b beside a state a that has a state b has the id of that one.
      this.#ids.set(state, this.#take(state.id));
      for (const child of Object.values(state.states).reverse()) open.push([child, state]);
    }
  }

  idOf(state: ChartState): string {
    return this.#ids.get(state) ?? state.id;
  }

  /** Id of what stands for any state within a group. */
  anyIn(group: ChartState): string {
    return this.#beside(`${this.idOf(group)}·any`);
  }

  /** Id of the dot where a group begins. */
  startIn(group: ChartState): string {
    return this.#beside(`${this.idOf(group)}·initial`);
  }

  /** Returns true when a state is a group, or stands in it; its id does not tell, which may be any. */
  isWithin(state: ChartState, group: ChartState): boolean {
    let at: ChartState | undefined = state;
    while (at !== undefined && at !== group) at = this.#parents.get(at);
    return at === group;
  }

  #beside(name: string): string {
    const known = this.#own.get(name) ?? this.#take(name);
    this.#own.set(name, known);
    return known;
  }

  #take(name: string): string {
    const id = unusedId(name, this.#taken);
    this.#taken.add(id);
    return id;
  }
}

const PLAIN = { line: "solid", tone: "plain" } as const;
const EVENTLESS = { line: "dashed", tone: "plain" } as const;

const labelled = (labels: readonly string[]) => {
  const said = labels.filter((label) => label !== "");
  return said.length === 0 ? {} : { labels: said };
};

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
  return {
    id,
    label,
    details: detailsOf(state, []),
    tone: active ? "blue" : "plain",
  };
}

/** Stands for whichever state within the group: what is handled wherever the run is. */
function anyOf(id: string): PictureNode {
  return { id, label: "in any state", shape: "pill", tone: "grey" };
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
  return toldOf(state).some(({ targets }) => targets.some((to) => places.isWithin(to, state)));
}

/** The edges that leave a state; those with the same ends are one, a text for each. */
function edgesOf(state: ChartState, places: Places): PictureEdge[] {
  const found = new Map<string, PictureEdge & { labels: string[] }>();
  const isGroup = Object.keys(state.states).length > 0;
  for (const { text, targets, eventless } of toldOf(state)) {
    for (const target of targets) {
      const isInside = isGroup && places.isWithin(target, state);
      const from = isInside ? places.anyIn(state) : places.idOf(state);
      const to = places.idOf(target);
      const key = JSON.stringify([from, to, eventless]);
      const known = found.get(key);
      if (known !== undefined) known.labels.push(text);
      else {
        const look = eventless ? EVENTLESS : PLAIN;
        found.set(key, { ...look, from, to, labels: [text] });
      }
    }
  }
  return [...found.values()].map(({ labels, ...edge }) => ({ ...edge, ...labelled(labels) }));
}

/** The states of a value, and what they stand in. A name that is not there is passed over. */
function activeStates(root: ChartState, value: ChartValue): Set<ChartState> {
  const found = new Set<ChartState>();
  const open: { state: ChartState; value: ChartValue }[] = [{ state: root, value }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const parts = typeof next.value === "string" ? { [next.value]: {} } : next.value;
    for (const [key, below] of Object.entries(parts)) {
      const state = Object.hasOwn(next.state.states, key) ? next.state.states[key] : undefined;
      if (state === undefined || below === undefined) continue;
      found.add(state);
      open.push({ state, value: below });
    }
  }
  return found;
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
