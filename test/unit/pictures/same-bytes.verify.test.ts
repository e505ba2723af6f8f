// The same picture gives the same bytes: in another process, after other pictures, from a copy.
import { spawnSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { agent } from "reckoner";
import {
  chartPicture,
  decisionsPicture,
  type Picture,
  thoughtsPicture,
  toSvg,
  writePicture,
} from "reckoner/pictures";
import { describe, expect, it } from "vitest";
import { pictureFormats } from "../../../src/pictures/write.js";
import { manyDecisions, manyThoughts } from "./support.js";

const ROOT = resolve(import.meta.dirname, "../../..");

function pictures(): Picture[] {
  const { graph, best } = manyThoughts(400, 40);
  return [
    chartPicture(agent({ name: "helper" })),
    thoughtsPicture(graph, { best }),
    decisionsPicture(manyDecisions(300)),
  ];
}

const all = (of: Picture[]) =>
  of.flatMap((picture) => pictureFormats.map((format) => writePicture(picture, format)));

describe("a picture", () => {
  it("is the same, drawn twice and from its JSON", () => {
    const first = all(pictures());
    expect(all(pictures().reverse().reverse())).toEqual(first);
    expect(all(JSON.parse(JSON.stringify(pictures())))).toEqual(first);
  });

  it("is the same in another process, of another locale and time zone", () => {
    const [chart] = pictures() as [Picture];
    const code = `import { toSvg } from ${JSON.stringify(join(ROOT, "dist/pictures/index.js"))};
      import { readFileSync } from "node:fs";
      process.stdout.write(toSvg(JSON.parse(readFileSync(0, "utf8"))));`;
    const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
      input: JSON.stringify(chart),
      encoding: "utf8",
      env: { ...process.env, LC_ALL: "tr_TR.UTF-8", TZ: "Asia/Kathmandu" },
    });
    expect(stderr).toBe("");
    expect(stdout).toBe(toSvg(chart));
  });

  it("has a look for light, for dark, and for both", () => {
    const [chart] = pictures() as [Picture];
    const [auto, light, dark] = (["auto", "light", "dark"] as const).map((theme) =>
      toSvg(chart, { theme }),
    );
    expect(auto).toContain("@media (prefers-color-scheme:dark)");
    expect(light).not.toContain("@media");
    expect(light).toContain("{fill:#ffffff}");
    expect(dark).toContain("{fill:#0d1117}");
    // The rules of one picture reach nothing else on its page.
    const [, style = ""] = /<style>([\s\S]*)<\/style>/.exec(auto as string) ?? [];
    const selectors = [...style.matchAll(/([^{}]+)\{[^{}]*\}/g)].flatMap(([, list = ""]) =>
      list.replace(/^.*@media.*$/s, "").split(","),
    );
    expect(selectors.length).toBeGreaterThan(60);
    for (const one of selectors) expect(one.trim()).toMatch(/^\.reckoner-picture /);
  });
});

describe("the layout library", () => {
  /** What a built file loads, and what that loads in turn. */
  function loads(file: string, seen: Set<string> = new Set()): Set<string> {
    const text = readFileSync(file, "utf8");
    for (const [, specifier = ""] of text.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)) {
      const target = specifier.startsWith(".") ? resolve(file, "..", specifier) : specifier;
      if (seen.has(target)) continue;
      seen.add(target);
      if (specifier.startsWith(".")) loads(target, seen);
    }
    return seen;
  }

  it("is loaded with the pictures, and not with the root", () => {
    const dist = (name: string) => join(ROOT, "dist", name);
    expect(statSync(dist("index.js")).isFile()).toBe(true);
    // The build bundles it, and says above each part where it comes from.
    const holdsDagre = (entry: string) =>
      [dist(entry), ...loads(dist(entry))]
        .filter((name) => name.startsWith(ROOT))
        .some((file) => readFileSync(file, "utf8").includes("node_modules/@dagrejs/dagre"));
    expect(holdsDagre("pictures/index.js")).toBe(true);
    expect(holdsDagre("index.js")).toBe(false);
  });
});
