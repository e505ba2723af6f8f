// In a browser of this machine: texts that models, tools and files chose to do harm. Skipped where there is none.
import { join } from "node:path";
import {
  agent,
  agentTool,
  memoryJournal,
  resume,
  run,
  scriptedModel,
  tool,
  virtualClock,
} from "reckoner";
import { fileJournal } from "reckoner/file-journal";
import { copyJournal } from "reckoner/time-travel";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { aFolder } from "../../cli/support.js";
import { BEGUN } from "../support.js";
import {
  aPage,
  aStudio,
  conversation,
  executablePath,
  inABrowser,
  opened,
  panel,
  until,
} from "./browser.js";

const HIDDEN = "\u202E\u001b";

describe.skipIf(executablePath === undefined)("hostile text in a browser", () => {
  inABrowser();
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
      input: name === "child" ? input : { [bad]: bad },
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
    const { page } = await opened(cwd);
    await page.locator(".run-row").getByText("<img src=x").first().waitFor();
    await page.keyboard.press("Enter");
    await conversation(page).getByText("rejected after").waitFor();
    for (let i = 0; i < 8; i++) {
      await page.keyboard.press("j");
      for (const key of ["1", "2", "3", "4", "5"]) {
        await page.keyboard.press(key);
        await until(page, "new Promise((drawn) => requestAnimationFrame(() => drawn(true)))");
        // In no text, and in no attribute that a person or a reader of screens is told.
        const whole = await page.evaluate<string>("document.documentElement.outerHTML");
        expect([...HIDDEN].filter((each) => whole.includes(each))).toEqual([]);
      }
      expect(await page.locator("img, script:not([src]), iframe").count()).toBe(0);
    }
    await page.goto(`${page.url().split("#")[0]}#/totals`);
    await page.getByRole("heading", { name: "1 run" }).waitFor();
    const shown = (await page.locator("body").textContent()) ?? "";
    expect([...HIDDEN].filter((each) => shown.includes(each))).toEqual([]);
    expect(await page.locator("img, script:not([src]), iframe").count()).toBe(0);
  });
});
