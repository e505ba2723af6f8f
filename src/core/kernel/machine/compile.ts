/**
 * Compiles a machine into tables. If it uses what tables do not support (`enqueueActions`), the
 * reason is named with its place, and XState computes the steps.
 */
import type { AnyStateMachine, AnyStateNode } from "xstate";
import type { Known } from "./compile-action.js";
import { MachineParts } from "./compile-parts.js";
import { Configurations } from "./configuration.js";
import { checkHistory } from "./history-json.js";
import { HistoryStates } from "./history-states.js";
import { layOutStart } from "./lay-out.js";
import { noActor, noSpawn } from "./no-actor.js";
import { nodesOf } from "./nodes.js";
import { NotCompiled } from "./not-compiled.js";
import { microstepLimit } from "./own-machine.js";
import { restedOrder, statesOf } from "./state-value.js";
import type { Move, Tables } from "./tables.js";

/** @returns the tables of a machine, or in words why there are none */
export function compile(machine: AnyStateMachine, afters: Known["afters"]): Tables | string {
  try {
    return tablesOf(machine, afters);
  } catch (thrown) {
    if (thrown instanceof NotCompiled) return thrown.message;
    throw thrown;
  }
}

/** @throws NotCompiled */
function tablesOf(machine: AnyStateMachine, afters: Known["afters"]): Tables {
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
      const nodes = restedOrder(root, active);
      return all.of({ nodes, history: new HistoryStates(history, byId) });
    },
  };
}

/** A machine's first context, an object of its own where a factory makes it. */
function contextOf({ config }: AnyStateMachine, input: unknown): unknown {
  const { context } = config as { readonly context?: unknown };
  if (typeof context !== "function") return context || {};
  return Object.assign({}, context({ input, spawn: noSpawn, self: noActor }));
}
