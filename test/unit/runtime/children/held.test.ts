// A cancel that a parent outlives: what its children held back meanwhile begins after all.
import { expect, it } from "vitest";
import {
  agent,
  agentTool,
  memoryJournal,
  run,
  scriptedModel,
  tool,
} from "../../../../src/index.js";
import { issue, smallReasoner } from "../../../support/small-machine.js";
import { gate, settle, watchedJournal } from "../../../support/watched-journal.js";

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

it("tools of a child that wait for a slot do not begin while the parent's cancel is written", async () => {
  const first = gate();
  const written = gate();
  const ran: string[] = [];
  const tools = ["a", "b"].map((name) =>
    tool({
      name,
      async execute() {
        ran.push(name);
        await first.passed;
        return name;
      },
    }),
  );
  const journal = watchedJournal();
  journal.before = (lines) =>
    lines.some((line) => line.includes('"type":"cancel"')) ? written.passed : undefined;
  const kid = agent({ name: "kid", tools });
  const live = run(agent({ name: "parent", tools: [agentTool(kid, { name: "kid" })] }), "go", {
    model: scriptedModel((request) =>
      request.tools?.[0]?.name === "kid"
        ? { calls: [{ name: "kid", input: { prompt: "go" } }] }
        : { calls: [{ name: "a" }, { name: "b" }] },
    ),
    journal,
    concurrency: 1,
  });
  await settle();
  await settle();
  expect(ran).toEqual(["a"]);
  live.cancel();
  first.open();
  await settle();
  expect(ran).toEqual(["a"]);
  written.open();
  expect((await live).status).toBe("cancelled");
  expect(ran).toEqual(["a"]);
});
