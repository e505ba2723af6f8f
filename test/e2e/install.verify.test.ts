// The package as a stranger gets it: packed, installed into an empty folder, its command run and each of
// its entries loaded. What it brings along is counted.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
const { dependencies, exports, peerDependencies } = JSON.parse(
  readFileSync(join(ROOT, "package.json"), "utf8"),
);
const folder = mkdtempSync(join(tmpdir(), "reckoner-install-"));
const modules = join(folder, "node_modules");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeAll(() => {
  const npm = (cwd: string, ...words: string[]) =>
    execFileSync("npm", words, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  const packed = npm(ROOT, "pack", "--ignore-scripts", "--json", "--pack-destination", folder);
  const [{ filename }] = JSON.parse(packed);
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }');
  npm(folder, "install", "--prefer-offline", "--no-audit", "--no-fund", join(folder, filename));
});

/** The packages in the folder. */
function installed(): string[] {
  return readdirSync(modules).flatMap((name) => {
    if (name.startsWith(".")) return [];
    const inner = name.startsWith("@") ? readdirSync(join(modules, name)) : [];
    return inner.length === 0 ? [name] : inner.map((each) => `${name}/${each}`);
  });
}

describe("an install in an empty folder", () => {
  it("has the core's packages beside it, five at most, and nothing of the command line", () => {
    const others = installed().filter((name) => name !== "reckoner");
    expect(others.sort()).toEqual(Object.keys(dependencies).sort());
    expect(others.length).toBeLessThanOrEqual(5);
  });

  it("runs the command, without asking a registry for it", () => {
    const npx = (...words: string[]) =>
      spawnSync("npx", ["--no", "--offline", ...words], { cwd: folder, encoding: "utf8" });
    const help = npx("reckoner", "--help");
    expect(help.stderr).toBe("");
    expect([help.status, help.stdout.split("\n")[0]]).toEqual([
      0,
      "Usage: reckoner [options] [command]",
    ]);
    expect(npx("reckoner-that-is-not-there", "--help").status).not.toBe(0);
  });

  it("loads a config in TypeScript, and runs it", () => {
    const config = `import { agent, defineConfig, scriptedModel } from "reckoner";
const words: string = "Hello.";
export default defineConfig({
  reasoner: agent({ name: "greeter" }), model: scriptedModel([words]), input: "Hi.",
});`;
    writeFileSync(join(folder, "config.ts"), config);
    const main = join(modules, "reckoner/dist/cli/main.js");
    const run = spawnSync(process.execPath, [main, "run", "config.ts"], {
      cwd: folder,
      encoding: "utf8",
    });
    expect([run.status, run.stdout]).toEqual([0, "Hello.\n"]);
  });

  it.each(Object.keys(exports).filter((path) => !path.endsWith(".json")))(
    "loads %s, or names the peer that it needs",
    (path) => {
      const name = path.replace(".", "reckoner");
      const load = `await import(${JSON.stringify(name)})`;
      const { status, stderr } = spawnSync(
        process.execPath,
        ["--input-type=module", "--eval", load],
        { cwd: folder, encoding: "utf8" },
      );
      if (status === 0) return;
      const [, missing = ""] = /Cannot find package '([^']+)'/.exec(stderr) ?? [];
      expect(Object.keys(peerDependencies), stderr).toContain(missing);
    },
  );

  it("has the licence of everything that is inside it", () => {
    const text = readFileSync(join(modules, "reckoner/dist/THIRD_PARTY.md"), "utf8");
    const named = [...text.matchAll(/^## (\S+) \d/gm)].map(([, name]) => name);
    const inside = ["@dagrejs/dagre", "@dagrejs/graphlib", "@preact/signals"];
    inside.push("@preact/signals-core", "commander", "jiti", "picocolors", "preact");
    expect(named).toEqual(inside);
    expect(
      text.match(/permission notice shall be|Permission is hereby granted/gi)?.length,
    ).toBeGreaterThan(4);
    expect(existsSync(join(modules, "reckoner/dist/vendor/commander.js"))).toBe(true);
  });

  it("imports nothing that is not installed, but optional peers and Node's own modules", () => {
    const dist = join(modules, "reckoner/dist");
    const known = new Set([
      ...Object.keys(dependencies),
      ...Object.keys(peerDependencies),
      "reckoner",
    ]);
    const strange = readdirSync(dist, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".js") && !file.startsWith("vendor"))
      .flatMap((file) =>
        [
          ...readFileSync(join(dist, file), "utf8").matchAll(
            /^(?:import|export)\b.*?from "([^".#][^"]*)"/gm,
          ),
        ]
          .map(([, name = ""]) => name.match(/^(?:@[^/]+\/)?[^/]+/)?.[0] ?? name)
          .filter((name) => !(name.startsWith("node:") || known.has(name)))
          .map((name) => `${file}: ${name}`),
      );
    expect(strange).toEqual([]);
  });
});
