// In a browser of this machine: runs in files that grow or are damaged, in stores, at hosts, in one page; and what
// the page says where one is not there. Skipped where there is none.
import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileJournal } from "reckoner/file-journal";
import { postgresJournals } from "reckoner/postgres";
import { copyJournal } from "reckoner/time-travel";
import { describe, expect, it, onTestFinished } from "vitest";
import { openStores } from "../../../../src/cli/store/open-stores.js";
import { studioJournals } from "../../../../src/cli/studio/journals.js";
import { dropAfterwards, freshSchema, server, testPostgres } from "../../../support/postgres.js";
import { aHost } from "../../cli/studio/host.js";
import { aFolderOfRuns } from "../../cli/studio/support.js";
import { aFolder, anIo, called } from "../../cli/support.js";
import { paidRun, waitingRun } from "../support.js";
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

describe.skipIf(executablePath === undefined)("the sources of a studio in a browser", () => {
  inABrowser();
  it("has an address for each event, which leads there again", async () => {
    const { page } = await opened(await aFolderOfRuns(), { word: "paid.jsonl" });
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

  it("says of an address that no journal has it, and waits for nothing", async () => {
    const { page } = await opened(await aFolderOfRuns());
    await page.locator(".run-row").first().waitFor();
    const base = page.url().split("#")[0];
    await page.goto(`${base}#/run/gone.jsonl`);
    await page.getByRole("alert").getByText("does not show a journal gone.jsonl").waitFor();
    expect(await page.getByText("has no event yet").count()).toBe(0);
    await page.goto(`${base}#/compare/paid.jsonl/gone.jsonl`);
    await page.getByRole("alert").getByText("does not show a journal gone.jsonl").waitFor();
    // And where both were read to their ends, it is said as well.
    await page.goto(`${base}#/run/paid.jsonl`);
    await conversation(page).getByText("Order A-17 arrived broken.").waitFor();
    await page.getByText("Reading", { exact: false }).waitFor({ state: "detached" });
    await page.goto(`${base}#/compare/gone.jsonl/paid.jsonl`);
    await page.getByRole("alert").getByText("does not show a journal gone.jsonl").waitFor();
    expect(await page.getByRole("alert").count()).toBe(1);
  });

  it("follows a link to any place, and says of one that is none", async () => {
    const { page } = await opened(await aFolderOfRuns());
    await page.locator(".run-row").first().waitFor();
    const base = page.url().split("#")[0];
    const slider = page.getByRole("slider");
    for (const [link, seq] of [
      ["seq=0", "0"],
      ["seq=13", "13"],
      ["seq=14", "13"],
      ["seq=99999999999999999999", "13"],
      ["seq=-1", "13"],
      ["seq=NaN&path=__proto__", "13"],
      ["seq=2&path=tool/9/9", "2"],
      ["seq=3&event=__proto__", "3"],
      ["seq=4&event=r1%23tool%2F9&tab=shown", "4"],
      ["seq=5&event=nothing&tab=otherwise", "5"],
      ["tab=state&seq=6", "6"],
      ["tab=constructor&seq=7", "7"],
    ]) {
      await page.goto(`${base}#/run/paid.jsonl?${link}`);
      await page.getByText(new RegExp(`^event ${seq} of 13:`)).waitFor();
      expect(await slider.inputValue(), link).toBe(seq);
      await conversation(page).getByText("Order A-17 arrived broken.").waitFor();
    }
    for (const link of ["run/", "run/__proto__", "run/%E0%A4%A", "compare/paid.jsonl"]) {
      await page.goto(`${base}#/${link}`);
      await page.getByRole("alert").first().waitFor();
    }
    await page.goto(`${base}#/nowhere/at?all`);
    await page.locator(".run-row").first().waitFor();
  });

  it("says of a journal that was cut or taken away while it is looked at", async () => {
    const cwd = await aFolderOfRuns();
    const file = join(cwd, "paid.jsonl");
    const lines = readFileSync(file, "utf8").split("\n");
    const { page } = await opened(cwd, { word: "paid.jsonl" });
    await page.getByText(/^event 13 of 13:/).waitFor();
    writeFileSync(file, `${lines.slice(0, 8).join("\n")}\n`);
    await page.getByText(/^event \d of \d:/).waitFor();
    rmSync(file);
    await page.getByRole("alert").first().waitFor();
    await conversation(page).getByText("Order A-17 arrived broken.").waitFor();
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

  it("says that its server has gone, and keeps what it had", async () => {
    const { page, studio } = await opened(await aFolderOfRuns(), { word: "paid.jsonl" });
    await conversation(page).waitFor();
    await studio.close();
    // Neither the list nor the journal takes the other's word for it.
    for (const asked of ["api/runs", "api/journal", "api/runs"]) {
      await page.waitForEvent("requestfailed", (request) => request.url().includes(asked));
      await until(page, "document.querySelector('[role=alert]')");
      expect(await page.getByRole("alert").allInnerTexts()).toEqual([
        expect.stringMatching(/^The server does not answer/),
      ]);
    }
    await page.getByText("Order A-17 arrived broken.").first().waitFor();
    await page.getByRole("button", { name: "refund", exact: true }).last().click();
    await panel(page).getByText("Its arguments").waitFor();
    // Of a run that was never read nothing is said.
    await page.goto(`${page.url().split("#")[0]}#/run/waits.jsonl`);
    await page.waitForEvent("requestfailed", (request) => request.url().includes("waits.jsonl"));
    await page.getByText("Reading the journal…").waitFor();
    expect(await page.getByText("has no event yet").count()).toBe(0);
  });

  it("says that a host has gone, and keeps what it had read", async () => {
    const { journals, close } = await aHost();
    const studio = await aStudio(aFolder(), { word: "the host", journals });
    const page = await aPage();
    await page.goto(studio.url);
    await page.getByText("waits for Run the tool refund?").waitFor();
    await page.keyboard.press("Enter");
    await conversation(page).getByText("I look.").waitFor();
    await close();
    await page
      .getByRole("alert")
      .getByText(/^The host http.* does not answer/)
      .first()
      .waitFor();
    // The list says it as well, and it stands there once.
    await page.getByRole("alert").getByText("This is what was read until now.").waitFor();
    expect(await page.getByRole("alert").count()).toBe(1);
    await conversation(page).getByText("I look.").waitFor();
    await page.getByRole("button", { name: "look_up_order", exact: true }).click();
    await panel(page).getByText("Its arguments").waitFor();
  });

  it("says why its code cannot be loaded, shows the runs, and takes the code that was mended", async () => {
    const cwd = await aFolderOfRuns();
    const code = readFileSync(join(cwd, "payer.ts"), "utf8");
    writeFileSync(join(cwd, "broken.ts"), "export default { reasoner: nothing.here };");
    const studio = await aStudio(cwd, { word: "paid.jsonl", config: "broken.ts" });
    const page = await aPage();
    await page.goto(studio.url);
    await page.getByText("Order A-17 arrived broken.").first().waitFor();
    await page
      .getByRole("alert")
      .getByText(/nothing is not defined/)
      .waitFor();
    expect(await page.getByText("The server does not answer").count()).toBe(0);
    writeFileSync(join(cwd, "broken.ts"), code);
    await page.getByRole("alert").waitFor({ state: "detached" });
    await page.keyboard.press("5");
    await panel(page).getByRole("button", { name: "What would today's code do?" }).click();
    await panel(page).getByText("It asks for the same, and ends the same.").waitFor();
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
    await page.getByRole("tab", { name: "Otherwise" }).click();
    await panel(page).getByText("start the studio with").waitFor();
    await page.goto(`file://${join(cwd, "page.html")}#/run/damaged.jsonl`);
    await page.getByRole("alert").getByText("does not hold the journal damaged.jsonl").waitFor();
    expect(asked.filter((url) => !url.startsWith("file:"))).toEqual([]);
  });

  it("shows the runs of a store in Postgres, and why one paid", async (test) => {
    const postgres = await testPostgres();
    onTestFinished(() => postgres.close());
    if (postgres.kind !== "server")
      return test.skip(
        "the studio opens a store by its URL, which only a server has: none answers",
      );
    const schema = freshSchema();
    dropAfterwards(postgres.client, schema);
    const store = postgresJournals({ client: postgres.client, schema });
    await copyJournal(await paidRun(), store.journal("paid"));
    await copyJournal(await waitingRun(), store.journal("waits"));
    const { user, host, port, database } = server;
    const word = `postgres://${user}@${host}:${port}/${database}?schema=${schema}`;
    const cwd = aFolder();
    const stores = await openStores(anIo(cwd), "studio", [word]);
    onTestFinished(() => stores.close());
    const io = { ...anIo(cwd), stores };
    const studio = await aStudio(cwd, { word, journals: studioJournals(io, word) });
    const page = await aPage();
    await page.goto(studio.url);
    await page.getByText("2 runs", { exact: true }).waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "refund", exact: true }).last().click();
    await panel(page).getByText("Its arguments").waitFor();
    await page.locator(".run-head").getByText("done").waitFor();
  });
});
