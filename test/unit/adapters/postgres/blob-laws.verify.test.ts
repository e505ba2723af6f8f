// The files of runs in the tables of Postgres obey the laws of stores of files.
import { postgresJournals } from "reckoner/postgres";
import { blobLaws } from "reckoner/testing";
import { describe, it } from "vitest";
import { dropAfterwards, freshSchema, sharedDatabases } from "../../../support/postgres.js";

const shared = sharedDatabases();

describe.each(["the server", "PGlite"])("files in Postgres, %s", (kind) => {
  const make = () => {
    const client = kind === "PGlite" ? shared.pglite : shared.postgres.client;
    const schema = freshSchema();
    dropAfterwards(client, schema);
    const store = postgresJournals({ client, schema });
    const journal = (id: string, tenant?: string) =>
      (tenant === undefined ? store : store.tenant(tenant)).journal(id);
    return { blobs: store.blobs, journal };
  };
  for (const law of blobLaws(make)) it(law.name, law.check);
});
