// For every fence of the house a planted violation that is refused. A fence that no one has seen refuse
// anything is not known to stand.
import { describe, expect, it } from "vitest";
import {
  type Import,
  judgeImports,
  ROOT,
  ruleNames,
  runTool,
  withHouse,
} from "./architecture/plant.js";

it("the import table holds in src", async () => {
  const imports = await judgeImports(ROOT);
  expect(imports.filter((one) => one.refusedBy.length > 0)).toEqual([]);
});

const CORE_PACKAGES = ["xstate", "immer", "@standard-schema/spec"];
const HASHES = "@noble/hashes/sha2.js";
const NODE = ["node:fs", "node:crypto"];
const AI_SDK = ["ai", "@ai-sdk/openai", "@ai-sdk/anthropic"];
const PICTURES = ["@dagrejs/dagre"];
const CLI = ["commander", "picocolors", "jiti"];
const DEVELOPMENT = ["vitest", "zod", "tinybench"];
const DUCKDB = "@duckdb/node-api";
const PGLITE = "@electric-sql/pglite";
const JSON_SCHEMA = "@cfworker/json-schema";
const RESTATE = "@restatedev/restate-sdk";
const PAGE = ["preact", "@preact/signals"];
/** Nobody imports the files of the platform but by this name. */
const PLATFORM = "#platform";
const FOREIGN = [
  ...CORE_PACKAGES,
  ...NODE,
  ...AI_SDK,
  ...PICTURES,
  ...CLI,
  DUCKDB,
  PGLITE,
  JSON_SCHEMA,
  RESTATE,
  ...PAGE,
  HASHES,
  "fast-check",
  PLATFORM,
  ...DEVELOPMENT,
];

const CORE = ["kernel", "journal", "agent", "thoughts"].map((name) => `core/${name}`);
const OUTWARD = [...CORE, "runtime"];

/** The table of the design, a second time: a slip in the rules and a slip here differ. */
const TABLE: Record<string, { house: string[]; foreign: string[] }> = {
  "core/kernel": { house: [], foreign: [...CORE_PACKAGES, PLATFORM] },
  "core/journal": { house: ["core/kernel"], foreign: CORE_PACKAGES },
  "core/agent": { house: ["core/kernel"], foreign: CORE_PACKAGES },
  "core/thoughts": { house: ["core/kernel"], foreign: CORE_PACKAGES },
  "core/driver": { house: ["core/kernel", "core/journal"], foreign: CORE_PACKAGES },
  capabilities: { house: CORE, foreign: [] },
  runtime: { house: ["core/kernel", "core/journal", "core/driver"], foreign: [PLATFORM] },
  platform: {
    house: ["runtime", "adapters/file-journal", "serve/server"],
    foreign: [...NODE, HASHES, PLATFORM],
  },
  "adapters/ai-sdk": { house: OUTWARD, foreign: AI_SDK },
  "adapters/file-journal": { house: OUTWARD, foreign: NODE },
  "adapters/journal-tables": { house: [...OUTWARD, "serve"], foreign: [] },
  "adapters/sqlite": { house: [...OUTWARD, "serve", "adapters/journal-tables"], foreign: [] },
  "adapters/postgres": { house: [...OUTWARD, "serve", "adapters/journal-tables"], foreign: [] },
  "adapters/json-schema": { house: OUTWARD, foreign: [JSON_SCHEMA] },
  "decisions/pure": { house: ["core/kernel"], foreign: CORE_PACKAGES },
  "decisions/stores": { house: [...OUTWARD, "decisions/pure"], foreign: [] },
  "decisions/stores/sql": { house: [...OUTWARD, "decisions/pure"], foreign: [] },
  "decisions/stores/duckdb": { house: [...OUTWARD, "decisions/stores/sql"], foreign: [DUCKDB] },
  "decisions/stores/postgres": {
    house: [...OUTWARD, "decisions/stores/sql", "adapters/file-journal", "adapters/postgres"],
    foreign: [...NODE, PGLITE],
  },
  "decisions/agent": { house: [...CORE, "decisions/pure"], foreign: [] },
  "decisions/laws": {
    house: [...OUTWARD, "decisions/pure", "decisions/stores", "testing"],
    foreign: ["fast-check"],
  },
  "trace/pure": { house: ["core/kernel", "core/journal"], foreign: CORE_PACKAGES },
  "trace/live": { house: [...OUTWARD, "trace/pure"], foreign: [] },
  "trace/agent": { house: [...OUTWARD, "trace/pure", "trace/live"], foreign: [] },
  "time-travel/pure": { house: ["core/kernel", "core/journal"], foreign: CORE_PACKAGES },
  "time-travel/live": { house: [...OUTWARD, "core/driver", "time-travel/pure"], foreign: [] },
  serve: {
    house: [...OUTWARD, "core/driver", "time-travel/live", "serve/server", "serve/page"],
    foreign: [PLATFORM],
  },
  "serve/page": { house: ["core/kernel", "core/journal"], foreign: [] },
  "serve/server": { house: ["core/kernel"], foreign: NODE },
  "serve/laws": { house: [...OUTWARD, "core/driver", "serve"], foreign: [] },
  "engines/shared": { house: [...OUTWARD, "core/driver", "serve"], foreign: [] },
  "engines/durable-object": {
    house: [...OUTWARD, "core/driver", "serve", "engines/shared"],
    foreign: [],
  },
  "engines/restate": {
    house: [...OUTWARD, "core/driver", "serve", "engines/shared"],
    foreign: [...NODE, RESTATE],
  },
  pictures: { house: [...CORE, "decisions/pure", "trace/pure"], foreign: PICTURES },
  "studio/model": {
    house: [...CORE, "decisions/pure", "trace/pure", "time-travel/pure", "pictures"],
    foreign: [],
  },
  "studio/live": {
    house: [...OUTWARD, "studio/model", "trace/pure", "time-travel/pure"],
    foreign: [],
  },
  "studio/view": {
    house: [...OUTWARD, "studio/model", "studio/live", "pictures", "trace/pure"],
    foreign: PAGE,
  },
  testing: { house: [...OUTWARD, "core/driver"], foreign: ["fast-check"] },
};
/** The folders that the rules know. */
const ROWS = Object.keys(TABLE);
TABLE.cli = {
  house: ROWS.filter((folder) => folder !== "platform"),
  foreign: FOREIGN.filter((name) => !DEVELOPMENT.includes(name)),
};
const FOLDERS = Object.keys(TABLE);
/** The folders that have a face. */
const FACED = FOLDERS.filter((folder) => folder !== "platform");

/** The floors of rooms, a second time. */
const FLOORS: Record<string, string[]> = {
  "core/kernel": ["values", "vocabulary", "machine"],
  "core/agent": ["context", "transcript", "extend", "budget", "calls", "request", "turn"],
  runtime: ["ports", "effects", "journals", "running"],
};

/** The two files of the platform, to one of which its name leads. */
const platformFiles = (): Record<string, string> =>
  Object.fromEntries(
    ["node", "portable"].map((name) => [`src/platform/${name}.ts`, "export {};\n"]),
  );

/** The way from a folder of src to a file of src, as an import writes it. */
const way = (from: string, to: string) => `${"../".repeat(from.split("/").length)}${to}`;
const face = (from: string, to: string) => way(from, `${to}/index.js`);
const importOf = (specifier: string) =>
  specifier === "@standard-schema/spec"
    ? `import type * as _ from "${specifier}";\n`
    : `import "${specifier}";\n`;
const allowed = (imports: Import[]) =>
  imports.filter((one) => one.refusedBy.length === 0).map((one) => one.specifier);

describe("the import table", () => {
  it("lets each folder import its row and nothing else", async () => {
    const files = platformFiles();
    for (const folder of FOLDERS) {
      files[`src/${folder}/index.ts`] = "export {};\n";
      files[`src/${folder}/behind.ts`] = "export {};\n";
      const others = FACED.filter((other) => other !== folder);
      files[`src/${folder}/planted.ts`] = [
        "./behind.js",
        ...others.map((other) => face(folder, other)),
        ...others.map((other) => way(folder, `${other}/behind.js`)),
        ...FOREIGN,
      ]
        .map(importOf)
        .join("");
    }
    const imports = await withHouse(files, judgeImports);
    const planted = (folder: string) =>
      imports.filter((one) => one.from === `src/${folder}/planted.ts`);

    for (const [folder, { house, foreign }] of Object.entries(TABLE)) {
      // A planted import that was not seen would count as refused.
      const others = FACED.filter((other) => other !== folder);
      expect(planted(folder), folder).toHaveLength(1 + 2 * others.length + FOREIGN.length);
      expect(allowed(planted(folder)).sort(), folder).toEqual(
        ["./behind.js", ...house.map((other) => face(folder, other)), ...foreign].sort(),
      );
    }
  });

  it("lets the entries load neither adapters nor testing nor the command", async () => {
    const files = platformFiles();
    for (const folder of FACED) {
      files[`src/${folder}/index.ts`] = "export {};\n";
      files[`src/${folder}/behind.ts`] = "export {};\n";
    }
    const everything = [
      ...FACED.flatMap((folder) => [`./${folder}/index.js`, `./${folder}/behind.js`]),
      ...FOREIGN,
    ];
    files["src/index.ts"] = everything.map(importOf).join("");
    files["src/kernel.ts"] = files["src/index.ts"];
    const imports = await withHouse(files, judgeImports);
    const from = (path: string) => allowed(imports.filter((one) => one.from === path)).sort();

    const decisions = ["decisions/pure", "decisions/stores", "decisions/agent"];
    const trace = ["trace/pure", "trace/live", "trace/agent"];
    const travel = ["time-travel/pure", "time-travel/live"];
    const inner = [
      ...OUTWARD,
      "core/driver",
      "capabilities",
      ...decisions,
      ...trace,
      ...travel,
      "serve",
      "serve/page",
    ].map((folder) => `./${folder}/index.js`);
    expect(from("src/index.ts")).toEqual([...inner].sort());
    expect(from("src/kernel.ts")).toEqual([...inner].sort());
  });

  it("refuses every planted violation by its own rule", async () => {
    const files: Record<string, string> = { ...platformFiles(), "src/index.ts": "export {};\n" };
    for (const folder of FOLDERS) {
      files[`src/${folder}/index.ts`] = "export type T = 1;\n";
      files[`src/${folder}/behind.ts`] = "export type T = 1;\n";
    }
    const violations: [path: string, text: string, rule: string][] = [
      // Nobody imports the command, and nobody a test runner.
      ...ROWS.flatMap((folder): [string, string, string][] => [
        [`${folder}/row-house`, `import "${face(folder, "cli")}";`, `${folder}: house`],
        [`${folder}/row-foreign`, 'import "vitest";', `${folder}: foreign`],
      ]),
      // A floor does not import the one above it, the highest not what lies beside the floors.
      ...Object.entries(FLOORS).flatMap(([room, names]) =>
        names.map((name, i): [string, string, string] => {
          const above = names[i + 1] === undefined ? "index" : `${names[i + 1]}/floor`;
          return [`${room}/${name}/floor`, `import "../${above}.js";`, `${room}/${name}: floors`];
        }),
      ),
      ["core/kernel/a", 'import "../../runtime/index.js";', "core/kernel: house"],
      ["core/agent/a", 'import "../journal/index.js";', "core/agent: house"],
      ["core/agent/b", 'import type { T } from "../journal/index.js";', "core/agent: house"],
      ["core/agent/c", 'export * from "../thoughts/index.js";', "core/agent: house"],
      ["core/agent/d", 'export const load = () => import("commander");', "core/agent: foreign"],
      ["core/agent/e", 'import "node:fs";', "core/agent: foreign"],
      ["runtime/a", 'import "../core/agent/index.js";', "runtime: house"],
      ["runtime/b", 'import "fs";', "runtime: foreign"],
      ["runtime/c", 'import "../index.js";', "runtime: house"],
      ["testing/a", 'import "vitest";', "testing: foreign"],
      ["pictures/a", 'import "../runtime/index.js";', "pictures: house"],
      ["pictures/b", 'import "node:fs";', "pictures: foreign"],
      ["core/thoughts/a", 'import "../../pictures/index.js";', "core/thoughts: house"],
      ["index", 'import "./pictures/index.js";', "entry: house"],
      ["adapters/ai-sdk/a", 'import "../file-journal/index.js";', "adapters/ai-sdk: house"],
      [
        "adapters/ai-sdk/families/a",
        'import type { T } from "../../../runtime/index.js";',
        "adapters/ai-sdk/families: house",
      ],
      ["adapters/ai-sdk/families/b", 'import "../behind.js";', "adapters/ai-sdk/families: house"],
      ["adapters/ai-sdk/families/c", 'import "ai";', "adapters/ai-sdk/families: foreign"],
      [
        "decisions/stores/duckdb/a",
        'import "../postgres/index.js";',
        "decisions/stores/duckdb: house",
      ],
      ["decisions/stores/postgres/a", 'import "pg";', "decisions/stores/postgres: foreign"],
      ["decisions/stores/a", 'import "./sql/index.js";', "decisions/stores: house"],
      ["decisions/pure/a", 'import "../../runtime/index.js";', "decisions/pure: house"],
      ["trace/pure/e", 'import "../../runtime/index.js";', "trace/pure: house"],
      ["trace/live/a", 'import "node:fs";', "trace/live: foreign"],
      ["time-travel/pure/e", 'import "../../runtime/index.js";', "time-travel/pure: house"],
      ["time-travel/live/a", 'import "node:fs";', "time-travel/live: foreign"],
      ["serve/a", 'import "node:crypto";', "serve: foreign"],
      ["serve/b", 'import "./laws/index.js";', "serve: house"],
      ["runtime/e", 'import "../serve/index.js";', "runtime: house"],
      ["runtime/d", 'import "../time-travel/live/index.js";', "runtime: house"],
      ["testing", 'import "./runtime/index.js";', "entry of tests: house"],
      ["testing", 'import "node:fs";', "entry of tests: foreign"],
      ["index", 'import "node:fs";', "entry: foreign"],
      ["core/driver/a", 'import "../agent/index.js";', "core/driver: house"],
      ["core/driver/b", 'import type { T } from "../../runtime/index.js";', "core/driver: house"],
      [
        "adapters/journal-tables/a",
        'import "../sqlite/index.js";',
        "adapters/journal-tables: house",
      ],
      ["adapters/journal-tables/b", 'import "pg";', "adapters/journal-tables: foreign"],
      ["adapters/sqlite/a", 'import "../postgres/index.js";', "adapters/sqlite: house"],
      ["adapters/sqlite/b", 'import "node:sqlite";', "adapters/sqlite: foreign"],
      ["adapters/postgres/a", 'import "../sqlite/index.js";', "adapters/postgres: house"],
      ["adapters/postgres/b", 'import "pg";', "adapters/postgres: foreign"],
      ["serve/page/a", 'import "../index.js";', "serve/page: house"],
      ["serve/page/b", 'import "../../core/agent/index.js";', "serve/page: house"],
      ["serve/server/a", 'import "../page/index.js";', "serve/server: house"],
      ["engines/shared/a", 'import "../restate/index.js";', "engines/shared: house"],
      ["engines/shared/b", 'import "node:crypto";', "engines/shared: foreign"],
      ["engines/restate/a", 'import "../durable-object/index.js";', "engines/restate: house"],
      [
        "engines/durable-object/a",
        'import "@restatedev/restate-sdk";',
        "engines/durable-object: foreign",
      ],
      ["studio/model/a", 'import "../live/index.js";', "studio/model: house"],
      ["studio/model/b", 'import "preact";', "studio/model: foreign"],
      ["studio/live/a", 'import "../view/index.js";', "studio/live: house"],
      ["studio/live/b", 'import "node:fs";', "studio/live: foreign"],
      ["studio/view/a", 'import "../../time-travel/live/index.js";', "studio/view: house"],
      ["core/agent/context/a", 'import "../turn/machine.js";', "core/agent/context: floors"],
      ["core/agent/turn/machine", 'import "../index.js";', "core/agent/turn: floors"],
      ["runtime/effects/a", 'import "../running/loop.js";', "runtime/effects: floors"],
      ["runtime/running/loop", 'import "../index.js";', "runtime/running: floors"],
      ["adapters/json-schema/a", 'import "zod";', "adapters/json-schema: foreign"],
      ["adapters/unheard-of/a", 'import "node:fs";', "every file has its place"],
      ["utilities/a", 'import "../core/kernel/values/index.js";', "every file has its place"],
      ["stray", 'import "./core/kernel/values/index.js";', "every file has its place"],
      ["core/agent/p", 'import "#platform";', "core/agent: house"],
      ["core/kernel/p", 'import "../../platform/node.js";', "the platform by its name"],
      ["core/kernel/q", 'import "@noble/hashes/sha2.js";', "core/kernel: foreign"],
      ["platform/a", 'import "../core/journal/index.js";', "platform: house"],
      ["platform/b", 'import "xstate";', "platform: foreign"],
      ["core/journal/a", 'import "../kernel/behind.js";', "another folder's face only"],
      ["cli/a", 'import "../runtime/behind.js";', "another folder's face only"],
      ["platform/c", 'import "../runtime/behind.js";', "another folder's face only"],
      ["serve/c", 'import "./page/behind.js";', "another folder's face only"],
      ["kernel", 'import "./runtime/behind.js";', "the root sees faces only"],
      ["cli/b", 'import { StandardSchemaV1 } from "@standard-schema/spec";', "schemas are types"],
      ["cli/c", 'import "zod";', "declared dependencies only"],
      ["cli/d", 'import "no-such-package-anywhere";', "resolvable imports only"],
      ["trace/pure/a", 'import { b } from "./b.js";\nexport const a = () => b;', "no cycles"],
      ["trace/pure/b", 'import { a } from "./a.js";\nexport const b = () => a;', "no cycles"],
      ["trace/pure/c", 'import type { D } from "./d.js";\nexport type C = D[];', "no cycles"],
      ["trace/pure/d", 'import type { C } from "./c.js";\nexport type D = C[];', "no cycles"],
    ];
    // What is allowed shows that `#platform` is seen at all.
    files["src/runtime/p.ts"] = 'import "#platform";\n';
    // Of an entry there is one file for all of its rows.
    for (const path of new Set(violations.map(([each]) => each))) {
      const texts = violations.filter(([each]) => each === path).map(([, text]) => `${text}\n`);
      files[`src/${path}.ts`] = texts.join("");
    }
    // A rule without a violation is not known to refuse anything: a new one adds its row here.
    expect([...new Set(violations.map(([, , rule]) => rule))].sort()).toEqual(ruleNames());
    const imports = await withHouse(files, judgeImports);
    for (const [path, , rule] of violations) {
      const seen = imports.filter((one) => one.from === `src/${path}.ts`);
      expect(
        seen.flatMap((one) => one.refusedBy),
        path,
      ).toContain(rule);
    }
    const platform = imports.filter(({ specifier }) => specifier === "#platform");
    expect(platform.filter(({ from }) => from === "src/runtime/p.ts")).toEqual([
      { from: "src/runtime/p.ts", specifier: "#platform", refusedBy: [] },
    ]);
  });
});

describe("the core's tsconfig", () => {
  it("knows neither Node nor a browser", async () => {
    const refused = {
      process: "export const planted: unknown = process.env;\n",
      fetch: 'export const planted: unknown = fetch("");\n',
      setTimeout: "export const planted: unknown = setTimeout(() => {}, 0);\n",
      console: 'console.log("");\n',
      performance: "export const planted: unknown = performance.now();\n",
      crypto: "export const planted: unknown = crypto.randomUUID();\n",
      Buffer: 'export const planted: unknown = Buffer.from("");\n',
      "node:fs":
        'import { readFileSync } from "node:fs";\nexport const planted: unknown = readFileSync;\n',
      fs: 'import { readFileSync } from "fs";\nexport const planted: unknown = readFileSync;\n',
    };
    const files: Record<string, string> = {
      // The packages that core may use must not bring those names back with their typings.
      "src/core/kernel/index.ts": `import type * as schema from "@standard-schema/spec";
import { produce } from "immer";
import { createMachine } from "xstate";
export const used: unknown = [produce, createMachine];
export type Used = schema.StandardSchemaV1;
export const later: Date = new Date(0);
`,
    };
    Object.values(refused).forEach((text, index) => {
      files[`src/core/kernel/planted-${index}.ts`] = text;
    });
    const elsewhere = ["adapters/ai-sdk/families", "time-travel/pure"];
    for (const folder of elsewhere) {
      files[`src/${folder}/planted.ts`] = "export const at: unknown = fetch;\n";
    }
    const printed = await withHouse(files, (folder) =>
      runTool(folder, "typescript-7/bin/tsc", "-p", "tsconfig.core.json"),
    );
    Object.keys(refused).forEach((name, index) => {
      const line = printed.split("\n").find((one) => one.includes(`planted-${index}.ts`));
      expect(line, `${name} in:\n${printed}`).toMatch(/error TS(2304|2307|2580|2584|2591|2882)/);
      expect(line).toContain(`'${name}'`);
    });
    for (const folder of elsewhere) {
      expect(printed).toMatch(new RegExp(`${folder}/planted\\.ts.* error TS2304`));
    }
    expect(printed).not.toContain("kernel/index.ts");
  });
});

describe("the core's lint", () => {
  it("refuses clocks and chance in the core, and only there", async () => {
    const refused = [
      "Date.now()",
      "[0].map(Date.now)",
      "new Date()",
      "new Date",
      "Date()",
      "Math.random()",
      "performance.now()",
      "globalThis.Date",
      'Date["now"]()',
    ];
    const pure = ["new Date(0).toISOString()", "Math.max(1, 2)", 'Date.parse("2026-01-01")'];
    const files: Record<string, string> = {};
    [...refused, ...pure].forEach((expression, index) => {
      const text = `export const planted: unknown = ${expression};\n`;
      files[`src/core/agent/planted-${index}.ts`] = text;
      files[`src/runtime/planted-${index}.ts`] = text;
      files[`src/adapters/ai-sdk/families/planted-${index}.ts`] = text;
      files[`src/time-travel/pure/planted-${index}.ts`] = text;
    });
    const printed = await withHouse(files, (folder) =>
      runTool(folder, "@biomejs/biome/bin/biome", "lint", "--reporter=github", "src"),
    );
    const errors = printed.split("\n").filter((line) => line.startsWith("::error"));
    const found = (folder: string, index: number) =>
      errors.some((line) => line.includes(`src/${folder}/planted-${index}.ts`));
    refused.forEach((expression, index) => {
      expect(found("core/agent", index), `${expression} in:\n${printed}`).toBe(true);
      expect(found("adapters/ai-sdk/families", index), expression).toBe(true);
      expect(found("time-travel/pure", index), expression).toBe(true);
    });
    pure.forEach((expression, index) => {
      expect(found("core/agent", refused.length + index), expression).toBe(false);
    });
    expect(errors.filter((line) => line.includes("src/runtime/"))).toEqual([]);
  });
});

describe("the lint of hosts", () => {
  it("refuses clocks, timers and chance that are no ports", async () => {
    const refused = [
      "Date.now()",
      "new Date()",
      "Math.random()",
      "setTimeout(() => {}, 0)",
      "setInterval(() => {}, 0)",
      "setImmediate(() => {})",
      "crypto.randomUUID()",
      "globalThis.crypto",
      "performance.now()",
    ];
    const files: Record<string, string> = {};
    [...refused, "new Date(0)"].forEach((expression, index) => {
      const text = `export const planted: unknown = ${expression};\n`;
      files[`src/serve/planted-${index}.ts`] = text;
      files[`src/serve/laws/planted-${index}.ts`] = text;
    });
    const printed = await withHouse(files, (folder) =>
      runTool(folder, "@biomejs/biome/bin/biome", "lint", "--reporter=github", "src"),
    );
    const errors = printed.split("\n").filter((line) => line.startsWith("::error"));
    for (const folder of ["serve", "serve/laws"]) {
      const found = (index: number) =>
        errors.some((line) => line.includes(`src/${folder}/planted-${index}.ts`));
      refused.forEach((expression, index) => {
        expect(found(index), `${expression} in:\n${printed}`).toBe(true);
      });
      expect(found(refused.length)).toBe(false);
    }
  });
});
