// Agents that delegate to agents: each with a script, found by its name in the system prompt.
import { idFromRoot, ofChild } from "../../src/core/journal/index.js";
import { escapeId } from "../../src/core/kernel/vocabulary/index.js";
import {
  type Agent,
  type AgentDefinition,
  type AgentInput,
  type AgentToolOptions,
  agent,
  agentTool,
  type ModelPort,
  type ModelRequest,
  type Schema,
  type ScriptedTurn,
  scriptedModel,
  type Tool,
  tool,
} from "../../src/index.js";

/** What a member of a family says: turn by turn, or by what it is asked. */
type Words = readonly ScriptedTurn[] | ((request: ModelRequest, turn: number) => ScriptedTurn);

/** One agent, its script, and the agents it may call as tools. */
export interface Member {
  readonly name: string;
  readonly says: Words;
  readonly tools?: readonly Tool[];
  readonly children?: readonly Member[];
  /** Options of the agent. */
  readonly is?: Partial<AgentDefinition>;
  /** Options of the tool that it is for its parent. */
  readonly asTool?: Partial<AgentToolOptions<Schema, AgentInput>>;
}

/** A parent, and a model that speaks for all of its family. */
export function familyOf(member: Member): { readonly parent: Agent; readonly model: ModelPort } {
  const words = new Map<string, Words>();
  const made = (each: Member): Agent => {
    words.set(each.name, each.says);
    const children = (each.children ?? []).map((child) =>
      agentTool(made(child), { name: child.name, ...child.asTool }),
    );
    return agent({
      name: each.name,
      system: each.name,
      tools: [...(each.tools ?? []), ...children],
      ...each.is,
    }) as Agent;
  };
  const parent = made(member);
  const model = scriptedModel((request, turn) => {
    const says = words.get(request.system ?? "") ?? [];
    const said = typeof says === "function" ? says(request, turn) : says[turn];
    return said ?? { error: { message: `${request.system} has no turn ${turn}` } };
  });
  return { parent, model };
}

/** The path of a child in its tree, by the directives that lead there. */
export function pathOf(...directives: readonly string[]): string {
  return directives.map(escapeId).join(":");
}

/** The id by which a run knows an approval of a child, by the directives that lead there. */
export function approvalIn(path: readonly string[], approval: string): string {
  return idFromRoot(pathOf(...path), approval);
}

/** The run id of a child, by the directives that lead there. */
export function runIdIn(root: string, path: readonly string[]): string {
  return path.length === 0 ? root : ofChild(root, pathOf(...path));
}

/** A call of a child, or of several at once. */
export function calls(...names: readonly string[]): ScriptedTurn {
  return { calls: names.map((name) => ({ name, input: { prompt: `${name}, go` } })) };
}

/** A tool that notes the keys of its executions, and one that has to be approved. */
export function worker(done: string[], name = "work", more: object = {}): Tool {
  return tool({
    name,
    jsonSchema: { type: "object" },
    ...more,
    execute: (_input, { idempotencyKey }) => {
      done.push(idempotencyKey);
      return `${name} done`;
    },
  });
}

/** A line of agents: each calls the next, the last one works. */
export function lineOf(depth: number, tools: readonly Tool[] = []): Member {
  let last: Member = {
    name: `level${depth}`,
    tools,
    says: tools.length === 0 ? ["at the bottom"] : [work(tools), "at the bottom"],
  };
  for (let level = depth - 1; level >= 0; level--) {
    const { name } = last;
    last = { name: `level${level}`, children: [last], says: [calls(name), `${level} done`] };
  }
  return last;
}

const work = (tools: readonly Tool[]): ScriptedTurn => ({
  calls: tools.map(({ name }) => ({ name })),
});
