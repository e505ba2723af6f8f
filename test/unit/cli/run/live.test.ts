// Keys and signals of a run on a terminal: Escape ends the turn, SIGTERM leaves the run to another process.
import { expect, it } from "vitest";
import { main } from "../../../../src/cli/program.js";
import { aFolder, anIo } from "../support.js";

it("Escape stops the turn, where a machine can be interrupted", async () => {
  const io = anIo(aFolder(), { terminal: true });
  const done = main(io, ["run", "slow.ts", "--journal", "run.jsonl", "--json"]);
  await io.said("thinking");
  expect(io.press("escape")).toBe(1);
  expect(await done).toBe(1);
  expect(io.written.stderr).toContain("Stopping the turn.");
  expect(JSON.parse(io.written.stdout)).toMatchObject({
    status: "cancelled",
    reason: "interrupted",
  });
  expect(io.press("escape")).toBe(0);
});

it("SIGTERM leaves the run to another process; a second one ends this one at once", async () => {
  const io = anIo(aFolder(), { terminal: true });
  const done = main(io, ["run", "slow.ts", "--journal", "run.jsonl"]);
  await io.said("thinking");
  io.terminate();
  expect(io.written.stderr).toContain("Letting what runs settle");
  io.terminate();
  expect(io.exits).toEqual([143]);
  io.interrupt();
  await done;
});

it("a question has the keys for itself", async () => {
  const io = anIo(aFolder(), { terminal: true });
  const done = main(io, ["run", "notes.ts", "--prompt", "clean", "--json"]);
  await io.said("[e]dit");
  expect(io.press("escape")).toBe(0);
  io.interrupt();
  expect(await done).toBe(1);
});
