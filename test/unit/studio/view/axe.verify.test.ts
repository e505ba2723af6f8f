// In a browser of this machine: nothing that keeps people out. Skipped where there is none.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { aFolderOfRuns } from "../../cli/studio/support.js";
import { aPage, aStudio, executablePath, inABrowser } from "./browser.js";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** What axe finds that is serious, with where. */
async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  const found = await page.evaluate("axe.run().then((run) => run.violations)");
  return (found as readonly Violation[])
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`),
    );
}

describe.skipIf(executablePath === undefined)("axe finds nothing serious", () => {
  inABrowser();
  for (const dark of [false, true]) {
    it(`in any view, ${dark ? "dark" : "light"}`, async () => {
      const studio = await aStudio(await aFolderOfRuns(), { config: "payer.ts" });
      const page = await aPage({ dark });
      await page.goto(studio.url);
      await page.getByText("waits for Run the tool refund?").waitFor();
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press("?");
      await page.goto(`${studio.url}#/run/paid.jsonl?event=r1%23tool%2F2%2F0`);
      await page.getByText("Its arguments").waitFor();
      for (const name of ["Why", "Shown", "Event", "State", "Otherwise"]) {
        await page.getByRole("tab", { name }).click();
        await page.getByRole("tabpanel").locator("section").first().waitFor();
        expect(await violations(page), name).toEqual([]);
      }
      await page.goto(`${studio.url}#/compare/paid.jsonl/waits.jsonl`);
      await page.getByRole("status").waitFor();
      expect(await violations(page)).toEqual([]);
      await page.goto(`${studio.url}#/totals`);
      await page.getByRole("heading", { name: "2 runs" }).waitFor();
      expect(await violations(page)).toEqual([]);
    });
  }

  it("where it is narrow", async () => {
    const studio = await aStudio(await aFolderOfRuns());
    const page = await aPage({ width: 420 });
    await page.goto(`${studio.url}#/run/paid.jsonl?event=r1%23tool%2F2%2F0`);
    await page.getByText("Its arguments").waitFor();
    expect(await violations(page)).toEqual([]);
    const wide = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
    expect(wide).toBeLessThanOrEqual(0);
  });
});
