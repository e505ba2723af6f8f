// Decisions at journals that the studio's process may write: through `resume`, and only with code.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "reckoner";
import { fileJournal } from "reckoner/file-journal";
import { describe, expect, it } from "vitest";
import type { About, Listed } from "../../../../src/studio/live/index.js";
import * as agents from "../../studio/asker.js";
import { anApi } from "./support.js";

const decision = { journal: "waits.jsonl", approval: "approval/2/0" };

async function aStudio(config?: string) {
  const studio = await anApi(config);
  const text = () => readFileSync(join(studio.cwd, "waits.jsonl"), "utf8");
  const row = async () => {
    const { runs } = await studio.json<Listed>("GET", "runs");
    return runs.find(({ journal }) => journal === "waits.jsonl");
  };
  return { ...studio, text, row };
}

describe("a decision at a journal that may be written", () => {
  it("goes into it, and the run goes on by its code to its end", async () => {
    const { json, text, row } = await aStudio("payer.ts");
    expect((await json<About>("GET", "about")).decides).toBe("here");
    await json("POST", "decide", {
      ...decision,
      approve: true,
      input: { orderId: "A-17", amount: 30 },
    });
    // By then it is in the journal; the rest follows.
    expect(text()).toContain('"type":"approval.decided","id":"approval/2/0"');
    while ((await row())?.status !== "done");
    expect(text()).toContain("paid 30 for A-17");
    // Of what was decided already, nothing is written.
    const before = text();
    await expect(json("POST", "decide", { ...decision, approve: false })).rejects.toThrow();
    expect(text()).toBe(before);
  });

  it("rejects with a reason that the model reads", async () => {
    const { json, text, here } = await aStudio("payer.ts");
    await json("POST", "decide", { ...decision, approve: false, reason: "It was whole." });
    await here.drain();
    expect(text()).toContain('"approve":false,"reason":"It was whole."');
  });

  it("takes several at once: the run is begun by the first of them", async () => {
    const { cwd, json, here } = await aStudio("asker.ts");
    const asker = JSON.stringify(join(import.meta.dirname, "../../studio/asker.ts"));
    writeFileSync(
      join(cwd, "asker.ts"),
      `import * as of from ${asker}; export default { reasoner: of.asker(), model: of.askerScript() };`,
    );
    await run(agents.asker(), "Ask.", {
      model: agents.askerScript(),
      journal: join(cwd, "asks.jsonl"),
    });
    await json("GET", "runs");
    const decide = (id: string) =>
      json("POST", "decide", { journal: "asks.jsonl", approval: id, approve: true });
    await Promise.all(["approval/0/0", "approval/0/1", "approval/0/2"].map(decide));
    // One that is refused holds up none behind it.
    const both = [decide("approval/0/0"), decide("approval/0/3")];
    expect((await Promise.allSettled(both)).map((each) => each.status)).toEqual([
      "rejected",
      "rejected",
    ]);
    await here.drain();
    const text = readFileSync(join(cwd, "asks.jsonl"), "utf8");
    for (const order of ["A", "B", "C"]) expect(text).toContain(`paid 5 for ${order}`);
  });

  it("writes nothing without code, and says what is needed", async () => {
    const { json, text } = await aStudio();
    const before = text();
    expect((await json<About>("GET", "about")).decides).toBe("no");
    await expect(json("POST", "decide", { ...decision, approve: true })).rejects.toThrow(
      "start the studio with --config FILE",
    );
    expect(text()).toBe(before);
  });

  it("writes nothing where another process writes the journal", async () => {
    const { cwd, json, text } = await aStudio("payer.ts");
    const before = text();
    const writer = await fileJournal(join(cwd, "waits.jsonl")).open("append");
    await expect(json("POST", "decide", { ...decision, approve: true })).rejects.toMatchObject({
      code: "journal.locked",
    });
    await writer.close();
    expect(text()).toBe(before);
  });
});
