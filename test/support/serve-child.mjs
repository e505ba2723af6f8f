// A process of its own with a host on Postgres, for tests that kill it. Each effect of its tool is a line on
// standard output, written before anything else happens. It ends when its standard input does.
//
//   node serve-child.mjs '{"server":…,"schema":…,"leaseMs":500}'
import { writeSync } from "node:fs";
import pg from "pg";
import { z } from "zod";
import { postgresHostStore } from "../../dist/adapters/postgres/index.js";
import { agent, tool } from "../../dist/index.js";
import { host } from "../../dist/serve.js";

const task = JSON.parse(process.argv[2]);
const counting = agent({
  name: "counting",
  tools: [
    tool({
      name: "effect",
      inputSchema: z.object({ n: z.number() }),
      async execute({ n }, { idempotencyKey }) {
        writeSync(1, `effect ${idempotencyKey}\n`);
        await new Promise((resolve) => setTimeout(resolve, 2));
        return `done ${n}`;
      },
    }),
  ],
});
/** Calls the tool as often as the prompt says, then answers. */
const model = {
  name: "counting-model",
  async generate({ messages }) {
    const n = messages.filter(({ role }) => role === "tool").length;
    const over = n >= Number(messages[0].content);
    const content = over
      ? [{ type: "text", text: "Done." }]
      : [{ type: "tool-call", toolCallId: `c${n}`, toolName: "effect", input: { n } }];
    return {
      content,
      finishReason: over ? "stop" : "tool-calls",
      usage: { inputTokens: 1, outputTokens: 1 },
    };
  },
};
const pool = new pg.Pool({ ...task.server, max: 4 });
const store = postgresHostStore({ client: pool, schema: task.schema });
const runs = host({ reasoners: [counting], model, store, leaseMs: task.leaseMs, pollMs: 100 });
await runs.ready();
writeSync(1, "ready\n");
process.stdin.resume();
process.stdin.on("end", async () => {
  await runs.drain();
  await pool.end();
});
