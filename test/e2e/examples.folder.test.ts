// The example's folder against somebody who works on it at the same time: links put in the place of
// what was looked at, hard links, pipes.
import { execFileSync } from "node:child_process";
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openFolder } from "../../examples/files/folder.js";

/** What somebody else does between the look at a path and its use. */
let meanwhile: () => void = () => {};
vi.mock("node:fs/promises", async (original) => {
  const real = await original<typeof import("node:fs/promises")>();
  return {
    ...real,
    // What is open already is left alone: the first thing opened is what was just looked at.
    open: (...args: Parameters<typeof real.open>) => {
      const then = meanwhile;
      meanwhile = () => {};
      then();
      return real.open(...args);
    },
  };
});

let place: string;
let inside: string;
beforeEach(() => {
  place = mkdtempSync(join(realpathSync(tmpdir()), "reckoner-folder-"));
  inside = join(place, "inside");
  mkdirSync(join(inside, "sub"), { recursive: true });
  mkdirSync(join(place, "outside"));
  writeFileSync(join(inside, "sub", "a.txt"), "one\n");
  writeFileSync(join(place, "outside", "a.txt"), "a secret\n");
});
afterEach(() => {
  meanwhile = () => {};
  rmSync(place, { recursive: true, force: true });
});

const secret = () => readFileSync(join(place, "outside", "a.txt"), "utf8");
const outside = "lies outside the folder";
const swapFile = () => {
  rmSync(join(inside, "sub", "a.txt"));
  symlinkSync(join(place, "outside", "a.txt"), join(inside, "sub", "a.txt"));
};
const swapFolder = () => {
  renameSync(join(inside, "sub"), join(inside, "was"));
  symlinkSync(join(place, "outside"), join(inside, "sub"));
};

describe.each([
  ["a file is swapped for a link", swapFile],
  ["its folder is swapped for a link", swapFolder],
])("where %s after it was looked at", (_what, swap) => {
  test("nothing outside is read", async () => {
    const folder = openFolder(inside);
    meanwhile = swap;
    await expect(folder.read("sub/a.txt")).rejects.toThrow(outside);
  });

  test("nothing outside is found", async () => {
    const folder = openFolder(inside);
    meanwhile = swap;
    const found = await folder.search("secret", "sub").catch((thrown: Error) => thrown.message);
    expect(JSON.stringify(found)).toMatch(/^\[\]$|lies outside the folder/);
  });

  test.each(["write", "append"] as const)("nothing outside is changed (%s)", async (how) => {
    const folder = openFolder(inside);
    meanwhile = swap;
    await folder[how]("sub/a.txt", "x").catch(() => {});
    expect(secret()).toBe("a secret\n");
    expect(readdirSync(join(place, "outside"))).toEqual(["a.txt"]);
  });

  test("nothing outside is made", async () => {
    const folder = openFolder(inside);
    meanwhile = swap;
    await folder.write("sub/new.txt", "x").catch(() => {});
    expect(readdirSync(join(place, "outside"))).toEqual(["a.txt"]);
  });
});

test("names outside are not listed where the folder is swapped", async () => {
  const folder = openFolder(inside);
  writeFileSync(join(place, "outside", "b.txt"), "");
  meanwhile = swapFolder;
  await expect(folder.list("sub")).rejects.toThrow(outside);
});

test("a hard link is not the folder's own file: neither read, nor found, nor written", async () => {
  linkSync(join(place, "outside", "a.txt"), join(inside, "hard.txt"));
  const folder = openFolder(inside);
  await expect(folder.read("hard.txt")).rejects.toThrow(outside);
  await expect(folder.write("hard.txt", "x")).rejects.toThrow(outside);
  await expect(folder.append("hard.txt", "x")).rejects.toThrow(outside);
  expect(await folder.search("secret", ".")).toEqual([]);
  expect(secret()).toBe("a secret\n");
});

test.skipIf(process.platform === "win32")("a pipe makes nobody wait", async () => {
  execFileSync("mkfifo", [join(inside, "pipe")]);
  const folder = openFolder(inside);
  await expect(folder.read("pipe")).rejects.toThrow(outside);
  await expect(folder.write("pipe", "x")).rejects.toThrow(outside);
  await expect(folder.append("pipe", "x")).rejects.toThrow(outside);
  expect(await folder.search("one", ".")).toEqual([{ path: "sub/a.txt", line: 1, text: "one" }]);
});

test("what is the folder's own is written over, added to and made", async () => {
  const folder = openFolder(inside);
  await folder.write("sub/a.txt", "2");
  await folder.append("sub/a.txt", "3");
  await folder.append("new.txt", "4");
  expect([await folder.read("sub/a.txt"), await folder.read("new.txt")]).toEqual(["23", "4"]);
  symlinkSync(join(inside, "sub", "a.txt"), join(inside, "also.txt"));
  expect(await folder.read("also.txt")).toBe("23");
  await expect(folder.write("also.txt", "x")).rejects.toThrow(outside);
});
