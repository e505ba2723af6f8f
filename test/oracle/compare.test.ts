// The oracle's own comparison: what it finds, says, and passes over.
import { expect, it } from "vitest";
import { compare, inWords, type NamedDifference } from "./compare.js";
import { parsed, type Recorded, recorded, textOf } from "./record.js";
import { scenariosOf } from "./scenarios.js";

const lines = (...texts: readonly string[]) =>
  texts.map((each) => {
    const [text = "", contents] = each.split(" | ");
    return contents === undefined ? { text } : { text, contents };
  });
const kept = (shape: string, contents: string, ...texts: readonly string[]): Recorded => ({
  name: "agents 01",
  about: "one",
  shape,
  contents,
  sections: [{ name: "run", lines: lines(...texts) }],
});
const first = kept("s", "c", "0 start > llm/0 | aaabbbccc", "mark tool/0/0 attempt 2", "9 end | d");

it("finds nothing where both digests are the same", () => {
  expect(compare(first, first, [])).toEqual({ met: new Set(), onlyContents: false });
});

it("finds the first line that is another, and says so in words", () => {
  const later = kept(
    "t",
    "c",
    "0 start > llm/0 | aaabbbccc",
    "mark tool/0/0 attempt 3",
    "9 end | d",
  );
  const found = compare(first, later, []);
  expect(found.onlyContents).toBe(false);
  expect(inWords(found.first!)).toBe(
    "agents 01, run:\n  recorded: mark tool/0/0 attempt 2\n  now:      mark tool/0/0 attempt 3",
  );
});

it("tells contents from what happened, and says whose they are", () => {
  const other = kept(
    "s",
    "d",
    "0 start > llm/0 | aaabbbxxx",
    "mark tool/0/0 attempt 2",
    "9 end | d",
  );
  const found = compare(first, other, []);
  expect(found.onlyContents).toBe(true);
  expect(inWords(found.first!)).toContain("what differs is what is in the state");
});

it("says so where one ends sooner", () => {
  const less = kept("u", "c", "0 start > llm/0 | aaabbbccc", "mark tool/0/0 attempt 2");
  expect(inWords(compare(first, less, []).first!)).toContain("now:      nothing more");
  expect(inWords(compare(less, first, []).first!)).toContain("recorded: nothing more");
});

it("finds a difference that no line shows", () => {
  expect(compare(first, { ...first, contents: "x" }, []).first?.section).toBe("all");
});

it("passes over what has a name, and says which were met", () => {
  const marks: NamedDifference = {
    name: "marks of repeated attempts",
    reason: "They are to stand elsewhere.",
    explains: ({ recorded }) => (recorded?.text.startsWith("mark ") ? "gone" : undefined),
  };
  const added: NamedDifference = {
    name: "failed attempts",
    reason: "They are to be marked.",
    explains: ({ present }) => (present?.text.startsWith("mark failed") ? "added" : undefined),
  };
  const later: NamedDifference = { ...marks, name: "later", explains: () => "changed" };
  const now = kept("v", "c", "0 start > llm/0 | aaabbbccc", "mark failed", "9 end | d");
  const all = compare(first, now, [added, marks]);
  expect(all).toEqual({ met: new Set([added.name, marks.name]), onlyContents: false });
  expect(compare(first, now, [marks]).first?.present?.text).toBe("mark failed");
  expect(compare(first, now, [later]).met).toEqual(new Set(["later"]));
});

it("does not let a name explain what is not there", () => {
  const gone: NamedDifference = { name: "gone", reason: "", explains: () => "gone" };
  const less = kept("u", "c", "0 start > llm/0 | aaabbbccc");
  expect(compare(less, first, [gone]).first?.present?.text).toBe("mark tool/0/0 attempt 2");
});

it("reads back what it has written", async () => {
  const [one, two] = scenariosOf("kills");
  const all = [await recorded(one!), await recorded(two!)];
  const again = parsed(textOf(all));
  for (const each of all) {
    const read = again.get(each.name) as Recorded;
    expect(JSON.stringify(read)).toBe(JSON.stringify(each));
    expect(compare(read, await recorded(each === all[0] ? one! : two!), []).first).toBeUndefined();
  }
});
