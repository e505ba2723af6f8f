// Whichever statement fails, before or after its work: nothing that was acknowledged is lost or doubled.
import { describe, it } from "vitest";
import { postgresJournals } from "../../../../src/adapters/postgres/index.js";
import { journalFaultLaws, type MakeFaulty } from "../../../../src/testing/journal-fault-laws.js";
import { faultyCalls } from "../../../support/faulty-calls.js";
import { dropAfterwards, freshSchema, sharedDatabases } from "../../../support/postgres.js";

const shared = sharedDatabases();

describe("a journal in Postgres", () => {
  const make: MakeFaulty = async (fault) => {
    const { client } = shared.postgres;
    const schema = freshSchema();
    dropAfterwards(client, schema);
    const query = (text: string, parameters?: unknown[]) => client.query(text, parameters);
    const faulty = faultyCalls({ query }, fault, new Set(["query"]));
    return { port: postgresJournals({ client: faulty, schema }).journal("run"), held: () => [] };
  };
  for (const law of journalFaultLaws(make)) it(law.name, law.check);
});
