// Child runs that a plug-in starts before a request.
import { expect, it } from "vitest";
import { agent, memoryJournal, type Plugin, replay, resume, run } from "../../../../src/index.js";
import { familyOf, worker } from "../../../support/family.js";

const scout = familyOf({
  name: "scout",
  tools: [worker([], "look", { needsApproval: true })],
  says: [{ calls: [{ name: "look" }] }, "all is quiet"],
});
const scouting: Plugin = {
  name: "scouting",
  children: { scout: scout.parent },
  issue: ({ iteration }) =>
    iteration === 0 ? [{ type: "run", reasoner: "scout", input: "go" }] : [],
  settle: (_context, _state, [settled]) =>
    settled?.type === "run.succeeded" ? { prompt: `scout: ${settled.output}` } : {},
};

it("a plug-in's child rests, is decided through its parent, and its usage is added up", async () => {
  const parent = agent({ name: "parent", system: "parent", plugins: [scouting] });
  const model = {
    ...scout.model,
    generate: (...[request, call]: Parameters<typeof scout.model.generate>) =>
      request.system?.startsWith("parent") === true
        ? Promise.resolve({
            content: [{ type: "text" as const, text: request.system }],
            finishReason: "stop" as const,
            usage: { totalTokens: 15 },
          })
        : scout.model.generate(request, call),
  };
  const journal = memoryJournal();
  const rest = await run(parent, "go", { model, journal });
  const id = "plugin/0/0/0:approval/0/0";
  expect(rest).toMatchObject({ status: "waiting", approvals: [{ id }] });
  const end = await resume(parent, journal, { model, approvals: { [id]: { approve: true } } });
  expect(end).toMatchObject({ status: "done", output: "parent\n\nscout: all is quiet" });
  expect(end.context.usage).toMatchObject({ requests: 3, totalTokens: 45 });
  for (const each of [journal, journal.child?.("plugin/0/0/0") ?? ""]) {
    expect((await replay(parent, each)).status).toBe("identical");
  }
});
