// Mermaid refuses more than 500 edges and 50 000 letters: whatever is drawn stays below.
import { chartPicture, type Picture, toMermaid, tracePicture } from "reckoner/pictures";
import { Trace } from "reckoner/trace";
import { describe, expect, it } from "vitest";
import { createMachine } from "xstate";
import { checkMermaid } from "./support.js";

const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));
const edgesIn = (text: string) => text.split("\n").filter((line) => /-->|==>|-\.->|~~~/.test(line));

/** Groups with a node in each, and an edge from each group to each other one. */
function mesh(count: number, more: Partial<Picture> = {}): Picture {
  const plain = { line: "solid", tone: "plain" } as const;
  const ids = times(count, (i) => `g${i}`);
  return {
    kind: "chart",
    title: "t",
    nodes: ids.map((group) => ({
      id: `${group}.n`,
      label: "n",
      group,
      shape: "round",
      tone: "plain",
    })),
    edges: ids.flatMap((from) => ids.flatMap((to) => (to === from ? [] : { from, to, ...plain }))),
    groups: ids.map((id) => ({ id, label: id, ...plain })),
    rows: [],
    legend: [],
    notes: [],
    ...more,
  };
}

describe("edges between groups", () => {
  it("are folded by closing the groups", async () => {
    const text = toMermaid(mesh(30));
    expect(edgesIn(text).length).toBeLessThanOrEqual(500);
    expect(text).toContain("1 inside");
    expect(text).not.toContain("Left out");
    await checkMermaid(text);
  });

  it("of a machine are no more than that", () => {
    const names = times(24, (i) => `s${i}`);
    const states = names.map((name) => {
      const on = names.filter((each) => each !== name).map((each) => [`TO_${each}`, each]);
      return [name, { initial: "a", states: { a: {}, b: {} }, on: Object.fromEntries(on) }];
    });
    const machine = createMachine({
      id: "m",
      initial: "s0",
      states: Object.fromEntries(states) as never,
    });
    expect(edgesIn(toMermaid(chartPicture(machine as never))).length).toBeLessThanOrEqual(500);
  });

  it("are left out where nothing is left to be folded, and are counted", () => {
    const nodes = [{ id: "a", label: "a", shape: "box", tone: "plain" } as const];
    const edges = (["plain", "red", "blue"] as const).map(
      (tone) => ({ from: "a", to: "a", line: "solid", tone }) as const,
    );
    for (const maxEdges of [0, 1, 3]) {
      const text = toMermaid(mesh(0, { nodes, edges }), { maxEdges });
      expect(edgesIn(text)).toHaveLength(maxEdges);
      expect(text.includes(`Left out: ${3 - maxEdges} edges.`)).toBe(maxEdges < 3);
    }
  });

  it("that are not seen are drawn where there is room for them, and nowhere else", () => {
    const nodes = times(
      4,
      (i) => ({ id: `${i}`, label: "x", shape: "box", tone: "plain" }) as const,
    );
    const look = { line: "solid", tone: "plain", target: "above" } as const;
    const edges = [1, 2, 3].map((i) => ({ from: "0", to: `${i}`, ...look }));
    const drawn = (maxEdges: number) => edgesIn(toMermaid(mesh(0, { nodes, edges }), { maxEdges }));
    expect([drawn(3), drawn(5), drawn(500)].map((lines) => lines.length)).toEqual([3, 5, 6]);
  });
});

describe("letters", () => {
  const on = (target: object) =>
    Object.fromEntries(times(1_500, (i) => [`EVENT_NUMBER_${i}_OF_MANY_OF_A_LONG_NAME`, target]));
  const drawn = (config: object) =>
    toMermaid(chartPicture(createMachine({ id: "m", ...config }) as never));

  it.each<[string, () => string]>([
    [
      "of a state that handles much",
      () => drawn({ initial: "a", states: { a: { on: on({ actions: "noteIt" }) } } }),
    ],
    ["of a machine that handles much", () => drawn({ on: on({ actions: "noteIt" }) })],
    [
      "of a group that enters much",
      () =>
        drawn({
          initial: "a",
          states: { a: { entry: times(9_000, (i) => `act${i}`), initial: "b", states: { b: {} } } },
        }),
    ],
    [
      "of an edge that stands for many",
      () => drawn({ initial: "a", states: { a: { on: on({ target: "b" }) }, b: {} } }),
    ],
    ["of a title", () => toMermaid(tracePicture(new Trace([]), { title: "t".repeat(60_000) }))],
  ])("%s are at most so many", async (_, make) => {
    const text = make();
    expect(text.length).toBeLessThanOrEqual(50_000);
    await checkMermaid(text);
  });

  it("that are left out are told of", () => {
    const text = drawn({ initial: "a", states: { a: { on: on({ actions: "noteIt" }) } } });
    expect(text).toContain("… 1490 more");
  });

  it("are made fewer whatever was to be drawn of them", () => {
    const nodes = times(
      2_000,
      (i) => ({ id: `${i}`, label: "x".repeat(60), shape: "box", tone: "plain" }) as const,
    );
    const picture = mesh(0, { nodes });
    for (const all of [Number.POSITIVE_INFINITY, Number.NaN, 1e9]) {
      const fold = { nodes: all, edges: all, columns: all, rows: all };
      expect(toMermaid(picture, { fold }).length).toBeLessThanOrEqual(50_000);
    }
  });
});
