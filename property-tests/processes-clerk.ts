/** The agent of the processes in one simulation: three payments in two turns, under old and under new code. */

import type { JsonObject } from "../src/core/kernel/values/index.js";
import type { ToolContext } from "../src/core/kernel/vocabulary/index.js";
import {
  type Agent,
  agent,
  memoryJournal,
  resume,
  run,
  scriptedModel,
  tool,
} from "../src/index.js";
import { fork, rewind } from "../src/time-travel.js";

/** The tool's way into the process that it runs in. */
export interface Services {
  readonly pay: (runId: string, id: string) => Promise<void>;
}

function clerkWith(system: string): Agent {
  const pay = tool({
    name: "pay",
    async execute(_input: JsonObject, { id, runId, services }: ToolContext<JsonObject, Services>) {
      await services.pay(runId, id);
      return "paid";
    },
  });
  return agent({ name: "clerk", conversation: true, system, tools: [pay] });
}
export const OLD: Agent = clerkWith("old");
export const NEW: Agent = clerkWith("new");

/** Loads what is loaded when it is first used, so that no schedule depends on how long that takes. */
export async function loaded(): Promise<void> {
  const [first, second] = [memoryJournal("first"), memoryJournal("second")];
  const services: Services = { pay: async () => {} };
  const world = { model: scriptedModel(["Done.", "Done."]), services };
  await run(OLD, "Pay.", { ...world, journal: first });
  await resume([NEW, OLD], first, { ...world, upgrade: true, messages: ["Again."] });
  await fork(first, { at: 1, to: second });
  await resume(OLD, second, world);
  await rewind(first, { at: 1 });
}

/** A call of a tool is issued by the event of this number, which each run of the clerk has alike. */
export const issuedBy = (id: string): number => (id.startsWith("tool/0") ? 1 : 4);
