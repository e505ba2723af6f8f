/**
 * The ReAct behaviour (reason and act): the model keeps a plan, notes and a to-do list with pure
 * tools, and ends with `final_answer`. They are sequential, since each goes on from what the one before
 * it has written down.
 */

import type { Json } from "../../kernel/values/index.js";
import {
  builtInTool,
  contextUpdate,
  type RunContext,
  type Tool,
  ToolError,
  tool,
  withUpdate,
} from "../../kernel/vocabulary/index.js";
import type { Behaviour } from "../definition/spec.js";
import { basicBehaviour } from "./basic-behaviour.js";
import { fields } from "./tool-fields.js";

/** One entry of the to-do list. */
export interface PlanItem {
  readonly id: number;
  readonly text: string;
  readonly done: boolean;
}

/** The part of `deps` that ReAct keeps, as `deps.react`. */
export interface ReactState {
  readonly plan: string | null;
  readonly notes: readonly string[];
  readonly todos: readonly PlanItem[];
}

const empty: ReactState = { plan: null, notes: [], todos: [] };

function stateOf({ deps }: RunContext): ReactState {
  return { ...empty, ...((deps as { readonly react?: Partial<ReactState> }).react ?? {}) };
}

const set = (state: ReactState, output: Json) =>
  withUpdate(output, contextUpdate().set("react", state));

const tools: readonly Tool[] = [
  tool({
    name: "plan",
    description: "Write down, or replace, the plan for the task.",
    ...fields({ plan: "string" }),
    sequential: true,
    reduce: ({ plan }, run: RunContext) => set({ ...stateOf(run), plan }, { planned: plan }),
  }),
  tool({
    name: "note",
    description: "Write down an observation or a thought.",
    ...fields({ text: "string" }),
    sequential: true,
    reduce({ text }, run: RunContext) {
      const state = stateOf(run);
      const notes = [...state.notes, text];
      return set({ ...state, notes }, { noted: text, total: notes.length });
    },
  }),
  tool({
    name: "add_todo",
    description: "Add an entry to the to-do list.",
    ...fields({ text: "string" }),
    sequential: true,
    reduce({ text }, run: RunContext) {
      const state = stateOf(run);
      const todo: PlanItem = { id: state.todos.length + 1, text, done: false };
      return set({ ...state, todos: [...state.todos, todo] }, { ...todo });
    },
  }),
  tool({
    name: "complete_todo",
    description: "Mark an entry of the to-do list as done.",
    ...fields({ id: "number" }),
    sequential: true,
    reduce({ id }, run: RunContext) {
      const state = stateOf(run);
      if (!state.todos.some((todo) => todo.id === id))
        throw new ToolError(`There is no to-do ${id}.`);
      const todos = state.todos.map((todo) => (todo.id === id ? { ...todo, done: true } : todo));
      return set({ ...state, todos }, { completed: id });
    },
  }),
  tool({
    name: "list_todos",
    description: "Read the to-do list.",
    sequential: true,
    reduce: (_input, run: RunContext) => ({ todos: stateOf(run).todos }),
  }),
  tool({
    name: "final_answer",
    description: "Give the final answer and end the task.",
    ...fields({ answer: "string" }),
    final: true,
    reduce: ({ answer }) => answer,
  }),
];

/** The ReAct behaviour. */
export const reactBehaviour: Behaviour = {
  ...basicBehaviour,
  name: "react",
  tools: tools.map(builtInTool),
  beforeRequest(_agent, _context, request) {
    return { ...request, system: [request.system, GUIDE].filter(Boolean).join("\n\n") };
  },
};

/** The text about its tools that the model reads. */
const GUIDE = `Work in turns of thought and action.
Begin with plan, keep a to-do list with add_todo and complete_todo, and write observations down with note.
When the task is solved, call final_answer with the whole answer.`;
