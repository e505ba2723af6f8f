import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { studioApi } from "../../../../src/cli/studio/api.js";
import { studioJournals } from "../../../../src/cli/studio/journals.js";
import { openStudio } from "../../../../src/cli/studio/open-studio.js";
import type { Checked, OtherwiseAnswer, StateAnswer } from "../../../../src/studio/live/index.js";
import { anIo } from "../support.js";
import { anApi, textOf } from "./support.js";

describe("a studio with code", () => {
  it("tells what another decision would have led to, by code, and writes nothing", async () => {
    const { cwd, json } = await anApi("payer.ts");
    const before = readFileSync(join(cwd, "paid.jsonl"), "utf8");
    const set = { "approval/2/0": { approve: false } };
    const found = await json<OtherwiseAnswer>("POST", "otherwise", { journal: "paid.jsonl", set });
    expect(found.report).toMatchObject({ fresh: 1, live: 0, spent: 0 });
    expect(found.report.candidate.status).toBe("active");
    expect(found.command).toBe(
      `reckoner fork paid.jsonl --set 'approval/2/0={"approve":false}' --config payer.ts`,
    );
    expect(readFileSync(join(cwd, "paid.jsonl"), "utf8")).toBe(before);
  });

  it("asks a model within the tokens that were named, and not otherwise", async () => {
    const { json } = await anApi("payer.ts");
    const set = { "approval/2/0": { approve: false } };
    const asked = { journal: "paid.jsonl", set, budget: 10_000 };
    const found = await json<OtherwiseAnswer>("POST", "otherwise", asked);
    expect(found.report).toMatchObject({ live: 1, candidate: { status: "done" } });
    const none = await json<OtherwiseAnswer>("POST", "otherwise", { ...asked, budget: 0 });
    expect(none.report).toMatchObject({ live: 0, candidate: { status: "active" } });
  });

  it("says of a budget that is none what one is", async () => {
    const { json } = await anApi("payer.ts");
    const refused = json("POST", "otherwise", { journal: "waits.jsonl", budget: 1.5 });
    await expect(refused).rejects.toThrow("The budget is a whole number of tokens.");
  });

  it("computes whole states by code", async () => {
    const { json } = await anApi("payer.ts");
    const state = await json<StateAnswer>("GET", "state?name=paid.jsonl&at=1");
    expect(state).toMatchObject({ seq: 1, by: "code", context: { iteration: 1 } });
    expect(state.changes?.map(({ path }) => path)).toContain("context.messages[1]");
  });

  it("groups what today's code would do differently, with the runs of each group", async () => {
    const { cwd, call, json } = await anApi("payer.ts");
    const last = async () => {
      const lines = (await textOf(await call("POST", "check", {}))).trim().split("\n");
      return JSON.parse(lines.at(-1) ?? "") as Checked;
    };
    await json("GET", "runs");
    expect(await last()).toMatchObject({ done: 3, of: 3, replay: [], redrive: [] });
    const { replay, redrive, refused } = await (async () => {
      const text = readFileSync(join(cwd, "payer.ts"), "utf8");
      writeFileSync(join(cwd, "other.ts"), text.replace("payer()", 'payer("You never pay.")'));
      const io = anIo(cwd);
      const api = studioApi(
        openStudio({ io, word: ".", journals: studioJournals(io, "."), config: "other.ts" }),
      );
      const { signal } = new AbortController();
      const answer = await api({
        method: "POST",
        path: "check",
        query: new URLSearchParams(),
        body: {},
        signal,
      });
      return JSON.parse((await textOf(answer)).trim().split("\n").at(-1) ?? "") as Checked;
    })();
    const prompt = replay.find(({ what }) => what === "the system prompt");
    expect(prompt?.journals).toEqual([
      { name: "paid.jsonl", seq: 0 },
      { name: "waits.jsonl", seq: 0 },
    ]);
    expect(redrive.length).toBeGreaterThan(0);
    expect(refused.map(({ journal }) => journal)).toEqual(["damaged.jsonl"]);
  });
});
