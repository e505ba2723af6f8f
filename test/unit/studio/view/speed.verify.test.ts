// In a browser of this machine: what long runs cost is counted, and no clock is looked at. Skipped where there is none.
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  agent,
  type JournalPort,
  memoryJournal,
  run,
  scriptedModel,
  tool,
  virtualClock,
} from "reckoner";
import { fileJournal } from "reckoner/file-journal";
import { copyJournal } from "reckoner/time-travel";
import { describe, expect, it } from "vitest";
import { type StudioJournals, studioJournals } from "../../../../src/cli/studio/journals.js";
import { aFolderOfRuns } from "../../cli/studio/support.js";
import { aFolder, anIo } from "../../cli/support.js";
import { BEGUN } from "../support.js";
import { aPage, aStudio, executablePath, inABrowser, until } from "./browser.js";

/** Writes a run of so many answers with 99 calls each. */
async function aLongRun(file: string, answers: number): Promise<void> {
  const look = tool({ name: "look", execute: () => "seen" });
  const calls = Array.from({ length: 99 }, () => ({ name: "look", input: {} }));
  const model = scriptedModel((_request, turn) => (turn < answers ? { calls } : "That is all."));
  const looker = agent({ name: "looker", tools: [look], maxIterations: answers + 1 });
  const journal = memoryJournal();
  await run(looker, "Look.", { model, journal, clock: virtualClock(BEGUN) });
  await copyJournal(journal, fileJournal(file));
}

/** Journals of which no more than their beginning is given, until it goes on. */
function stopped(cwd: string, word: string): { journals: StudioJournals; goOn: () => void } {
  const own = studioJournals(anIo(cwd), word);
  let goOn = () => {};
  const isTime = new Promise<void>((done) => {
    goOn = done;
  });
  const open = (name: string): JournalPort => {
    const port = own.open(name);
    return {
      ...port,
      async *read(from) {
        let size = 0;
        for await (const piece of port.read(from)) {
          const half = piece.length >> 1;
          yield piece.subarray(0, half);
          size += half;
          if (size > 100_000) await isTime;
          yield piece.subarray(half);
        }
      },
    };
  };
  return { journals: { ...own, open }, goOn };
}

/** A page whose script is told of no frame, and what it is told of being seen: as one that is hidden while it reads. */
const unpainted = (state: "visible" | "hidden") => `
  globalThis.requestAnimationFrame = () => 0;
  Object.defineProperty(document, "visibilityState", { get: () => "${state}" });`;

/** Moves the slider, and tells where an element was drawn meanwhile. */
const MOVED = `(async () => {
  const drawn = [];
  const take = (all) => {
    for (const { addedNodes, target } of all)
      if (addedNodes.length > 0) drawn.push(target.outerHTML.slice(0, 80));
  };
  const watch = new MutationObserver(take);
  for (const each of document.querySelectorAll(".time-line, .conversation"))
    watch.observe(each, { childList: true, subtree: true });
  const slider = document.querySelector("input[type=range]");
  for (const at of [900, 500, 100, 700]) {
    slider.value = String(at);
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    await new Promise((done) => requestAnimationFrame(done));
  }
  take(watch.takeRecords());
  return drawn;
})()`;

describe.skipIf(executablePath === undefined)("a long run in a browser", () => {
  inABrowser();
  it("draws cards for what is in sight, and no bar anew while the slider moves", async () => {
    const cwd = aFolder();
    await aLongRun(join(cwd, "long.jsonl"), 10);
    const studio = await aStudio(cwd, { word: "long.jsonl" });
    const page = await aPage();
    await page.goto(studio.url);
    await page.getByText(/^event 10\d\d of 10\d\d:/).waitFor();
    // A row of 24 cards is taller than the list: one is drawn beyond each of its edges.
    expect(await page.locator(".card").count()).toBeLessThan(24 * 5);
    const added = await page.evaluate(MOVED);
    expect(added).toEqual([]);
    expect(await page.getByText(/^event 700 of/).count()).toBe(1);
  });

  it("shows its beginning before its end was read", async () => {
    const cwd = aFolder();
    await aLongRun(join(cwd, "long.jsonl"), 10);
    const { journals, goOn } = stopped(cwd, "long.jsonl");
    const studio = await aStudio(cwd, { word: "long.jsonl", journals });
    const page = await aPage();
    await page.goto(studio.url);
    await page.getByText("Look.", { exact: true }).first().waitFor();
    await page.getByText("reading more…").waitFor();
    expect(Number(await page.getByRole("slider").getAttribute("max"))).toBeLessThan(800);
    // The list of runs does not wait for it either.
    await page.keyboard.press("g");
    await page.locator(".run-row").first().waitFor();
    await page.goBack();
    goOn();
    await page.getByText(/^event 10\d\d of 10\d\d:/).waitFor();
    await page.getByText("reading more…").waitFor({ state: "detached" });
  });

  it("keeps nobody from following another one while it is read", async () => {
    const cwd = await aFolderOfRuns();
    await aLongRun(join(cwd, "long.jsonl"), 10);
    const { journals, goOn } = stopped(cwd, ".");
    const studio = await aStudio(cwd, { journals });
    const page = await aPage();
    await page.goto(`${studio.url}#/run/long.jsonl`);
    await page.getByText("reading more…").waitFor();
    // It is looked at again between two looks at the list.
    for (let look = 0; look < 2; look++) await page.waitForRequest(/api\/runs/);
    await page.goto(`${studio.url}#/run/waits.jsonl`);
    await page.getByText("I look.").first().waitFor();
    const [begun, whole] = ["waits", "paid"].map((name) =>
      readFileSync(join(cwd, `${name}.jsonl`), "utf8"),
    ) as [string, string];
    appendFileSync(join(cwd, "waits.jsonl"), whole.slice(begun.length));
    await page.getByText("event 13 of 13:").waitFor();
    goOn();
  });

  it("is compared once it was read to its end: before, the rest would be the other's alone", async () => {
    const cwd = aFolder();
    await aLongRun(join(cwd, "long.jsonl"), 10);
    await aLongRun(join(cwd, "other.jsonl"), 10);
    const { journals, goOn } = stopped(cwd, ".");
    const studio = await aStudio(cwd, { journals });
    const page = await aPage();
    for (const name of ["long.jsonl", "other.jsonl"]) {
      await page.goto(`${studio.url}#/run/${name}`);
      await page.getByRole("heading", { name: "Look." }).waitFor();
      await until(page, `document.title.startsWith("${name}")`);
      await page.getByText("reading more…").waitFor();
    }
    await page.goto(`${studio.url}#/compare/long.jsonl/other.jsonl`);
    await page.getByText("Reading the two runs…").waitFor();
    goOn();
    await page.getByRole("status").getByText("The two runs are the same").waitFor();
  });

  for (const state of ["visible", "hidden"] as const) {
    it(`is read to its end where nothing is painted, and the page is ${state}`, async () => {
      const cwd = aFolder();
      await aLongRun(join(cwd, "long.jsonl"), 10);
      const studio = await aStudio(cwd, { word: "long.jsonl" });
      const page = await aPage();
      await page.addInitScript(unpainted(state));
      await page.goto(studio.url);
      await page.getByText(/^event 10\d\d of 10\d\d:/).waitFor();
      await page.getByText("reading more…").waitFor({ state: "detached" });
    });
  }
});
