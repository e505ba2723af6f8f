// Many rows in one transaction, as a load has them: each column goes into the database as one text, and
// every value comes out as it went in.
import { Decisions, memoryDecisions, type NewNode, nodeTypes } from "reckoner/decisions";
import { expect, it, onTestFinished } from "vitest";
import { duckdbStore } from "../../../support/duckdb.js";
import {
  dropAfterwards,
  freshSchema,
  postgresStore,
  testPostgres,
} from "../../../support/postgres.js";

const texts = [
  "plain",
  "a,b",
  '"quoted"',
  "back\\slash",
  "{braces}",
  "[1,2]",
  "NULL",
  "null",
  "'; DROP TABLE decision_nodes; --",
  "$1 $2",
  "two\nlines\ttab",
  "e\u0301 é 🙂",
  "\u0001\u001f\u007f",
  "  ends in blanks  ",
];
const confidences = [null, 0, 1, 0.1, 1 / 3, 0.1 + 0.2, 5e-324];

/** More than go into one statement. */
const nodes: readonly NewNode[] = Array.from({ length: 6000 }, (_, i) => {
  const text = texts[i % texts.length] as string;
  return {
    id: `n${i}`,
    type: nodeTypes[i % nodeTypes.length] as NewNode["type"],
    label: `${text}${i}`,
    rationale: i % 3 === 0 ? null : i % 3 === 1 ? "" : text,
    confidence: confidences[i % confidences.length] as number | null,
    metadata: i % 2 === 0 ? {} : { [text]: [text, i, null, 1e21, -0.5] },
    createdAt: i * 1_234_567_890,
  };
});

async function load(graph: Decisions) {
  await graph.write(nodes.map((node) => ({ type: "addNode", at: 8e15, node })));
  await graph.write(
    nodes.slice(0, 50).map(({ id }, i) => {
      const label = texts[i % texts.length] as string;
      const patch = { label, confidence: confidences[i % confidences.length] as number | null };
      return { type: "updateNode", at: 8e15 + i, id, patch };
    }),
  );
  return JSON.stringify((await graph.nodes({}, { limit: 6000 })).nodes);
}

it("comes out of DuckDB and Postgres as it went in", async () => {
  const expected = await load(new Decisions(memoryDecisions()));
  expect(JSON.parse(expected)).toHaveLength(6000);
  const duckdb = duckdbStore();
  onTestFinished(() => duckdb.close());
  expect((await load(new Decisions(duckdb))) === expected).toBe(true);
  const postgres = await testPostgres();
  onTestFinished(() => postgres.close());
  const schema = freshSchema();
  dropAfterwards(postgres.client, schema);
  expect((await load(new Decisions(postgresStore(postgres.client, { schema })))) === expected).toBe(
    true,
  );
});
