/** A help desk, to be drawn: `npx --no reckoner graph examples/desk.ts --view agent --out desk.svg`. */
import { agent, agentTool, defineConfig, type Plugin, tool } from "reckoner";

const find = tool({ name: "find", idempotent: true, execute: () => "an order" });
const refund = tool({ name: "refund", needsApproval: true, execute: () => "paid" });
const writer = agentTool(agent({ name: "writer" }), { name: "write_letter" });
const today: Plugin = { name: "today", systemPrompt: (_, state) => `It is ${state}.` };

const desk = agent({ name: "desk", tools: [find, refund, writer], plugins: [today] });
export default defineConfig({ reasoner: desk, input: "Where is my order?" });
