// On Node each entry that hashes brings Node's own SHA-256 along, also where it is imported alone.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";

const calls = vi.hoisted(() => ({ count: 0 }));
vi.mock("node:crypto", async (original) => {
  const crypto = await original<typeof import("node:crypto")>();
  const hash: typeof crypto.hash = (...given: Parameters<typeof crypto.hash>) => {
    calls.count += 1;
    return crypto.hash(...given) as never;
  };
  return { ...crypto, hash };
});

const ROOT = join(import.meta.dirname, "../../..");
const { exports, sideEffects } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));

describe.each(["kernel", "thoughts", "decisions", "contexts", "time-travel", "trace"])(
  "reckoner/%s",
  (entry) => {
    it("picks it, and no bundler drops it", () => {
      expect(Object.keys(exports[`./${entry}`])).toEqual(["types", "node", "default"]);
      expect(sideEffects).toContain(exports[`./${entry}`].node);
    });

    it("hashes with it", async () => {
      vi.resetModules();
      const file = exports[`./${entry}`].node.replace(/^.\/dist\/(.*)\.js$/, "$1");
      await import(`../../../src/${file}.ts`);
      const { hashOf } = await import("../../../src/core/kernel/index.js");
      calls.count = 0;
      hashOf("a text that is hashed");
      expect(calls.count).toBe(1);
    });

    it("does without where there is no Node", async () => {
      vi.resetModules();
      await import(`../../../src/${entry}.ts`);
      const { hashOf } = await import("../../../src/core/kernel/index.js");
      calls.count = 0;
      hashOf("a text that is hashed");
      expect(calls.count).toBe(0);
    });
  },
);
