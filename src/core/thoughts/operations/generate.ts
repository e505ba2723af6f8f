/**
 * The operations Generate and Improve, and Aggregate by a model: a model's answer becomes new thoughts,
 * linked to the thoughts that the question was about. Generate and Improve ask about each input alone,
 * Aggregate about all together.
 */
import { tableValues, withParts } from "../../kernel/values/index.js";
import type { Ask, Entry } from "../context.js";
import type { StructuralEdge } from "../graph/thought.js";
import { compareScores } from "../graph/walk.js";
import { entryOf, seenAs, stateOf, type Work } from "../work-on-context.js";
import { callOf, viewOf } from "./ask.js";
import type { Prompt, PromptView } from "./functions.js";
import { grow } from "./grow.js";
import type { Kind } from "./kind.js";
import type { Generate, Operation } from "./operation.js";
import {
  askAll,
  groupOf,
  groupsOf,
  keptAsks,
  type Reader,
  readAnswer,
  readStates,
  recordAnswer,
  statesIn,
  textsOf,
} from "./read-answer.js";

type GrowingKind = "generate" | "improve" | "aggregate";

/** The parameters that some of these kinds have. */
interface Growing extends Reader {
  readonly prompt?: Prompt | undefined;
  readonly parseAll?: Generate["parseAll"];
  readonly responses?: number | undefined;
  readonly branches?: number | undefined;
}

const edges: { readonly [K in GrowingKind]: StructuralEdge } = {
  generate: "generates",
  improve: "refines",
  aggregate: "aggregates",
};

/** The one way to carry out operations of these kinds. */
export const growingKind: Kind<GrowingKind> = {
  asks: () => true,
  begin(work, operation, inputs) {
    const {
      prompt = work.spec.prompts[operation.kind],
      responses = 1,
      branches = 1,
    }: Growing = operation;
    askAll(work, operation, inputs, responses, (group) => {
      return { ...aboutOf(work, operation, group), prompt, makes: branches };
    });
  },
  answer(work, operation, asked, text) {
    recordAnswer(work, operation, asked, text, () => {
      const view = viewOf(work, aboutOf(work, operation, groupOf(work, operation, asked)));
      return makeThoughts(work, operation, asked, text, operation, view);
    });
  },
  close(work, operation, inputs) {
    const { parseAll }: Growing = operation;
    if (parseAll === undefined) {
      return tableValues(stateOf(work, operation.id).asks)
        .flatMap(({ result }) => (result ?? []) as readonly string[])
        .map(entryOf);
    }
    const groups = groupsOf(operation, inputs);
    return [...keptAsks(work, operation.id)].flatMap(([source, asks]) => {
      const group = groups[source] as readonly Entry[];
      const texts = textsOf(asks);
      const view = viewOf(work, aboutOf(work, operation, group));
      const states = readAnswer(work, operation, view, () => parseAll(texts, view), statesIn) ?? [];
      const from = { path: `${source}/all`, calls: asks.map((each) => callOf(operation, each)) };
      const text = texts.length === 1 ? texts[0] : undefined;
      return growAll(work, operation, view, from, states, edges[operation.kind], text).map(entryOf);
    });
  },
};

/**
 * The thoughts of a group, with the state that a new thought is laid over: that of the thought, and of
 * several all, the best one on top.
 */
function aboutOf(
  work: Work,
  operation: Operation<GrowingKind>,
  group: readonly Entry[],
): Pick<PromptView, "thoughts" | "state" | "branches" | "attempt"> {
  const { branches = 1 }: Growing = operation;
  const thoughts = group.map((entry) => seenAs(work, entry));
  const [{ state }] = thoughts as [PromptView["thought"]];
  const about = { thoughts, branches, attempt: operation.kind === "improve" ? 1 : 0 };
  if (thoughts.length === 1) return withParts(about, { state });
  // The worst first; of equals, and of those without a score, the last one wins, as in the paper's code.
  const sorted = [...thoughts].sort((a, b) => compareScores(b.score, a.score, work.better));
  return { ...about, state: Object.freeze(Object.assign({}, ...sorted.map((each) => each.state))) };
}

/** The thoughts in an answer, by their ids; what cannot be read is a failure of the thought asked about. */
export function makeThoughts(
  work: Work,
  operation: Operation<GrowingKind | "validate">,
  asked: Ask,
  text: string,
  reader: Reader,
  view: PromptView,
): string[] {
  const type = operation.kind === "validate" ? "refines" : edges[operation.kind];
  const read = readStates(work, operation, view, text, reader);
  // There is one better version, and one merged thought, whatever else the parser reads.
  const states = type === "generates" ? read : read.slice(0, 1);
  const from = { path: asked.path, calls: [callOf(operation, asked)] };
  return growAll(work, operation, view, from, states, type, text);
}

/** A thought for each state: with the text where there is one of each, else with the state as text. */
function growAll(
  work: Work,
  operation: Operation,
  { thoughts, state }: PromptView,
  { path, calls }: { readonly path: string; readonly calls: readonly string[] },
  states: readonly object[],
  type: StructuralEdge,
  text: string | undefined,
): string[] {
  const many = states.length > 1 || path.endsWith("/all");
  const content = states.length === 1 ? text : undefined;
  const sources = thoughts.map(({ id }) => id);
  return states.flatMap((read, i) => {
    const id = `thought/${operation.id}/${path}${many ? `.${i}` : ""}`;
    return grow(work, operation, sources, type, { id, content, state, read, calls }) ?? [];
  });
}
