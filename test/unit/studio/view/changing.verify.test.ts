// In a browser of this machine: runs, lists and code that change while somebody looks at them. Skipped where there is
// none.
import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { agent, memoryJournal, run, scriptedModel, virtualClock } from "reckoner";
import { fileJournal } from "reckoner/file-journal";
import { copyJournal } from "reckoner/time-travel";
import { describe, expect, it } from "vitest";
import { aFolderOfRuns } from "../../cli/studio/support.js";
import { aFolder } from "../../cli/support.js";
import { BEGUN, payer, script } from "../support.js";
import {
  aPage,
  aStudio,
  conversation,
  executablePath,
  inABrowser,
  opened,
  panel,
} from "./browser.js";

/** Writes what a run that waits came to afterwards. */
function goOn(cwd: string): void {
  const [begun, whole] = ["waits.jsonl", "paid.jsonl"].map((name) =>
    readFileSync(join(cwd, name), "utf8"),
  ) as [string, string];
  appendFileSync(join(cwd, "waits.jsonl"), whole.slice(begun.length));
}

/** Writes a run that was begun at a minute, and is over. */
async function written(cwd: string, name: string, minute = 0): Promise<void> {
  const journal = memoryJournal();
  const clock = virtualClock(BEGUN + minute * 60_000);
  const model = scriptedModel(["Hello."]);
  await run(agent({ name: "greeter" }), `Say ${name}.`, { model, journal, clock, runId: name });
  await copyJournal(journal, fileJournal(join(cwd, `${name}.jsonl`)));
}

describe.skipIf(executablePath === undefined)("what changes while it is looked at", () => {
  inABrowser();
  it("compares two runs anew as one of them goes on", async () => {
    const cwd = await aFolderOfRuns();
    const studio = await aStudio(cwd);
    const page = await aPage();
    await page.goto(`${studio.url}#/compare/waits.jsonl/paid.jsonl`);
    const words = page.getByRole("status");
    await words.getByText("the first still waits for it").waitFor();
    goOn(cwd);
    await words.getByText("The two runs are the same, but for times, ids and costs.").waitFor();
  });

  it("stays at the end of a run that goes on, and keeps what was written in a form", async () => {
    const cwd = await aFolderOfRuns();
    const { page } = await opened(cwd, { word: "waits.jsonl", config: "payer.ts" });
    await page.getByRole("button", { name: "Reject…" }).click();
    const reason = page.getByLabel("for this reason");
    await reason.fill("too much");
    await page.keyboard.press("Escape");
    await page.keyboard.press("g");
    await page.locator(".run-row").first().click();
    expect(await reason.inputValue()).toBe("too much");
    await page.keyboard.press("Home");
    await page.getByText(/^event 0 of/).waitFor();
    await page.keyboard.press("End");
    goOn(cwd);
    await page.getByText("event 13 of 13:").waitFor();
  });

  it("keeps the focus on a node of a picture that is drawn anew", async () => {
    const cwd = await aFolderOfRuns();
    const { page } = await opened(cwd, { word: "waits.jsonl" });
    await page.keyboard.press("End");
    await page.keyboard.press("4");
    const drawn = panel(page).getByRole("group", { name: "This agent" });
    await drawn.getByRole("button", { name: /^look_up_order/ }).focus({ timeout: 20_000 });
    await drawn.evaluate((each) => each.firstElementChild?.setAttribute("data-is", "old"));
    goOn(cwd);
    await page.getByText("event 13 of 13:").waitFor();
    await page.waitForFunction("document.querySelector('[data-is=old]') === null");
    const focused = await page.evaluate("document.activeElement.textContent");
    expect(focused).toMatch(/^look_up_order/);
  });

  it("lays no candidate beside a run that has gone on since it was asked for", async () => {
    const cwd = await aFolderOfRuns();
    const { page } = await opened(cwd, { word: "waits.jsonl", config: "payer.ts" });
    await conversation(page).getByText("I look.").waitFor();
    await page.keyboard.press("5");
    const ask = panel(page).getByRole("button", { name: "What would today's code do?" });
    await ask.click();
    await panel(page).getByText("It asks for the same. Neither is over.").waitFor();
    goOn(cwd);
    await panel(page).getByText("The run has gone on since that was asked; ask again.").waitFor();
    expect(await panel(page).getByText("The first difference").count()).toBe(0);
    await conversation(page).getByRole("button", { name: "look_up_order" }).click();
    await page.keyboard.press("5");
    await panel(page).getByRole("textbox").fill("{");
    await panel(page).getByRole("button", { name: "What then?" }).click();
    await panel(page).getByText("That is no JSON").waitFor();
    await ask.click();
    await panel(page).getByText("It asks for the same, and ends the same.").waitFor();
    expect(await panel(page).getByText("That is no JSON").count()).toBe(0);
  });

  it("shows two long values about the place where they differ", async () => {
    const cwd = aFolder();
    const long = "You are a desk that answers. ".repeat(20);
    await run(agent({ name: "desk", system: `${long}Be kind.` }), "Hello.", {
      model: scriptedModel(["Hello."]),
      journal: join(cwd, "desk.jsonl"),
    });
    writeFileSync(
      join(cwd, "desk.ts"),
      `import { agent } from "reckoner"; export default agent({ name: "desk", system: "${long}Be short." });`,
    );
    const { page } = await opened(cwd, { config: "desk.ts" });
    await page.getByText("1 run", { exact: true }).waitFor();
    await page.keyboard.press("t");
    await page.getByRole("heading", { name: "1 run", exact: true }).waitFor();
    await page.getByRole("button", { name: "Check all runs" }).click();
    const group = page.locator("details.group", { hasText: "the system prompt" }).first();
    await group.locator("summary").click();
    await group.locator(".was", { hasText: "Be kind." }).first().waitFor();
    await group.locator(".is", { hasText: "Be short." }).first().waitFor();
  });

  it("takes code that was edited: what it does, and its prices", async () => {
    const cwd = aFolder();
    const code = (system: string, price: number) => {
      const prices = `{ scripted: { inputPerMillion: ${price}, outputPerMillion: ${price} } }`;
      const made = `agent({ name: "teller", system: "${system}", prices: ${prices} })`;
      writeFileSync(
        join(cwd, "teller.ts"),
        `import { agent } from "reckoner"; export const teller = ${made};`,
      );
    };
    code("You tell.", 1_000_000);
    writeFileSync(join(cwd, "config.ts"), `export { teller as default } from "./teller.ts";`);
    const prices = { scripted: { inputPerMillion: 1e6, outputPerMillion: 1e6 } };
    const options = { model: scriptedModel(["Told."]), journal: join(cwd, "told.jsonl") };
    const { usage } = await run(
      agent({ name: "teller", system: "You tell.", prices }),
      "Tell.",
      options,
    );
    const { page } = await opened(cwd, { word: "told.jsonl", config: "config.ts" });
    const head = page.locator(".run-head");
    await head.getByText(`costs ${usage.totalTokens}.00`).waitFor();
    await page.keyboard.press("5");
    const ask = panel(page).getByRole("button", { name: "What would today's code do?" });
    await ask.click();
    await panel(page).getByText("It asks for the same, and ends the same.").waitFor();
    code("You are silent.", 2_000_000);
    await head.getByText(`costs ${usage.totalTokens * 2}.00`).waitFor();
    await ask.click();
    await panel(page).getByText("is asked for differently").waitFor();
  });

  it("keeps the row of the keys and the place of the list as runs come and go, and its filter", async () => {
    const cwd = aFolder();
    for (let i = 0; i < 30; i++) await written(cwd, `run-${i}`, i);
    const journal = memoryJournal();
    await run(payer(), "Order A-17", { model: script(), journal, clock: virtualClock(BEGUN) });
    await copyJournal(journal, fileJournal(join(cwd, "waits.jsonl")));
    const { page } = await opened(cwd);
    const list = page.getByRole("list", { name: "Runs", exact: true });
    const scrolled = (to?: number) =>
      list.evaluate((each, top) => {
        const box = each as unknown as { scrollTop: number };
        if (top !== undefined) box.scrollTop = top;
        return box.scrollTop;
      }, to);
    await page.getByText("31 runs", { exact: true }).waitFor();
    await page.keyboard.press("j");
    await page.locator(".run-row.at").getByText("Say run-29.").waitFor();
    await scrolled(1_000);
    await page.getByText("Say run-5.").waitFor();
    await written(cwd, "newest", 90);
    await page.getByText("32 runs", { exact: true }).waitFor();
    expect(await scrolled()).toBe(1_000);
    await scrolled(0);
    await page.locator(".run-row.at").getByText("Say run-29.").waitFor();
    const status = page.getByLabel("Status");
    await status.selectOption("waiting");
    await page.getByText("1 run", { exact: true }).waitFor();
    rmSync(join(cwd, "waits.jsonl"));
    await page.getByText("0 runs", { exact: true }).waitFor();
    expect(await status.inputValue()).toBe("waiting");
  });

  it("takes keys behind a click on a box and on the slider, and names each place", async () => {
    const { page } = await opened(await aFolderOfRuns());
    for (const name of ["paid.jsonl", "waits.jsonl"])
      await page.locator(".run-row", { hasText: name }).getByRole("checkbox").click();
    await page.keyboard.press("c");
    await page.getByRole("status").getByText("The runs part at event 11").waitFor();
    expect(await page.title()).toBe("paid.jsonl and waits.jsonl – reckoner studio");
    await page.goto(`${page.url().split("#")[0]}#/run/paid.jsonl`);
    await page.getByRole("slider").click();
    expect(await page.title()).toBe("paid.jsonl – reckoner studio");
    await page.keyboard.press("4");
    await panel(page).getByText("The run is in").waitFor();
    await page.keyboard.press("t");
    await page.getByRole("heading", { name: "2 runs" }).waitFor();
    expect(await page.title()).toBe("Totals – reckoner studio");
  });
});
