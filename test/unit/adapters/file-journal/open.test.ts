// Opening a journal's file for writing: what is said where that cannot be done.
import { execFileSync } from "node:child_process";
import {
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { type FileCalls, nodeCalls } from "../../../../src/adapters/file-journal/file-calls.js";
import { fileJournal } from "../../../../src/adapters/file-journal/index.js";
import { bytesOf, folder, place, refusal, START } from "./place.js";

const open = (path: string, mode: "create" | "append" = "append", calls = {}) =>
  fileJournal(path, { calls }).open(mode);
const failing = (code: string) => {
  const refuse = (path: string) => {
    if (path.endsWith("run.jsonl")) throw Object.assign(new Error(`${code}: no`), { code });
  };
  return {
    open(path: string, flags: number) {
      refuse(path);
      return nodeCalls.open(path, flags);
    },
    async create(path: string, flags: number) {
      refuse(path);
      return nodeCalls.create(path, flags);
    },
  };
};

describe("a journal that cannot be opened", () => {
  it("is missing where it is to be gone on with", async () => {
    const path = await place();
    expect(await refusal(open(path))).toBe(`journal.missing: ${path} does not exist.`);
    await expect(open(path)).rejects.toMatchObject({ place: path });
    const fork = fileJournal(path).fork?.("c");
    expect(await refusal(fork?.open("append"))).toMatch(/^journal\.missing: /);
    expect(readdirSync(dirname(path))).toEqual([]);
    const within = join(path, "run.jsonl");
    writeFileSync(path, "");
    expect(await refusal(open(within))).toBe(`journal.missing: ${within} does not exist.`);
  });

  it("lies in a folder that is not there, where it is to be made", async () => {
    const path = join(dirname(await place()), "none", "run.jsonl");
    expect(await refusal(open(path, "create"))).toBe(
      `journal.write: ${path} lies in a folder that does not exist: make it first.`,
    );
  });

  it("is a folder", async () => {
    const path = await place();
    mkdirSync(path);
    for (const mode of ["create", "append"] as const) {
      expect(await refusal(open(path, mode))).toBe(
        `journal.write: ${path} is a folder, not a journal.`,
      );
    }
  });

  it("is a link that leads round in a circle, and not one that is missing", async () => {
    const path = await place();
    symlinkSync(path, path);
    expect(await refusal(open(path))).toMatch(
      /^journal\.write: .* cannot be opened for writing: ELOOP/,
    );
  });

  it("may not be opened", async () => {
    const path = await place();
    writeFileSync(path, "");
    expect(await refusal(open(path, "append", failing("EACCES")))).toBe(
      `journal.write: ${path} cannot be opened for writing: EACCES: no.`,
    );
  });

  it("is no regular file", async () => {
    const path = await place();
    execFileSync("mkfifo", [path]);
    for (const mode of ["create", "append"] as const) {
      expect(await refusal(open(path, mode))).toBe(`journal.write: ${path} is not a regular file.`);
    }
  });

  it("is open in this journal already", async () => {
    const journal = fileJournal(await place());
    const writer = await journal.open("create");
    expect(await refusal(journal.open("append"))).toMatch(
      /^journal\.locked: .* is open already: close that writer first\.$/,
    );
    await writer.close();
    await (await journal.open("append")).close();
  });
});

it("a draft is its owner's alone, and takes nobody's place", async () => {
  const path = await place();
  await nodeCalls.writeFile(path, "mine");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  await expect(nodeCalls.writeFile(path, "other")).rejects.toMatchObject({ code: "EEXIST" });
  expect(readFileSync(path, "utf8")).toBe("mine");
});

describe("what a process left that died over its first line", () => {
  const header = '{"type":"header","format":"reckoner-journal/';
  const torn = ["{", header.slice(0, 20), header, `${header}1","run":"r`];

  it.each(torn)("%s is no journal, and a new one takes its place", async (left) => {
    const path = await place();
    writeFileSync(path, left);
    const writer = await open(path, "create");
    expect(bytesOf(path)).toBe(left);
    await writer.append(["whole"], START);
    await writer.close();
    expect(bytesOf(path)).toBe("whole\n");
  });

  it.each([
    `${header}1"}\n`,
    `${header}1"}\n{`,
    "notes of mine",
    ` ${header}`,
    '{"type":"event"',
    "\n",
  ])("%j is none of that, and stays", async (text) => {
    const path = await place();
    writeFileSync(path, text);
    expect(await refusal(open(path, "create"))).toBe(
      `journal.exists: ${path} holds a journal already: resume it, or choose another name.`,
    );
    expect(bytesOf(path)).toBe(text);
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  it("may be long, and a journal of any length is in the way", async () => {
    const path = await place();
    const long = `${header}1","input":"${"x".repeat(200_000)}`;
    writeFileSync(path, `${long}\n`);
    expect(await refusal(open(path, "create"))).toMatch(/^journal\.exists: /);
    // More than a text may have.
    truncateSync(path, 600 * 1024 * 1024);
    expect(await refusal(open(path, "create"))).toMatch(/^journal\.exists: /);
    writeFileSync(path, long);
    await (await open(path, "create")).close();
  });

  it("cannot be told where it cannot be read whole", async () => {
    const path = await place();
    const whole = `${header}1"}\n{"type":"event"}\n`;
    writeFileSync(path, whole);
    const calls = {
      pread: (fd: number, into: Uint8Array, at: number) =>
        nodeCalls.pread(fd, into.subarray(0, header.length), at),
    };
    expect(await refusal(open(path, "create", calls))).toMatch(/^journal\.exists: /);
    expect(bytesOf(path)).toBe(whole);
  });
});

describe("the name of a new journal", () => {
  /** What is synced, by path, and what each sync of a folder fails with. */
  function synced(code?: string) {
    const paths = new Map<number, string>();
    const seen: string[] = [];
    const open: number[] = [];
    const calls: Partial<FileCalls> = {
      open(path, flags) {
        const fd = nodeCalls.open(path, flags);
        paths.set(fd, path);
        open.push(fd);
        return fd;
      },
      async create(path, flags) {
        const fd = await nodeCalls.create(path, flags);
        paths.set(fd, path);
        open.push(fd);
        return fd;
      },
      close(fd) {
        open.splice(open.indexOf(fd), 1);
        nodeCalls.close(fd);
      },
      async syncPath(path) {
        seen.push(path);
        if (code !== undefined) throw Object.assign(new Error(code), { code });
      },
    };
    return { seen, open, calls };
  }

  it("is durable before it is written, and its folder's is, where that is made", async () => {
    const path = await place();
    const { seen, open: descriptors, calls } = synced();
    const journal = fileJournal(path, { calls });
    const writer = await journal.open("create");
    expect(seen).toEqual([dirname(path)]);
    seen.length = 0;
    const fork = await journal.fork?.("c").open("create");
    expect(seen).toEqual([dirname(path), `${path}.forks`]);
    await fork?.close();
    seen.length = 0;
    await (await journal.fork?.("d").open("create"))?.close();
    expect(seen).toEqual([`${path}.forks`]);
    await writer.close();
    seen.length = 0;
    await (await journal.open("append")).close();
    expect(seen).toEqual([]);
    expect(descriptors).toEqual([]);
  });

  it("that cannot be made durable is refused, and not where folders cannot be synced at all", async () => {
    for (const code of ["EIO", "ENOSPC", "EDQUOT"]) {
      const path = await place();
      const { open: descriptors, calls } = synced(code);
      expect(await refusal(open(path, "create", calls))).toBe(
        `journal.write: ${path} cannot be opened for writing: ${code}.`,
      );
      expect(descriptors).toEqual([]);
      expect(existsSync(`${path}.lock`)).toBe(false);
    }
    for (const code of ["EACCES", "EBADF", "EINVAL", "EISDIR", "ENOTSUP", "EPERM"]) {
      const { calls } = synced(code);
      await (await open(await place(), "create", calls)).close();
    }
  });
});

it("a journal is only ever appended to, and made for its owner alone", async () => {
  const path = await place();
  const flags: number[] = [];
  const calls: Partial<FileCalls> = {
    open(each, how) {
      if (each.endsWith(".jsonl")) flags.push(how);
      return nodeCalls.open(each, how);
    },
    create(each, how) {
      flags.push(how);
      return nodeCalls.create(each, how);
    },
  };
  const journal = fileJournal(path, { calls });
  const writer = await journal.open("create");
  const fork = await journal.fork?.("c").open("create");
  await fork?.append(["one"], START);
  await fork?.close();
  await writer.close();
  const { O_RDWR, O_APPEND, O_CREAT } = constants;
  expect(flags).toEqual([O_RDWR | O_APPEND | O_CREAT, O_RDWR | O_APPEND | O_CREAT]);
  for (const file of [path, `${path}.forks/c.jsonl`]) {
    expect(statSync(file).mode & 0o777).toBe(0o600);
  }
  expect(statSync(`${path}.forks`).mode & 0o777).toBe(0o700);
});

describe("a journal's place", () => {
  it.each([[""], [undefined], [7]])("is no %j", (path) => {
    expect(() => fileJournal(path as string)).toThrow(
      expect.objectContaining({
        code: "option.invalid",
        message: "fileJournal needs a path, which is a string.",
      }),
    );
  });

  it("has no options that there are not", () => {
    expect(() => fileJournal("x.jsonl", { sync: false } as never)).toThrow(
      expect.objectContaining({
        code: "option.invalid",
        message: "fileJournal: sync is not a part of it; calls, steal are.",
      }),
    );
  });

  it("is linked to relative to who links, so that both can be moved together", async () => {
    const at = await folder();
    mkdirSync(join(at, "a"));
    mkdirSync(join(at, "b"));
    const [one, two] = [join(at, "a/one.jsonl"), join(at, "b/two.jsonl")];
    const journal = fileJournal(one);
    expect(journal.link?.(fileJournal(two))).toBe("../b/two.jsonl");
    // Also where one of them was named from where the process is.
    expect(journal.link?.(fileJournal(relative(process.cwd(), two)))).toBe("../b/two.jsonl");
    expect(fileJournal(relative(process.cwd(), one)).link?.(fileJournal(two))).toBe(
      "../b/two.jsonl",
    );
    const followed = journal.follow?.("../b/two.jsonl");
    expect(followed?.name).toBe(two);
    const writer = await followed?.open("create");
    await writer?.append(["two"], START);
    await writer?.close();
    expect(bytesOf(two)).toBe("two\n");
  });

  it("of a fork lies beside the journal, which is made with its folder, and is locked by itself", async () => {
    const path = await place();
    const journal = fileJournal(path);
    const writer = await journal.open("create");
    const fork = journal.fork?.("A/b");
    expect(fork?.name).toBe(`${path}.forks/%41%2fb.jsonl`);
    const own = await fork?.open("create");
    expect(readdirSync(`${path}.forks`).sort()).toEqual(["%41%2fb.jsonl", "%41%2fb.jsonl.lock"]);
    await own?.close();
    await writer.close();
  });

  it("of notes and forks is that of the file itself, by whatever link it is reached", async () => {
    const path = await place();
    await (await fileJournal(path).open("create")).close();
    const link = join(dirname(path), "link.jsonl");
    symlinkSync(path, link);
    const linked = fileJournal(link);
    await linked.notes?.write("head", "h", "noted", undefined);
    expect(readFileSync(`${path}.head`, "utf8")).toBe("noted");
    expect(linked.fork?.("f").name).toBe(`${path}.forks/f.jsonl`);
  });
});

it("beyond 64 writers files are opened for each append alone", async () => {
  const at = await folder();
  const open = new Set<number>();
  const calls: Partial<FileCalls> = {
    open(each, flags) {
      const fd = nodeCalls.open(each, flags);
      open.add(fd);
      return fd;
    },
    async create(each, flags) {
      const fd = await nodeCalls.create(each, flags);
      open.add(fd);
      return fd;
    },
    close(fd) {
      open.delete(fd);
      nodeCalls.close(fd);
    },
  };
  const paths = Array.from({ length: 80 }, (_, i) => join(at, `${i}.jsonl`));
  const writers = [];
  for (const path of paths) writers.push(await fileJournal(path, { calls }).open("create"));
  for (const writer of writers) await writer.append(["one"], START);
  expect(open.size).toBeLessThan(70);
  expect(paths.every((path) => bytesOf(path) === "one\n")).toBe(true);
  for (const writer of writers) await writer.close();
  expect(open.size).toBe(0);
});
