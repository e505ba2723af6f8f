// The files of runs in the tables of SQLite obey the laws of stores of files.
import { memoryJournal } from "reckoner";
import { sqliteJournals } from "reckoner/sqlite";
import { blobLaws } from "reckoner/testing";
import { describe, expect, it } from "vitest";
import { openSqlite, SQLITES } from "../../../support/journal-databases.js";
import { rejection } from "../../../support/thrown.js";

describe.each(Object.keys(SQLITES))("files in %s", (kind) => {
  const make = () => {
    const store = sqliteJournals(openSqlite(kind));
    const journal = (id: string, tenant?: string) =>
      (tenant === undefined ? store : store.tenant(tenant)).journal(id);
    return { blobs: store.blobs, journal };
  };
  for (const law of blobLaws(make)) it(law.name, law.check);

  it("are for runs of that database alone", async () => {
    const { blobs } = make();
    expect(await rejection(blobs.keep(memoryJournal(), "x", new Uint8Array()))).toMatchObject({
      code: "option.invalid",
    });
  });
});
