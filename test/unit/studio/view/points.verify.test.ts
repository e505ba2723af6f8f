// In a browser of this machine: each thing that the studio shows or does, by clicks alone and by keys alone. Skipped
// where there is none. All of them share a page, a folder and its studios.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { agent, memoryJournal, run, scriptedModel, virtualClock } from "reckoner";
import { Decisions, decisions, memoryDecisions } from "reckoner/decisions";
import { fileJournal } from "reckoner/file-journal";
import { beamSearch, thoughts } from "reckoner/thoughts";
import { copyJournal } from "reckoner/time-travel";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { asker, askerScript } from "../asker.js";
import { BEGUN, paidRun, waitingRun } from "../support.js";
import {
  conversation,
  executablePath,
  inABrowser,
  openPage,
  panel,
  startStudio,
  until,
} from "./browser.js";
import { clicks, type Hand, keys } from "./hands.js";

/** The studios over the folder: without code, with that of each agent, and with code that has changed. */
const STUDIOS = { plain: undefined, payer: "payer.ts", asker: "asker.ts", changed: "changed.ts" };

interface Point {
  readonly name: string;
  readonly studio: keyof typeof STUDIOS;
  /** The place where it begins: a journal, or `#/…`. @param by the hand's name */
  readonly at: string | ((by: string) => string);
  readonly does: (page: Page, hand: Hand) => Promise<void>;
}

const button = (page: Page, name: string | RegExp) =>
  panel(page).getByRole("button", { name }).first();
const title = (page: Page, name: string) =>
  conversation(page).getByRole("button", { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole("heading", { name }).waitFor();
const told = (page: Page, text: string | RegExp) => panel(page).getByText(text).first().waitFor();
const slid = (page: Page) => page.getByRole("slider").inputValue();

/** Makes the folder. */
async function written(folder: string): Promise<void> {
  const at = (name: string) => fileJournal(join(folder, `${name}.jsonl`));
  const clock = virtualClock(BEGUN);
  await copyJournal(await paidRun(), at("paid"));
  await copyJournal(await waitingRun(), at("waits"));
  for (const { name } of [clicks, keys]) {
    const journal = memoryJournal();
    const options = { model: askerScript(), journal, clock, runId: name };
    await run(asker(), `Ask ${name}.`, options);
    await copyJournal(journal, at(name));
  }
  const policy = beamSearch({
    rounds: 1,
    branching: 2,
    beam: 1,
    score: { by: ({ content }) => content.length },
    connect: false,
    aggregate: false,
  });
  let asked = 0;
  const thinking = scriptedModel(() => `Thought ${++asked}.`);
  await run(thoughts({ name: "thinker", policy }), "Think.", {
    model: thinking,
    journal: at("thoughts"),
  });
  const store = memoryDecisions();
  await new Decisions(store).addNode({ id: "goal", type: "goal", label: "Log in" });
  const input = { label: "Passkeys", parent_id: "goal" };
  await run(agent({ name: "planner", plugins: [decisions({ store: "d" })] }), "Decide.", {
    model: scriptedModel([{ calls: [{ name: "record_decision", input }] }, "Done."]),
    stores: { d: store },
    journal: at("decided"),
  });
  const config = (file: string, from: string, made: string) => {
    const path = JSON.stringify(join(import.meta.dirname, "..", from));
    writeFileSync(join(folder, file), `import * as of from ${path}; export default { ${made} };`);
  };
  config("payer.ts", "payer.ts", "reasoner: of.payer(), model: of.script()");
  config("changed.ts", "payer.ts", `reasoner: of.payer("You never pay."), model: of.script()`);
  config("asker.ts", "asker.ts", "reasoner: of.asker(), model: of.askerScript()");
}

const POINTS: readonly Point[] = [
  {
    name: "runs are found by words, status, agent and configuration, and opened",
    studio: "plain",
    at: "#/",
    async does(page, hand) {
      const rows = page.locator(".run-row");
      await page.getByText("6 runs", { exact: true }).waitFor();
      await page.getByText("waits for Run the tool refund?").waitFor();
      await hand.write(page.getByLabel("Search runs"), "arrived broken");
      await page.getByText("2 runs", { exact: true }).waitFor();
      await hand.pick(page.getByLabel("Status"), "done");
      await page.getByText("1 run", { exact: true }).waitFor();
      await hand.pick(page.getByLabel("Status"), "Status: any");
      await hand.write(page.getByLabel("Search runs"), "");
      await hand.pick(page.getByLabel("Agent"), "payer");
      await page.getByText("2 runs", { exact: true }).waitFor();
      const fingerprint = (await rows.first().locator("code").textContent())?.trim();
      await hand.pick(page.getByLabel("Agent"), "Agent: any");
      await hand.pick(page.getByLabel("Configuration"), `${fingerprint}…`);
      await page.getByText("2 runs", { exact: true }).waitFor();
      await hand.pick(page.getByLabel("Configuration"), "Configuration: any");
      await page.getByText("6 runs", { exact: true }).waitFor();
      if (hand === keys) await page.keyboard.press("Escape");
      await hand.open(page, "paid.jsonl");
      await conversation(page).getByText("Order A-17 arrived broken.").waitFor();
      await hand.go(page, "Runs");
      await page.getByLabel("Search runs").waitFor();
    },
  },
  {
    name: "two runs are chosen and compared, and a row leads to its event",
    studio: "plain",
    at: "#/",
    async does(page, hand) {
      for (const name of ["paid.jsonl", "waits.jsonl"]) {
        const row = page.locator(".run-row", { hasText: name });
        await hand.check(row.getByRole("checkbox"));
      }
      await hand.press(page.getByRole("link", { name: "Compare the two" }));
      await page
        .getByRole("status")
        .getByText(/^The runs part at/)
        .waitFor();
      if (hand === keys) {
        // To the first difference, to the next one, and back.
        for (const key of ["j", "j", "k"]) await page.keyboard.press(key);
        await until(page, "document.activeElement.closest('.compared-row.first') !== null");
        await page.keyboard.press("Enter");
      } else await page.locator(".compared-row.first").getByRole("link").first().click();
      await told(page, "ada approved after 1 d: Run the tool refund?");
      await page.locator(".conversation .at").first().waitFor();
      await hand.go(page, "Runs");
      for (const name of ["paid.jsonl", "waits.jsonl"]) {
        await hand.check(page.locator(".run-row", { hasText: name }).getByRole("checkbox"));
      }
    },
  },
  {
    name: "a child is opened from its card and from its lane, and left",
    studio: "plain",
    at: "paid.jsonl",
    async does(page, hand) {
      const child = conversation(page).getByText("Is A-17 clear?", { exact: true });
      await hand.press(page.getByRole("button", { name: "open the child run" }));
      await child.waitFor();
      if (hand === keys) await page.keyboard.press("Escape");
      else await page.getByRole("link", { name: "back to the parent run" }).click();
      await title(page, "refund").waitFor();
      await hand.press(page.locator(".lane-names").getByRole("button", { name: "clerk" }));
      await child.waitFor();
      expect(await page.locator("path.bar.waits").count()).toBe(1);
      expect(await page.locator(".idle").count()).toBe(1);
    },
  },
  {
    name: "a bar of the time line is chosen, of the run and of its child",
    studio: "plain",
    at: "paid.jsonl",
    async does(page, hand) {
      await hand.bar(page, /^refund was called with/);
      await told(page, "Its arguments");
      await told(page, /^refund was called with/);
      await hand.bar(page, /^read_policy was called with/, "last");
      await conversation(page).getByText("Is A-17 clear?", { exact: true }).waitFor();
      await hand.bar(page, /^ada approved after 1 d/);
      await title(page, "refund").waitFor();
      await told(page, "ada approved after 1 d: Run the tool refund?");
    },
  },
  {
    name: "four decisions at cards: approved, rejected with a reason, edited, answered",
    studio: "asker",
    at: (by) => `${by}.jsonl`,
    async does(page, hand) {
      const card = (text: string) => conversation(page).locator(".card.call", { hasText: text });
      const decide = async (
        text: string,
        first: string,
        value: string | undefined,
        now: string,
      ) => {
        const own = card(text);
        await hand.choose(own.getByRole("button", { name: /^(?:pay|choose_row)$/ }));
        await hand.press(own.getByRole("button", { name: first }));
        if (value !== undefined) await hand.write(own.getByRole("textbox"), value);
        await hand.press(own.getByRole("button", { name: now }));
        await own.locator("form").waitFor({ state: "detached" });
      };
      await decide('"order":"A"', "Approve…", undefined, "Approve now");
      await decide('"order":"B"', "Reject…", "It was whole.", "Reject now");
      await decide('"order":"C"', "Approve…", '{"order":"C","amount":3}', "Approve now");
      await decide("choose_row", "Answer…", '{"row":7}', "Answer now");
      for (const text of ["paid 5 for A", "It was whole.", "paid 3 for C", '{"row":7}'])
        await conversation(page).getByText(text).first().waitFor();
      await conversation(page).getByText("All is decided.").first().waitFor();
    },
  },
  {
    name: "the slider goes through all events, with changes, directives and what settled them",
    studio: "plain",
    at: "paid.jsonl",
    async does(page, hand) {
      await hand.slide(page, "first");
      expect(await slid(page)).toBe("0");
      await hand.slide(page, "next");
      await hand.slide(page, "next");
      await hand.slide(page, "back");
      expect(await slid(page)).toBe("1");
      await hand.show(page, "Event");
      await told(page, "context.iteration");
      await hand.press(panel(page).locator("summary", { hasText: "look_up_order" }));
      await told(page, '"orderId": "A-17"');
      await hand.press(
        panel(page).locator("summary", { hasText: "look_up_order" }).getByRole("button"),
      );
      await told(page, "It settles tool");
      await hand.slide(page, "last");
      expect(await slid(page)).toBe(await page.getByRole("slider").getAttribute("max"));
    },
  },
  {
    name: "pictures of the agent and of its states lead to events",
    studio: "plain",
    at: "paid.jsonl",
    async does(page, hand) {
      await hand.show(page, "State");
      const node = (of: string, name: RegExp) =>
        panel(page).getByRole("group", { name: of }).getByRole("button", { name }).first();
      await hand.press(node("This agent", /^refund/));
      await told(page, /^refund was called with/);
      await hand.show(page, "State");
      await hand.press(panel(page).locator("summary", { hasText: "Statechart of every agent" }));
      expect(await panel(page).locator("svg .node").count()).toBeGreaterThan(3);
      await hand.press(node("Statechart", /^thinking/));
      await told(page, "The run is in thinking");
    },
  },
  {
    name: "a thought leads to the call that it was read from, and to its causes",
    studio: "plain",
    at: "thoughts.jsonl",
    async does(page, hand) {
      await hand.show(page, "State");
      const drawn = panel(page).getByRole("group", { name: "Thoughts" });
      await hand.press(drawn.getByRole("button", { name: /Thought 1/ }));
      await told(page, /^the model .* was asked \(llm\/.+\) and answered/);
      await hand.press(button(page, /^the run began: Think\./));
      await told(page, "What came of it");
      await hand.show(page, "State");
      await hand.slide(page, "last");
      await hand.press(panel(page).locator("summary", { hasText: "thoughts, each with" }));
      await told(page, /^score 10/);
    },
  },
  {
    name: "a decision of a graph leads to the event that wrote it",
    studio: "plain",
    at: "decided.jsonl",
    async does(page, hand) {
      await hand.show(page, "State");
      const last = await slid(page);
      const drawn = panel(page).getByRole("group", { name: "Decisions in d" });
      await hand.press(drawn.getByRole("button", { name: /Passkeys/ }));
      await page.getByText(/: write\.succeeded$/).waitFor();
      expect(Number(await slid(page))).toBeLessThan(Number(last));
    },
  },
  {
    name: "an argument leads to its source, a request to its blocks, a block to its cause",
    studio: "plain",
    at: "paid.jsonl",
    async does(page, hand) {
      await hand.choose(title(page, "refund"));
      await hand.show(page, "Why");
      await told(page, "Its arguments");
      await hand.press(button(page, "What the model had been shown"));
      await told(page, /blocks, of which \d+ are as in/);
      await hand.press(button(page, "show all"));
      await hand.press(button(page, /^the result of look_up_order/));
      await told(page, /^look_up_order was called with/);
      await hand.choose(title(page, "refund"));
      await hand.show(page, "Why");
      await hand.press(button(page, /^the run's input/));
      await told(page, /^the run began: Order A-17/);
      await hand.choose(title(page, "refund"));
      await hand.show(page, "Why");
      await hand.press(button(page, /^ada approved after 1 d/));
      await told(page, "How it came to that");
      await hand.show(page, "Shown");
      await hand.press(button(page, /^llm\//));
      await told(page, /blocks/);
    },
  },
  {
    name: "otherwise: today's code, another decision, other arguments, another answer",
    studio: "payer",
    at: "paid.jsonl",
    async does(page, hand) {
      await hand.press(conversation(page).getByRole("button", { name: "ada approved after 1 d" }));
      await hand.show(page, "Otherwise");
      await hand.press(button(page, "What would today's code do?"));
      await told(page, "It asks for the same, and ends the same.");
      await hand.press(button(page, "rejected"));
      await told(page, /^The first difference: refund with .* is not asked for any more/);
      await told(page, "was never recorded: it would be asked");
      const field = panel(page).getByRole("textbox");
      await hand.write(field, (await field.inputValue()).replace("300", "30"));
      await hand.press(button(page, "What then?"));
      await told(page, /It asks for refund with .*"amount":30,/);
      await told(page, /approved with .*"amount":30/);
      await hand.choose(title(page, "look_up_order"));
      await hand.show(page, "Otherwise");
      await hand.write(panel(page).getByRole("textbox"), '{"total":1}');
      await hand.press(button(page, "What then?"));
      await told(page, '→ {"total":1}');
      await hand.write(panel(page).getByRole("spinbutton"), "5000");
      await told(page, "This costs money.");
    },
  },
  {
    name: "a folder: totals, groups of differences with counts, and their runs",
    studio: "changed",
    at: "#/",
    async does(page, hand) {
      await page.getByText("6 runs", { exact: true }).waitFor();
      await hand.go(page, "Totals");
      await heading(page, "6 runs");
      await page.getByRole("rowheader", { name: "Tokens" }).waitFor();
      await hand.press(page.getByRole("button", { name: "Check all runs" }));
      await page.getByText("6 of 6 checked").waitFor();
      const group = page.locator("details.group", { hasText: "the system prompt" }).first();
      await hand.press(group.locator("summary"));
      expect(await group.locator("summary").textContent()).toMatch(/^2 ×/);
      await hand.press(group.getByRole("link", { name: "paid.jsonl" }));
      await told(page, /^The first difference: an answer of the model/);
    },
  },
  {
    name: "themes, the keys' own list, and the tabs as a list of tabs",
    studio: "plain",
    at: "paid.jsonl",
    async does(page, hand) {
      await hand.pick(page.getByLabel("Theme"), "dark");
      await until(page, "document.documentElement.dataset.theme === 'dark'");
      await hand.pick(page.getByLabel("Theme"), "as the system");
      const helps = page.getByRole("button", { name: "Keys ?" });
      await hand.press(helps);
      await page.getByRole("region", { name: "Keys" }).waitFor();
      if (hand === keys) await page.keyboard.press("Escape");
      else await helps.click();
      await page.getByRole("region", { name: "Keys" }).waitFor({ state: "detached" });
      await hand.choose(title(page, "refund"));
      await hand.show(page, "Why");
      if (hand !== keys) return;
      await page.keyboard.press("Shift+Tab");
      for (const name of ["Shown", "Event"]) {
        await page.keyboard.press("ArrowRight");
        await page.getByRole("tab", { name, selected: true }).waitFor();
      }
    },
  },
];

describe.skipIf(executablePath === undefined)("the studio's points", () => {
  const folder = mkdtempSync(join(tmpdir(), "reckoner-studio-"));
  const urls = new Map<string, string>();
  const closing: (() => Promise<void>)[] = [];
  let page: Page;
  let faults: string[];
  inABrowser();
  beforeAll(async () => {
    await written(folder);
    for (const [name, config] of Object.entries(STUDIOS)) {
      const { studio, close } = await startStudio(folder, config === undefined ? {} : { config });
      urls.set(name, studio.url);
      closing.push(close);
    }
    ({ page, faults } = await openPage());
  });
  afterAll(async () => {
    for (const close of closing) await close();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const hand of [clicks, keys]) {
    for (const { name, studio, at, does } of POINTS) {
      it(`${name}: ${hand.name}`, async () => {
        const place = typeof at === "string" ? at : at(hand.name);
        const hash = place.startsWith("#") ? place : `#/run/${encodeURIComponent(place)}`;
        await page.goto(`${urls.get(studio)}${hash}`);
        if (!place.startsWith("#")) await conversation(page).waitFor();
        await does(page, hand);
        expect(faults).toEqual([]);
      });
    }
  }
});
