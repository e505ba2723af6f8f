import { expect, it } from "vitest";
import { VisitedStates } from "../../../../src/studio/model/index.js";
import { paidTree } from "../support.js";

it("has the newest event of each state up to an event, and none of a state that comes later", async () => {
  const { root } = await paidTree();
  const chart = root.segmentAt(0)?.chart;
  if (chart === undefined) throw new Error("There is no chart");
  const visited = new VisitedStates(root.moments);
  const thinking = (seq: number) =>
    Math.max(
      ...root.moments
        .filter((each) => each.seq <= seq && each.value === "thinking")
        .map((each) => each.seq),
    );
  const atStart = visited.newest(0, chart);
  expect([...new Set(atStart.values())]).toEqual([0]);
  const last = root.moments.at(-1)?.seq ?? 0;
  const atEnd = visited.newest(last, chart);
  for (const id of atStart.keys()) expect([thinking(last), last]).toContain(atEnd.get(id));
  expect(atEnd.size).toBeGreaterThan(atStart.size);
  expect(visited.newest(0, chart)).toEqual(atStart);
});
