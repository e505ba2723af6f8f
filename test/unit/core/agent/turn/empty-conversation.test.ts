// A conversation may begin with nothing said: it waits for the first message, whatever its output is.
import { expect, it } from "vitest";
import { z } from "zod";
import {
  agent,
  memoryJournal,
  replay,
  resume,
  run,
  scriptedModel,
} from "../../../../../src/index.js";

const model = scriptedModel(['{"city":"Oslo"}']);

it.each([
  ["of text", undefined],
  ["of a schema", { schema: z.object({ city: z.string() }) }],
])("begins with nothing said, with an output %s", async (_what, output) => {
  const clerk = agent({ name: "clerk", conversation: true, output });
  const journal = memoryJournal();
  const begun = await run(clerk, { messages: [] }, { model, journal });
  expect(begun).toMatchObject({ status: "waiting", reason: "ready" });
  expect(begun.context.usage.requests).toBe(0);
  const end = await resume(clerk, journal, { model, messages: ["Where is it?"] });
  expect(end).toMatchObject({ status: "waiting", reason: "ready" });
  expect(end.context.usage.requests).toBe(1);
  expect((await replay(clerk, journal)).status).toBe("identical");
});

it("is refused of an agent that answers once", async () => {
  const end = await run(agent({ name: "clerk" }), { messages: [] }, { model });
  expect(end).toMatchObject({ status: "failed", error: { code: "agent.invalid" } });
});
