// Rows of nodes: the way from above, whatever circles there are.
import { describe, expect, it } from "vitest";
import { rowsOf } from "../../../src/pictures/layers.js";
import type { PictureEdge, PictureNode } from "../../../src/pictures/picture.js";

function rows(nodes: readonly Partial<PictureNode>[], links: readonly Partial<PictureEdge>[]) {
  const all = nodes.map(
    (node): PictureNode => ({ id: "", label: "", shape: "box", tone: "plain", ...node }),
  );
  const edges = links.map(
    (link): PictureEdge => ({ from: "", to: "", line: "solid", tone: "plain", ...link }),
  );
  return Object.fromEntries(rowsOf(all, edges));
}

const [a, b, c, d] = [{ id: "a" }, { id: "b" }, { id: "c" }, { id: "d" }];

describe("rows", () => {
  it("are the shortest way from above", () => {
    const links = [
      { from: "a", to: "b" },
      { from: "b", to: "c" },
      { from: "a", to: "c" },
      { from: "c", to: "d", target: "above" as const },
      { from: "d", to: "a", target: "anywhere" as const },
    ];
    expect(rows([a, b, c, d], links)).toEqual({ a: 0, b: 1, c: 1, d: 0 });
  });

  it("are given by the first edge that closes a circle being left out", () => {
    const circle = [
      { from: "a", to: "b" },
      { from: "b", to: "c" },
      { from: "c", to: "a" },
      { from: "c", to: "c" },
    ];
    expect(rows([a, b, c], circle)).toEqual({ a: 0, b: 1, c: 2 });
    expect(rows([c, a, b], circle)).toEqual({ c: 0, a: 1, b: 2 });
  });

  it("of what stands on top are above all others, also of what leads to it", () => {
    const goals = [{ ...a, top: true }, { ...b, top: true }, c, d];
    const links = [
      { from: "a", to: "b" },
      { from: "c", to: "a" },
      { from: "b", to: "d" },
    ];
    expect(rows(goals, links)).toEqual({ a: 0, b: 1, c: 1, d: 2 });
  });

  it("that a node has of its own stay", () => {
    expect(rows([{ ...a, row: 3 }, { ...b, row: 1 }, c], [{ from: "a", to: "b" }])).toEqual({
      a: 3,
      b: 1,
      c: 0,
    });
  });
});
