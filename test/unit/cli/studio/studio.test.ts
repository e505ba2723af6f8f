import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileJournal } from "reckoner/file-journal";
import { copyJournal } from "reckoner/time-travel";
import { describe, expect, it } from "vitest";
import type { Embedded, Listed } from "../../../../src/studio/live/index.js";
import { paidRun } from "../../studio/support.js";
import { aFolder, called } from "../support.js";
import { aFolderOfRuns, anApi, textOf } from "./support.js";

describe("the studio's interface", () => {
  it("lists runs, and the journals that cannot be read", async () => {
    const { json } = await anApi();
    const { runs, unread } = await json<Listed>("GET", "runs");
    expect(runs.map(({ journal, status }) => [journal, status])).toEqual([
      ["paid.jsonl", "done"],
      ["waits.jsonl", "waiting"],
    ]);
    expect(runs[1]?.approvals[0]?.title).toBe("Run the tool refund?");
    expect(runs[0]?.fingerprint).toMatch(/^[\w-]{32}$/);
    expect(unread.map(({ journal, code }) => [journal, code])).toEqual([
      ["damaged.jsonl", "journal.chain"],
    ]);
  });

  it("reads a large folder part by part, and no journal again that is as it was", async () => {
    const { cwd, json } = await anApi();
    for (let i = 0; i < 120; i++) cpSync(join(cwd, "waits.jsonl"), join(cwd, `w${i}.jsonl`));
    const answers: Listed[] = [];
    for (let i = 0; i < 4; i++) answers.push(await json<Listed>("GET", "runs"));
    const [last, again] = answers.slice(-2);
    expect(answers.map(({ runs, unread }) => runs.length + unread.length)).toEqual([
      25, 75, 123, 123,
    ]);
    expect(answers.map(({ pending }) => pending)).toEqual([98, 48, undefined, undefined]);
    expect(again?.runs).toEqual(last?.runs);
  });

  it("gives a journal's bytes as they are, from any of them on, and no other file", async () => {
    const { cwd, call } = await anApi();
    await call("GET", "runs");
    const bytes = readFileSync(join(cwd, "paid.jsonl"), "utf8");
    expect(await textOf(await call("GET", "journal?name=paid.jsonl"))).toBe(bytes);
    expect(await textOf(await call("GET", "journal?name=paid.jsonl&from=100"))).toBe(
      bytes.slice(100),
    );
    for (const from of ["-5", "1.5", "NaN", "1e300"]) {
      expect(await textOf(await call("GET", `journal?name=paid.jsonl&from=${from}`))).toBe(bytes);
    }
    expect(await textOf(await call("GET", "journal?name=paid.jsonl&from=99999999"))).toBe("");
    for (const name of ["payer.ts", "../paid.jsonl", "/etc/passwd", ""]) {
      await expect(call("GET", `journal?name=${encodeURIComponent(name)}`)).rejects.toMatchObject({
        code: "journal.missing",
      });
    }
    await expect(call("GET", "journal?name=paid.jsonl&link=../../x")).rejects.toThrow();
  });

  it("refuses what needs code where none was named", async () => {
    const { json, call } = await anApi();
    await expect(json("POST", "otherwise", { journal: "paid.jsonl" })).rejects.toThrow(
      "--config FILE",
    );
    await expect(call("POST", "check", {}).then(textOf)).rejects.toThrow("--config FILE");
    await expect(json("POST", "otherwise", { set: 1 })).rejects.toMatchObject({
      code: "option.invalid",
    });
    await expect(json("GET", "nothing")).rejects.toThrow("does not know");
  });
});

describe("reckoner studio --html", () => {
  const dataIn = (page: string): Embedded => {
    const [, text = ""] =
      /<script type="application\/json" id="studio-data">(.*?)<\/script>/s.exec(page) ?? [];
    return JSON.parse(text) as Embedded;
  };

  it("writes one page with its journals in it, cut where it is told to", async () => {
    const cwd = await aFolderOfRuns();
    const { code } = await called(cwd, ["studio", ".", "--html", "page.html"]);
    expect(code).toBe(0);
    const page = readFileSync(join(cwd, "page.html"), "utf8");
    const data = dataIn(page);
    expect(Object.keys(data.journals)).toEqual(["paid.jsonl", "waits.jsonl"]);
    expect(data.journals["paid.jsonl"]).toBe(readFileSync(join(cwd, "paid.jsonl"), "utf8"));
    expect(data.listed.unread.map(({ journal }) => journal)).toEqual(["damaged.jsonl"]);
    expect(data.about).toMatchObject({ kind: "file", code: false, decides: "no" });
    expect(page).toMatch(/script-src 'sha256-[^']+'; style-src 'sha256-[^']+'/);
    expect(page).not.toMatch(/<(?:script|link|img)[^>]+(?:src|href)=/);
    await called(cwd, ["studio", ".", "--html", "page.html", "--run", "paid.jsonl", "--at", "2"]);
    const cut = dataIn(readFileSync(join(cwd, "page.html"), "utf8"));
    expect(Object.keys(cut.journals)).toEqual(["paid.jsonl"]);
    expect(cut.journals["paid.jsonl"]?.match(/"seq":\d+/g)?.at(-1)).toBe('"seq":2');
  });

  it("ends no element with a text of a journal's", async () => {
    const cwd = aFolder();
    const journal = await paidRun();
    await copyJournal(journal, fileJournal(join(cwd, "a.jsonl")));
    const text = readFileSync(join(cwd, "a.jsonl"), "utf8");
    expect(text).not.toContain("</script");
    await called(cwd, ["studio", "a.jsonl", "--html", "page.html"]);
    const page = readFileSync(join(cwd, "page.html"), "utf8");
    expect(page.match(/<\/script>/g)).toHaveLength(2);
  });

  it("holds a journal of any name", async () => {
    const cwd = aFolder();
    await copyJournal(await paidRun(), fileJournal(join(cwd, "__proto__")));
    expect((await called(cwd, ["studio", "__proto__", "--html", "page.html"])).code).toBe(0);
    const { journals } = dataIn(readFileSync(join(cwd, "page.html"), "utf8"));
    expect(Object.entries(journals)).toEqual([
      ["__proto__", readFileSync(join(cwd, "__proto__"), "utf8")],
    ]);
  });

  it("overwrites no file that is none of its pages, and says what it needs", async () => {
    const cwd = await aFolderOfRuns();
    const html = (...words: string[]) => called(cwd, ["studio", ".", ...words]);
    writeFileSync(join(cwd, "mine.html"), "<h1>Mine</h1>");
    expect((await html("--html", "mine.html")).stderr).toContain("not a page of the studio");
    expect((await html("--html", "x.html", "--run", "nobody")).stderr).toContain(
      "No run is named nobody",
    );
    expect((await html("--at", "2")).stderr).toContain("--html FILE");
    expect((await called(cwd, ["studio", "nowhere.jsonl", "--html", "x.html"])).code).toBe(2);
  });
});
