// Journals in Postgres obey the laws of every journal, on a server and in PGlite.
import { describe, it } from "vitest";
import { postgresJournals } from "../../../../src/adapters/postgres/index.js";
import { journalLaws } from "../../../../src/testing/journal-laws.js";
import { dropAfterwards, freshSchema, sharedDatabases } from "../../../support/postgres.js";

const shared = sharedDatabases();

describe.each(["the server", "PGlite"])("a journal in Postgres, %s", (kind) => {
  const make = () => {
    const client = kind === "PGlite" ? shared.pglite : shared.postgres.client;
    const schema = freshSchema();
    dropAfterwards(client, schema);
    return postgresJournals({ client, schema }).journal("run");
  };
  for (const law of journalLaws(make)) it(law.name, law.check);
});
