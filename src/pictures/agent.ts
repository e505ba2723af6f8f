/**
 * Draws one agent: its loop as a box with its limits, its plug-ins above it, its tools below, and the
 * reasoners that tools and plug-ins run. The chart of the loop itself is drawn by `chartPicture`.
 */
import { type AgentSpec, HOOKS, type Limits, type Plugin } from "../core/agent/index.js";
import type * as shapes from "../core/kernel/shapes.js";
import {
  type ChildReasoner,
  checkArguments,
  dollarsOf,
  type Tool,
} from "../core/kernel/vocabulary/index.js";
import { TITLED } from "./check-arguments.js";
import { lookEntry } from "./legend.js";
import type {
  EdgeLook,
  LegendEntry,
  NodeLook,
  Picture,
  PictureEdge,
  PictureNode,
  PictureOptions,
  PictureRow,
} from "./picture.js";

/** The part of an agent that is drawn: its definition with all defaults. */
export interface DrawnAgent {
  readonly spec: AgentSpec;
}

const AGENT: shapes.Shape = [
  (value) => typeof (value as Partial<DrawnAgent> | null | undefined)?.spec?.tools === "object",
  "an agent, as agent() makes it",
];

/** Tools side by side; further ones stand in the next row. */
const COLUMNS = 6;

const LOOP: NodeLook = { shape: "double", tone: "blue" };
const PLUGIN: NodeLook = { shape: "pill", tone: "teal" };
const CHILD: NodeLook = { shape: "double", tone: "purple" };
const CALLS: EdgeLook = { line: "solid", tone: "plain" };
const RUNS: EdgeLook = { line: "dashed", tone: "purple" };

/** The look of each kind of tool that needs no approval, and its words. */
const KINDS: Readonly<Record<Tool["kind"], readonly [NodeLook, string]>> = {
  execute: [{ shape: "box", tone: "plain" }, "has effects"],
  reduce: [{ shape: "round", tone: "plain" }, "pure"],
  issue: [{ shape: "hexagon", tone: "plain" }, "reads, writes or runs"],
  ask: [{ shape: "box", tone: "amber" }, "a person answers"],
  provider: [{ shape: "round", tone: "grey" }, "carried out by the provider"],
};

/**
 * The picture of an agent; writers make a text of it.
 * @throws ReckonerError `option.invalid`
 */
export function agentPicture(agent: DrawnAgent, options: PictureOptions = {}): Picture {
  checkArguments("agentPicture", { agent, options }, { agent: AGENT, options: TITLED });
  const { spec } = agent;
  const { title = spec.name } = options;
  const tools = Object.values(spec.tools);
  const last = Math.ceil(tools.length / COLUMNS) + 1;
  const owners = ownersOf(spec);
  const children = new Map<string, PictureNode>();
  const edges: PictureEdge[] = [];
  const runs = (from: string, of: { readonly [name: string]: ChildReasoner } = {}) => {
    for (const [name, child] of Object.entries(of)) {
      const node = childNode(child, last + 1);
      children.set(node.id, node);
      const labels = name === child.id ? {} : { labels: [name] };
      edges.push({ ...RUNS, from, to: node.id, ...labels });
    }
  };
  for (const plugin of spec.plugins) {
    edges.push({ ...CALLS, from: pluginId(plugin), to: "loop" });
    runs(pluginId(plugin), plugin.children);
  }
  for (const tool of tools) {
    edges.push({ ...CALLS, from: "loop", to: toolId(tool) });
    runs(toolId(tool), tool.children);
  }
  const nodes = [
    ...spec.plugins.map(pluginNode),
    loopNode(spec),
    ...tools.map((tool, i) => toolNode(tool, owners.get(tool), 2 + Math.floor(i / COLUMNS))),
    ...children.values(),
  ];
  return { kind: "agent", title, nodes, edges, groups: [], rows: rowsOf(nodes), legend, notes: [] };
}

const toolId = ({ name }: Tool): string => `tool ${name}`;
const pluginId = ({ name }: Plugin): string => `plug-in ${name}`;

/** The tools that the agent's definition does not list itself, with the part that brings them. */
function ownersOf({ plugins, behaviour, output, tools }: AgentSpec): ReadonlyMap<Tool, string> {
  const brought = [
    ...plugins.flatMap((plugin) =>
      (plugin.tools ?? []).map((tool) => [tool, `of ${plugin.name}`] as const),
    ),
    ...(behaviour.tools ?? []).map((tool) => [tool, `of the behaviour ${behaviour.name}`] as const),
  ];
  const final = output?.via === "tool" ? tools[output.name ?? "final_result"] : undefined;
  return new Map(final === undefined ? brought : [...brought, [final, "gives the output"]]);
}

function loopNode(spec: AgentSpec): PictureNode {
  const { name, behaviour, model, output, conversation, sequential } = spec;
  return {
    id: "loop",
    label: name,
    details: [
      "asks the model, calls tools, asks again",
      ...(model === undefined ? [] : [`model ${model}`]),
      ...(behaviour.name === "basic" ? [] : [`behaviour ${behaviour.name}`]),
      ...(sequential ? ["calls tools one after the other"] : []),
      ...(output === undefined ? [] : ["its output is validated"]),
      ...(conversation ? ["stays open for the next message"] : []),
      ...limitsOf(spec),
    ],
    ...LOOP,
    row: 1,
    weight: 3,
  };
}

function limitsOf({ limits }: AgentSpec): string[] {
  const { maxIterations, tokenBudget, costBudget, deadlineMs, onLimit } = limits;
  return [
    `at most ${maxIterations} model calls a turn`,
    ...spendingOf(tokenBudget, (tokens) => `at most ${tokens} tokens`),
    ...spendingOf(costBudget, (cost) => `costs at most ${dollarsOf(cost)}`),
    ...(deadlineMs === undefined ? [] : [`at most ${deadlineMs / 1000} s a turn`]),
    onLimit === "answer" ? "at a limit: answers without tools" : "at a limit: fails",
  ];
}

/** The lines of a budget: of the run, and of each turn. */
function spendingOf(
  limit: Limits["tokenBudget"],
  words: (amount: number) => string,
): readonly string[] {
  const { total, perTurn } =
    typeof limit === "object" ? limit : { total: limit, perTurn: undefined };
  return [
    ...(total === undefined ? [] : [words(total)]),
    ...(perTurn === undefined ? [] : [`${words(perTurn)} a turn`]),
  ];
}

function pluginNode(plugin: Plugin): PictureNode {
  const { name, tools = [], issue, systemPrompt } = plugin;
  const hooks = HOOKS.filter((hook) => plugin[hook] !== undefined);
  const parts = [
    ...(systemPrompt === undefined ? [] : ["adds to the system prompt"]),
    ...(issue === undefined ? [] : ["reads, writes or runs before each request"]),
    ...(hooks.length === 0 ? [] : [`judges: ${hooks.join(", ")}`]),
    ...(tools.length === 0 ? [] : [`brings ${tools.length} tool${tools.length === 1 ? "" : "s"}`]),
  ];
  return { id: pluginId(plugin), label: name, details: parts, ...PLUGIN, row: 0, weight: 2 };
}

function toolNode(tool: Tool, owner: string | undefined, row: number): PictureNode {
  const { kind, name, needsApproval, idempotent, sequential, final, schema } = tool;
  const [look, words] = KINDS[kind];
  const approval = needsApproval !== false;
  const details = [
    words,
    ...(approval ? [needsApproval === true ? "needs approval" : "may need approval"] : []),
    ...(idempotent ? ["idempotent"] : []),
    ...(sequential ? ["runs alone"] : []),
    ...(final ? ["ends the run"] : []),
    ...(owner === undefined ? [] : [owner]),
  ];
  return {
    id: toolId(tool),
    label: name,
    details,
    title: [`${name}: ${details.join(", ")}`, schema.description ?? ""].join("\n").trimEnd(),
    ...look,
    ...(approval ? { tone: "amber" } : {}),
    ...(idempotent ? { border: "thick" } : {}),
    row,
    tally: approval ? "tool that needs approval" : "tool",
    weight: approval ? 1 : 0,
  };
}

function childNode({ id, version, fingerprint }: ChildReasoner, row: number): PictureNode {
  return {
    id: `child ${fingerprint}`,
    label: id,
    details: [`child run, version ${version}`],
    ...CHILD,
    row,
  };
}

function rowsOf(nodes: readonly PictureNode[]): PictureRow[] {
  const labels: PictureRow[] = [];
  const kinds = { loop: "loop", tool: "tools", "plug-in": "plug-ins", child: "children" } as const;
  for (const { id, row = 0 } of nodes) {
    const label = kinds[id.split(" ")[0] as keyof typeof kinds];
    if (!labels.some((other) => other.label === label)) labels.push({ row, label });
  }
  return labels;
}

const legend: readonly LegendEntry[] = [
  ...Object.values(KINDS).map(([look, text]) => lookEntry(text, look)),
  lookEntry("needs approval", { tone: "amber" }, "box"),
  lookEntry("idempotent", { border: "thick" }, "box"),
  lookEntry("plug-in", { tone: PLUGIN.tone }, PLUGIN.shape),
  lookEntry("child", { tone: CHILD.tone }, CHILD.shape),
  { text: "runs", edge: RUNS },
];
