// In a browser of this machine: the way of somebody who looks for a failure's cause. Skipped where there is none.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import {
  type Agent,
  agent,
  agentTool,
  memoryJournal,
  resume,
  run,
  type ScriptedTurn,
  scriptedModel,
  tool,
  virtualClock,
} from "reckoner";
import { Decisions, decisions, memoryDecisions } from "reckoner/decisions";
import { fileJournal } from "reckoner/file-journal";
import { postgresJournals } from "reckoner/postgres";
import { beamSearch, thoughts } from "reckoner/thoughts";
import { copyJournal } from "reckoner/time-travel";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { openStores } from "../../../../src/cli/store/open-stores.js";
import { studioJournals } from "../../../../src/cli/studio/journals.js";
import { dropAfterwards, freshSchema, server, testPostgres } from "../../../support/postgres.js";
import { aHost } from "../../cli/studio/host.js";
import { aFolderOfRuns } from "../../cli/studio/support.js";
import { aFolder, anIo } from "../../cli/support.js";
import { refunder } from "../refunder.js";
import { BEGUN, paidRun, waitingRun } from "../support.js";
import { aPage, aStudio, executablePath, inABrowser } from "./browser.js";

const panel = (page: Page) => page.getByRole("tabpanel");
const conversation = (page: Page) => page.getByRole("list", { name: "Conversation" });

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

async function opened(cwd: string, word = ".", width?: number): Promise<Page> {
  const studio = await aStudio(cwd, { word });
  const page = await aPage(width === undefined ? {} : { width });
  await page.goto(studio.url);
  return page;
}

describe.skipIf(executablePath === undefined)("a failure looked for in a browser", () => {
  inABrowser();
  it("names the call of another customer that the wrong amount was read in", async () => {
    const cwd = aFolder();
    await aRefund(join(cwd, "wrong.jsonl"), 379);
    const page = await opened(cwd, "wrong.jsonl");
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
    const page = await opened(cwd, "edited.jsonl");
    await page.getByRole("button", { name: "refund", exact: true }).click();
    await panel(page).getByText("what ben decided").first().waitFor();
    await panel(page).getByText("edited: the model had written 49.9").waitFor();
    expect(
      await panel(page)
        .getByText(/^edited:/)
        .count(),
    ).toBe(1);
  });

  it("is reached by keys alone: the panel of a number key has the focus", async () => {
    const page = await opened(await aFolderOfRuns(), "paid.jsonl");
    await conversation(page).waitFor();
    for (let i = 0; i < 8; i++) await page.keyboard.press("j");
    await page.keyboard.press("1");
    await panel(page).getByText("Its arguments").waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await panel(page)
      .getByText(/blocks, of which \d+ are as in/)
      .waitFor();
  });

  it("comes into sight where the page is narrow, and breaks no number", async () => {
    const cwd = await aFolderOfRuns();
    const page = await opened(cwd, ".", 390);
    await page.getByText("Order A-17 arrived broken.").first().click();
    await page.getByRole("button", { name: "look_up_order", exact: true }).click();
    await panel(page).getByText("Its arguments").waitFor();
    await page.waitForFunction(
      "document.getElementById('panel').getBoundingClientRect().top < innerHeight / 2",
    );
    await page.goto(`${page.url().split("#")[0]}#/totals`);
    await page.getByRole("heading", { name: "2 runs" }).waitFor();
    const broken = await page.evaluate(`[...document.querySelectorAll("td:not(:last-child)")]
      .filter((cell) => !cell.textContent.includes(" ") && cell.offsetHeight > 36).length`);
    expect(broken).toBe(0);
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
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
    const page = await opened(cwd);
    await page.locator(".run-row").first().waitFor();
    for (const key of ["x", "j", "x", "c"]) await page.keyboard.press(key);
    await page
      .getByRole("status")
      .getByText(/The first has .+, the second .+\.$/)
      .waitFor();
    await page
      .locator(".compared-row")
      .getByText(/(refund|look_up_order) → /)
      .first()
      .waitFor();
  });

  it("draws pictures anew in the theme that is chosen", async () => {
    const page = await opened(await aFolderOfRuns(), "paid.jsonl");
    await conversation(page).waitFor();
    await page.keyboard.press("4");
    const ground = `getComputedStyle(document.querySelector("[aria-label='This agent'] svg .node :is(rect, path)")).fill`;
    await panel(page).locator("svg .node").first().waitFor();
    const light = await page.evaluate(ground);
    await page.getByLabel("Theme").selectOption("dark");
    await page.waitForFunction(`${ground} !== ${JSON.stringify(light)}`);
  });

  it("says of an address that no journal has it, and waits for nothing", async () => {
    const page = await opened(await aFolderOfRuns());
    await page.locator(".run-row").first().waitFor();
    const base = page.url().split("#")[0];
    await page.goto(`${base}#/run/gone.jsonl`);
    await page.getByRole("alert").getByText("does not show a journal gone.jsonl").waitFor();
    expect(await page.getByText("has no event yet").count()).toBe(0);
    await page.goto(`${base}#/compare/paid.jsonl/gone.jsonl`);
    await page.getByRole("alert").getByText("does not show a journal gone.jsonl").waitFor();
    expect(await page.getByText("Reading the two runs").count()).toBe(0);
  });

  it("groups the runs that a changed policy would stop, without empty pairs", async () => {
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

  it("says why its code cannot be loaded, shows the runs, and takes the code that was mended", async () => {
    const cwd = await aFolderOfRuns();
    const code = readFileSync(join(cwd, "payer.ts"), "utf8");
    writeFileSync(join(cwd, "broken.ts"), "export default { reasoner: nothing.here };");
    const studio = await aStudio(cwd, { word: "paid.jsonl", config: "broken.ts" });
    const page = await aPage();
    await page.goto(studio.url);
    await page.getByText("Order A-17 arrived broken.").first().waitFor();
    await page
      .getByRole("alert")
      .getByText(/nothing is not defined/)
      .waitFor();
    expect(await page.getByText("The server does not answer").count()).toBe(0);
    writeFileSync(join(cwd, "broken.ts"), code);
    await page.getByRole("alert").waitFor({ state: "detached" });
    await page.keyboard.press("5");
    await panel(page).getByRole("button", { name: "What would today's code do?" }).click();
    await panel(page).getByText("It asks for the same, and ends the same.").waitFor();
  });

  it("says that a host has gone, and keeps what it had read", async () => {
    const { journals, close } = await aHost();
    const studio = await aStudio(aFolder(), { word: "the host", journals });
    const page = await aPage();
    await page.goto(studio.url);
    await page.getByText("waits for Run the tool refund?").waitFor();
    await page.keyboard.press("Enter");
    await conversation(page).getByText("I look.").waitFor();
    await close();
    await page
      .getByRole("alert")
      .getByText(/^The host http.* does not answer/)
      .first()
      .waitFor();
    await conversation(page).getByText("I look.").waitFor();
    await page.getByRole("button", { name: "look_up_order", exact: true }).click();
    await panel(page).getByText("Its arguments").waitFor();
  });

  it("names the limit of tokens before anything costs, and asks nothing without one", async () => {
    const studio = await aStudio(await aFolderOfRuns(), { word: "paid.jsonl", config: "payer.ts" });
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

  it("shows names of files and agents, reasons, persons and failures as text", async () => {
    const cwd = aFolder();
    const bad = `<img src=x onerror=alert(1)>\u202E\u001b[31m`;
    const journal = memoryJournal();
    const input = { prompt: bad };
    const child = agent({ name: `child ${bad}` });
    const tools = [
      tool({ name: "pay", needsApproval: true, execute: () => "paid" }),
      tool({
        name: "fail",
        execute: () => {
          throw new Error(bad);
        },
      }),
      agentTool(child, { name: "child", description: bad }),
    ];
    const calls = ["pay", "fail", "child"].map((name) => ({
      name,
      input: name === "child" ? input : {},
    }));
    const own = agent({ name: bad, tools });
    const model = scriptedModel(({ messages }) =>
      messages.length > 1 || messages.some(({ role }) => role === "assistant") ? bad : { calls },
    );
    const options = { model, clock: virtualClock(BEGUN) };
    await run(own, bad, { ...options, journal, runId: "r" });
    const approvals = { "approval/0/0": { approve: false, by: bad, reason: bad } };
    await resume(own, journal, { ...options, approvals });
    await copyJournal(journal, fileJournal(join(cwd, "<img src=x onerror=alert(2)>.jsonl")));
    const page = await opened(cwd);
    await page.locator(".run-row").getByText("<img src=x").first().waitFor();
    await page.keyboard.press("Enter");
    await conversation(page).getByText("rejected after").waitFor();
    for (let i = 0; i < 8; i++) {
      await page.keyboard.press("j");
      for (const key of ["1", "2", "3", "4", "5"]) await page.keyboard.press(key);
      expect(await page.locator("img, script:not([src]), iframe").count()).toBe(0);
    }
    await page.goto(`${page.url().split("#")[0]}#/totals`);
    await page.getByRole("heading", { name: "1 runs" }).waitFor();
    const shown = (await page.locator("body").textContent()) ?? "";
    expect(["\u202E", "\u001b"].filter((each) => shown.includes(each))).toEqual([]);
    expect(await page.locator("img, script:not([src]), iframe").count()).toBe(0);
  });

  it("leads from a thought in the picture to the call that it was read from", async () => {
    const cwd = aFolder();
    const policy = beamSearch({
      rounds: 1,
      branching: 2,
      beam: 1,
      score: { by: ({ content }) => content.length },
      connect: false,
      aggregate: false,
    });
    const own = thoughts({ name: "thinker", policy });
    let asked = 0;
    const model = scriptedModel(() => `Thought ${++asked}.`);
    await run(own, "Think.", { model, journal: fileJournal(join(cwd, "thoughts.jsonl")) });
    const page = await opened(cwd, "thoughts.jsonl");
    await page.getByRole("slider").waitFor();
    await page.keyboard.press("4");
    const drawn = panel(page).getByRole("group", { name: "Thoughts" });
    await drawn.getByRole("button", { name: /Thought 1/ }).click();
    await panel(page)
      .getByText(/^the model .* was asked \(llm\/.+\) and answered/)
      .first()
      .waitFor();
  });

  it("leads from a node of the decisions' picture to the event that wrote it", async () => {
    const cwd = aFolder();
    const store = memoryDecisions();
    await new Decisions(store).addNode({ id: "goal", type: "goal", label: "Log in" });
    const input = { label: "Passkeys", parent_id: "goal" };
    const model = scriptedModel([{ calls: [{ name: "record_decision", input }] }, "Done."]);
    await run(agent({ name: "planner", plugins: [decisions({ store: "d" })] }), "Decide.", {
      model,
      stores: { d: store },
      journal: fileJournal(join(cwd, "decided.jsonl")),
    });
    const page = await opened(cwd, "decided.jsonl");
    const slider = page.getByRole("slider");
    await slider.waitFor();
    await page.keyboard.press("4");
    const last = await slider.inputValue();
    const drawn = panel(page).getByRole("group", { name: "Decisions in d" });
    await drawn.getByRole("button", { name: /Passkeys/ }).press("Enter");
    await page.getByText(/: write\.succeeded$/).waitFor();
    expect(Number(await slider.inputValue())).toBeLessThan(Number(last));
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

  it("shows the runs of a store in Postgres, and why one paid", async (test) => {
    const postgres = await testPostgres();
    onTestFinished(() => postgres.close());
    if (postgres.kind !== "server") return test.skip();
    const schema = freshSchema();
    dropAfterwards(postgres.client, schema);
    const store = postgresJournals({ client: postgres.client, schema });
    await copyJournal(await paidRun(), store.journal("paid"));
    await copyJournal(await waitingRun(), store.journal("waits"));
    const { user, host, port, database } = server;
    const word = `postgres://${user}@${host}:${port}/${database}?schema=${schema}`;
    const cwd = aFolder();
    const stores = await openStores(anIo(cwd), "studio", [word]);
    onTestFinished(() => stores.close());
    const io = { ...anIo(cwd), stores };
    const studio = await aStudio(cwd, { word, journals: studioJournals(io, word) });
    const page = await aPage();
    await page.goto(studio.url);
    await page.getByText("2 runs", { exact: true }).waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "refund", exact: true }).last().click();
    await panel(page).getByText("Its arguments").waitFor();
    await page.locator(".run-head").getByText("done").waitFor();
  });
});
