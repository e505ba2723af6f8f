/** A Chromium of this machine, where it has one, and a studio to look at with it. */
import { existsSync } from "node:fs";
import { type Browser, chromium, type Locator, type Page } from "playwright-core";
import { afterAll, expect, onTestFinished } from "vitest";
import { studioApi } from "../../../../src/cli/studio/api.js";
import { type StudioJournals, studioJournals } from "../../../../src/cli/studio/journals.js";
import { type ListeningStudio, listen } from "../../../../src/cli/studio/listen.js";
import { openStudio } from "../../../../src/cli/studio/open-studio.js";
import { pageFiles } from "../../../../src/cli/studio/page.js";
import { anIo } from "../../cli/support.js";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** The path of a Chromium; `undefined` where there is none, and the tests in it are skipped. */
export const executablePath: string | undefined = [
  process.env.RECKONER_CHROMIUM ?? "",
  ...PLACES,
].find((path) => path !== "" && existsSync(path));

/**
 * A wait for what never comes fails with words, before the test's own hour is over. On two cores with eleven processes
 * that want them the longest of these tests took 26 seconds as a whole.
 */
const LONGEST_WAIT = 180_000;

/**
 * Waits until an expression holds in a page. Playwright's own `waitForFunction` looks once from outside, and then from
 * within, where the page's policy refuses it.
 */
export async function until(page: Page, expression: string): Promise<void> {
  const holds = () => page.evaluate(`Boolean(${expression})`);
  await expect.poll(holds, { timeout: LONGEST_WAIT, message: expression }).toBe(true);
}

let browser: Promise<Browser> | undefined;

/** Says that the tests of a file look at pages: they share a browser, which is closed behind the last of them. */
export function inABrowser(): void {
  afterAll(async () => {
    const own = await browser;
    browser = undefined;
    await own?.close();
  });
}

/** A page of its own, and what went wrong in it so far. */
export async function openPage(
  options: { readonly dark?: boolean; readonly width?: number } = {},
): Promise<{ readonly page: Page; readonly faults: string[] }> {
  const args = ["--no-sandbox", "--disable-background-networking"];
  browser ??= chromium.launch({ executablePath: executablePath as string, args });
  const context = await (await browser).newContext({
    viewport: { width: options.width ?? 1280, height: 820 },
    colorScheme: options.dark === true ? "dark" : "light",
  });
  context.setDefaultTimeout(LONGEST_WAIT);
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
  return { page, faults };
}

/** A page for one test; whatever goes wrong in it fails the test. */
export async function aPage(options?: Parameters<typeof openPage>[0]): Promise<Page> {
  const { page, faults } = await openPage(options);
  onTestFinished(async () => {
    await page.context().close();
    expect(faults).toEqual([]);
  });
  return page;
}

interface StudioOf {
  readonly word?: string;
  readonly config?: string;
  readonly journals?: StudioJournals;
}

/** Opens a studio over a folder, or one of its journals. @returns what closes it, too */
export async function startStudio(
  cwd: string,
  { word = ".", config, journals }: StudioOf = {},
): Promise<{ readonly studio: ListeningStudio; readonly close: () => Promise<void> }> {
  const io = anIo(cwd);
  const parts = openStudio({
    io,
    word,
    journals: journals ?? studioJournals(io, word),
    config,
  });
  const studio = await listen(pageFiles(parts.journals.only), studioApi(parts));
  const close = async () => {
    await studio.close();
    await parts.here.drain();
  };
  return { studio, close };
}

/** The same for one test. */
export async function aStudio(cwd: string, of: StudioOf = {}): Promise<ListeningStudio> {
  const { studio, close } = await startStudio(cwd, of);
  onTestFinished(close);
  return studio;
}

/** Opens the page of a studio for one test. */
export async function opened(
  cwd: string,
  { width, ...of }: StudioOf & { readonly width?: number } = {},
): Promise<{ readonly page: Page; readonly studio: ListeningStudio }> {
  const studio = await aStudio(cwd, of);
  const page = await aPage(width === undefined ? {} : { width });
  await page.goto(studio.url);
  return { page, studio };
}

export const panel = (page: Page): Locator => page.getByRole("tabpanel");
export const conversation = (page: Page): Locator =>
  page.getByRole("list", { name: "Conversation" });
