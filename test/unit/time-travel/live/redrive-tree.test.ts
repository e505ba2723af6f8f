// Other answers in a child run: the child is driven first, and its parent learns what it would have come to.
import { describe, expect, test } from "vitest";
import { redrive } from "../../../../src/time-travel.js";
import { rejection } from "../../../support/thrown.js";
import { paidRun, payer, script } from "../../studio/support.js";

/** The child's path, and how the root knows its requests. */
const CHILD = "tool/1/0/0";

describe("an answer that is set in a child run", () => {
  test("changes what the child comes to, and what its parent then asks for", async () => {
    const set = { [`${CHILD}:llm/1`]: "It is not clear: do not pay." };
    const { children, requests, candidate, spent } = await redrive(payer(), await paidRun(), {
      set,
    });
    expect(children).toMatchObject([
      {
        run: CHILD,
        recorded: { output: "The case is clear: pay." },
        candidate: { status: "done", output: "It is not clear: do not pay." },
      },
    ]);
    const asked = requests.map(({ effect, support }) => [effect.id, support]);
    expect(asked.slice(-2)).toEqual([
      [CHILD, "reused"],
      ["llm/2", "new"],
    ]);
    expect(candidate.status).toBe("active");
    expect(spent).toBe(0);
  });

  test("leaves its parent waiting where the child would ask what was never recorded", async () => {
    const set = { [`${CHILD}:tool/0/0`]: "Nothing is paid back." };
    const { children, requests } = await redrive(payer(), await paidRun(), { set });
    expect(children[0]?.requests.map(({ effect, support }) => [effect.id, support])).toEqual([
      ["llm/0", "reused"],
      ["tool/0/0", "reused"],
      ["llm/1", "new"],
    ]);
    expect(requests.at(-1)).toMatchObject({ effect: { id: CHILD }, support: "open" });
  });

  test("goes on with a live model, in the child and behind it, within one budget", async () => {
    const set = { [`${CHILD}:tool/0/0`]: "Nothing is paid back." };
    const asked: number[] = [];
    const done = await redrive(payer(), await paidRun(), {
      set,
      live: { model: script(), budget: 10_000, before: (open) => asked.push(open.length) },
    });
    // The child's model says the same as it did, so that all behind it is as it was.
    expect(done.children[0]?.candidate.output).toBe("The case is clear: pay.");
    expect(done.candidate).toMatchObject({ status: "done", output: done.recorded.output });
    expect(asked).toEqual([1]);
    expect(done.spent).toBeGreaterThan(0);
  });

  test("is refused where there is no such request, with its name", async () => {
    for (const id of [`${CHILD}:llm/9`, "nothing:llm/0", "llm/9"]) {
      const thrown = await rejection(redrive(payer(), await paidRun(), { set: { [id]: "x" } }));
      expect(thrown).toMatchObject({ code: "fork.answer", place: expect.stringContaining("/") });
    }
  });
});
