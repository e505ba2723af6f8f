// The money of runs: by the prices of the code, else as the run's own newest snapshot has counted it.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { agent, run, scriptedModel } from "reckoner";
import { describe, expect, it } from "vitest";
import { studioApi } from "../../../../src/cli/studio/api.js";
import { studioJournals } from "../../../../src/cli/studio/journals.js";
import { openStudio } from "../../../../src/cli/studio/open-studio.js";
import type { About, Listed } from "../../../../src/studio/live/index.js";
import { totalsOf } from "../../../../src/studio/model/index.js";
import { aFolder, anIo } from "../support.js";

const prices = { scripted: { inputPerMillion: 100, outputPerMillion: 200 } };

/** A folder with a run of an agent that has prices, and one of an agent that has none. */
async function aFolderOfCosts() {
  const cwd = aFolder();
  const own = agent({ name: "priced", system: "You answer.", prices });
  const end = await run(own, "Hello.", {
    model: scriptedModel(["Hello."]),
    journal: join(cwd, "priced.jsonl"),
  });
  await run(agent({ name: "free", system: "You answer." }), "Hello.", {
    model: scriptedModel(["Hello."]),
    journal: join(cwd, "free.jsonl"),
  });
  const code = (per: number) =>
    `import { agent } from "reckoner";
     export default agent({ name: "priced", system: "You answer.",
       prices: { scripted: { inputPerMillion: ${per}, outputPerMillion: ${per} } } });`;
  writeFileSync(join(cwd, "dear.ts"), code(1_000_000));
  return { cwd, counted: end.usage.cost as number };
}

async function listOf(cwd: string, config?: string) {
  const io = anIo(cwd);
  const api = studioApi(openStudio({ io, word: ".", journals: studioJournals(io, "."), config }));
  const ask = async <Answer>(path: string) => {
    const query = new URLSearchParams();
    const { signal } = new AbortController();
    const answer = await api({ method: "GET", path, query, body: undefined, signal });
    return (answer as { readonly json: Answer }).json;
  };
  const first = await ask<Listed>("runs");
  const { runs, pending } = first.pending === undefined ? first : await ask<Listed>("runs");
  expect(pending).toBeUndefined();
  const costs = Object.fromEntries(runs.map(({ journal, cost }) => [journal, cost]));
  return { runs, costs, about: await ask<About>("code") };
}

describe("what runs cost", () => {
  it("is by the prices of the code that was named", async () => {
    const { cwd } = await aFolderOfCosts();
    const { runs, costs, about } = await listOf(cwd, "dear.ts");
    const tokens = runs.find(({ journal }) => journal === "priced.jsonl")?.tokens ?? 0;
    expect(costs).toEqual({ "free.jsonl": undefined, "priced.jsonl": tokens });
    expect(about.prices.priced?.prices.scripted?.inputPerMillion).toBe(1_000_000);
    const money = totalsOf(runs).measures.find(({ measure }) => measure === "cost");
    expect(money).toMatchObject({ runs: 1, total: tokens });
  });

  it("is not waited for by what is shown first: code may take long to load", async () => {
    const { cwd } = await aFolderOfCosts();
    writeFileSync(join(cwd, "slow.ts"), "await new Promise(() => {}); export default {};");
    const io = anIo(cwd);
    const journals = studioJournals(io, ".");
    const api = studioApi(openStudio({ io, word: ".", journals, config: "slow.ts" }));
    const { signal } = new AbortController();
    const ask = (path: string) =>
      api({ method: "GET", path, query: new URLSearchParams(), body: undefined, signal });
    expect(await ask("about")).toMatchObject({ json: { code: true, prices: {} } });
    expect(await ask("runs")).toMatchObject({ json: { runs: [{}, {}], pending: 2 } });
  });

  it("is told once the code that could not be loaded is mended", async () => {
    const { cwd } = await aFolderOfCosts();
    const mended = readFileSync(join(cwd, "dear.ts"), "utf8");
    writeFileSync(join(cwd, "broken.ts"), "export default { reasoner: nothing.here };");
    const io = anIo(cwd);
    const journals = studioJournals(io, ".");
    const { costs } = openStudio({ io, word: ".", journals, config: "broken.ts" });
    const costOfPriced = async () => {
      const listed = await costs.add({ io, journals, config: "broken.ts" } as never, {
        ...(await journals.list()),
      });
      return listed.runs.find(({ journal }) => journal === "priced.jsonl")?.cost;
    };
    await costOfPriced();
    expect(await costOfPriced()).toBeUndefined();
    writeFileSync(join(cwd, "broken.ts"), mended);
    expect(await costOfPriced()).toBeGreaterThan(0);
  });

  it("is what the run has counted, where no code is named, and unknown without its snapshot", async () => {
    const { cwd, counted } = await aFolderOfCosts();
    expect((await listOf(cwd)).costs).toEqual({ "free.jsonl": undefined, "priced.jsonl": counted });
    rmSync(join(cwd, "priced.jsonl.snapshots"), { recursive: true });
    expect((await listOf(cwd)).costs["priced.jsonl"]).toBeUndefined();
  });
});
