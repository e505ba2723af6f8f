// A cancel that a parent outlives: what its children held back meanwhile begins after all.
import { expect, it } from "vitest";
import { agent, memoryJournal, run, scriptedModel, tool } from "../../../../src/index.js";
import { issue, smallReasoner } from "../../../support/small-machine.js";
import { gate, settle } from "../../../support/watched-journal.js";

it("tools of a child that wait for a slot begin when the parent goes on behind a cancel", async () => {
  const first = gate();
  const ran: string[] = [];
  const tools = ["a", "b"].map((name) =>
    tool({
      name,
      async execute() {
        ran.push(name);
        if (name === "a") await first.passed;
        return name;
      },
    }),
  );
  const parent = smallReasoner(
    {
      initial: "a",
      states: {
        a: {
          entry: issue({ type: "run", id: "kid", reasoner: "kid", input: "go" }),
          on: { cancel: {}, "run.succeeded": "b" },
        },
        b: { type: "final" },
      },
    },
    { children: { kid: agent({ name: "kid", tools }) } },
  );
  const live = run(parent, null, {
    model: scriptedModel([{ calls: [{ name: "a" }, { name: "b" }] }, "so"]),
    journal: memoryJournal(),
    concurrency: 1,
  });
  await settle();
  expect(ran).toEqual(["a"]);
  live.cancel();
  await settle();
  first.open();
  await settle();
  expect(ran).toEqual(["a", "b"]);
  expect((await live).status).toBe("done");
});
