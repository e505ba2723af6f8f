// `reckoner graph`: charts of configs and journals, thoughts of journals, and what is wrong with a request.
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { aFolder, called, reckoner } from "../unit/cli/support.js";
import { checkMermaid, checkSvg } from "../unit/pictures/support.js";

/** A folder with a journal of an agent that waits, and one of thoughts. */
async function aFolderWithRuns(): Promise<string> {
  const folder = aFolder();
  const agent = ["run", "notes.ts", "--prompt", "clean up", "--journal", "run.jsonl"];
  expect((await reckoner(folder, agent)).code).toBe(3);
  const thoughts = ["run", "thoughts.ts", "--input", '"why?"', "--journal", "thoughts.jsonl"];
  expect((await reckoner(folder, thoughts)).code).toBe(0);
  return folder;
}

describe("reckoner graph", () => {
  it("draws the chart of a config as Mermaid", async () => {
    const { code, stdout, stderr } = await reckoner(aFolder(), ["graph", "notes.ts"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    checkMermaid(stdout);
    for (const state of ["deciding", "thinking", "acting", "answered"]) {
      expect(stdout).toContain(`"${state}`);
    }
    expect(stdout).not.toMatch(/function|=>/);
  });

  it("draws the agent of a config or of a journal, and no reasoner of another kind", async () => {
    const folder = await aFolderWithRuns();
    for (const source of ["notes.ts", "run.jsonl"]) {
      const words = ["graph", source, "--view", "agent", "--format", "json"];
      const { code, stdout } = await reckoner(folder, words);
      expect(code).toBe(0);
      const { kind, nodes } = JSON.parse(stdout);
      expect([kind, nodes[0].id]).toEqual(["agent", "loop"]);
    }
    const refused = await reckoner(folder, ["graph", "thoughts.ts", "--view", "agent"]);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain("--view agent needs an agent");
  });

  it("draws every format, to standard output or to a file that says which", async () => {
    const folder = aFolder();
    const drawn = async (...words: string[]) => {
      const { code, stdout } = await reckoner(folder, ["graph", "notes.ts", ...words]);
      expect(code).toBe(0);
      return stdout;
    };
    const svg = await drawn("--format", "svg");
    checkSvg(svg);
    expect(JSON.parse(await drawn("--format", "json"))).toMatchObject({ kind: "chart" });
    const said = await reckoner(folder, ["graph", "notes.ts", "--out", "chart.svg"]);
    expect(said).toEqual({ code: 0, stdout: "", stderr: "reckoner: wrote chart.svg\n" });
    expect(readFileSync(join(folder, "chart.svg"), "utf8")).toBe(svg);
    await drawn("--out", "chart.txt", "--format", "mermaid");
    checkMermaid(readFileSync(join(folder, "chart.txt"), "utf8"));
  });

  it("shows where a journal's run is, and where it was", async () => {
    const folder = await aFolderWithRuns();
    const here = async (...words: string[]) => {
      const { stdout } = await reckoner(folder, [
        "graph",
        "run.jsonl",
        "--format",
        "json",
        ...words,
      ]);
      const { nodes, title } = JSON.parse(stdout);
      const marked = nodes.filter((node: { borderTone?: string }) => node.borderTone === "blue");
      return [title, ...marked.map(({ label }: { label: string }) => label)];
    };
    const [title, state] = await here();
    expect(title).toMatch(/, after event 4$/);
    expect(state).toBe("acting");
    expect(await here("--at", "0")).toEqual([expect.stringMatching(/after event 0$/), "thinking"]);
  });

  it("draws what a run thought, at the end and before", async () => {
    const folder = await aFolderWithRuns();
    const words = ["graph", "thoughts.jsonl", "--view", "thoughts"];
    const { code, stdout } = await reckoner(folder, [...words, "--format", "svg"]);
    expect(code).toBe(0);
    checkSvg(stdout);
    expect(stdout.match(/<g class="node">/g)).toHaveLength(7);
    expect(stdout).toContain(">led to the result</text>");
    const before = await reckoner(folder, [...words, "--at", "2", "--format", "json"]);
    expect(JSON.parse(before.stdout).nodes.length).toBeLessThan(7);
    const chart = await reckoner(folder, ["graph", "thoughts.jsonl", "--config", "thoughts.ts"]);
    checkMermaid(chart.stdout);
    expect(chart.stdout).toContain("completed");
  });

  it("says that a torn line is left out", async () => {
    const folder = await aFolderWithRuns();
    const journal = join(folder, "run.jsonl");
    writeFileSync(journal, `${readFileSync(journal, "utf8")}{"prev":`);
    const words = ["graph", "run.jsonl", "--config", "notes.ts"];
    const { code, stderr } = await reckoner(folder, words);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: "reckoner: run.jsonl: the last line is torn and left out\n",
    });
  });
});

describe("a mistake in reckoner graph", () => {
  const mistakes: [what: string, words: string[], line: RegExp][] = [
    ["nothing to draw", [], /missing required argument.*\[cli\.usage\]/],
    [
      "an unknown view",
      ["notes.ts", "--view", "soul"],
      /--view soul.*chart, agent, thoughts.*\[cli/,
    ],
    ["a view of an object's own", ["notes.ts", "--view", "toString"], /--view toString.*\[cli/],
    ["an unknown format", ["notes.ts", "--format", "png"], /--format png.*mermaid, svg, json/],
    ["a file without a format", ["notes.ts", "--out", "x.png"], /--out x\.png.*--format.*\[cli/],
    [
      "a folder to write to",
      ["notes.ts", "--out", ".", "--format", "svg"],
      /--out \. cannot be written: EISDIR.*\[cli/,
    ],
    ["a folder that is not there", ["notes.ts", "--out", "no/x.svg"], /no\/x\.svg.*\[cli/],
    ["--at with a config", ["notes.ts", "--at", "1"], /--at 1 needs a journal.*\[cli/],
    ["--at that is not a number", ["run.jsonl", "--at", "last"], /--at last.*\[cli\.usage\]/],
    [
      "--at past the end",
      ["run.jsonl", "--config", "notes.ts", "--at", "99"],
      /--at 99 is past the last event, 4.*\[cli/,
    ],
    ["two configs", ["notes.ts", "--config", "notes.ts"], /--config goes with a journal.*\[cli/],
    ["a config that is missing", ["no.ts"], /no\.ts does not exist.*\[config\.invalid\]/],
    ["a config that throws", ["throws.ts"], /throws\.ts cannot be loaded.*\[config\.invalid\]/],
    ["a journal that is missing", ["no.jsonl"], /no\.jsonl does not exist.*\[journal\.missing\]/],
    ["a journal that is none", ["notes.txt"], /notes\.txt: .*\[journal\.\w+\]/],
    ["a folder", ["."], /\. is a folder; name a config or a journal in it\. \[cli\.usage\]/],
    [
      "a link to the journal to be overwritten",
      ["run.jsonl", "--out", "link.json"],
      /--out link\.json is a file already, and not a picture.*\[cli\.usage\]/,
    ],
    [
      "thoughts of a config",
      ["thoughts.ts", "--view", "thoughts"],
      /thoughts\.ts: --view thoughts needs the journal of a run.*\[cli\.usage\]/,
    ],
    [
      "thoughts of an agent",
      ["run.jsonl", "--config", "notes.ts", "--view", "thoughts"],
      /run\.jsonl: --view thoughts needs a run of thoughts.*\[cli\.usage\]/,
    ],
    [
      "a journal to be overwritten",
      ["run.jsonl", "--out", "./run.jsonl", "--format", "json"],
      /--out \.\/run\.jsonl has the name of a journal.*\[cli\.usage\]/,
    ],
    [
      "a config of another reasoner",
      ["run.jsonl", "--config", "thoughts.ts"],
      /run\.jsonl: .*\[journal\.reasoner\]/,
    ],
  ];

  it("is one line, exit code 2, and nothing is written", async () => {
    const folder = await aFolderWithRuns();
    writeFileSync(join(folder, "notes.txt"), "no journal\n");
    symlinkSync("run.jsonl", join(folder, "link.json"));
    const journal = readFileSync(join(folder, "run.jsonl"), "utf8");
    for (const [what, words, line] of mistakes) {
      const { code, stdout, stderr } = await called(folder, ["graph", ...words]);
      expect(stderr, what).toMatch(/^reckoner: [^\n]+\n$/);
      expect(stderr, what).toMatch(line);
      expect({ code, stdout }, what).toEqual({ code: 2, stdout: "" });
    }
    expect(readFileSync(join(folder, "run.jsonl"), "utf8")).toBe(journal);
    expect(existsSync(join(folder, "x.png"))).toBe(false);
  });
});
