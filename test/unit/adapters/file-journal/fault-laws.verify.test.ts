// Whichever system call fails: nothing that was acknowledged is lost, nothing half-written blocks, and
// neither a lock nor a descriptor nor a draft stays.
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { nodeCalls } from "../../../../src/adapters/file-journal/file-calls.js";
import { fileJournal } from "../../../../src/adapters/file-journal/index.js";
import type { JournalPort } from "../../../../src/runtime/index.js";
import {
  type Fault,
  journalFaultLaws,
  type MakeFaulty,
} from "../../../../src/testing/journal-fault-laws.js";
import { faultyCalls } from "../../../support/faulty-calls.js";
import { folder, IN_MEMORY } from "./place.js";

const PROMISED = new Set(
  "create fdatasync fsync mkdir readdir stat readFile writeFile rename rm".split(" "),
);
const LINUX = existsSync("/proc/self/fd");
const descriptors = () => (LINUX ? readdirSync("/proc/self/fd").length : 0);

/** A journal in a file, or one that lies below another whose lock covers it. */
const made =
  (portOf: (path: string, fault: (call: string) => Fault | undefined) => JournalPort): MakeFaulty =>
  async (fault) => {
    const path = join(await folder(IN_MEMORY), "run.jsonl");
    const before = descriptors();
    return {
      port: portOf(path, fault),
      held() {
        const names = readdirSync(dirname(path), { recursive: true, encoding: "utf8" });
        const more = descriptors() - before;
        return [
          ...names.filter((name) => /\.lock|\.tmp/.test(name)),
          ...(more > 0 ? [`${more} descriptors`] : []),
        ];
      },
    };
  };

describe.each([
  [
    "a journal",
    made((path, fault) => fileJournal(path, { calls: faultyCalls(nodeCalls, fault, PROMISED) })),
  ],
  [
    "a fork's journal",
    made((path, fault) => {
      const calls = faultyCalls(nodeCalls, fault, PROMISED);
      return fileJournal(path, { calls }).fork?.("a/b") as JournalPort;
    }),
  ],
])("%s in a file", (_name, make) => {
  for (const law of journalFaultLaws(make)) it(law.name, law.check);
});

describe("the laws", () => {
  const calls = [...Object.keys(nodeCalls)].sort();

  it("reach every call that a journal makes", async () => {
    const seen = new Set<string>();
    const make = made((path, fault) =>
      fileJournal(path, {
        calls: faultyCalls(
          nodeCalls,
          (call) => {
            seen.add(call);
            return fault(call);
          },
          PROMISED,
        ),
      }),
    );
    await journalFaultLaws(make, 1)[0]?.check();
    // Looking at files' ages, waiting for heartbeats, and looking at folders of claims is for what killed processes left.
    // `link` and `overwrite` are for notes, whose tests let them fail.
    const rare = new Set(["stat", "readdir", "mkdir", "ftruncate", "sleep", "link", "overwrite"]);
    // Which of the two syncs depends on how quick the disk is.
    expect(seen.has("fdatasync") || seen.has("fdatasyncSync")).toBe(true);
    for (const sync of ["fdatasync", "fdatasyncSync"]) rare.add(sync);
    expect(calls.filter((call) => !seen.has(call) && !rare.has(call))).toEqual([]);
  });

  it.each([
    ["a port that acknowledges what it has not written", "write", () => 7],
    ["a port that keeps its lock", "rm", () => Promise.resolve()],
  ])("refuse %s", async (_name, call, does) => {
    const make = made((path, fault) => {
      const lying = { ...nodeCalls, [call]: does } as typeof nodeCalls;
      return fileJournal(path, { calls: faultyCalls(lying, fault, PROMISED) });
    });
    const checks = journalFaultLaws(make, 3).map(({ check }) => check());
    const failed = (await Promise.allSettled(checks)).filter(({ status }) => status === "rejected");
    expect(failed.length).toBeGreaterThan(0);
  });
});
