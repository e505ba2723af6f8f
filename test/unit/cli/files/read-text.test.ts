// Files as Windows writes them: what PowerShell's Out-File makes of a text has a byte order mark.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { readJsonFlag } from "../../../../src/cli/files/json-flag.js";
import { readText } from "../../../../src/cli/files/read-text.js";

const folder = mkdtempSync(join(tmpdir(), "reckoner-text-"));
afterAll(() => rmSync(folder, { recursive: true }));
const text = '{"say":"größer \u{1F9EA}"}';
const little = Buffer.from(`\ufeff${text}`, "utf16le");

it.each<[string, Buffer]>([
  ["UTF-8", Buffer.from(text)],
  ["UTF-8 with a mark", Buffer.from(`\ufeff${text}`)],
  ["UTF-16, little end first", little],
  ["UTF-16, big end first", Buffer.from(little).swap16()],
])("a file in %s is read, and is an input", (name, bytes) => {
  const path = join(folder, `${name}.json`);
  writeFileSync(path, bytes);
  expect(readText(path)).toBe(text);
  expect(readJsonFlag({ cwd: folder } as never, "--input", `@${name}.json`)).toEqual({
    say: "größer \u{1F9EA}",
  });
});
