/** A run as a test: a fixture stands alone, is redacted, and fails with both values. */
import { existsSync, mkdtempSync, readFileSync, rmSync, unlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { agent, agentTool, fold, replay, resume, run, scriptedModel, tool } from "reckoner";
import { fixture, fork, testRun } from "reckoner/time-travel";
import { afterAll, expect, test } from "vitest";
import { sizeOf } from "../../../../src/core/kernel/values/index.js";
import { RunDiffers } from "../../../../src/time-travel/live/index.js";

const folder = mkdtempSync(join(tmpdir(), "fixture-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string) => join(folder, `${name}.jsonl`);

const KEY = `sk-${"a1B2".repeat(12)}`;
const look = tool({
  name: "look",
  jsonSchema: { type: "object" },
  execute: () => `Anna has the key ${KEY}`,
});
const clerk = (system = "You look.") => agent({ name: "clerk", system, tools: [look] });
const model = scriptedModel((_request, turn) =>
  turn === 0 ? { calls: [{ name: "look" }] } : "I have looked.",
);
const redact = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll("Anna", "A person"));

async function made(name: string) {
  await run(clerk(), "Anna asks", { model, journal: at(name), runId: name });
  const made = await fixture(clerk(), at(name), at(`${name}-case`), { redact });
  expect(made).toEqual({ events: 4 });
  return at(`${name}-case`);
}

test("stands alone, redacted, and passes under the code that made it", async () => {
  const file = await made("a");
  const text = readFileSync(file, "utf8");
  expect(text).not.toContain("Anna");
  expect(text).not.toContain(KEY);
  expect(text).toContain("A person");
  expect(await testRun(clerk(), file)).toMatchObject({ status: "identical", events: 4 });
  expect(await testRun(clerk(), pathToFileURL(file))).toMatchObject({ status: "identical" });
});

test("fails with the first difference and both its values", async () => {
  const file = await made("b");
  const failed = await testRun(clerk("You look closely."), file).catch((thrown) => thrown);
  expect(failed).toBeInstanceOf(RunDiffers);
  expect(failed).toMatchObject({
    name: "AssertionError",
    code: "journal.diverged",
    expected: "You look.",
    actual: "You look closely.",
    difference: { seq: 0, path: "directives[0].system" },
  });
  expect(failed.message).toContain('recorded "You look.", computed "You look closely."');
});

test("of a fork, and of a run that goes on from another, needs neither", async () => {
  await made("c");
  const forked = await fork(at("c"), { set: { "tool/0/0": "nothing" }, to: at("c-fork") });
  await resume(clerk(), forked.journal, { model });
  await run(clerk(), "And then?", { model, journal: at("c-next"), from: at("c-fork") });
  await fixture(clerk(), at("c-fork"), at("fork-case"));
  await fixture(clerk(), at("c-next"), at("next-case"));
  unlinkSync(at("c"));
  unlinkSync(at("c-fork"));
  expect(await testRun(clerk(), at("fork-case"))).toMatchObject({ status: "identical", events: 4 });
  expect(await testRun(clerk(), at("next-case"))).toMatchObject({ status: "identical" });
  // It begins with what the other one had said.
  const { state } = await fold(clerk(), at("next-case"));
  expect(sizeOf(state?.context.messages as never)).toBe(6);
  await expect(testRun(clerk("Other."), at("next-case"))).rejects.toThrow(RunDiffers);
});

/** A boss that asks clerks, and what they all say. */
const boss = (system?: string) =>
  agent({ name: "boss", tools: [agentTool(clerk(system), { name: "ask" })] });
const words = scriptedModel(({ tools = [], messages }) => {
  if (messages.length > 1) return "Anna knows.";
  const [name = ""] = tools.map((each) => each.name);
  return { calls: [{ name, input: name === "ask" ? { prompt: "Look for Anna" } : {} }] };
});

test("of a run has its children, as they are without what is redacted", async () => {
  await run(boss(), "go", { model: words, journal: at("tree") });
  const recorded = (await fold(boss(), at("tree"))).state?.context.usage;
  const made = await fixture(boss(), at("tree"), at("tree-case"), { redact });
  expect(made).toEqual({ events: 8 });
  const text = readFileSync(at("tree-case"), "utf8");
  expect(text).not.toContain("Anna");
  expect(text.match(/A person knows/g)?.length).toBeGreaterThan(1);
  expect(await testRun(boss(), at("tree-case"))).toMatchObject({ status: "identical", events: 8 });
  expect((await fold(boss(), at("tree-case"))).state?.context.usage).toEqual(recorded);
  const other = testRun(boss("You look closely."), at("tree-case"));
  await expect(other).rejects.toMatchObject({ difference: { run: "tool/0/0/0", seq: 2 } });
});

test("of a fork whose child was told otherwise says what its parent was told", async () => {
  const forked = await fork(at("tree"), {
    set: { "tool/0/0/0": "Anna is away" },
    to: at("t-fork"),
  });
  await resume(boss(), forked.journal, { model: words });
  await fixture(boss(), at("t-fork"), at("t-fork-case"), { redact });
  expect(readFileSync(at("t-fork-case"), "utf8")).not.toContain("Anna");
  expect(await testRun(boss(), at("t-fork-case"))).toMatchObject({ status: "identical" });
  expect(await replay(boss(), at("t-fork"))).toMatchObject({ status: "identical" });
});

test("of a run that was cancelled has the cancels of its children", async () => {
  const never = scriptedModel(({ tools = [] }) =>
    tools[0]?.name === "ask"
      ? { calls: [{ name: "ask", input: { prompt: "Look" } }] }
      : { calls: [{ name: "look", input: {} }] },
  );
  const slow = tool({ name: "look", execute: () => new Promise(() => {}) });
  const child = agent({ name: "clerk", tools: [slow] });
  const parent = agent({ name: "boss", tools: [agentTool(child, { name: "ask" })] });
  const live = run(parent, "go", { model: never, journal: at("gone") });
  for await (const each of live) {
    const inner = each.type === "child" ? each.observation : undefined;
    if (inner?.type === "step" && inner.event.type === "llm.succeeded") live.cancel();
  }
  expect((await live).status).toBe("cancelled");
  await fixture(parent, at("gone"), at("gone-case"));
  expect(await testRun(parent, at("gone-case"))).toMatchObject({ status: "identical" });
  const lines = (name: string) => readFileSync(at(name), "utf8").split("\n").length;
  expect(lines("gone-case")).toBe(lines("gone"));
});

test("is not made with other code, nor over what is there", async () => {
  const file = await made("d");
  const other = fixture(clerk("Other."), at("d"), at("d-other"));
  await expect(other).rejects.toMatchObject({ code: "journal.diverged" });
  const again = fixture(clerk(), at("d"), file);
  await expect(again).rejects.toMatchObject({ code: "journal.exists" });
});

test("is not made of a run that was upgraded: of its beginning the present code says nothing", async () => {
  const talker = (system: string) => agent({ name: "talker", system, conversation: true });
  await run(talker("Before."), "One", { model, journal: at("e") });
  const more = { model, messages: ["Two"], upgrade: true };
  await resume(talker("Now."), at("e"), more);
  await expect(fixture(talker("Now."), at("e"), at("e-case"))).rejects.toMatchObject({
    code: "journal.diverged",
    message: expect.stringContaining("the code that wrote all of it"),
  });
  expect(existsSync(at("e-case"))).toBe(false);
});

test("of a file URL that names none is refused", async () => {
  for (const [url, message] of [
    [new URL("file:///tmp/100%.jsonl"), /has a % that begins no character; pass the path, or %25/],
    [{ href: "file:///tmp/a" }, /^The journal must be /],
  ] as const) {
    const refused = expect(testRun(clerk(), url as never)).rejects;
    await refused.toMatchObject({
      code: "option.invalid",
      message: expect.stringMatching(message),
    });
  }
});
