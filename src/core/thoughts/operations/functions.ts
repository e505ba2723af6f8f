/**
 * The functions that a task gives a Graph of Thoughts: prompts, parsers, scorers, validators, normalisers,
 * selectors. All are pure; the state only names the operations that use them. If one throws or returns a
 * promise, the run continues, and a failure is counted for the thought it was called for.
 */
import type { JsonObject } from "../../kernel/values/index.js";
import type { Thought } from "../graph/thought.js";

/** The problem as every function of a task sees it. */
export interface Problem<State extends object = JsonObject> {
  /** The run's prompt. */
  readonly prompt: string;
  /** The run's input as an object: the root's state. */
  readonly problem: State;
}

/** The subject of a prompt. */
export interface PromptView<State extends object = JsonObject> extends Problem<State> {
  /** The thought in question; of several, the first. */
  readonly thought: Thought<State>;
  /** All thoughts in question: those to merge, to connect, to score together. */
  readonly thoughts: readonly Thought<State>[];
  /** The state of the thought; for an aggregation, all states laid over each other, the best on top. */
  readonly state: State;
  /** The number of thoughts that one answer should hold. */
  readonly branches: number;
  /** The number of the improvement, counted from 1; 0 where nothing is improved. */
  readonly attempt: number;
  /** True when the answer is asked for as JSON of a schema. */
  readonly structured: boolean;
  /** The thoughts from the root to the one in question. Costs as much as the path is long. */
  path(): readonly Thought<State>[];
}

/** A prompt's text: what the user says, perhaps with a system prompt. */
export type PromptText = string | { readonly system?: string; readonly user: string };

/**
 * A parser's reading: a part that is laid over the state, several such where there are several thoughts,
 * nothing (or an empty list) where the answer cannot be read.
 */
export type Reading<State extends object> = Partial<State> | readonly Partial<State>[] | undefined;

/** Writes a prompt. */
export type Prompt<State extends object = JsonObject> = (view: PromptView<State>) => PromptText;
/** Reads an answer (a text) or all answers to one question (texts, in the order of asking). */
export type Parser<State extends object, Answer, Value> = (
  answer: Answer,
  view: PromptView<State>,
) => Value;
/** Scores a thought. */
export type Scorer<State extends object = JsonObject> = (
  thought: Thought<State>,
  view: Problem<State>,
) => number;
/** Scores all thoughts together: a number for each, in their order. */
export type CombinedScorer<State extends object = JsonObject> = (
  thoughts: readonly Thought<State>[],
  view: Problem<State>,
) => readonly number[];
/** Says whether a thought is valid, or right. */
export type Validator<State extends object = JsonObject> = (
  thought: Thought<State>,
  view: Problem<State>,
) => boolean;
/** The text by which answers are counted as the same. */
export type Normaliser<State extends object = JsonObject> = (thought: Thought<State>) => string;
/** Picks from thoughts; what it returns must be among them. */
export type Selector<State extends object = JsonObject> = (
  thoughts: readonly Thought<State>[],
  view: Problem<State>,
) => readonly Pick<Thought, "id">[];
