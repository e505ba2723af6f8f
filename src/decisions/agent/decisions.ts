/**
 * `decisions`: the plug-in with which an agent keeps a decision graph. It shows the agent its goals
 * and recent decisions, gives it tools, and reads and writes through directives only.
 */
import type { AgentContext, Plugin } from "../../core/agent/index.js";
import { asJson, type Json, ReckonerError, toJson } from "../../core/kernel/values/index.js";
import type { Tool } from "../../core/kernel/vocabulary/index.js";
import {
  buildContext,
  type CompleteDecisionsConfig,
  type DecisionsConfig,
  type FoundSummary,
  validateConfig,
} from "../pure/index.js";
import { queryTool } from "./query-tool.js";
import { AS_OF_TURN, STALE, SYSTEM_PROMPT } from "./texts.js";
import type { Target } from "./writing-tool.js";
import { writingTools } from "./writing-tools.js";

/** The plug-in's memory of the graph; null until the store has answered. */
interface Shown {
  /** Goals and decisions as the agent is shown them; null where there are none. */
  readonly text: string | null;
}

/**
 * Makes the plug-in. The store is the one that the run is given under the config's name.
 * @throws ReckonerError `decisions.config`, for anything but a missing store
 */
export function decisions(options: DecisionsConfig = {}): Plugin {
  const config = validateConfig(options);
  const { store } = config;
  const target: Target = { store, scope: config.scope };
  const tools: readonly Tool[] = [...writingTools(target), queryTool(target)];
  const settings = toJson({ ...config, store: store ?? null });
  const plugin = { name: "decisions", settings, tools };
  return store === undefined
    ? { ...plugin, init: withoutStore }
    : { ...plugin, ...injecting(store, config) };
}

function withoutStore(): never {
  throw new ReckonerError(
    "decisions.config",
    'config.store is required, so decisions are not tracked; give the name of a store that the run is given: { store: "decisions" }.',
    { place: "config.store" },
  );
}

function injecting(
  store: string,
  { scope, autoInject, injectStrategy, decisionLimit, budget }: CompleteDecisionsConfig,
): Pick<Plugin, "init" | "issue" | "settle" | "systemPrompt"> {
  const notes = injectStrategy === "every_iteration" ? [AS_OF_TURN] : [];
  // A plug-in is heard once a turn.
  const shows = ({ iteration, turnIteration }: AgentContext) =>
    autoInject && iteration === turnIteration;
  const query = asJson({
    // The first read also tells whether the store opens.
    ...(autoInject ? { type: "summary", decisionLimit } : { type: "stats" }),
    ...(scope === undefined ? {} : { scope }),
  });
  return {
    init: () => null,
    issue: (context, state) =>
      state === null || shows(context) ? [{ type: "read", store, query }] : [],
    settle(_context, state, [settled]) {
      if (settled === undefined) return {};
      if (settled.type !== "read.succeeded") {
        const last = state as Shown | null;
        if (last !== null) return { prompt: shown(last.text, [STALE, ...notes]) };
        const why = settled.type === "read.failed" ? settled.error.message : settled.type;
        throw new Error(`The store ${store} does not open, so decisions are not tracked: ${why}`);
      }
      const text = autoInject ? textOf(settled.value, budget) : null;
      return { state: toJson({ text }), prompt: shown(text, notes) };
    },
    systemPrompt: (_context, state) => (state === null ? null : SYSTEM_PROMPT),
  };
}

/** The part of the graph that is shown, with notes about it. */
function shown(text: string | null, notes: readonly string[]): string | null {
  return text === null ? null : [text, ...notes].join("\n\n");
}

function textOf(summary: Json, budget: number): string | null {
  return buildContext(summary as unknown as FoundSummary, { budget });
}
