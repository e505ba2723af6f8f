import { describe, expect, it } from "vitest";
import { toSvg } from "../../../../src/pictures/index.js";
import { agentDrawn } from "../../../../src/studio/model/index.js";
import { paidTree } from "../support.js";

describe("the picture of an agent as its run shows it", () => {
  it("has the tools that its model was shown, and its children, each with its calls so far", async () => {
    const tree = await paidTree();
    const last = tree.moments.at(-1)?.seq ?? 0;
    const { picture, leads } = agentDrawn(tree, "", last) ?? {};
    expect(picture?.nodes.map(({ id, details }) => [id, ...(details ?? [])])).toEqual([
      ["loop payer", "4 model calls"],
      ["tool look_up_order", "called 1 ×"],
      ["tool read_policy", "called 1 ×"],
      ["tool refund", "called 1 ×"],
      // It is called though a child run carries it out.
      ["tool clerk", "called 1 ×"],
      ["child clerk", "a child run", "called 1 ×"],
    ]);
    expect(leads?.get("tool refund")?.id).toBe("tool/2/0");
    expect(leads?.get("child clerk")?.id).toBe("tool/1/0/0");
    expect(leads?.get("tool clerk")?.id).toBe("tool/1/0/0");
    expect(toSvg(picture as never, { ids: true })).toContain('data-id="tool refund"');
  });

  it("shows what waits at an event, and what was not called by then", async () => {
    const tree = await paidTree();
    const asked = tree.root.effects.get("approval/2/0")?.seq ?? 0;
    const { picture } = agentDrawn(tree, "", asked) ?? {};
    const refund = picture?.nodes.find(({ id }) => id === "tool refund");
    expect(refund).toMatchObject({ borderTone: "amber", border: "thick" });
    expect(refund?.details).toEqual(["not called", "waits for a person"]);
    expect(agentDrawn(tree, "nothing", 0)).toBeUndefined();
  });
});
