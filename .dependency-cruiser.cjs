// Who may import whom: the table of docs/internals.md, as dependency-cruiser reads it.
// test/architecture.verify.test.ts runs it over src and shows that each rule refuses a planted violation.
const { builtinModules } = require("node:module");

const NODE = `^(?:node:)?(?:${builtinModules.join("|")})$`;
const npm = (...names) => `(?:^|/)node_modules/(?:${names.join("|")})/`;

// What core may take from others. It runs in a browser as it runs in Node.
const CORE_PACKAGES = [npm("xstate", "immer", "@standard-schema/spec")];
const CORE = ["kernel", "journal", "agent", "thoughts"].map((name) => `core/${name}`);
const OUTWARD = [...CORE, "runtime"];

/** The files that are entry points themselves: `src/kernel.ts` is `reckoner/kernel`. */
const ENTRIES = Object.values(require("./package.json").exports)
  .map((target) => /^\.\/dist\/([\w-]+)\.js$/.exec(target.default)?.[1])
  .filter((name) => name !== undefined)
  .join("|");

/** Folder → the folders of the house, and the foreign modules, that it may import. */
const TABLE = {
  "core/kernel": { house: ["platform"], foreign: CORE_PACKAGES },
  "core/journal": { house: ["core/kernel"], foreign: CORE_PACKAGES },
  "core/agent": { house: ["core/kernel"], foreign: CORE_PACKAGES },
  "core/thoughts": { house: ["core/kernel"], foreign: CORE_PACKAGES },
  "core/driver": { house: ["core/kernel", "core/journal"], foreign: CORE_PACKAGES },
  capabilities: { house: CORE, foreign: [] },
  runtime: {
    house: ["core/kernel", "core/journal", "core/driver", "platform"],
    foreign: [],
  },
  // What differs between Node and everything else; `#platform` in package.json's `imports` chooses.
  platform: {
    house: ["runtime", "adapters/file-journal", "serve/server"],
    foreign: [NODE, npm("@noble/hashes")],
  },
  // Each adapter: its one foreign package or system. A new one adds its line here.
  "adapters/ai-sdk": { house: OUTWARD, foreign: [npm("ai", "@ai-sdk/[^/]+")] },
  "adapters/file-journal": { house: OUTWARD, foreign: [NODE] },
  // The common part of journals in databases; it knows no database. The clients are the user's.
  "adapters/journal-tables": { house: [...OUTWARD, "serve"], foreign: [] },
  "adapters/sqlite": { house: [...OUTWARD, "serve", "adapters/journal-tables"], foreign: [] },
  "adapters/postgres": { house: [...OUTWARD, "serve", "adapters/journal-tables"], foreign: [] },
  "adapters/json-schema": { house: OUTWARD, foreign: [npm("@cfworker/json-schema")] },
  // The wing of decisions.
  "decisions/pure": { house: ["core/kernel"], foreign: CORE_PACKAGES },
  "decisions/stores": { house: [...OUTWARD, "decisions/pure"], foreign: [] },
  // The common part of stores in databases; it knows no database.
  "decisions/stores/sql": { house: [...OUTWARD, "decisions/pure"], foreign: [] },
  "decisions/stores/duckdb": {
    house: [...OUTWARD, "decisions/stores/sql"],
    foreign: [npm("@duckdb/node-api")],
  },
  "decisions/stores/postgres": {
    house: [...OUTWARD, "decisions/stores/sql", "adapters/file-journal", "adapters/postgres"],
    foreign: [NODE, npm("@electric-sql/pglite")],
  },
  "decisions/agent": { house: [...CORE, "decisions/pure"], foreign: [] },
  "decisions/laws": {
    house: [...OUTWARD, "decisions/pure", "decisions/stores", "testing"],
    foreign: [npm("fast-check")],
  },
  // The wing of traces.
  "trace/pure": { house: ["core/kernel", "core/journal"], foreign: CORE_PACKAGES },
  "trace/live": { house: [...OUTWARD, "trace/pure"], foreign: [] },
  "trace/agent": { house: [...OUTWARD, "trace/pure", "trace/live"], foreign: [] },
  // The wing of time travel.
  "time-travel/pure": { house: ["core/kernel", "core/journal"], foreign: CORE_PACKAGES },
  "time-travel/live": { house: [...OUTWARD, "core/driver", "time-travel/pure"], foreign: [] },
  // The wing of hosts.
  serve: {
    house: [
      ...OUTWARD,
      "core/driver",
      "platform",
      "time-travel/live",
      "serve/server",
      "serve/page",
    ],
    foreign: [],
  },
  // What a page sees of a run: pure, and its `client.ts` runs in the page.
  "serve/page": { house: ["core/kernel", "core/journal"], foreign: [] },
  // Node's own server, loaded where a host listens.
  "serve/server": { house: ["core/kernel"], foreign: [NODE] },
  "serve/laws": { house: [...OUTWARD, "core/driver", "serve"], foreign: [] },
  // The wing of engines: what they share, and each of them.
  "engines/shared": { house: [...OUTWARD, "core/driver", "serve"], foreign: [] },
  "engines/durable-object": {
    house: [...OUTWARD, "core/driver", "serve", "engines/shared"],
    foreign: [],
  },
  "engines/restate": {
    house: [...OUTWARD, "core/driver", "serve", "engines/shared"],
    foreign: [NODE, npm("@restatedev/[^/]+")],
  },
  // Whoever runs agents and draws nothing does not load a layout.
  pictures: { house: [...CORE, "decisions/pure", "trace/pure"], foreign: [npm("@dagrejs/dagre")] },
  // The studio: what a run was, as plain data; the page that shows it.
  "studio/model": {
    house: [...CORE, "decisions/pure", "trace/pure", "time-travel/pure", "pictures"],
    foreign: [],
  },
  // Its readers: journals, wherever they are, as the model has them. They run in a page, too.
  "studio/live": {
    house: [...OUTWARD, "studio/model", "trace/pure", "time-travel/pure"],
    foreign: [],
  },
  // The page, which is bundled: what it takes from others is in its script.
  "studio/view": {
    house: [...OUTWARD, "studio/model", "studio/live", "pictures", "trace/pure"],
    foreign: [npm("preact", "@preact/signals")],
  },
  // A test runner is the user's choice: laws are exported as data.
  testing: { house: [...OUTWARD, "core/driver"], foreign: [npm("fast-check")] },
};

/** A folder without the folders within it that have rows of their own. */
const folders = (names) =>
  names.map((name) => {
    const within = Object.keys(TABLE).filter((other) => other.startsWith(`${name}/`));
    const rest = within.map((other) => `(?!${other.slice(name.length + 1)}/)`).join("");
    return `^src/${name}/${rest}`;
  });
/** The folders that have a face of their own within one that has one. */
const STORES = "sql|duckdb|postgres";
const HOSTS = "laws|server|page";
/** The folders that have a face; cli has none, since nobody imports it. */
const HOUSE = `core/[^/]+|adapters/[^/]+|engines/[^/]+|decisions/stores/(?:${STORES})|(?:decisions|trace|time-travel)/[^/]+|capabilities|pictures|runtime|serve(?:/(?:${HOSTS}))?|studio/[^/]+|testing|cli`;
/**
 * What a folder shows: its index.ts. Some show less as well, so that whoever needs no more loads no more:
 * the three rooms of the kernel, rooms of the runtime and of testing, what runs and does not read journals,
 * what adapters are made of, the lock of a file, the connections of a client.
 */
const FACE = `(?:(?:values|vocabulary|machine|checking|journals|${HOSTS}|${STORES})/)?index\\.ts$|(?:page/)?(?:for-stores|for-live-runs|for-adapters|for-hosts|shapes|guards|hashes|lists|tables|vectors|lock|client)\\.ts$`;

/** The floors of a room, the lowest first: a file may import from its own floor and from those below it. */
const FLOORS = {
  "core/kernel": ["values", "vocabulary", "machine"],
  "core/agent": ["context", "transcript", "extend", "budget", "calls", "request", "turn"],
  runtime: ["ports", "effects", "journals", "running"],
};
const floors = Object.entries(FLOORS).flatMap(([room, names]) =>
  names.map((name, i) => ({
    name: `${room}/${name}: floors`,
    severity: "error",
    from: { path: `^src/${room}/${name}/` },
    to: { path: `^src/${room}/(?:(?:${["-", ...names.slice(i + 1)].join("|")})/|[^/]+$)` },
  })),
);

/** Two rules for a row of the table: one for the house, one for everything else. */
const row = (name, from, { house, foreign }) => [
  {
    name: `${name}: house`,
    severity: "error",
    from: { path: from },
    to: { path: "^src/", pathNot: house },
  },
  {
    name: `${name}: foreign`,
    severity: "error",
    from: { path: from },
    to: { path: ".", pathNot: ["^src/", ...foreign] },
  },
];

module.exports = {
  forbidden: [
    ...Object.entries(TABLE).flatMap(([name, { house, foreign }]) =>
      row(name, folders([name])[0], { house: folders([name, ...house]), foreign }),
    ),
    // What a provider takes is pure, as the core is.
    ...row("adapters/ai-sdk/families", "^src/adapters/ai-sdk/families/", {
      house: folders(["adapters/ai-sdk/families", "core/kernel", "core/agent"]),
      foreign: [],
    }),
    // The entries load no adapter and run in a browser.
    ...row("entry", `^src/(?!testing\\.)(?:${ENTRIES})\\.ts$`, {
      house: folders([
        ...CORE,
        "core/driver",
        "capabilities",
        "runtime",
        "decisions/pure",
        "decisions/stores",
        "decisions/agent",
        "trace/pure",
        "trace/live",
        "trace/agent",
        "time-travel/pure",
        "time-travel/live",
        "serve",
        "serve/page",
      ]),
      foreign: [],
    }),
    ...row("entry of tests", "^src/testing\\.ts$", {
      house: folders(["testing", "decisions/laws", "serve/laws"]),
      foreign: [],
    }),
    {
      name: "every file has its place",
      comment: "A new folder or adapter needs a row in the table first.",
      severity: "error",
      from: {
        path: "^src/",
        pathNot: [...folders([...Object.keys(TABLE), "cli"]), `^src/(?:${ENTRIES})\\.ts$`],
      },
      to: {},
    },
    ...floors,
    {
      name: "another folder's face only",
      severity: "error",
      from: { path: `^src/(${HOUSE}|platform)/` },
      to: { path: `^src/(?:${HOUSE})/(?!${FACE})`, pathNot: `^src/$1/(?!(?:${HOSTS}|${STORES})/)` },
    },
    {
      name: "the root sees faces only",
      severity: "error",
      from: { path: "^src/[^/]+\\.ts$" },
      to: { path: `^src/(?:${HOUSE})/(?!${FACE})` },
    },
    {
      name: "the platform by its name",
      comment: "Whoever named a file of it would have it everywhere.",
      severity: "error",
      from: { path: "^src/(?!platform/)" },
      to: { path: "^src/platform/", dependencyTypesNot: ["aliased"] },
    },
    {
      name: "no cycles",
      comment: "Of types neither: what cannot be told apart cannot be read apart.",
      severity: "error",
      from: { path: "^src/" },
      to: { circular: true },
    },
    {
      name: "schemas are types",
      comment: "Of Standard Schema we take the interface; there is no code to load.",
      severity: "error",
      from: { path: "^src/" },
      to: { path: npm("@standard-schema/spec"), dependencyTypesNot: ["type-only"] },
    },
    {
      name: "declared dependencies only",
      comment: "A user gets no devDependencies, but those that the build puts into dist.",
      severity: "error",
      from: { path: "^src/" },
      to: {
        pathNot: npm(
          "@dagrejs/dagre",
          "commander",
          "jiti",
          "picocolors",
          "preact",
          "@preact/signals",
        ),
        dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown", "unknown"],
        dependencyTypesNot: ["npm", "npm-peer", "npm-optional"],
      },
    },
    {
      name: "resolvable imports only",
      severity: "error",
      from: { path: "^src/" },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.src.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "types", "node", "default"],
    },
  },
};
