// A worker of the kill tests, in a process of its own: listens, says where, and lets its tools be counted outside.
//
//   node restate-worker.mjs '{"outside": "http://…", "version": 1}'
import { agent, tool } from "reckoner";
import { restateEngine } from "reckoner/restate";

const { outside, version = 1, turns = 4, planted = false } = JSON.parse(process.argv[2] ?? "{}");

async function counted(what, { idempotencyKey }) {
  const response = await fetch(`${outside}/${what}/${encodeURIComponent(idempotencyKey)}`);
  return response.text();
}

const tools = [
  // Planted: it says that it may be repeated, and is.
  tool({
    name: "act",
    idempotent: planted,
    retries: planted ? 5 : 0,
    execute: (_, call) => counted("act", call),
  }),
  tool({
    name: "note",
    idempotent: true,
    retries: 50,
    execute: (_, call) => counted("note", call),
  }),
  // Begins a task elsewhere, once, and has its name back after a crash.
  tool({
    name: "order",
    execute: async (_, { handle, keep, ...call }) => {
      if (handle === undefined) {
        await counted("order", call);
        await keep("ordered");
      }
      return counted("note", call);
    },
  }),
  tool({ name: "refund", needsApproval: true, execute: (_, call) => counted("refund", call) }),
];
const codeOf = (number) =>
  agent({ name: "acting", system: `Code ${number}.`, maxIterations: 1_000, tools });

const call = (toolName, n) => ({
  type: "tool-call",
  toolCallId: `${toolName}${n}`,
  toolName,
  input: {},
});

/** Acts, notes and orders at once, so often; then refunds, for which a person is asked; then is done. */
const model = {
  name: "acts",
  async generate({ messages }) {
    const asked = messages.filter(({ role }) => role === "assistant").length;
    const content =
      asked < turns
        ? [call("act", asked), call("note", asked), call("order", asked)]
        : asked === turns
          ? [call("refund", asked)]
          : [{ type: "text", text: "Done." }];
    const finishReason = asked <= turns ? "tool-calls" : "stop";
    return { content, finishReason, usage: { inputTokens: 10, outputTokens: 5 } };
  },
};

// The newest code first, and behind it the code that runs were begun with.
const reasoners = Array.from({ length: version }, (_, n) => codeOf(version - n));
const engine = restateEngine({ reasoners, model });
const worker = await engine.listen({ port: 0 });
process.stdout.write(`${worker.url}\n`);
process.once("SIGTERM", () => worker.close().then(() => process.exit(0)));
