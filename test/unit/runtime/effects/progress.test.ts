// What a tool tells of its progress is seen, bounded, redacted, and never recorded.
import { expect, it } from "vitest";
import {
  agent,
  memoryJournal,
  type Observation,
  run,
  scriptedModel,
  tool,
} from "../../../../src/index.js";

const copier = (told: unknown) =>
  agent({
    name: "copier",
    tools: [
      tool({
        name: "copy",
        execute: (_input, { progress }) => {
          progress(told as never);
          return "copied";
        },
      }),
    ],
  });
const model = scriptedModel([{ calls: [{ name: "copy" }] }, "Done."]);

async function seen(told: unknown, redact?: (value: object) => object) {
  const journal = memoryJournal();
  const all: Observation[] = [];
  const end = await run(copier(told), "Copy it.", {
    ...{ model, journal, observers: [(each: Observation) => void all.push(each)] },
    ...(redact === undefined ? {} : { redact: redact as never }),
  });
  let lines = "";
  for await (const bytes of journal.read()) lines += new TextDecoder().decode(bytes);
  return { end, lines, progress: all.filter(({ type }) => type === "progress") };
}

it("is observed, and not in the journal", async () => {
  const { end, lines, progress } = await seen({ percent: 50 });
  expect(end).toMatchObject({ status: "done", output: "Done." });
  expect(progress).toEqual([{ type: "progress", id: "tool/0/0", data: { percent: 50 } }]);
  expect(lines).not.toContain("percent");
});

it("is redacted", async () => {
  const { progress } = await seen({ card: 4711 }, (value) =>
    JSON.parse(JSON.stringify(value).replace("4711", '"…"')),
  );
  expect(progress).toEqual([{ type: "progress", id: "tool/0/0", data: { card: "…" } }]);
});

it.each([
  ["no JSON", () => {}],
  ["too long", "x".repeat(65_537)],
])("is refused to the tool where it is %s", async (_what, told) => {
  const { end, progress, lines } = await seen(told);
  expect(progress).toEqual([]);
  expect(end.status).toBe("done");
  expect(lines).toContain("tool.failed");
});
