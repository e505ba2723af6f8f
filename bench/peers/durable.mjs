// The processor time of a durable turn, one model call and one tool call, both instant, against peers that keep each
// step: LangGraph.js in SQLite, DBOS in Postgres. Each run is a run of its own of so many turns; ours is a file.
//
//   node bench/peers/durable.mjs [turns]     POSTGRES_URL names a database; without one DBOS is left out
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { Annotation, END, messagesStateReducer, START, StateGraph } from "@langchain/langgraph";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { cpuSeconds, figure, inTurns, ratios } from "../figure.mjs";
import { countOf } from "../flags.mjs";
import { printTable, short } from "../numbers.mjs";
import { turns as ours } from "../turns.mjs";

const TURNS = countOf(import.meta.filename, "the number of turns", process.argv[2] ?? "20");
const ROUNDS = 5;
const folder = mkdtempSync(join(tmpdir(), "bench-durable-"));
let runs = 0;

const reckoner = () => {
  runs += 1;
  return ours(TURNS, join(folder, `${runs}.jsonl`));
};

const saver = SqliteSaver.fromConnString(join(folder, "langgraph.sqlite"));
let asked = 0;
const graph = new StateGraph(
  Annotation.Root({
    messages: Annotation({ reducer: messagesStateReducer, default: () => [] }),
  }),
)
  .addNode("model", async () => {
    asked += 1;
    const calls = asked > TURNS ? [] : [{ id: `call-${asked}`, name: "echo", args: {} }];
    return {
      messages: [new AIMessage({ content: calls.length === 0 ? "done" : "", tool_calls: calls })],
    };
  })
  .addNode("tools", async ({ messages }) => {
    const [{ id }] = messages.at(-1).tool_calls;
    return { messages: [new ToolMessage({ content: "ok", tool_call_id: id })] };
  })
  .addEdge(START, "model")
  .addConditionalEdges("model", ({ messages }) =>
    messages.at(-1).tool_calls.length > 0 ? "tools" : END,
  )
  .addEdge("tools", "model")
  .compile({ checkpointer: saver });

async function langGraph() {
  runs += 1;
  asked = 0;
  const { messages } = await graph.invoke(
    { messages: [new HumanMessage("go")] },
    { recursionLimit: 2 * TURNS + 5, configurable: { thread_id: `bench-${runs}` } },
  );
  if (messages.at(-1).content !== "done") throw new Error("LangGraph has not come to its end.");
}

async function openDbos(url) {
  const { DBOS } = await import("@dbos-inc/dbos-sdk");
  DBOS.setConfig({
    name: "bench",
    systemDatabaseUrl: url,
    logLevel: "error",
    runAdminServer: false,
  });
  const workflow = DBOS.registerWorkflow(
    async (turns) => {
      const messages = [{ role: "user", content: "go" }];
      for (let i = 0; i <= turns; i++) {
        const answer = await DBOS.runStep(
          async () =>
            i === turns ? { content: "done" } : { call: { id: `call-${i}`, name: "echo" } },
          { name: "model" },
        );
        messages.push({ role: "assistant", ...answer });
        if (answer.call === undefined) return answer.content;
        const result = await DBOS.runStep(async () => "ok", { name: "tool" });
        messages.push({ role: "tool", content: result });
      }
    },
    { name: "loop" },
  );
  await DBOS.launch();
  return {
    loop: async () => {
      if ((await workflow(TURNS)) !== "done") throw new Error("DBOS has not come to its end.");
    },
    close: () => DBOS.shutdown(),
  };
}

const url = process.env.POSTGRES_URL;
const dbos = url === undefined ? undefined : await openDbos(url);
try {
  const works = { reckoner, "LangGraph.js in SQLite": langGraph, ...(dbos && { DBOS: dbos.loop }) };
  const measured = Object.values(works).map((loop) => async () => {
    const took = await cpuSeconds(async () => {
      for (let i = 0; i < 10; i++) await loop();
    });
    return (1_000 * took) / 10 / TURNS;
  });
  await inTurns(3, measured);
  const times = await inTurns(ROUNDS, measured);
  const aims = { "LangGraph.js in SQLite": 0.1, DBOS: 0.3 };
  const names = Object.keys(works);
  const figures = [
    ...names.map((name, i) => figure(name, `${name}: ms of the processor, a turn`, times[i])),
    ...names.slice(1).map((name, i) =>
      figure(`against ${name}`, `reckoner against ${name}`, ratios(times[0], times[i + 1]), {
        aim: { atMost: aims[name] },
      }),
    ),
  ];
  const rows = figures.map(({ what, value, spread, aim, met }) => ({
    figure: what,
    median: short(value),
    "from … to": `${short(spread[0])} … ${short(spread[1])}`,
    aim: aim === undefined ? "" : `≤ ${aim.atMost}`,
    "": met === undefined ? "" : met ? "met" : "missed",
  }));
  printTable(["figure", "median", "from … to", "aim", ""], rows, 1);
} finally {
  await dbos?.close();
  rmSync(folder, { recursive: true });
}
