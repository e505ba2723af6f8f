// The journal in a file obeys the laws of every journal.
import { it } from "vitest";
import { fileJournal } from "../../../../src/adapters/file-journal/index.js";
import { journalLaws } from "../../../../src/testing/journal-laws.js";
import { place } from "./place.js";

for (const law of journalLaws(async () => fileJournal(await place()))) it(law.name, law.check);
