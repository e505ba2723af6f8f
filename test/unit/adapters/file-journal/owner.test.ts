// Whether the owner of a lock still lives: a pid alone does not tell.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import os, { hostname } from "node:os";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  fateOf,
  type Owner,
  parseOwner,
  thisProcess,
} from "../../../../src/adapters/file-journal/owner.js";

/** What /proc says; a path of it that is not here cannot be read. */
const proc = new Map<string, string>();
/** When the machine was booted, in seconds, where it has no id for that. */
const BOOTED = 1_999_999_000;

const BOOT = "/proc/sys/kernel/random/boot_id";
/** A process by its line in /proc, of which the second field may hold anything. */
const stat = (state: string, started: string, name = "node") =>
  `7 (${name}) ${[state, ...Array.from({ length: 18 }, (_, i) => String(i)), started, "99"].join(" ")}\n`;
/** Who answers to a signal: nobody, somebody else's process, a process of ours. */
function answers(code: string | undefined) {
  vi.spyOn(process, "kill").mockImplementation(() => {
    if (code !== undefined) throw Object.assign(new Error(code), { code });
    return true;
  });
}
const owner = (more: Partial<Owner> = {}): Owner => ({
  pid: 7,
  boot: "b-1",
  started: "500",
  host: hostname(),
  token: "t",
  ...more,
});

beforeEach(() => {
  vi.useFakeTimers({ now: (BOOTED + 1_000) * 1_000 });
  proc.clear();
  proc.set(BOOT, "b-1\n");
  proc.set("/proc/7/stat", stat("S", "500"));
  answers(undefined);
  const read = fs.readFileSync;
  vi.spyOn(fs, "readFileSync").mockImplementation(((path: string, ...how: []) => {
    if (!String(path).startsWith("/proc/")) return read(path, ...how);
    const text = proc.get(path);
    if (text === undefined) throw new Error(`no ${path}`);
    return text;
  }) as typeof read);
  const link = fs.readlinkSync;
  vi.spyOn(fs, "readlinkSync").mockImplementation(((path: string, ...how: []) => {
    if (!String(path).startsWith("/proc/")) return link(path, ...how);
    const text = proc.get(path);
    if (text === undefined) throw new Error(`no ${path}`);
    return text;
  }) as typeof link);
  vi.spyOn(os, "uptime").mockReturnValue(1_000);
  syncBuiltinESMExports();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

describe("this process", () => {
  it("is told by its pid, its boot and when it started", () => {
    proc.set(`/proc/${process.pid}/stat`, stat("R", "321"));
    const own = { pid: process.pid, boot: "b-1", host: hostname(), token: "t" };
    expect(thisProcess("t")).toEqual({ ...own, started: "321" });
    proc.delete(`/proc/${process.pid}/stat`);
    expect(thisProcess("t")).toEqual(own);
  });

  it("says when the machine was booted where that has no id", () => {
    proc.delete(BOOT);
    expect(thisProcess("t").boot).toBe(`~${BOOTED}`);
    proc.set(BOOT, "\n");
    expect(thisProcess("t").boot).toBe(`~${BOOTED}`);
  });
});

describe("an owner", () => {
  it("lives where a process of its pid runs that started when it did", () => {
    expect(fateOf(owner())).toBe("alive");
    expect(fateOf(owner({ started: "499" }))).toBe("dead");
  });

  it("is found by its state and its start whatever its program is called", () => {
    proc.set("/proc/7/stat", stat("S", "500", "a) Z 1 (b"));
    expect(fateOf(owner())).toBe("alive");
    expect(fateOf(owner({ started: "1" }))).toBe("dead");
  });

  it.each(["Z", "X"])("is dead in state %s, though its pid is still taken", (state) => {
    proc.set("/proc/7/stat", stat(state, "500"));
    expect(fateOf(owner())).toBe("dead");
  });

  it("lives where its pid is taken and nobody knows since when", () => {
    expect(fateOf(owner({ started: undefined } as never))).toBe("alive");
    proc.delete("/proc/7/stat");
    expect(fateOf(owner())).toBe("alive");
    for (const cut of ["7 (node)", "7 (node) Z 1 2"]) {
      proc.set("/proc/7/stat", cut);
      expect(fateOf(owner())).toBe("alive");
    }
  });

  it("is dead where nobody has its pid, and lives where somebody else's process has", () => {
    answers("ESRCH");
    expect(fateOf(owner())).toBe("dead");
    answers("EPERM");
    expect(fateOf(owner())).toBe("alive");
  });

  it("is dead after another boot, and nobody looks at another host's", () => {
    expect(fateOf(owner({ boot: "b-2" }))).toBe("dead");
    expect(fateOf(owner({ host: `not-${hostname()}` }))).toBe("elsewhere");
  });

  it("is of the same boot where their times differ by little", () => {
    proc.delete(BOOT);
    expect(fateOf(owner({ boot: `~${BOOTED + 299}` }))).toBe("alive");
    expect(fateOf(owner({ boot: `~${BOOTED - 299}` }))).toBe("alive");
    expect(fateOf(owner({ boot: `~${BOOTED + 300}` }))).toBe("dead");
    expect(fateOf(owner({ boot: `~${BOOTED - 300}` }))).toBe("dead");
    // A boot with an id is none that has a time.
    expect(fateOf(owner({ boot: "b-1" }))).toBe("dead");
  });
});

describe("a lock's text", () => {
  it("says whose it is", () => {
    expect(parseOwner(JSON.stringify(owner()))).toEqual(owner());
    const { started: _started, ...less } = owner();
    expect(parseOwner(JSON.stringify(less))).toEqual(less);
  });

  it.each([
    ["no JSON", "{"],
    ["nothing", "null"],
    ["a text", '"x"'],
    ["no pid", JSON.stringify({ ...owner(), pid: undefined })],
    ["a pid of every process", JSON.stringify({ ...owner(), pid: 0 })],
    ["a pid of a group", JSON.stringify({ ...owner(), pid: -7 })],
    ["half a pid", JSON.stringify({ ...owner(), pid: 7.5 })],
    ["no boot", JSON.stringify({ ...owner(), boot: 1 })],
    ["no host", JSON.stringify({ ...owner(), host: null })],
    ["a start that is none", JSON.stringify({ ...owner(), started: 500 })],
    ["no token", JSON.stringify({ ...owner(), token: 1 })],
    ["a token that is a path", JSON.stringify({ ...owner(), token: "../x" })],
    ["a token without end", JSON.stringify({ ...owner(), token: "x".repeat(65) })],
    ["an empty token", JSON.stringify({ ...owner(), token: "" })],
  ])("with %s is nobody's", (_what, text) => {
    expect(parseOwner(text)).toBeUndefined();
  });
});

describe("an owner in another namespace of process ids", () => {
  const SPACE = "/proc/self/ns/pid";

  it("is elsewhere, though nobody has its process id here", () => {
    proc.set(SPACE, "pid:[1]");
    answers("ESRCH");
    expect(thisProcess("t")).toMatchObject({ space: "pid:[1]" });
    expect(fateOf(owner({ space: "pid:[2]" }))).toBe("elsewhere");
    expect(fateOf(owner({ space: "pid:[1]" }))).toBe("dead");
    // Where one of the two does not know, the process id is all there is.
    expect(fateOf(owner())).toBe("dead");
    proc.delete(SPACE);
    expect(fateOf(owner({ space: "pid:[2]" }))).toBe("dead");
    expect(thisProcess("t")).not.toHaveProperty("space");
  });

  it("is dead where the machine was booted since", () => {
    proc.set(SPACE, "pid:[1]");
    expect(fateOf(owner({ space: "pid:[2]", boot: "b-0" }))).toBe("dead");
    expect(parseOwner(JSON.stringify({ ...owner(), space: 5 }))).toBeUndefined();
  });
});
