// In a browser of this machine: decisions at a card, and the doors that they go through. Skipped where there is none.
import { describe, it } from "vitest";
import { aHost } from "../../cli/studio/host.js";
import { aFolderOfRuns } from "../../cli/studio/support.js";
import { aFolder } from "../../cli/support.js";
import { aPage, aStudio, executablePath, inABrowser, opened } from "./browser.js";

describe.skipIf(executablePath === undefined)("a decision at a card in a browser", () => {
  inABrowser();
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
    const { page } = await opened(await aFolderOfRuns(), {
      word: "waits.jsonl",
      config: "payer.ts",
    });
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
    const { page } = await opened(await aFolderOfRuns(), { word: "waits.jsonl" });
    await page.getByText("To decide here, start the studio with").waitFor();
    await page.getByText("reckoner resume waits.jsonl --approve approval/2/0").waitFor();
  });
});
