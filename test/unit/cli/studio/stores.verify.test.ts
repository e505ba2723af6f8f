// Runs that are in no file of their own: those of a store in SQLite, all of them and one.
import { join } from "node:path";
import Database from "libsql";
import { sqliteJournals } from "reckoner/sqlite";
import { copyJournal } from "reckoner/time-travel";
import { describe, expect, it, onTestFinished } from "vitest";
import { openStores } from "../../../../src/cli/store/open-stores.js";
import { studioApi } from "../../../../src/cli/studio/api.js";
import { studioJournals } from "../../../../src/cli/studio/journals.js";
import { openStudio } from "../../../../src/cli/studio/open-studio.js";
import type { Listed } from "../../../../src/studio/live/index.js";
import { paidRun, waitingRun } from "../../studio/support.js";
import { aFolder, anIo } from "../support.js";
import { textOf } from "./support.js";

/** A studio over a store with a run that was paid, and one that waits. */
async function aStudioOf(word: string) {
  const cwd = aFolder();
  const database = new Database(join(cwd, "runs.db"));
  const store = sqliteJournals(database as never);
  await copyJournal(await paidRun(), store.journal("paid"));
  await copyJournal(await waitingRun(), store.journal("waits"));
  database.close();
  const stores = await openStores(anIo(cwd), "studio", [word]);
  onTestFinished(() => stores.close());
  const io = { ...anIo(cwd), stores };
  const api = studioApi(openStudio({ io, word, journals: studioJournals(io, word) }));
  const get = (path: string, query: Record<string, string> = {}) => {
    const { signal } = new AbortController();
    return api({ method: "GET", path, query: new URLSearchParams(query), body: undefined, signal });
  };
  return { get };
}

const listed = (answer: unknown) => (answer as { readonly json: Listed }).json;

describe("a studio over a store", () => {
  it("lists its runs, and gives the bytes of each", async () => {
    const { get } = await aStudioOf("sqlite:runs.db");
    const { runs } = listed(await get("runs"));
    expect(runs.map(({ journal, status }) => [journal, status]).sort()).toEqual([
      ["sqlite:runs.db#paid", "done"],
      ["sqlite:runs.db#waits", "waiting"],
    ]);
    const text = await textOf(await get("journal", { name: "sqlite:runs.db#paid" }));
    expect(text).toContain("Your 300 are on their way.");
    const none = async () => textOf(await get("journal", { name: "sqlite:runs.db#other" }));
    await expect(none()).rejects.toMatchObject({ code: "journal.missing" });
    await expect(get("journal", { name: "sqlite:other.db#paid" })).rejects.toMatchObject({
      code: "journal.missing",
    });
  });

  it("opens one run of it", async () => {
    const { get } = await aStudioOf("sqlite:runs.db#waits");
    const { runs } = listed(await get("runs"));
    expect(runs.map(({ journal, status }) => [journal, status])).toEqual([
      ["sqlite:runs.db#waits", "waiting"],
    ]);
    await expect(get("journal", { name: "sqlite:runs.db#paid" })).rejects.toMatchObject({
      code: "journal.missing",
    });
  });
});
