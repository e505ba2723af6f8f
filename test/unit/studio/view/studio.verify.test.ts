// In a browser of this machine: each point of the studio by clicks and by keys. Skipped where there is none.
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { agent, memoryJournal, run, scriptedModel, tool, virtualClock } from "reckoner";
import { fileJournal } from "reckoner/file-journal";
import { copyJournal } from "reckoner/time-travel";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { aHost } from "../../cli/studio/host.js";
import { aFolderOfRuns } from "../../cli/studio/support.js";
import { aFolder, called } from "../../cli/support.js";
import { BEGUN, paidRun, waitingRun } from "../support.js";
import { aPage, aStudio, executablePath, inABrowser } from "./browser.js";

const tab = (page: Page, name: string) => page.getByRole("tab", { name });
const panel = (page: Page) => page.getByRole("tabpanel");

async function opened(word = "paid.jsonl", config?: string) {
  const cwd = await aFolderOfRuns();
  const studio = await aStudio(cwd, { word, ...(config === undefined ? {} : { config }) });
  const page = await aPage();
  await page.goto(studio.url);
  await page.getByRole("list", { name: "Conversation" }).waitFor();
  return { cwd, studio, page };
}

describe.skipIf(executablePath === undefined)("the studio in a browser", () => {
  inABrowser();
  it("lists runs, finds them, and opens them by keys", async () => {
    const studio = await aStudio(await aFolderOfRuns());
    const page = await aPage();
    await page.goto(studio.url);
    await page.getByText("waits for Run the tool refund?").waitFor();
    expect(await page.locator(".run-row").count()).toBe(2);
    await page.getByText("damaged.jsonl:").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("paid");
    await page.getByText("1 run", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Enter");
    await page.getByRole("list", { name: "Conversation" }).waitFor();
    expect(page.url()).toContain("#/run/paid.jsonl");
    await page.keyboard.press("Escape");
    await page.getByLabel("Search runs").waitFor();
  });

  it("shows a run as a conversation, and its child as another", async () => {
    const { page } = await opened();
    const conversation = page.getByRole("list", { name: "Conversation" });
    await conversation.getByText("ada approved after 1 d").waitFor();
    await conversation
      .getByText('"paid 300 for A-17"')
      .or(conversation.getByText("paid 300 for A-17"))
      .first()
      .waitFor();
    await conversation.getByRole("button", { name: "open the child run" }).click();
    await conversation.getByText("Is A-17 clear?").waitFor();
    await page.getByRole("link", { name: "back to the parent run" }).click();
    await conversation.getByText("Order A-17 arrived broken.").waitFor();
    expect(await page.locator(".lane-names button").count()).toBe(2);
    await page.locator(".bar.waits").first().hover();
    expect(await page.locator(".lanes").getAttribute("title")).toBe(
      "ada approved after 1 d: Run the tool refund? (waiting): 1 d",
    );
    await page.locator(".bar.waits").first().click();
    await panel(page).getByText("ada approved after 1 d: Run the tool refund?").first().waitFor();
  });

  it("leads from a payment to its causes, and to what the model had been shown", async () => {
    const { page } = await opened();
    await page.getByRole("button", { name: "refund", exact: true }).last().click();
    await panel(page)
      .getByText('refund was called with {"amount":300,"orderId":"A-17"}')
      .first()
      .waitFor();
    await panel(page)
      .getByText(/^the model wrote it/)
      .waitFor();
    await panel(page).getByRole("button", { name: "What the model had been shown" }).click();
    await panel(page)
      .getByText(/blocks, of which \d+ are as in/)
      .waitFor();
    await panel(page).getByRole("button", { name: "show all" }).click();
    await panel(page)
      .getByRole("button", { name: /^the result of look_up_order/ })
      .click();
    await panel(page).getByText("look_up_order was called with").first().waitFor();
  });

  it("has an address for each event, which leads there again", async () => {
    const { page } = await opened();
    await page.getByRole("button", { name: "refund", exact: true }).last().click();
    await panel(page).getByText("Its arguments").waitFor();
    const address = page.url();
    const other = await aPage();
    await other.goto(address);
    await panel(other).getByText("Its arguments").waitFor();
    expect(await other.getByRole("slider").inputValue()).toBe(
      await page.getByRole("slider").inputValue(),
    );
  });

  it("goes through all events by keys, with changes, directives and the states lit", async () => {
    const { page } = await opened();
    const slider = page.getByRole("slider");
    await page.keyboard.press("Home");
    expect(await slider.inputValue()).toBe("0");
    await page.keyboard.press("]");
    expect(await slider.inputValue()).toBe("1");
    await panel(page).getByText("context.iteration").waitFor();
    await panel(page).getByText("look_up_order").first().waitFor();
    await page.keyboard.press("4");
    await panel(page).getByText("The run is in acting").waitFor();
    await panel(page).getByText("Statechart of every agent", { exact: true }).click();
    await panel(page).getByRole("group", { name: "Statechart" }).locator("svg").waitFor();
    expect(await panel(page).locator("svg .node").count()).toBeGreaterThan(3);
    await panel(page).locator("li", { hasText: "look_up_order" }).first().waitFor();
    await page.keyboard.press("End");
    await page.keyboard.press("j");
    await page.keyboard.press("1");
    await panel(page).getByText("the run began: Order A-17 arrived broken.").first().waitFor();
  });

  it("leads from a node of a picture to its event, by a click and by keys", async () => {
    const { page } = await opened();
    await page.keyboard.press("4");
    const agent = panel(page).getByRole("group", { name: "This agent" });
    await agent.getByRole("button", { name: /^refund/ }).click();
    await panel(page)
      .getByText(/^refund was called with/)
      .first()
      .waitFor();
    await page.keyboard.press("4");
    await agent.getByRole("button", { name: /^look_up_order/ }).press("Enter");
    await panel(page)
      .getByText(/^look_up_order was called with/)
      .first()
      .waitFor();
    await page.keyboard.press("4");
    await panel(page).getByText("Statechart of every agent", { exact: true }).click();
    const chart = panel(page).getByRole("group", { name: "Statechart" });
    await chart
      .getByRole("button", { name: /^thinking/ })
      .first()
      .click();
    await panel(page).getByText("The run is in thinking").waitFor();
  });

  it("tells what another decision and today's code would have led to", async () => {
    const { page } = await opened("paid.jsonl", "payer.ts");
    await page.getByRole("button", { name: "ada approved after 1 d", exact: true }).click();
    await tab(page, "Otherwise").click();
    await panel(page).getByRole("button", { name: "rejected" }).click();
    await panel(page)
      .getByText(/^The first difference: refund with .* is not asked for any more/)
      .waitFor();
    await panel(page).getByText("was never recorded: it would be asked").waitFor();
    await panel(page).getByRole("button", { name: "What would today's code do?" }).click();
    await panel(page).getByText("It asks for the same, and ends the same.").waitFor();
  });

  it("tells what another answer in a child would have led to, there and in the run itself", async () => {
    const { page } = await opened("paid.jsonl", "payer.ts");
    const conversation = page.getByRole("list", { name: "Conversation" });
    await conversation.getByRole("button", { name: "open the child run" }).click();
    await conversation.getByText("Is A-17 clear?").waitFor();
    await conversation.getByRole("button", { name: "scripted" }).last().click();
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

  it("tells what other arguments of a person's decision would have led to", async () => {
    const { page } = await opened("paid.jsonl", "payer.ts");
    await page.getByRole("button", { name: "ada approved after 1 d", exact: true }).click();
    await page.keyboard.press("5");
    const field = panel(page).getByRole("textbox");
    await field.fill((await field.inputValue()).replace("300", "30"));
    await panel(page).getByRole("button", { name: "What then?" }).click();
    await panel(page)
      .getByText(/It asks for refund with .*"amount":30,/)
      .waitFor();
    await panel(page)
      .getByText(/approved with .*"amount":30/)
      .waitFor();
  });

  it("compares two runs, the first difference on top", async () => {
    const studio = await aStudio(await aFolderOfRuns());
    const page = await aPage();
    await page.goto(studio.url);
    await page.getByText("waits for Run the tool refund?").waitFor();
    await page.keyboard.press("x");
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.getByRole("link", { name: "Compare the two" }).click();
    await page
      .getByRole("status")
      .getByText(/^The runs part at approval\/2\/0/)
      .waitFor();
    await page.locator(".compared-row.first").getByText("approval.decided approval/2/0").waitFor();
  });

  it("has totals of a folder, and groups of differences that open their runs", async () => {
    const cwd = await aFolderOfRuns();
    const text = readFileSync(join(cwd, "payer.ts"), "utf8");
    writeFileSync(join(cwd, "payer.ts"), text.replace("payer()", 'payer("You never pay.")'));
    const studio = await aStudio(cwd, { config: "payer.ts" });
    const page = await aPage();
    await page.goto(studio.url);
    await page.keyboard.press("t");
    await page.getByRole("heading", { name: "2 runs" }).waitFor();
    await page.getByRole("button", { name: "Check all runs" }).click();
    await page.getByText("3 of 3 checked").waitFor();
    const group = page.locator("details.group", { hasText: "the system prompt" }).first();
    await group.locator("summary").click();
    await group.getByText("You never pay.").first().waitFor();
    await group.getByRole("link", { name: "paid.jsonl" }).click();
    await panel(page)
      .getByText(/^The first difference: an answer of the model/)
      .waitFor();
  });

  it("shows every text as text: markup, directions, escapes, megabytes", async () => {
    const cwd = aFolder();
    const hostile = `<img src=x onerror="alert(1)"></script><script>alert(2)</script>\u202Eevil\u202C \u001b[31mred\u0007 javascript:alert(3)`;
    const huge = "z".repeat(5_000_000);
    const named = tool({
      name: "t",
      description: hostile,
      inputSchema: z.object({ a: z.string() }),
      execute: () => hostile + huge,
    });
    const journal = memoryJournal();
    const model = scriptedModel([
      { text: hostile, calls: [{ name: "t", input: { a: hostile } }] },
      hostile,
    ]);
    await run(agent({ name: "hostile", system: hostile, tools: [named] }), hostile, {
      model,
      journal,
      clock: virtualClock(BEGUN),
      runId: "r",
    });
    await copyJournal(journal, fileJournal(join(cwd, "hostile.jsonl")));
    const studio = await aStudio(cwd);
    const page = await aPage();
    await page.goto(studio.url);
    await page.getByText("<img src=x").first().waitFor();
    await page.getByText("⟨U+202E⟩evil").first().waitFor();
    await page.getByText("⟨U+001B⟩[31mred⟨U+0007⟩").first().waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "t", exact: true }).click();
    for (const key of ["1", "2", "3", "4"]) {
      await page.keyboard.press(key);
      await panel(page).locator("section").first().waitFor();
    }
    expect(
      await page.locator("img, script:not([src]), iframe, a[href^='javascript']").count(),
    ).toBe(0);
    // All of it is there, part by part.
    expect((await page.locator("body").textContent())?.length).toBeLessThan(1_000_000);
  });

  it("shows what stands before a fault, and says what the fault is", async () => {
    const cwd = await aFolderOfRuns();
    const text = readFileSync(join(cwd, "paid.jsonl"), "utf8");
    const lines = text.trimEnd().split("\n");
    writeFileSync(
      join(cwd, "broken.jsonl"),
      [...lines.slice(0, 6), lines[6]?.replace("at", "At"), ...lines.slice(7), ""].join("\n"),
    );
    writeFileSync(join(cwd, "torn.jsonl"), text.slice(0, -40));
    const studio = await aStudio(cwd);
    const page = await aPage();
    await page.goto(`${studio.url}#/run/broken.jsonl`);
    await page
      .getByRole("alert")
      .getByText(/was changed/)
      .waitFor();
    await page.getByText("Order A-17 arrived broken.").first().waitFor();
    await page.goto(`${studio.url}#/run/torn.jsonl`);
    await page.getByRole("list", { name: "Conversation" }).getByText("I look.").waitFor();
    await page.goto(`${studio.url}#/run/damaged.jsonl`);
    await page
      .getByRole("alert")
      .getByText(/its bytes do not give its hash/)
      .waitFor();
  });

  it("follows a run that is being written", async () => {
    const cwd = aFolder();
    await copyJournal(await waitingRun(), fileJournal(join(cwd, "live.jsonl")));
    await copyJournal(await paidRun(), fileJournal(join(cwd, "paid.jsonl")));
    const begun = readFileSync(join(cwd, "live.jsonl"), "utf8");
    const whole = readFileSync(join(cwd, "paid.jsonl"), "utf8");
    expect(whole.startsWith(begun)).toBe(true);
    const studio = await aStudio(cwd, { word: "live.jsonl" });
    const page = await aPage();
    await page.goto(studio.url);
    await page.getByText("waits for a person").first().waitFor();
    appendFileSync(join(cwd, "live.jsonl"), whole.slice(begun.length));
    await page.getByText("Your 300 are on their way.").first().waitFor();
    await page.getByText("ada approved after 1 d").first().waitFor();
  });

  it("gives a decision to a host at the card, once it was said twice", async () => {
    const { journals } = await aHost();
    const studio = await aStudio(aFolder(), { word: "the host", journals });
    const page = await aPage();
    await page.goto(studio.url);
    await page.getByText("waits for Run the tool refund?").waitFor();
    await page.keyboard.press("Enter");
    const card = page.locator("form.decide");
    await card.getByRole("button", { name: "Reject…" }).click();
    await card.getByRole("button", { name: "Not yet" }).click();
    await card.getByRole("button", { name: "Approve…" }).click();
    await card.getByRole("textbox").fill('{"amount": 30, "orderId": "A-17"}');
    await card.getByRole("button", { name: "Approve now" }).click();
    await page.getByText("ada approved after").first().waitFor();
    await page.getByText("paid 30 for A-17").first().waitFor();
  });

  it("gives a decision to a file's run, which goes on here, once it was said twice", async () => {
    const { page } = await opened("waits.jsonl", "payer.ts");
    const card = page.locator("form.decide");
    await card.getByRole("button", { name: "Approve…" }).click();
    await card.getByText("the run goes on in the studio's process").waitFor();
    await card.getByRole("textbox").fill('{"amount": 30');
    await card.getByRole("button", { name: "Approve now" }).click();
    await card.getByRole("alert").getByText(/JSON/).waitFor();
    await card.getByRole("textbox").fill('{"amount": 30, "orderId": "A-17"}');
    await card.getByRole("button", { name: "Approve now" }).click();
    await page.getByText("paid 30 for A-17").first().waitFor();
  });

  it("says what a decision at a file's run needs, where no code was named", async () => {
    const { page } = await opened("waits.jsonl");
    await page.getByText("To decide here, start the studio with").waitFor();
    await page.getByText("reckoner resume waits.jsonl --approve approval/2/0").waitFor();
  });

  it("says that its server has gone, and keeps what it had", async () => {
    const { page, studio } = await opened();
    await studio.close();
    await page
      .getByRole("alert")
      .getByText(/^The server does not answer/)
      .waitFor();
    await page.getByText("Order A-17 arrived broken.").first().waitFor();
    await page.getByRole("button", { name: "refund", exact: true }).last().click();
    await panel(page).getByText("Its arguments").waitFor();
  });

  it("opens from one file, without a network", async () => {
    const cwd = await aFolderOfRuns();
    await called(cwd, ["studio", ".", "--html", "page.html"]);
    const page = await aPage();
    await page.context().setOffline(true);
    const asked: string[] = [];
    page.on("request", (each) => asked.push(each.url()));
    await page.goto(`file://${join(cwd, "page.html")}`);
    await page.getByText("waits for Run the tool refund?").waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "refund", exact: true }).last().click();
    await panel(page).getByText("Its arguments").waitFor();
    await tab(page, "Otherwise").click();
    await panel(page).getByText("start the studio with").waitFor();
    expect(asked.filter((url) => !url.startsWith("file:"))).toEqual([]);
  });
});
