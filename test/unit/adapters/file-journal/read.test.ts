// Reading: the text of exactly those bytes, and one line where there are none to be had.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fileJournal } from "../../../../src/adapters/file-journal/index.js";
import { decode } from "../../../../src/adapters/file-journal/read-text.js";
import { bytesOf, folder, place, refusal } from "./place.js";

const read = (path: string, bytes = 0) => fileJournal(path).read({ lines: 0, bytes });

describe("the text", () => {
  it("keeps a byte order mark, wherever it stands", async () => {
    const path = await place();
    const text = "\ufeffone\n\ufefftwo\n";
    writeFileSync(path, text);
    expect(await read(path)).toBe(text);
    expect(await read(path, 7)).toBe("\ufefftwo\n");
  });

  it("differs wherever a byte differs, bytes that are not UTF-8 and U+FFFD included", () => {
    const original = Buffer.from('{"a":"é\ufffd🧪"}\n{"b":"\ufffd"}\nto\ufffd');
    const whole = original.lastIndexOf("\n") + 1;
    const text = original.toString("utf8", 0, whole);
    expect(decode(original)).toBe(original.toString("utf8"));
    const unseen: string[] = [];
    for (let at = 0; at < whole; at += 1) {
      for (let byte = 0; byte < 256; byte += 1) {
        if (byte === original[at]) continue;
        const changed = Buffer.from(original);
        changed[at] = byte;
        if (decode(changed).startsWith(text)) unseen.push(`byte ${at} as ${byte}`);
      }
    }
    expect(unseen).toEqual([]);
    // Decoding as it is usually done does not see this one.
    const changed = Buffer.from(original);
    changed[original.indexOf("\ufffd")] = 0xf0;
    expect(changed.toString("utf8")).toBe(original.toString("utf8"));
  });

  it("is broken in the line that is broken, and whole in the others", async () => {
    const path = await place();
    const lines = ["grün", "gr\xfcn", "grün", "tor"].map((line, i) =>
      Buffer.from(i === 3 ? line : `${line}\n`, i === 1 ? "latin1" : "utf8"),
    );
    writeFileSync(path, Buffer.concat([...lines, Buffer.from([0xc3])]));
    const [first, second, third] = (await read(path)).split("\n");
    expect([first, third]).toEqual(["grün", "grün"]);
    // Written as UTF-8 again it gives other bytes than it had, so no hash over it holds.
    expect(Buffer.from(second!)).not.toEqual(lines[1]!.subarray(0, -1));
  });

  it("is empty from the end on and behind it", async () => {
    const path = await place();
    writeFileSync(path, "one\n");
    expect(await read(path, 4)).toBe("");
    expect(await read(path, 400)).toBe("");
  });

  it("of an empty file is empty, and a run can be created there", async () => {
    const path = await place();
    writeFileSync(path, "");
    expect(await read(path)).toBe("");
    await (await fileJournal(path).open("create")).close();
    expect(bytesOf(path)).toBe("");
  });
});

describe("one line says", () => {
  it("that there is no file", async () => {
    const path = await place();
    const none = `journal.missing: ${path} does not exist.`;
    expect(await refusal(fileJournal(path).read())).toBe(none);
    expect(await refusal(fileJournal(path).open("append"))).toBe(none);
  });

  it("that there is no folder", async () => {
    const path = join(await folder(), "no", "run.jsonl");
    expect(await refusal(fileJournal(path).read())).toBe(
      `journal.missing: ${path} does not exist.`,
    );
    expect(await refusal(fileJournal(path).open("append"))).toBe(
      `journal.missing: ${path} does not exist.`,
    );
    expect(await refusal(fileJournal(path).open("create"))).toBe(
      `journal.write: ${path} lies in a folder that does not exist: make it first.`,
    );
  });

  it("that the folder is a file", async () => {
    const file = await place();
    writeFileSync(file, "");
    const path = join(file, "run.jsonl");
    expect(await refusal(fileJournal(path).read())).toBe(
      `journal.missing: ${path} does not exist.`,
    );
    expect(await refusal(fileJournal(path).open("create"))).toContain("journal.write");
  });

  it("that the file is a folder", async () => {
    const path = await place();
    mkdirSync(path);
    expect(await refusal(fileJournal(path).read())).toBe(
      `journal.unreadable: ${path} is a folder, not a journal.`,
    );
    for (const mode of ["create", "append"] as const) {
      expect(await refusal(fileJournal(path).open(mode))).toBe(
        `journal.write: ${path} is a folder, not a journal.`,
      );
    }
  });

  it("that the file cannot be read", async () => {
    const path = await place();
    symlinkSync(path, path);
    expect(await refusal(fileJournal(path).read())).toMatch(
      /^journal\.unreadable: .* cannot be read: ELOOP[^\n]*$/,
    );
    expect(await refusal(fileJournal(path).open("append"))).toMatch(
      /^journal\.write: .* cannot be opened for writing: ELOOP[^\n]*$/,
    );
  });
});
