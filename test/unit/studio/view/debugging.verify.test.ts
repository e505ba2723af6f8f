// In a browser of this machine: the way of somebody who looks for a failure's cause. Skipped where there is none.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Agent,
  agent,
  memoryJournal,
  resume,
  run,
  type ScriptedTurn,
  scriptedModel,
  tool,
  virtualClock,
} from "reckoner";
import { fileJournal } from "reckoner/file-journal";
import { copyJournal } from "reckoner/time-travel";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { aFolderOfRuns } from "../../cli/studio/support.js";
import { aFolder } from "../../cli/support.js";
import { refunder } from "../refunder.js";
import { BEGUN } from "../support.js";
import {
  aPage,
  aStudio,
  conversation,
  executablePath,
  inABrowser,
  opened,
  panel,
} from "./browser.js";

/** A desk that looks two customers' orders up, and pays one what the other had paid. */
function aDesk(): Agent {
  const order = tool({
    name: "look_up_order",
    inputSchema: z.object({ orderId: z.string() }),
    execute: ({ orderId }) => ({ orderId, total: orderId === "A-1041" ? 49.9 : 379 }),
  });
  const refund = tool({
    name: "refund",
    inputSchema: z.object({ orderId: z.string(), amount: z.number() }),
    needsApproval: true,
    execute: ({ amount }) => `paid ${amount}`,
  });
  return agent({ name: "desk", tools: [order, refund] });
}

const look = (orderId: string) => ({ name: "look_up_order", input: { orderId } });
const pay = (amount: number) => ({ name: "refund", input: { orderId: "A-1041", amount } });

/** Writes a run of the desk: what it pays, and how a person has edited that. */
async function aRefund(file: string, amount: number, edited?: number): Promise<void> {
  const journal = memoryJournal();
  const turns: ScriptedTurn[] = [
    { calls: [look("A-1041"), look("A-1014")] },
    { calls: [pay(amount)] },
    "It is paid.",
  ];
  const options = { model: scriptedModel(turns), clock: virtualClock(BEGUN) };
  await run(aDesk(), "Please refund A-1041.", { ...options, journal, runId: "r1" });
  const input = edited === undefined ? {} : { input: pay(edited).input };
  const approvals = { "approval/1/0": { approve: true, by: "ben", ...input } };
  await resume(aDesk(), journal, { ...options, approvals });
  await copyJournal(journal, fileJournal(file));
}

describe.skipIf(executablePath === undefined)("a failure looked for in a browser", () => {
  inABrowser();
  it("names the call of another customer that the wrong amount was read in", async () => {
    const cwd = aFolder();
    await aRefund(join(cwd, "wrong.jsonl"), 379);
    const { page } = await opened(cwd, { word: "wrong.jsonl" });
    await page.getByRole("button", { name: "refund", exact: true }).click();
    await panel(page)
      .getByRole("button", {
        name: 'the result of look_up_order (tool/0/1) with {"orderId":"A-1014"}',
      })
      .click();
    await panel(page)
      .getByText('look_up_order was called with {"orderId":"A-1014"}')
      .first()
      .waitFor();
  });

  it("says who edited an amount, and what the model had written", async () => {
    const cwd = aFolder();
    await aRefund(join(cwd, "edited.jsonl"), 49.9, 499);
    const { page } = await opened(cwd, { word: "edited.jsonl" });
    await page.getByRole("button", { name: "refund", exact: true }).click();
    await panel(page).getByText("what ben decided").first().waitFor();
    await panel(page).getByText("edited: the model had written 49.9").waitFor();
    expect(
      await panel(page)
        .getByText(/^edited:/)
        .count(),
    ).toBe(1);
  });

  it("says which of two runs has which value, and names both calls", async () => {
    const cwd = aFolder();
    const turns = (call: { readonly name: string; readonly input: object }): ScriptedTurn[] => [
      { calls: [call] },
      "Done.",
    ];
    for (const [name, call] of [
      ["a", look("A-1")],
      ["b", pay(5)],
    ] as const) {
      const journal = memoryJournal();
      const clock = virtualClock(BEGUN);
      const model = scriptedModel(turns(call));
      await run(aDesk(), "Go.", { model, journal, clock, approve: () => ({ approve: true }) });
      await copyJournal(journal, fileJournal(join(cwd, `${name}.jsonl`)));
    }
    const { page } = await opened(cwd);
    await page.locator(".run-row").first().waitFor();
    for (const key of ["x", "j", "x", "c"]) await page.keyboard.press(key);
    await page
      .getByRole("status")
      .getByText(/In the first the model called .+; in the second the model called .+\.$/)
      .waitFor();
    await page
      .locator(".compared-row")
      .getByText(/^(?:refund, or look_up_order|look_up_order, or refund) came back$/)
      .first()
      .waitFor();
  });

  it("tells what another answer in a child would have led to, there and in the run itself", async () => {
    const { page } = await opened(await aFolderOfRuns(), {
      word: "paid.jsonl",
      config: "payer.ts",
    });
    await conversation(page).getByRole("button", { name: "open the child run" }).click();
    await conversation(page).getByText("Is A-17 clear?").waitFor();
    await conversation(page).getByRole("button", { name: "scripted" }).last().click();
    await page.keyboard.press("5");
    const field = panel(page).getByRole("textbox");
    expect(await field.inputValue()).toContain("The case is clear: pay.");
    await field.fill('"It is not clear."');
    await panel(page).getByRole("button", { name: "What then?" }).click();
    await panel(page).getByRole("heading", { name: "In the child run clerk" }).waitFor();
    await panel(page)
      .getByText(/Its output is "It is not clear."; it was "The case is clear: pay."/)
      .waitFor();
    await panel(page)
      .getByText(/^The first difference: an answer of the model \(llm\/2\)/)
      .waitFor();
    await panel(page)
      .getByText(/reckoner fork paid.jsonl --set 'tool\/1\/0\/0:llm\/1=/)
      .waitFor();
  });

  it("groups the runs that a changed rule would stop, without empty pairs", async () => {
    const cwd = aFolder();
    const from = JSON.stringify(join(import.meta.dirname, "../refunder.ts"));
    writeFileSync(
      join(cwd, "desk.ts"),
      `import { refunder } from ${from}; export default { reasoner: refunder(50) };`,
    );
    for (const amount of [10, 60, 90]) {
      const journal = memoryJournal();
      const model = scriptedModel([{ calls: [{ name: "refund", input: { amount } }] }, "Paid."]);
      await run(refunder(100), "Pay.", { model, journal, clock: virtualClock(BEGUN) });
      await copyJournal(journal, fileJournal(join(cwd, `${amount}.jsonl`)));
    }
    const studio = await aStudio(cwd, { config: "desk.ts" });
    const page = await aPage();
    await page.goto(studio.url);
    await page.locator(".run-row").first().waitFor();
    await page.keyboard.press("t");
    await page.getByRole("button", { name: "Check all runs" }).click();
    await page.getByText("3 of 3 checked").waitFor();
    const group = page.locator("details.group", { hasText: "is put to a person" }).first();
    expect(await group.locator("summary").textContent()).toMatch(/^2 ×.*, was run/);
    // All that comes with it in the same runs stands with it.
    const come = page.getByRole("region", { name: "What the runs would come to" });
    expect(await come.locator("details.group").count()).toBe(1);
    await page.evaluate(
      "for (const each of document.querySelectorAll('details')) each.open = true",
    );
    expect(await page.getByText("nothing → nothing").count()).toBe(0);
    expect(await group.getByRole("link").allTextContents()).toEqual(["60.jsonl", "90.jsonl"]);
    // A click more, and the run is at its first difference, in words and in its row.
    await page.getByRole("button", { name: "Check all runs" }).focus();
    // By keys alone: past what stands before it, to the link.
    for (let i = 0; i < 40; i++) {
      await page.keyboard.press("Tab");
      if ((await page.evaluate("document.activeElement.textContent")) === "90.jsonl") break;
    }
    await page.keyboard.press("Enter");
    await panel(page)
      .getByRole("status")
      .getByText(/^The first difference: /)
      .waitFor();
    await panel(page).locator("tr.first").getByText("refund").first().waitFor();
    expect(await page.getByRole("slider").inputValue()).toBe("1");
  });

  it("names the limit of tokens before anything costs, and asks nothing without one", async () => {
    const studio = await aStudio(await aFolderOfRuns(), {
      word: "paid.jsonl",
      config: "payer.ts",
    });
    const page = await aPage();
    const asked: string[] = [];
    page.on("request", (each) => {
      if (each.url().endsWith("api/otherwise")) asked.push(each.postData() ?? "");
    });
    await page.goto(studio.url);
    await page.getByRole("button", { name: "ada approved after 1 d", exact: true }).click();
    await page.keyboard.press("5");
    await panel(page).getByText("It costs nothing: nothing is asked.").waitFor();
    await panel(page).getByRole("button", { name: "rejected" }).click();
    await panel(page).getByText("was never recorded: it would be asked").waitFor();
    expect(
      await panel(page)
        .getByText(/tokens were spent/)
        .count(),
    ).toBe(0);
    await panel(page).getByRole("spinbutton").fill("5000");
    await panel(page).getByText("This costs money.").waitFor();
    await panel(page).getByRole("button", { name: "rejected" }).click();
    await panel(page)
      .getByText(/^\d+ tokens were spent/)
      .waitFor();
    expect(asked.map((each) => JSON.parse(each).budget)).toEqual([undefined, 5_000]);
  });

  it("shows money of an answer, of a run up to the slider, and of a folder", async () => {
    const cwd = aFolder();
    const own = `
      import { agent, scriptedModel } from "reckoner";
      const prices = { scripted: { inputPerMillion: 1_000_000, outputPerMillion: 1_000_000 } };
      export default { reasoner: agent({ name: "priced", prices }), model: scriptedModel([]) };`;
    writeFileSync(join(cwd, "priced.ts"), own);
    const journal = memoryJournal();
    const priced = agent({ name: "priced" });
    const end = await run(priced, "Go.", { model: scriptedModel(["It is done."]), journal });
    const { totalTokens } = end.context.usage;
    await copyJournal(journal, fileJournal(join(cwd, "priced.jsonl")));
    const studio = await aStudio(cwd, { config: "priced.ts" });
    const page = await aPage();
    await page.goto(studio.url);
    const cost = `costs ${totalTokens}.00`;
    await page.locator(".run-row").getByText(cost).waitFor();
    await page.keyboard.press("Enter");
    await conversation(page).getByText(cost).waitFor();
    await page.locator(".run-head").getByText(cost).waitFor();
    // Before the answer nothing was paid.
    await page.keyboard.press("Home");
    expect(await page.locator(".run-head").getByText("costs").count()).toBe(0);
    await page.keyboard.press("t");
    const row = page.getByRole("row", { name: /^Money/ });
    expect(await row.getByRole("cell").first().textContent()).toBe(`${totalTokens}.00`);
  });
});
