// The names that each entry of the package exports: people live with them, so a change shows. A new
// entry gets its list with `npx vitest run -u` here, and a line in `own-modules.ts` and the guide.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ownModules } from "../../src/cli/config/own-modules.js";
import { entryPoints } from "../../vitest.config.js";

const ROOT = join(import.meta.dirname, "../..");
const { exports } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const entries = Object.keys(exports)
  .filter((path) => path !== "./package.json")
  .map((path) => path.replace(/^\./, "reckoner"));

/** The module behind an entry's name, as the tests and a user's program see it. */
const moduleOf = (entry: string): Promise<Record<string, unknown>> => {
  const target = entryPoints("src").find(({ find }) => find.test(entry));
  return import(target?.replacement ?? entry);
};

describe.each(entries)("the entry %s", (entry) => {
  it("exports these names", async () => {
    const names = Object.keys(await moduleOf(entry)).sort();
    const file = `exports/${entry.replaceAll("/", "-")}.txt`;
    await expect(`${names.join("\n")}\n`).toMatchFileSnapshot(file);
  });

  it("is what a config gets that imports it", async () => {
    const modules = await ownModules(`import {} from "${entry}";`);
    expect(Object.keys(modules)).toContain(entry);
    expect(modules[entry]).toBe(await moduleOf(entry));
  });

  it("has its line in the guide", () => {
    const guide = readFileSync(join(ROOT, "docs/guide/install.md"), "utf8");
    expect(guide).toMatch(new RegExp(`^\\| \`${entry}\` +\\|`, "m"));
  });
});

describe("the root", () => {
  it("has no name in common with the thoughts or the kernel", async () => {
    const [root, kernel, thoughts] = await Promise.all(
      ["reckoner", "reckoner/kernel", "reckoner/thoughts"].map(moduleOf),
    );
    const shared = Object.keys(root!).filter((name) => name in thoughts! || name in kernel!);
    expect(shared).toEqual([]);
    expect(Object.keys(root!).length).toBeLessThan(40);
  });
});

describe("all entries together", () => {
  it("have each name once, and no more than a page of them", async () => {
    const names = (await Promise.all(entries.map(moduleOf))).flatMap((each) => Object.keys(each));
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
    expect(names.length).toBeLessThanOrEqual(175);
    // Without hosts, their databases and pages, and engines.
    const hosts = /^reckoner\/(?:serve|page|sqlite|postgres|durable-object|restate)$/;
    const others = entries.filter((entry) => !hosts.test(entry));
    const theirs = await Promise.all(others.map(moduleOf));
    expect(theirs.flatMap((each) => Object.keys(each)).length).toBeLessThanOrEqual(160);
  });
});
