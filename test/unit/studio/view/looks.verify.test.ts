// In a browser of this machine: the look of a page, in both themes, narrow and wide. Skipped where there is none.
import { describe, expect, it } from "vitest";
import { aFolderOfRuns } from "../../cli/studio/support.js";
import { conversation, executablePath, inABrowser, opened, panel, until } from "./browser.js";

describe.skipIf(executablePath === undefined)("the look of a page in a browser", () => {
  inABrowser();
  it("shows a run as a conversation, and its child as another", async () => {
    const { page } = await opened(await aFolderOfRuns(), { word: "paid.jsonl" });
    await conversation(page).getByText("ada approved after 1 d").waitFor();
    await conversation(page)
      .getByText('"paid 300 for A-17"')
      .or(conversation(page).getByText("paid 300 for A-17"))
      .first()
      .waitFor();
    // The child's begins at its beginning, wherever the parent's was scrolled to.
    await page.setViewportSize({ width: 1280, height: 400 });
    await conversation(page).getByRole("button", { name: "refund", exact: true }).hover();
    const scrolled = () =>
      conversation(page).evaluate((each) => (each as unknown as { scrollTop: number }).scrollTop);
    await conversation(page).getByRole("button", { name: "open the child run" }).click();
    await conversation(page).getByText("Is A-17 clear?").waitFor();
    expect(await scrolled()).toBe(0);
    await page.setViewportSize({ width: 1280, height: 820 });
    await page.getByRole("link", { name: "back to the parent run" }).click();
    await conversation(page).getByText("Order A-17 arrived broken.").waitFor();
    expect(await page.locator(".lane-names button").count()).toBe(2);
    await page.locator(".bar.waits").first().hover();
    expect(await page.locator(".lanes").getAttribute("title")).toBe(
      "ada approved after 1 d: Run the tool refund? (waiting): 1 d",
    );
    await page.locator(".bar.waits").first().click();
    await panel(page).getByText("ada approved after 1 d: Run the tool refund?").first().waitFor();
  });

  it("comes into sight where the page is narrow, and breaks no number", async () => {
    const cwd = await aFolderOfRuns();
    const { page } = await opened(cwd, { width: 390 });
    await page.getByText("Order A-17 arrived broken.").first().click();
    await page.getByRole("button", { name: "look_up_order", exact: true }).click();
    await panel(page).getByText("Its arguments").waitFor();
    await until(
      page,
      "document.getElementById('panel').getBoundingClientRect().top < innerHeight / 2",
    );
    await page.goto(`${page.url().split("#")[0]}#/totals`);
    await page.getByRole("heading", { name: "2 runs" }).waitFor();
    const broken = await page.evaluate(`[...document.querySelectorAll("td:not(:last-child)")]
      .filter((cell) => !cell.textContent.includes(" ") && cell.offsetHeight > 36).length`);
    expect(broken).toBe(0);
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
  });

  it("draws pictures anew in the theme that is chosen", async () => {
    const { page } = await opened(await aFolderOfRuns(), { word: "paid.jsonl" });
    await conversation(page).waitFor();
    await page.keyboard.press("4");
    const ground = `getComputedStyle(document.querySelector("[aria-label='This agent'] svg .node :is(rect, path)")).fill`;
    await panel(page).locator("svg .node").first().waitFor();
    const light = await page.evaluate(ground);
    await page.getByLabel("Theme").selectOption("dark");
    await until(page, `${ground} !== ${JSON.stringify(light)}`);
  });
});
