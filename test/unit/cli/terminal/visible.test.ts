// Nothing that is printed for a person can deceive him: a terminal is given text, and no commands.
import { describe, expect, it } from "vitest";
import { print, printJson, printRaw, say, styles } from "../../../../src/cli/terminal/io.js";
import { visible } from "../../../../src/cli/terminal/visible.js";
import { isPlain, UNSEEN, visibleJson } from "../../../../src/core/kernel/values/index.js";
import { visible as visibleInPicture } from "../../../../src/pictures/visible-text.js";
import { aFolder, anIo } from "../support.js";

const hostile = [
  ["a cursor that goes up over a question", "\x1b[1A\x1b[2K", "\\x1b[1A\\x1b[2K"],
  ["a window's title", "\x1b]0;x\x07", "\\x1b]0;x\\x07"],
  ["a link that leads elsewhere", "\x1b]8;;http://x\x1b\\y", "\\x1b]8;;http://x\\x1b\\y"],
  ["a C1 sequence", "\x9b2J\x9d0;x\x9c", "\\x9b2J\\x9d0;x\\x9c"],
  ["a line written over", "pay 5\rpay 500", "pay 5\\x0dpay 500"],
  ["backspaces", "no\b\byes", "no\\x08\\x08yes"],
  ["an override of direction", "txt.\u202egpj", "txt.\\u{202e}gpj"],
  ["isolates", "\u2066a\u2069", "\\u{2066}a\\u{2069}"],
  ["a text in tags", "\u{e0041}", "\\u{e0041}"],
  ["what has no width", "pa\u200bypal\ufeff", "pa\\u{200b}ypal\\u{feff}"],
  [
    "letters that show nothing",
    "a\u3164\u115f\uffa0\u2800b",
    "a\\u{3164}\\u{115f}\\u{ffa0}\\u{2800}b",
  ],
  ["what no font has", "a\ue000\ufffe", "a\\u{e000}\\u{fffe}"],
  ["a text in variants", "a\u{e0101}", "a\\u{e0101}"],
  ["marks of ours", "\ufdd0red\ufdd1x\ufdd2", "\\u{fdd0}red\\u{fdd1}x\\u{fdd2}"],
  [
    "marks of ours around a sequence",
    "\ufdd0red\ufdd1\x1b[2J\ufdd2",
    "\\u{fdd0}red\\u{fdd1}\\x1b[2J\\u{fdd2}",
  ],
] as const;

describe("made visible", () => {
  for (const [name, text, seen] of hostile) it(name, () => expect(visible(text)).toBe(seen));

  it("what people write stays as it is", () => {
    const text = "Grüße, 你好, שלום\n\t👩‍👩‍👧 e\u0301 می\u200cخواهم \u0601";
    expect(visible(text)).toBe(text);
  });

  it("in a picture the same characters are", () => {
    for (const [, text] of hostile) {
      const seen = visible(text) === text;
      expect(visibleInPicture(text) === text).toBe(seen);
      expect(visible(visibleInPicture(text))).toBe(visibleInPicture(text));
    }
  });

  it("what is escaped in JSON is still that JSON", () => {
    for (const [, text] of hostile) {
      const json = visibleJson(JSON.stringify({ text }));
      expect(JSON.parse(json)).toEqual({ text });
      expect(visible(json)).toBe(json);
    }
  });
});

describe("on a terminal", () => {
  it("whatever is written, a stream gets no control character but newlines and styles", () => {
    const chunks: string[] = [];
    const stream = { isTTY: true, columns: 80, write: (text: string) => chunks.push(text) > 0 };
    const io = { ...anIo(aFolder()), stdout: stream as never, stderr: stream as never, env: {} };
    for (const [, text] of hostile) {
      print(io, text);
      printRaw(io, text);
      say(io, styles.dim(text));
      printJson(io, { [text]: text });
    }
    const left = chunks
      .join("")
      .replaceAll(new RegExp(`${String.fromCharCode(27)}\\[\\d{1,2}m`, "g"), "")
      .replaceAll("\n", "");
    expect(left).toBe(visible(left));
  });

  it("nobody else can write in a style of ours", () => {
    const chunks: string[] = [];
    const stream = { isTTY: true, columns: 80, write: (text: string) => chunks.push(text) > 0 };
    const io = { ...anIo(aFolder()), stderr: stream as never, env: {} };
    say(io, "\ufdd0green\ufdd1approved\ufdd2");
    say(io, styles.green("approved"));
    expect(chunks).toEqual([
      "\\u{fdd0}green\\u{fdd1}approved\\u{fdd2}\n",
      "\x1b[32mapproved\x1b[39m\n",
    ]);
  });

  it("a result for a program is what it is", () => {
    const chunks: string[] = [];
    const stream = { write: (text: string) => chunks.push(text) > 0 };
    printRaw({ ...anIo(aFolder()), stdout: stream as never }, "a\x1b[1mb");
    expect(chunks.join("")).toBe("a\x1b[1mb\n");
  });
});

it("takes for plain no text with a letter that is unseen", () => {
  for (let code = 0; code <= 0xffff; code++) {
    const letter = String.fromCharCode(code);
    if (isPlain(letter) && !/[\n\t]/.test(letter)) expect(letter.match(UNSEEN)).toBeNull();
  }
});
