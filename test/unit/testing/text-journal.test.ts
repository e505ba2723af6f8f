// The journal over a text reads from any line, cuts a torn one when it appends, and refuses another place.

import { expect, it } from "vitest";
import { textJournal } from "../../../src/testing/index.js";
import { textIn } from "../../support/journal-text.js";

it("reads from a byte on, the torn one too", async () => {
  const journal = textJournal("one\ntwo\nthr");
  expect(await textIn(journal)).toBe("one\ntwo\nthr");
  expect(await textIn(journal, 4)).toBe("two\nthr");
});

it("cuts the torn line when it appends, and refuses another place", async () => {
  const journal = textJournal("one\ntw");
  const writer = await journal.open("append");
  await expect(writer.append(["x"], { lines: 2, bytes: 8 })).rejects.toThrow("elsewhere");
  expect(journal.text).toBe("one\ntw");
  await writer.append(["two"], { lines: 1, bytes: 4 });
  expect(journal.text).toBe("one\ntwo\n");
});
