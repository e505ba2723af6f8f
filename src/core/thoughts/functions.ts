/**
 * What a task brings along: prompts, parsers, scorers, validators, normalisers, selectors. All are pure
 * functions of the configuration; the state names the operation that uses them, and never holds them.
 * What they throw is a counted failure of the thought in question, not of the run.
 */
import type { JsonObject } from "../kernel/index.js";
import type { Thought } from "./thought.js";

/** What every function of a task may look at. */
export interface Problem<State extends object = JsonObject> {
  /** The run's prompt. */
  readonly prompt: string;
  /** The run's input as an object: the root's state. */
  readonly problem: State;
}

/** What a prompt is written for. */
export interface PromptView<State extends object = JsonObject> extends Problem<State> {
  /** The thought in question; of several, the first. */
  readonly thought: Thought<State>;
  /** All thoughts in question: those to merge, to connect, to score together. */
  readonly thoughts: readonly Thought<State>[];
  /** The state of the thought; for an aggregation, all states laid over each other, the best on top. */
  readonly state: State;
  /** How many thoughts one answer should hold. */
  readonly branches: number;
  /** Which improvement this is, counted from 1; 0 where nothing is improved. */
  readonly attempt: number;
  /** The thoughts from the root to the one in question. Costs as much as the path is long. */
  path(): readonly Thought[];
}

/** A prompt's text: what the user says, perhaps with a system prompt. */
export type PromptText = string | { readonly system?: string; readonly user: string };

// Methods are compared bivariantly: a task may write `(thought: Thought<Sorting>) => …`.

/** Writes a prompt. */
export type Prompt = { write(view: PromptView): PromptText }["write"];
/**
 * Reads an answer: what it adds to the state, several such where one answer holds several thoughts,
 * nothing (or an empty list) where it cannot be read.
 */
export type Parser = {
  read(text: string, view: PromptView): object | readonly object[] | undefined;
}["read"];
/** Reads a model's score or scores. `undefined` where there are none. */
export type ScoreParser = {
  read(text: string, view: PromptView): number | readonly number[] | undefined;
}["read"];
/** Reads whether a model finds a thought valid. `undefined` where it does not say. */
export type VerdictParser = { read(text: string, view: PromptView): boolean | undefined }["read"];
/** Scores a thought. */
export type Scorer = { score(thought: Thought, view: Problem): number }["score"];
/** Says whether a thought is valid, or right. */
export type Validator = { check(thought: Thought, view: Problem): boolean }["check"];
/** The text by which answers are counted as the same. */
export type Normaliser = { normalise(thought: Thought): string }["normalise"];
/** Picks from thoughts; what it returns must be among them. */
export type Selector = {
  pick(thoughts: readonly Thought[], view: Problem): readonly Thought[];
}["pick"];

/** A function's name as the state shows it. */
export function nameOf(fn: { readonly name: string } | undefined, otherwise: string): string {
  return fn === undefined || fn.name === "" ? otherwise : fn.name;
}
