/** A run as a test: a fixture stands alone, is redacted, and fails with both values. */
import { existsSync, mkdtempSync, readFileSync, rmSync, unlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { agent, agentTool, fold, resume, run, scriptedModel, tool } from "reckoner";
import { sizeOf } from "reckoner/kernel";
import { fixture, fork, RunDiffers, testRun } from "reckoner/time-travel";
import { afterAll, expect, test } from "vitest";

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

test("of a child's run is made with its parent's reasoner, and with its own", async () => {
  const child = clerk();
  const boss = agent({ name: "boss", tools: [agentTool(child, { name: "ask" })] });
  const words = scriptedModel(({ tools = [], messages }) => {
    if (messages.length > 1) return "It is so.";
    const [name = ""] = tools.map((each) => each.name);
    return { calls: [{ name, input: name === "ask" ? { prompt: "Look" } : {} }] };
  });
  await run(boss, "go", { model: words, journal: at("tree") });
  const journal = join(
    folder,
    "tree.jsonl.runs",
    `${encodeURIComponent("tool/0/0/0").replaceAll("%2F", "%2f")}.jsonl`,
  );
  for (const [name, code] of [
    ["child-parent", boss],
    ["child-own", child],
  ] as const) {
    expect(await fixture(code as never, journal, at(name))).toEqual({ events: 4 });
    expect(await testRun(child, at(name))).toMatchObject({ status: "identical", events: 4 });
  }
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
