/**
 * The interface of a policy, which decides which operations of thoughts begin next: a pure function of the
 * configuration and of what was done. `plan` and `beamSearch` are policies; `policy` makes one of your own.
 */
import type { Json, JsonObject } from "../../kernel/values/index.js";
import type { Entry, Reason } from "../context.js";
import type { Graph } from "../graph/graph.js";
import type { Thought } from "../graph/thought.js";
import type { Better } from "../graph/walk.js";
import type { Operation } from "../operations/operation.js";

/** An operation that is done. */
export interface Done {
  readonly id: string;
  /** The name under which the policy has it: the id, or what a decision said under `use`. */
  readonly use: string;
  readonly inputs: readonly Entry[];
  /** Its output. */
  readonly output: readonly Entry[];
}

/** The run's spending so far. */
export interface Spent {
  readonly modelCalls: number;
  readonly tokens: number;
  /** In US dollars. */
  readonly cost: number;
}

/** The run as a policy sees it. */
export interface Progress<State extends object = JsonObject, Memory = Json> {
  readonly graph: Graph<State>;
  /** The direction of good scores. */
  readonly better: Better;
  /** The budget that was met first, where one was: what needs it is left out from then on. */
  readonly cut: Reason | null;
  /** The operation that has just been done; `null` at the start. */
  readonly done: Done | null;
  /** The number of operations begun so far. */
  readonly begun: number;
  /** The number of them that wait for a model. */
  readonly running: number;
  readonly spent: Spent;
  /** The policy's memory. */
  readonly memory: Memory;
  /** Returns an operation's output; nothing where it is not done. */
  output(id: string): readonly Entry[];
  /** Returns where an operation stands; `undefined` where it has not begun. */
  standing(id: string): "running" | "done" | undefined;
  /** A number from 0 to 1, 1 left out: always the same for a run's seed and a key. */
  random(key: string): number;
}

/** A decision: an operation to begin. */
export interface Begin {
  /** The operation, by the name under which the policy has it. */
  readonly use: string;
  /** The thoughts it takes: by their ids, or as an operation handed them on, with the verdicts of that way. */
  readonly on: string | readonly (Entry | string)[];
  /** Default: the name and a number, `expand.7`. */
  readonly id?: string;
}

/** A policy's decisions, and its memory from then on, where that changes. */
export type Decided<Memory = Json> =
  | readonly Begin[]
  | { readonly begin: readonly Begin[]; readonly memory: Memory };

/** Decides what is done next. */
export interface Policy<State extends object = JsonObject, Memory = Json> {
  /** "plan", "beamSearch", or a name of one's own. */
  readonly name: string;
  /** The values beside the functions that shape it; part of the reasoner's fingerprint. */
  readonly configuration: Json;
  /** Budgets where the reasoner says nothing. */
  readonly defaults: { readonly maxNodes: number | null; readonly maxDepth: number | null };
  /** Its memory at the start. Default: nothing. */
  readonly memory?: Memory;
  /** A score at which no further model calls are made. */
  readonly until?: number;
  /** Its operations by their names. */
  readonly operations: ReadonlyMap<string, Operation<Operation["kind"], State>>;
  /** The operations to begin, at the start and whenever one is done. */
  decide(progress: Progress<State, Memory>): Decided<Memory>;
  /** The thoughts from which the result is chosen. Default: all that answer the whole problem. */
  finals?(progress: Progress<State, Memory>): readonly (Entry | string)[];
  /** Returns true when a thought answers the whole problem. Default: it does. */
  whole?(thought: Thought<State>, progress: Progress<State, Memory>): boolean;
}
