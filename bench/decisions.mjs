// The decision graph in memory from 1 000 to 100 000 nodes, five edges each, cycles among them: how
// long it takes to load, to find a shortest path, and to list all descendants; graphology
// beside it. "cold" is the first query after loading, "warm" the median of those after it. What is
// measured is processor time, which others on the machine change less than the clock; machines differ
// all the same: compare the columns and the growth within one run, not the numbers.
//
//   npm run bench:decisions                          a table
//   npm run -s bench:decisions -- --json --nodes 1000,100000
//   npm run -s bench:decisions -- --alone            without graphology
import { ensureBuilt } from "../scripts/ensure-built.mjs";
import { randomFrom } from "../scripts/random.mjs";
import { countsOf, flagsOf } from "./flags.mjs";
import { idsOf } from "./random-graph.mjs";

const SCRIPT = import.meta.filename;
const flags = flagsOf(SCRIPT, {
  json: { type: "boolean", default: false },
  nodes: { type: "string" },
  alone: { type: "boolean", default: false },
});
const sizes = countsOf(SCRIPT, "--nodes", flags.nodes ?? "1000,10000,100000");

await ensureBuilt();
const { DecisionGraph, nodeTypes } = (await import("../dist/decisions.js")).storeRules;
const { MultiDirectedGraph } = await import("graphology");
const { bidirectional } = await import("graphology-shortest-path");
const { bfsFromNode } = await import("graphology-traversal");

const DEGREE = 5;
const REPEATS = 15;
/** Operations of one transaction. */
const BATCH = 100_000;

function example(count) {
  const ids = idsOf(count, 1);
  const random = randomFrom(2);
  const links = Array.from({ length: count * DEGREE }, () => [
    ids[Math.floor(random() * count)],
    ids[Math.floor(random() * count)],
  ]);
  return { ids, links, edgeIds: idsOf(links.length, 3) };
}

/** Milliseconds of processor time since the process began. */
const spent = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const since = (start) => spent() - start;
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** The first of several calls, and the median of the others, in milliseconds. */
function timed(ask) {
  const times = Array.from({ length: REPEATS + 1 }, (_, i) => {
    const start = spent();
    ask(i);
    return since(start);
  });
  return { cold: times[0], warm: median(times.slice(1)) };
}

function ours({ ids, links, edgeIds }) {
  const node = (id, i) => {
    const type = nodeTypes[i % nodeTypes.length];
    return { type: "addNode", at: i, node: { id, type, label: `node ${i}` } };
  };
  const edge = ([fromId, toId], i) => {
    const part = { id: edgeIds[i], fromId, toId, edgeType: "leads_to" };
    return { type: "addEdge", at: ids.length, edge: part };
  };
  const graph = new DecisionGraph();
  let load = 0;
  for (const [all, make] of [
    [ids, node],
    [links, edge],
  ]) {
    for (let from = 0; from < all.length; from += BATCH) {
      const operations = all.slice(from, from + BATCH).map((each, i) => make(each, from + i));
      const start = spent();
      graph.write(operations);
      load += since(start);
    }
  }
  return {
    load,
    path: timed((i) => {
      const [fromId, toId] = [ids[i], ids[ids.length - 1 - i]];
      return graph.read({ type: "pathBetween", fromId, toId });
    }),
    descendants: timed((i) => graph.read({ type: "descendants", nodeId: ids[i] })),
    // A write of its own, and what it takes to ask again.
    write: timed((i) => {
      const at = ids.length + i;
      const id = `new-${i}`;
      graph.write([
        { type: "addNode", at, node: { id, type: "decision", label: "new" } },
        { type: "addEdge", at, edge: { id, fromId: ids[i], toId: id, edgeType: "chosen" } },
      ]);
    }),
    summary: timed(() => graph.read({ type: "summary" })),
    recent: timed(() => graph.read({ type: "recentDecisions" })),
  };
}

function theirs({ ids, links }) {
  const start = spent();
  const graph = new MultiDirectedGraph();
  for (const [i, id] of ids.entries()) graph.addNode(id, { label: `node ${i}` });
  for (const [from, to] of links) graph.addDirectedEdge(from, to);
  const load = since(start);
  return {
    load,
    path: timed((i) => bidirectional(graph, ids[i], ids[ids.length - 1 - i])),
    descendants: timed((i) => {
      const found = [];
      bfsFromNode(graph, ids[i], (id) => void found.push(id), { mode: "outbound" });
    }),
  };
}

const results = [];
for (const count of sizes) {
  const given = example(count);
  results.push({ nodes: count, edges: count * DEGREE, reckoner: ours(given) });
  if (flags.alone) continue;
  try {
    results.at(-1).graphology = theirs(given);
  } catch (cause) {
    results.at(-1).graphology = { failed: String(cause) };
  }
}

if (flags.json) console.log(JSON.stringify(results, null, 2));
else {
  const ms = (value) => (value === undefined ? "-" : value.toFixed(value < 10 ? 2 : 0));
  const rows = results.flatMap(({ nodes, edges, reckoner, graphology }) =>
    [["reckoner", reckoner], ...(graphology === undefined ? [] : [["graphology", graphology]])].map(
      ([of, { load, path, descendants, write, summary, recent }]) => ({
        nodes,
        of,
        "load ms": ms(load),
        "nodes+edges/s": load === undefined ? "-" : Math.round(((nodes + edges) / load) * 1000),
        "path cold": ms(path?.cold),
        "path warm": ms(path?.warm),
        "descendants cold": ms(descendants?.cold),
        "descendants warm": ms(descendants?.warm),
        "write warm": ms(write?.warm),
        "summary warm": ms(summary?.warm),
        "recent warm": ms(recent?.warm),
      }),
    ),
  );
  console.table(rows);
}
