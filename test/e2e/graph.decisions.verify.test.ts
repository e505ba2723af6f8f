// `reckoner graph --view decisions`: of stores, exports and journals, in every format; nothing of what
// is drawn is changed.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { expect, it, onTestFinished } from "vitest";
import { fileJournal } from "../../src/adapters/file-journal/index.js";
import { postgresDecisions } from "../../src/decisions/stores/postgres/index.js";
import {
  Decisions,
  exportDecisions,
  memoryDecisions,
  type StorePort,
} from "../../src/decisions.js";
import { track } from "../support/decision-agent.js";
import { duckdbStore } from "../support/duckdb.js";
import { isLong } from "../support/is-long.js";
import {
  dropAfterwards,
  freshSchema,
  postgresStore,
  server,
  testPostgres,
} from "../support/postgres.js";
import { aFolder, called, reckoner } from "../unit/cli/support.js";
import { checkMermaid, checkSvg } from "../unit/pictures/support.js";

interface Drawn {
  readonly title: string;
  readonly nodes: readonly {
    readonly id: string;
    readonly label: string;
    readonly tone?: string;
    readonly border?: string;
    readonly top?: true;
  }[];
  readonly edges: readonly { readonly from: string; readonly to: string }[];
}

/** A goal, a decision that was superseded, the one in its place, and a rejected option. */
async function plan(store: StorePort, scope?: string) {
  const graph = new Decisions(store, scope === undefined ? {} : { scope });
  await graph.write([
    { type: "addNode", at: 1, node: { id: "goal", type: "goal", label: "Auth" } },
    { type: "addNode", at: 2, node: { id: "jwt", type: "decision", label: "JWT" } },
    { type: "addNode", at: 3, node: { id: "sessions", type: "decision", label: "Sessions" } },
    {
      type: "addNode",
      at: 4,
      node: { id: "saml", type: "option", label: "SAML", status: "rejected" },
    },
    { type: "addEdge", at: 5, edge: { fromId: "goal", toId: "jwt", edgeType: "leads_to" } },
    { type: "addEdge", at: 6, edge: { fromId: "goal", toId: "saml", edgeType: "rejected" } },
    { type: "supersede", at: 7, oldId: "jwt", newId: "sessions", rationale: "Revoke" },
  ]);
  return graph;
}

const words = (path: string, ...more: string[]) => ["graph", path, "--view", "decisions", ...more];

async function json(folder: string, path: string, ...more: string[]): Promise<Drawn> {
  const { code, stdout, stderr } = await reckoner(folder, words(path, "--format", "json", ...more));
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
}

/** That the plan is drawn: goals on top, rejected grey, superseded dashed. */
function checkPlan({ nodes, edges }: Drawn): void {
  const byId = Object.fromEntries(nodes.map((node) => [node.id, node]));
  expect(Object.keys(byId).sort()).toEqual(["goal", "jwt", "saml", "sessions"]);
  expect(byId.goal).toMatchObject({ label: "Auth", top: true });
  expect(byId.saml).toMatchObject({ tone: "grey" });
  expect(byId.jwt).toMatchObject({ border: "dashed" });
  expect(edges.map(({ from, to }) => `${from} ${to}`).sort()).toEqual([
    "goal jwt",
    "goal saml",
    "sessions jwt",
  ]);
}

const hashOf = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex");

it("draws a DuckDB file, in every format, and leaves it as it is", async () => {
  const folder = aFolder();
  const path = join(folder, "plan.duckdb");
  const store = duckdbStore({ path });
  await plan(store);
  await store.close();
  const before = hashOf(path);
  const drawn = await json(folder, "plan.duckdb");
  checkPlan(drawn);
  expect(drawn.title).toBe("plan.duckdb");
  checkMermaid((await called(folder, words("plan.duckdb"))).stdout);
  await called(folder, words("plan.duckdb", "--out", "plan.svg"));
  const svg = readFileSync(join(folder, "plan.svg"), "utf8");
  checkSvg(svg);
  expect(svg).toContain("Sessions");
  expect(hashOf(path)).toBe(before);
});

it("draws one scope of a store with scopes, and never all of them", async () => {
  const folder = aFolder();
  const store = duckdbStore({ path: join(folder, "plan.duckdb"), scoped: true });
  await plan(store, "anna");
  await store.close();
  checkPlan(await json(folder, "plan.duckdb", "--scope", "anna"));
  for (const [flags, meant] of [
    [["--scope", "ben"], "of the scope ben"],
    [[], "without a scope"],
  ] as const) {
    const { code, stdout, stderr } = await called(folder, words("plan.duckdb", ...flags));
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toBe(
      `reckoner: plan.duckdb holds no decision graph ${meant} in the schema main; name another with --schema or --scope. [cli.usage]\n`,
    );
  }
});

it("says of a scope that a store has none", async () => {
  const folder = aFolder();
  const store = duckdbStore({ path: join(folder, "plan.duckdb") });
  await plan(store);
  await store.close();
  const { code, stdout, stderr } = await called(folder, words("plan.duckdb", "--scope", "anna"));
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toBe(
    "reckoner: plan.duckdb holds no decision graph of the scope anna in the schema main; name another with --schema or --scope. [cli.usage]\n",
  );
});

it("draws one schema of a database", async () => {
  const folder = aFolder();
  for (const schema of ["plans", "trips"]) {
    const store = duckdbStore({ path: join(folder, "plan.duckdb"), schema });
    await plan(store);
    await store.close();
    if (!isLong) continue;
    const inFolder = postgresDecisions({ folder: join(folder, "pg"), schema });
    await plan(inFolder);
    await inFolder.close();
  }
  // To open PGlite takes seconds each time.
  const places = [["plan.duckdb", "main"] as const, ["pg", "reckoner"] as const];
  for (const [place, otherwise] of places.slice(0, isLong ? 2 : 1)) {
    checkPlan(await json(folder, place, "--schema", "trips"));
    const { code, stdout, stderr } = await called(folder, words(place));
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(
      new RegExp(
        `^reckoner: ${place} holds no decision graph .* in the schema ${otherwise}; name another with --schema or --scope. \\[cli.usage\\]\n$`,
      ),
    );
    const bad = await called(folder, words(place, "--schema", 'x"; --'));
    expect(bad).toMatchObject({ code: 2, stdout: "" });
    expect(bad.stderr).toContain("schema is ");
  }
});

/** Every file in a folder, with what it holds. */
function filesIn(folder: string): Readonly<Record<string, string>> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path, hashOf(path)]),
  );
}

it("draws a folder of PGlite, and leaves each of its files as it is", async () => {
  const folder = aFolder();
  const store = postgresDecisions({ folder: join(folder, "pg") });
  await plan(store);
  await store.close();
  const before = filesIn(folder);
  checkPlan(await json(folder, "pg"));
  expect(filesIn(folder)).toEqual(before);
});

if (isLong) {
  it("makes no tables in a folder of PGlite that holds no graph", async () => {
    const folder = aFolder();
    const other = await PGlite.create(join(folder, "other"));
    await other.exec("CREATE TABLE mine (a integer)");
    await other.close();
    const before = filesIn(folder);
    const { code, stdout, stderr } = await called(folder, words("other"));
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("other holds no decision graph");
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(filesIn(folder)).toEqual(before);
  });

  it("draws a folder of PGlite that another process works in", async () => {
    const folder = aFolder();
    const store = postgresDecisions({ folder: join(folder, "pg") });
    onTestFinished(() => store.close());
    const graph = await plan(store);
    checkPlan(await json(folder, "pg"));
    await graph.addNode({ type: "goal", label: "Next" });
    expect(await graph.stats()).toMatchObject({ nodes: 5 });
  });
}

it("draws a Postgres database by its address, and takes no password in it", async ({ skip }) => {
  const postgres = await testPostgres();
  onTestFinished(() => postgres.close());
  if (postgres.kind !== "server") skip("PGlite has no address: this needs a server");
  const schema = freshSchema();
  dropAfterwards(postgres.client, schema);
  await plan(postgresStore(postgres.client, { schema }));
  const { host, port, user, database } = server;
  const url = `postgres://${user}@${host}:${port}/${database}`;
  const folder = aFolder();
  checkPlan(await json(folder, `${url}?schema=${schema}`));
  checkPlan(await json(folder, url, "--schema", schema));
  const told = await called(folder, words(url.replace("@", ":hidden@")));
  expect(told).toMatchObject({ code: 2, stdout: "" });
  expect(told.stderr).toContain("has a password in it");
  expect(told.stderr).not.toContain("hidden");
  const none = await called(folder, words(`${url}?schema=${schema}x`));
  expect(none).toMatchObject({ code: 2, stdout: "" });
  expect(none.stderr).toContain("holds no decision graph");
  const { rows } = await postgres.client.query("SELECT 1 FROM pg_namespace WHERE nspname = $1", [
    `${schema}x`,
  ]);
  expect(rows).toEqual([]);
});

it("draws an export", async () => {
  const folder = aFolder();
  const graph = await plan(memoryDecisions());
  const lines: string[] = [];
  for await (const line of exportDecisions(graph)) lines.push(`${line}\n`);
  writeFileSync(join(folder, "plan.jsonl"), lines.join(""));
  checkPlan(await json(folder, "plan.jsonl"));
  writeFileSync(join(folder, "cut.jsonl"), lines.slice(0, -1).join(""));
  expect(await called(folder, words("cut.jsonl"))).toMatchObject({ code: 2, stdout: "" });
});

it("draws what a journal recorded, also as it was, and what an earlier run had written by its id", async () => {
  const folder = aFolder();
  const store = memoryDecisions();
  await new Decisions(store).addNode({ id: "earlier-goal", type: "goal", label: "Before" });
  const id = (result: unknown) => (result as { id: string }).id;
  const { results } = await track(
    store,
    [
      [["add_goal", { label: "Auth" }]],
      (told) => [
        ["record_decision", { label: "JWT", parent_id: id(told[0]) }],
        ["record_option", { label: "SAML", parent_id: "earlier-goal" }],
      ],
      (told) => [
        ["supersede_decision", { old_id: id(told[1]), label: "Sessions" }],
        ["record_option", { id: id(told[2]), outcome: "rejected" }],
        ["complete_goal", { goal_id: "nobody" }],
      ],
      "ok",
    ],
    undefined,
    { journal: fileJournal(join(folder, "run.jsonl")) },
  );
  const whole = await json(folder, "run.jsonl");
  const byLabel = Object.fromEntries(whole.nodes.map((node) => [node.label, node]));
  expect(Object.keys(byLabel).sort()).toEqual(["Auth", "JWT", "SAML", "Sessions", "earlier-goal"]);
  expect(byLabel.JWT).toMatchObject({ id: id(results[1]), border: "dashed" });
  expect(byLabel.SAML).toMatchObject({ tone: "grey" });
  expect(whole.edges).toHaveLength(3);
  const before = await json(folder, "run.jsonl", "--at", "4");
  expect(before.nodes.map(({ label }) => label)).toEqual(["Auth"]);
  expect(before.title).toBe("run.jsonl, event 4");
});

it("folds some hundred nodes", async () => {
  const folder = aFolder();
  const store = duckdbStore({ path: join(folder, "plan.duckdb") });
  const graph = new Decisions(store);
  await graph.write([
    { type: "addNode", node: { id: "goal", type: "goal", label: "Goal" } },
    ...Array.from({ length: 800 }, (_, i) => [
      { type: "addNode" as const, node: { id: `n${i}`, type: "option" as const, label: `O ${i}` } },
      {
        type: "addEdge" as const,
        edge: { fromId: "goal", toId: `n${i}`, edgeType: "leads_to" as const },
      },
    ]).flat(),
  ]);
  await store.close();
  const { stdout } = await called(folder, words("plan.duckdb", "--format", "svg"));
  checkSvg(stdout);
  expect((stdout.match(/<g class="node">/g) ?? []).length).toBeLessThan(300);
  expect(stdout).toContain("Goal");
  expect((await json(folder, "plan.duckdb")).nodes).toHaveLength(801);
});

it("says in one line what is wrong", async () => {
  const folder = aFolder();
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const other = await DuckDBInstance.create(join(folder, "other.duckdb"));
  (await other.connect()).closeSync();
  other.closeSync();
  mkdirSync(join(folder, "empty"));
  expect(
    (await reckoner(folder, ["run", "notes.ts", "--prompt", "x", "--journal", "run.jsonl"])).code,
  ).toBe(3);
  const wrong: readonly (readonly [string[], string])[] = [
    [words("notes.ts"), "needs a store or a journal"],
    [words("none.duckdb"), "journal.missing"],
    [words("other.duckdb"), "holds no decision graph"],
    [words("other.duckdb", "--at", "3"), "needs a journal"],
    [words("other.duckdb", "--store", "x"), "goes with a journal"],
    [words("run.jsonl", "--schema", "x"), "needs a database"],
    [["graph", "run.jsonl", "--schema", "x"], "goes with --view decisions"],
    [words("empty"), "not one of PGlite"],
    [words("run.jsonl"), "this one wrote none"],
    [words("run.jsonl", "--config", "notes.ts"), "needs no --config"],
    [words("postgres://root@127.0.0.1:1/none"), "port.failed"],
    [words("postgres://["), "not a URL"],
    [["graph", "run.jsonl", "--scope", "x"], "goes with --view decisions"],
    [["graph", "run.jsonl", "--view", "constructor"], "chart, agent, thoughts, trace, decisions"],
  ];
  for (const [line, said] of wrong) {
    const { code, stdout, stderr } = await called(folder, line);
    expect({ code, stdout }, line.join(" ")).toEqual({ code: 2, stdout: "" });
    expect(stderr, line.join(" ")).toContain(said);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  }
});
