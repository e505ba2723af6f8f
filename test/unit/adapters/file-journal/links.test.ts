// Journals that are reached through links: by symbolic ones one file has one lock, and leads to one place; by hard ones
// of two writers at once none begins what it wrote.
import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { nodeCalls } from "../../../../src/adapters/file-journal/file-calls.js";
import { fileJournal } from "../../../../src/adapters/file-journal/index.js";
import { agent, resume, run, scriptedModel } from "../../../../src/index.js";
import { rewind } from "../../../../src/time-travel/live/index.js";
import { endOf, folder, refusal, START } from "./place.js";

it.each([
  ["the link", "the file"],
  ["the file", "the link"],
])("a rewind by %s is followed by %s", async (first, second) => {
  const at = await folder();
  mkdirSync(join(at, "deep/er"), { recursive: true });
  mkdirSync(join(at, "real"));
  const [file, link] = [join(at, "real/a.jsonl"), join(at, "deep/er/link.jsonl")];
  symlinkSync(file, link);
  const by = (name: string) => fileJournal(name === "the link" ? link : file);
  const talker = agent({ name: "talker", conversation: true });
  const model = scriptedModel(() => "hm");
  await run(talker, "Hi", { model, journal: by(first) });
  await resume(talker, by(first), { model, messages: ["more"] });
  await rewind(by(first), { at: 1 });
  for (const name of [first, second]) {
    expect(await resume(talker, by(name), { model })).toMatchObject({
      status: "waiting",
      events: 2,
    });
  }
});

it("one that is not there yet has the lock of what it is going to be, and is made there", async () => {
  const at = await folder();
  for (const name of ["a", "b/c"]) mkdirSync(join(at, name), { recursive: true });
  // The way back is from where the link lies, and not from how it was reached.
  symlinkSync(join(at, "b/c"), join(at, "a/short"));
  symlinkSync("../target.jsonl", join(at, "b/c/link.jsonl"));
  const writer = await fileJournal(join(at, "a/short/link.jsonl")).open("create");
  const target = fileJournal(join(at, "b/target.jsonl"));
  for (const mode of ["append", "create"] as const) {
    expect(await refusal(target.open(mode))).toMatch(/^journal\.locked: /);
  }
  expect(existsSync(join(at, "b/target.jsonl.lock"))).toBe(true);
  await writer.append(["one"], { lines: 0, bytes: 0 });
  await writer.close();
  expect(readFileSync(join(at, "b/target.jsonl"), "utf8")).toBe("one\n");
});

it("a file with two names has two locks, and an append that met another's is refused", async () => {
  const at = await folder();
  const [path, other] = [join(at, "a.jsonl"), join(at, "b.jsonl")];
  let between = "";
  const write = (fd: number, data: Uint8Array) => {
    // The other writer has looked at the file's end as well, and is as quick.
    if (between !== "") appendFileSync(other, between);
    return nodeCalls.write(fd, data);
  };
  const writer = await fileJournal(path, { calls: { write } }).open("create");
  await writer.append(["one"], START);
  linkSync(path, other);
  await writer.append(["two"], endOf("one\n"));
  between = "else\n";
  expect(await refusal(writer.append(["three"], endOf("one\ntwo\n")))).toMatch(
    /^journal\.conflict: .*another writer appended to it/,
  );
  await writer.close();
});
