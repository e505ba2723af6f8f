/**
 * Collects, while the results of parallel tool calls are written in call order, the notices for observers
 * and the keys of `deps` that each call replaces, so that two calls that replace the same key are reported.
 */
import { addTo } from "../../kernel/values/index.js";
import type { ContextOperation, NotifyDirective } from "../../kernel/vocabulary/index.js";
import type { AgentContext, Call, CallOutcome } from "../context/context.js";

/** A wave of calls that is being written, in call order. */
export interface Wave {
  /** The context in which its calls began. They ran side by side, so this is what each of them sees. */
  readonly begun: AgentContext;
  /** Notices for observers. */
  readonly notices: NotifyDirective[];
  /** By key of `deps`: the calls that replace its value. */
  readonly replaced: Map<string, Call[]>;
}

/** A wave of which nothing is written yet. */
export function newWave(begun: AgentContext): Wave {
  return { begun, notices: [], replaced: new Map() };
}

/** Notes which keys of `deps` a call replaces. */
export function noteChanges({ replaced }: Wave, call: Call, outcome: CallOutcome): void {
  if (outcome.type !== "returned") return;
  const keys = new Set(outcome.update.filter(replaces).map(({ key }) => key));
  for (const key of keys) addTo(replaced, key, call);
}

function replaces({ op }: ContextOperation): boolean {
  return op === "set" || op === "merge" || op === "delete";
}

/**
 * Notices about keys of `deps` that two calls replace, though neither saw what the other made of it:
 * the last in call order wins.
 */
export function overwritten({ replaced }: Wave): NotifyDirective[] {
  return [...replaced].flatMap(([key, calls]): NotifyDirective[] => {
    if (calls.length < 2) return [];
    const tools = [...new Set(calls.map(({ name }) => name))];
    const mend = `give ${tools.join(" and ")} sequential: true, or change ${key} by increment or append`;
    const data = { key, calls: calls.map(({ id }) => id), tools, mend };
    return [{ type: "notify", topic: "deps.overwritten", data }];
  });
}
