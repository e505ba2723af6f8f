// What work comes to is counted from before the sources are loaded.
import "../../support/work.js";

import { type Picture, toMermaid } from "reckoner/pictures";
import { expect, it } from "vitest";
import { expectFlat } from "../../support/work.js";

const all = Number.POSITIVE_INFINITY;
const whole = {
  fold: { nodes: all, edges: all, columns: all, rows: all },
  maxEdges: 1e9,
  maxTextSize: 1e9,
};

function chain(count: number): Picture {
  const nodes = Array.from({ length: count }, (_, row) => {
    return { id: `t${row}`, label: `l${row}`, shape: "box", tone: "plain", row } as const;
  });
  const edges = nodes.slice(1).map(({ id }, i) => {
    return { from: `t${i}`, to: id, line: "solid", tone: "blue" } as const;
  });
  const none = { groups: [], rows: [], legend: [], notes: [] };
  return { kind: "thoughts", title: "t", nodes, edges, ...none };
}

it("names the style of many edges in one line, whose cost grows as the edges do", async () => {
  expect(toMermaid(chain(4), whole)).toMatch(/^ {2}linkStyle 0,1,2 /m);
  await expectFlat(
    (count) => {
      const picture = chain(count);
      return () => toMermaid(picture, whole);
    },
    500,
    4_000,
  );
});
