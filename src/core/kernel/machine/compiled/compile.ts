/**
 * Compiles an XState machine to tables of its transitions and their actions, by which `run-tables.ts`
 * computes steps at less cost than XState's own `transition()`. The tables are filled as runs reach new
 * states.
 */
import type { AnyStateMachine, AnyStateNode } from "xstate";
import { answered } from "../answered.js";
import { checkHistory } from "../history-json.js";
import { noActor, noSpawn } from "../no-actor.js";
import { nodesOf } from "../nodes.js";
import { microstepLimit } from "../own-machine.js";
import { restoredOrder, statesOf } from "../state-value.js";
import type { Setup } from "./compile-guard.js";
import { MachineParts } from "./compile-parts.js";
import { Configurations } from "./configuration.js";
import { HistoryStates } from "./history-states.js";
import { layOutStart } from "./lay-out.js";
import type { Move, Tables } from "./table-types.js";

/** Compiles a machine. */
export function compile(machine: AnyStateMachine, afters: Setup["afters"]): Tables {
  const { actions, guards, delays } = machine.implementations;
  const root = machine.root as AnyStateNode;
  const nodes = nodesOf(root);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parts = new MachineParts(nodes, { actions, guards, delays, afters, root });
  const all = new Configurations(root, parts);
  let start: Move | undefined;
  return {
    limit: microstepLimit(machine),
    get start() {
      start ??= all.moveTo(layOutStart(root, new HistoryStates({}, byId), parts));
      return start;
    },
    contextOf: (input) => contextOf(machine, input),
    configurationOf(value, history = {}) {
      checkHistory(history, byId);
      const active = statesOf(root, value);
      const nodes = restoredOrder(root, active);
      return all.of({ nodes, history: new HistoryStates(history, byId) });
    },
  };
}

/** A machine's first context, an object of its own where a factory makes it. */
function contextOf({ config }: AnyStateMachine, input: unknown): unknown {
  const { context } = config as { readonly context?: unknown };
  if (typeof context !== "function") return context || {};
  const factoryArgs = { input, spawn: noSpawn, self: noActor };
  return Object.assign({}, answered(context(factoryArgs), "context"));
}
