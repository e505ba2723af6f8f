// The scripted tools of the oracle's agents and machines. A tool finds the world of its process in its
// services, so that one reasoner serves every process.
import { type Tool, type ToolOptions, tool } from "reckoner";
import { z } from "zod";
import type { ToolScript, World } from "../world.js";

const anything = { type: "object" } as const;

/** A tool whose attempts the world decides. */
export function scripted(script: ToolScript, more: Partial<ToolOptions<never, never>> = {}): Tool {
  return tool({
    name: script.name,
    jsonSchema: anything,
    ...(more as object),
    execute: (input: unknown, context) => (context.services as World).tool(script, input, context),
  });
}

const usual = [200, 5_000] as const;

/** Reads: may be repeated at will. */
export const look = scripted({ name: "look", ms: usual, fails: 0.2 }, { idempotent: true });
/** May be repeated at will, and often takes too long. */
export const search = scripted(
  { name: "search", ms: [500, 9_000], fails: 0.1 },
  { idempotent: true, retries: 2, timeoutMs: 6_000 },
);
/** Has an effect: a throw is repeated once, a time-out is not. */
export const send = scripted(
  { name: "send", ms: [200, 8_000], fails: 0.25 },
  { retries: 1, timeoutMs: 6_000 },
);
/** Has an effect and never begins twice; it goes on when it is told to stop. */
export const pay = scripted({ name: "pay", ms: usual, fails: 0.15, deaf: true });
/** Runs alone. */
export const file = scripted({ name: "file", ms: [100, 2_000] }, { sequential: true });
/** A person has to approve it. */
export const remove = scripted({ name: "remove", ms: usual }, { needsApproval: true });
/** Its arguments are validated. */
export const order = tool({
  name: "order",
  inputSchema: z.object({ prompt: z.string() }),
  execute: (input, context) =>
    (context.services as World).tool({ name: "order", ms: usual, fails: 0.1 }, input, context),
});
/** Pure: its result is there at once. */
export const note = tool({
  name: "note",
  jsonSchema: anything,
  reduce: (input) => ({ noted: input as never }),
});
/** Asks stores: the one remembers keys, the other does not. */
export const keep = tool({
  name: "keep",
  jsonSchema: anything,
  issue: (input) => [
    { type: "read", store: "notes", query: { of: input } as never },
    { type: "write", store: "notes", operations: [input] as never },
    { type: "write", store: "ledger", operations: [input] as never },
  ],
  settle: (_input, _context, settlements) => settlements.map(({ type }) => type),
});
