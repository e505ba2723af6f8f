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
    const edge = { from: "a", to: "a", line: "solid", tone: "plain" } as const;
    const drawn = (count: number) => toMermaid(mesh(0, { nodes, edges: times(count, () => edge) }));
    expect(edgesIn(drawn(500))).toHaveLength(500);
    expect(drawn(500)).not.toContain("Left out");
    expect(edgesIn(drawn(503))).toHaveLength(500);
    expect(drawn(503)).toContain("Left out: 3 edges.");
  });

  it("that are not seen are drawn where there is room for them, and nowhere else", () => {
    const nodes = times(
      4,
      (i) => ({ id: `${i}`, label: "x", shape: "box", tone: "plain" }) as const,
    );
    const look = { line: "solid", tone: "plain", target: "above" } as const;
    const drawn = (count: number) => {
      const edges = times(count, (i) => ({ from: "0", to: `${1 + (i % 3)}`, ...look }));
      return edgesIn(toMermaid(mesh(0, { nodes, edges }))).length;
    };
    expect([drawn(3), drawn(240), drawn(300), drawn(480)]).toEqual([6, 480, 500, 500]);
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
      200,
      (i) =>
        ({ id: `${i}`, label: "<".repeat(60), shape: "box", tone: "plain", row: i % 5 }) as const,
    );
    const text = toMermaid(mesh(0, { nodes }));
    expect(text.length).toBeLessThanOrEqual(50_000);
    expect(text).toContain("Folded: 200 are drawn as");
  });
});
