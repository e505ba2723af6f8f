// Texts in a picture: whole as long as they may be, cut behind that, and never by half a letter.
import { expect, it } from "vitest";
import { oneLine, truncate, xml } from "../../../src/pictures/visible-text.js";

it.each([
  ["abcd", 4, "abcd"],
  ["abcde", 4, "abc…"],
  ["😀😀😀😀", 4, "😀😀😀😀"],
  ["😀😀😀😀😀", 4, "😀😀😀…"],
  ["", 4, ""],
  ["ab", 1, "…"],
])("%j in %d letters is %j", (text, most, shown) => {
  expect(truncate(text, most)).toBe(shown);
});

it("is one line, and nothing of it is XML", () => {
  expect(oneLine(" a\n\tb\u2028c ")).toBe("a b c");
  expect(oneLine("a\u202eb")).toBe("a⟨U+202E⟩b");
  expect(xml(`<a b="c" d='e'>&`)).toBe("&#60;a b=&#34;c&#34; d=&#39;e&#39;&#62;&#38;");
});
