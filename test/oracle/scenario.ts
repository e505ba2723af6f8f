// A scenario: a reasoner, a scripted world around it, and what people do to the run, all as data that
// follows from a seed.
import type { ApprovalDecision, HostOptions, Reasoner } from "reckoner";

/** Any reasoner, as a scenario holds it. */
export type AnyReasoner = Reasoner<never, unknown, unknown>;

/** Something that somebody does to the run, at a time in milliseconds since its start. */
export type Act = { readonly at: number } & (
  | { readonly do: "message"; readonly text: string }
  | {
      readonly do: "send";
      readonly event: { readonly type: string; readonly [key: string]: unknown };
    }
  | { readonly do: "interrupt"; readonly reason: string; readonly graceMs: number }
  | { readonly do: "drain"; readonly ms: number }
  | { readonly do: "cancel"; readonly reason: string }
  | { readonly do: "decide"; readonly id: string; readonly decision: ApprovalDecision }
  /** The process dies between two moments: whatever it had not written is lost. */
  | { readonly do: "kill" }
);

/** How the scripted model behaves. */
export interface ModelScript {
  /** Milliseconds of an answer, between two bounds. */
  readonly ms: readonly [number, number];
  /** How many answers of a conversation's turn call tools at most. */
  readonly turns: number;
  /** Calls in an answer, at most. */
  readonly calls: number;
  /** Share of the attempts that fail for a while, and of those that fail for good. */
  readonly busy?: number;
  readonly fails?: number;
  /** Share of the answers that are none, and of those that the provider ends with an error at once. */
  readonly broken?: number;
  readonly empty?: number;
  /** In how many pieces an answer streams. */
  readonly pieces?: number;
}

/** One scenario. */
export interface Scenario {
  /** The family and a number in it: `trees 07`. */
  readonly name: string;
  /** Its script in words. */
  readonly about: string;
  readonly reasoner: AnyReasoner;
  readonly input: unknown;
  readonly model: ModelScript;
  readonly options: Pick<
    HostOptions,
    "concurrency" | "retry" | "llmTimeoutMs" | "timers" | "unattended" | "maxDepth"
  >;
  /** Milliseconds of a live approver, between two bounds; without them nobody decides while it is live. */
  readonly approverMs?: readonly [number, number];
  /** Whether somebody decides what a run waits for, five seconds after it began to wait. */
  readonly reviews?: boolean;
  /** Whether an append is durable when it returns, or a moment of the event loop later. */
  readonly appends: "at once" | "a moment later";
  readonly acts: readonly Act[];
  /** The process of this number dies as its call of this number begins. */
  readonly lives?: readonly (number | undefined)[];
}

/** When a scenario begins, in milliseconds since 1970. */
export const START = 1_000_000;
