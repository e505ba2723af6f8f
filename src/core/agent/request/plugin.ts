/**
 * Runs an agent's plug-ins, one after the other in the order of its list: each may add a step before a
 * request, a part of the system prompt, and tools. A plug-in that throws is disabled; the agent continues,
 * and observers are notified.
 */

import * as shapes from "../../kernel/shapes.js";
import {
  atOnce,
  type Json,
  MAX_STEP_LENGTH,
  replaceItem,
  toJson,
  vectorItems,
  vectorOf,
} from "../../kernel/values/index.js";
import {
  type CallOrigin,
  type Directive,
  describeThrown,
  type NotifyDirective,
  secretPaths,
  type ToolSettlement,
} from "../../kernel/vocabulary/index.js";
import { shareWithPlugin } from "../budget/shares.js";
import { checkRequests } from "../calls/one-call.js";
import type { AgentContext, PluginState, Preparing } from "../context/context.js";
import { shownContext } from "../context/copy-context.js";
import { type AgentSpec, HOOKS, type Plugin, type PluginResult } from "../definition/spec.js";
import { addUsage } from "../extend/context-functions.js";

/**
 * Returns true when a plug-in has a state, and steps before requests. One that only judges has none: a run's state
 * says nothing of it, so that a replay under other hooks differs where those decide otherwise, and not at its start.
 */
export function takesSteps(plugin: Plugin): boolean {
  const { init, systemPrompt, issue, settle } = plugin;
  const hasHooks = HOOKS.some((hook) => plugin[hook] !== undefined);
  return !hasHooks || [init, systemPrompt, issue, settle].some((each) => each !== undefined);
}

/** The context with its plug-ins' first states. */
export function initPlugins(spec: AgentSpec, context: AgentContext): AgentContext {
  let next = context;
  for (const plugin of spec.plugins.filter(takesSteps)) {
    next = put(next, plugin, { state: null, prompt: null, failed: null, told: false });
    next = guarded(next, plugin, (before) => {
      const first = atOnce("init", plugin.init?.(shownContext(next))) ?? null;
      return put(next, plugin, { ...before, state: small(toJson(first, "state"), "Its state") });
    });
  }
  return next;
}

const parts: shapes.Shapes<PluginResult> = {
  state: shapes.ANYTHING,
  prompt: shapes.TEXT_OR_NULL,
  deps: shapes.OBJECT,
};
const RESULT: shapes.Shape = /* @__PURE__ */ shapes.optionsOf(parts);

/** Returns the answer of a plug-in's function. @throws Error where it is something else than it must be */
function answered<T>(name: string, answer: T, shape: shapes.Shape): T {
  const what = `what ${name} returns`;
  const fault = shapes.misfit(atOnce(name, answer), shape, what);
  if (fault === undefined) return answer;
  throw new Error(fault);
}

/** @throws Error where a value is too large for a step */
function small<T>(value: T, what: string): T {
  if (JSON.stringify(value).length <= MAX_STEP_LENGTH) return value;
  throw new Error(`${what} is larger than ${MAX_STEP_LENGTH / 1024 / 1024} MiB of JSON.`);
}

/** Goes through the plug-ins' steps from an index on, until one has to wait; or to the end. */
export function prepareFrom(
  spec: AgentSpec,
  context: AgentContext,
  index: number,
  at: number,
): AgentContext {
  let next: AgentContext = { ...context, preparing: null };
  for (let i = index; i < spec.plugins.length; i++) {
    const plugin = spec.plugins[i] as Plugin;
    if (!takesSteps(plugin)) continue;
    const origin = originOf(context, i, at);
    next = guarded(next, plugin, ({ state }) => {
      const own = plugin.issue?.(shownContext(next), state, origin) ?? [];
      const asked = checkRequests(answered("issue", own, shapes.LIST));
      const requests = small(asked, "What it asks for");
      if (requests.length === 0) return settled(next, plugin, [], origin);
      const settlements = vectorOf(requests.map(() => null));
      const unsettled = requests.length;
      const preparing = { plugin: i, requests, settlements, unsettled, issued: false };
      return { ...next, preparing: shareWithPlugin(next, preparing) };
    });
    if (next.preparing !== null) return next;
  }
  return next;
}

/** Words to observers about plug-ins that failed, and about keys of `deps`: once for each. */
export function pluginNotices({ plugins }: AgentContext): Directive[] {
  return Object.entries(plugins).flatMap(([name, state]): Directive[] => {
    const { failed, notices = [] } = state;
    if (failed === null || state.told) return [...notices];
    return [
      ...notices,
      { type: "notify", topic: "plugin.failed", data: { name, message: failed } },
    ];
  });
}

/** Notices, and then the directives of the plug-in that is being prepared. */
export function pluginDirectives(context: AgentContext): Directive[] {
  const { preparing } = context;
  const notices = pluginNotices(context);
  if (preparing === null || preparing.issued) return notices;
  const asked = preparing.requests.map(
    (request, i): Directive => ({ ...request, id: pluginRequestId(context, preparing, i) }),
  );
  return [...notices, ...asked];
}

/** The context after those were issued. */
export function markPlugins(context: AgentContext): AgentContext {
  const { preparing, plugins } = context;
  const untold = pluginNotices(context).length > 0;
  return {
    ...context,
    preparing: preparing === null ? null : { ...preparing, issued: true },
    plugins: untold
      ? mapValues(plugins, ({ notices: _notices, ...each }) => ({
          ...each,
          told: each.failed !== null,
        }))
      : plugins,
  };
}

function mapValues<T>(of: { readonly [key: string]: T }, change: (value: T) => T) {
  return Object.fromEntries(Object.entries(of).map(([key, value]) => [key, change(value)]));
}

/** The step of one plug-in, by its index in the agent's list. */
function originOf({ runId, iteration }: AgentContext, plugin: number, at: number): CallOrigin {
  return Object.freeze({ runId, id: `plugin/${iteration}/${plugin}`, at });
}

/** `plugin/<iteration>/<plug-in>/<request>`, by index. */
export function pluginRequestId(
  { iteration }: AgentContext,
  { plugin }: Preparing,
  index: number,
): string {
  return `plugin/${iteration}/${plugin}/${index}`;
}

/** The context after something settled one of the waiting plug-in's requests. */
export function settlePlugin(
  spec: AgentSpec,
  context: AgentContext,
  event: ToolSettlement,
): AgentContext {
  const { preparing } = context;
  if (preparing === null) return context;
  const index = Number(event.id.slice(event.id.lastIndexOf("/") + 1));
  const settlements = replaceItem<ToolSettlement | null>(preparing.settlements, index, event);
  const unsettled = preparing.unsettled - 1;
  // A child run's spending counts, whatever becomes of the step.
  const spent = "usage" in event && event.usage ? addUsage(context, event.usage) : context;
  const next: AgentContext = { ...spent, preparing: { ...preparing, settlements, unsettled } };
  if (unsettled > 0) return next;
  const plugin = spec.plugins[preparing.plugin] as Plugin;
  const all = vectorItems(settlements) as ToolSettlement[];
  const done = guarded(next, plugin, () =>
    settled(next, plugin, all, originOf(context, preparing.plugin, event.at)),
  );
  return prepareFrom(spec, done, preparing.plugin + 1, event.at);
}

function settled(
  context: AgentContext,
  plugin: Plugin,
  settlements: readonly ToolSettlement[],
  origin: CallOrigin,
): AgentContext {
  const before = context.plugins[plugin.name] as PluginState;
  const own = plugin.settle?.(shownContext(context), before.state, settlements, origin) ?? {};
  const result = answered("settle", own, RESULT);
  const {
    state = before.state,
    prompt = before.prompt,
    deps,
  } = small(toJson(result, "result") as PluginResult, "Its result");
  const after = { ...before, state, prompt };
  if (deps === undefined) return put(context, plugin, after);
  const next = { ...context, deps: { ...context.deps, ...deps } };
  return put(next, plugin, { ...after, ...keysSet(context, plugin, deps, origin) });
}

/**
 * Notices about the keys of `deps` that a plug-in sets: those that look like secrets and are new,
 * and those that another plug-in sets as well.
 */
function keysSet(
  context: AgentContext,
  { name }: Plugin,
  deps: NonNullable<PluginResult["deps"]>,
  { id }: CallOrigin,
): Pick<PluginState, "keys" | "notices"> {
  const { keys: before = [], notices: noticesBefore = [] } = context.plugins[name] as PluginState;
  const keys = Object.keys(deps).filter((key) => !before.includes(key));
  const pathsBefore = new Set(secretPaths(context.deps, "deps"));
  const paths = secretPaths(deps, "deps").filter((path) => !pathsBefore.has(path));
  const shared = Object.entries(context.plugins).flatMap(([other, { keys: theirs = [] }]) =>
    theirs.filter((key) => keys.includes(key)).map((key) => ({ key, plugins: [other, name] })),
  );
  const notices = [
    ...noticesBefore,
    ...(paths.length === 0 ? [] : [notice("deps.secret", { id, paths })]),
    ...shared.map((each) => notice("deps.shared", { id, ...each })),
  ];
  return {
    ...(before.length + keys.length === 0 ? {} : { keys: [...before, ...keys] }),
    ...(notices.length === 0 ? {} : { notices }),
  };
}

function notice(topic: string, data: Json): NotifyDirective {
  return { type: "notify", topic, data };
}

/** The plug-ins' parts of the system prompt, in order, and the context with those that failed. */
export function pluginPrompts(
  spec: AgentSpec,
  context: AgentContext,
): {
  readonly context: AgentContext;
  readonly prompts: readonly { readonly by: string; readonly text: string }[];
} {
  const prompts: { by: string; text: string }[] = [];
  let next = context;
  for (const plugin of spec.plugins.filter(takesSteps)) {
    next = guarded(next, plugin, ({ state, prompt }) => {
      const text = plugin.systemPrompt?.(shownContext(next), state) ?? null;
      const own = answered("systemPrompt", text, shapes.TEXT_OR_NULL);
      const by = `plugins.${plugin.name}`;
      prompts.push({ by, text: own ?? "" }, { by: `${by}.prompt`, text: prompt ?? "" });
      return next;
    });
  }
  return { context: next, prompts };
}

function put(context: AgentContext, plugin: Plugin, state: PluginState): AgentContext {
  return { ...context, plugins: { ...context.plugins, [plugin.name]: state } };
}

function guarded(
  context: AgentContext,
  plugin: Plugin,
  work: (state: PluginState) => AgentContext,
): AgentContext {
  const state = context.plugins[plugin.name] as PluginState;
  if (state.failed !== null) return { ...context, preparing: null };
  try {
    return work(state);
  } catch (thrown) {
    return put({ ...context, preparing: null }, plugin, {
      ...state,
      failed: describeThrown(thrown),
    });
  }
}
