/**
 * Draws an agent as a run of it shows it, from lines alone: the loop, the tools that its models were shown,
 * the children that it ran; how often each was called up to an event, and what it waits for there.
 */
import { addTo, isJsonObject } from "../../core/kernel/values/index.js";
import type { NodeLook, Picture, PictureEdge, PictureNode } from "../../pictures/index.js";
import { traceId } from "../../trace/pure/index.js";
import { type IssuedEffect, isOutstanding, nameOf, type RecordedRun } from "./recorded-run.js";
import type { RecordedTree } from "./recorded-tree.js";
import { countText } from "./spans.js";

/** The picture, and the request that each node leads to: the newest up to the event, else the first. */
export interface AgentDrawn {
  readonly picture: Picture;
  readonly leads: ReadonlyMap<string, IssuedEffect>;
}

/** Tools side by side; further ones stand in the next row. */
const COLUMNS = 5;
const LOOKS: { readonly [kind: string]: NodeLook } = {
  loop: { shape: "double", tone: "blue" },
  tool: { shape: "box", tone: "plain" },
  child: { shape: "double", tone: "purple" },
};

/** Draws a run of an agent; `undefined` where it asked no model, or is a run of something else. */
export function agentDrawn(tree: RecordedTree, path: string, seq: number): AgentDrawn | undefined {
  const run = tree.of(path);
  const chart = run?.segmentAt(seq)?.chart;
  if (run === undefined || typeof chart !== "string" || !chart.startsWith("agent/"))
    return undefined;
  const { models, calls, children } = partsOf(tree, run);
  const leads = new Map<string, IssuedEffect>();
  const nodeOf = (
    kind: "loop" | "tool" | "child",
    label: string,
    own: readonly IssuedEffect[],
    details: readonly string[],
    row: number,
  ): PictureNode => {
    const id = `${kind} ${label}`;
    const before = own.filter((each) => each.seq <= seq);
    const lead = before.at(-1) ?? own[0];
    if (lead !== undefined) leads.set(id, lead);
    const waits = own.some((each) => isOutstanding(each, seq));
    const done = before.filter(({ type }) => type !== "approval");
    const asked = new Set(done.map(({ id }) => (kind === "tool" ? callOf(id) : id))).size;
    const failed = before.filter(
      ({ answer }) => answer !== undefined && answer.seq <= seq && "error" in answer.event,
    );
    const count =
      kind === "loop"
        ? `${countText(asked, "model call")}`
        : asked === 0
          ? "not called"
          : `called ${asked} ×`;
    return {
      id,
      label,
      ...(LOOKS[kind] as NodeLook),
      ...(waits ? { border: "thick", borderTone: "amber" } : asked === 0 ? { tone: "grey" } : {}),
      details: [
        ...details,
        count,
        ...(failed.length === 0 ? [] : [`${failed.length} failed`]),
        ...(waits
          ? [
              own.some((each) => each.type === "approval" && isOutstanding(each, seq))
                ? "waits for a person"
                : "is running",
            ]
          : []),
      ],
      row,
    };
  };
  const tools = [...calls].map(([name, own], i) =>
    nodeOf("tool", name, own, [], 2 + Math.floor(i / COLUMNS)),
  );
  const last = 2 + Math.ceil(tools.length / COLUMNS);
  const kids = [...children].map(([name, own]) =>
    nodeOf("child", name, own, ["a child run"], last),
  );
  const name = run.header?.reasoner.id ?? "";
  const loop = nodeOf("loop", name, models, [], 1);
  const edges = [
    ...tools.map(
      ({ id }): PictureEdge => ({ from: loop.id, to: id, line: "solid", tone: "plain" }),
    ),
    ...kids.map(({ id, label }): PictureEdge => {
      const from = calls.has(label) ? `tool ${label}` : loop.id;
      return { from, to: id, line: "dashed", tone: "purple" };
    }),
  ];
  const nodes = [loop, ...tools, ...kids];
  const picture: Picture = {
    kind: "agent",
    title: `${name}, up to event ${seq}`,
    nodes,
    edges,
    groups: [],
    rows: [],
    legend: [],
    notes: [],
  };
  return { picture, leads };
}

/** The requests of an agent, by what they are of. */
interface AgentParts {
  /** The number of requests of which these were made. */
  readonly of: number;
  readonly models: readonly IssuedEffect[];
  readonly calls: ReadonlyMap<string, readonly IssuedEffect[]>;
  readonly children: ReadonlyMap<string, readonly IssuedEffect[]>;
}

const partsOfRuns = new WeakMap<RecordedRun, AgentParts>();

/** Made once, until there are more requests: a slider asks for the picture at each of its steps. */
function partsOf(tree: RecordedTree, run: RecordedRun): AgentParts {
  const found = partsOfRuns.get(run);
  if (found?.of === run.effects.size) return found;
  const effects = [...run.effects.values()];
  const models = effects.filter(({ type }) => type === "llm");
  const shown = toolsShown(run, models);
  const calls = new Map<string, IssuedEffect[]>([...shown].map((name) => [name, []]));
  const children = new Map<string, IssuedEffect[]>();
  for (const effect of effects) {
    const { type } = effect;
    const tool = type === "approval" ? toolAsked(run, effect) : nameOf(run, effect);
    if (type === "tool" || (type === "approval" && tool !== undefined))
      addTo(calls, tool ?? "", effect);
    // A tool that is carried out by requests of its own, such as a child run, has no other effect.
    const { toolName } =
      tree.trace.get(traceId(run.header?.runId ?? "", callOf(effect.id)))?.fields ?? {};
    if (callOf(effect.id) !== effect.id && type !== "approval" && toolName !== undefined)
      addTo(calls, toolName, effect);
    if (type === "run") addTo(children, String(run.part(effect, "reasoner") ?? ""), effect);
  }
  const parts = { of: effects.length, models, calls, children };
  partsOfRuns.set(run, parts);
  return parts;
}

/** The id of the call whose request it is; its own where it is none's. */
function callOf(id: string): string {
  return /^tool\/\d+\/\d+(?=\/)/.exec(id)?.[0] ?? id;
}

function toolAsked(run: RecordedRun, effect: IssuedEffect): string | undefined {
  const subject = run.part(effect, "subject");
  return isJsonObject(subject) && typeof subject.tool === "string" ? subject.tool : undefined;
}

/** The tools that the first request which names any has shown to its model. */
function toolsShown(run: RecordedRun, models: readonly IssuedEffect[]): ReadonlySet<string> {
  for (const each of models) {
    const tools = run.part(each, "tools");
    if (!Array.isArray(tools)) continue;
    return new Set(
      tools.flatMap((tool) =>
        isJsonObject(tool) && typeof tool.name === "string" ? [tool.name] : [],
      ),
    );
  }
  return new Set();
}
