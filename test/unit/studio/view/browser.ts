/** A Chromium of this machine, where it has one, and a studio to look at with it. */
import { existsSync } from "node:fs";
import { chromium, type Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { studioApi } from "../../../../src/cli/studio/api.js";
import { type StudioJournals, studioJournals } from "../../../../src/cli/studio/journals.js";
import { listen } from "../../../../src/cli/studio/listen.js";
import { openStudio } from "../../../../src/cli/studio/open-studio.js";
import { pageFiles } from "../../../../src/cli/studio/page.js";
import { anIo } from "../../cli/support.js";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** The path of a Chromium; `undefined` where there is none, and the tests in it are skipped. */
export const executablePath: string | undefined = [
  process.env.RECKONER_CHROMIUM ?? "",
  ...PLACES,
].find((path) => path !== "" && existsSync(path));

/** A page of a Chromium of its own; whatever goes wrong in it fails the test. */
export async function aPage(
  options: { readonly dark?: boolean; readonly width?: number } = {},
): Promise<Page> {
  const args = ["--no-sandbox", "--disable-background-networking"];
  const browser = await chromium.launch({ executablePath: executablePath as string, args });
  onTestFinished(() => browser.close());
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1280, height: 820 },
    colorScheme: options.dark === true ? "dark" : "light",
  });
  // However busy the machine is.
  context.setDefaultTimeout(600_000);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("dialog", (dialog) => {
    faults.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("console", (said) => {
    // A server that went away is what a test may be about.
    if (said.type() === "error" && !said.text().includes("Failed to load resource"))
      faults.push(said.text());
  });
  onTestFinished(async () => {
    await context.close();
    expect(faults).toEqual([]);
  });
  return page;
}

/** A studio over a folder, or one of its journals. */
export async function aStudio(
  cwd: string,
  {
    word = ".",
    config,
    journals,
  }: { readonly word?: string; readonly config?: string; readonly journals?: StudioJournals } = {},
) {
  const io = anIo(cwd);
  const parts = openStudio({
    io,
    word,
    journals: journals ?? studioJournals(io, word),
    config,
  });
  const studio = await listen(pageFiles(), studioApi(parts));
  onTestFinished(async () => {
    await studio.close();
    await parts.here.drain();
  });
  return studio;
}
