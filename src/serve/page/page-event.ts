/**
 * `PageEvent`: the events that a page is shown of a run, before they are put into a protocol. They follow from
 * the lines of the run alone, but for `text` that streams in and `progress`.
 */
import type { Json } from "../../core/kernel/values/index.js";
import type { UserPart } from "../../core/kernel/vocabulary/index.js";

/** A text of a model, or its reasoning. */
export type TextKind = "text" | "reasoning";

/** The outcome of a call. */
export type CallOutcome =
  | { readonly type: "output"; readonly output: Json }
  | { readonly type: "error"; readonly message: string }
  | { readonly type: "denied"; readonly reason?: string | undefined };

/** An event of a page. */
export type PageEvent =
  /** A message of the user is part of the conversation from here on. */
  | {
      readonly type: "user";
      readonly id: string;
      readonly content: string | readonly UserPart[];
    }
  /** A message of the agent begins: one in each turn. */
  | { readonly type: "begin"; readonly id: string }
  /** The model is asked, again where it was before. */
  | { readonly type: "step" }
  /** A piece of a text; the first one begins it. @param id of the text: its place, and `~` with the attempt while it streams */
  | {
      readonly type: "text";
      readonly id: string;
      readonly kind: TextKind;
      readonly text: string;
    }
  | { readonly type: "text.end"; readonly id: string; readonly kind: TextKind }
  /** A piece of the input of a call that is being written; the first one begins it. */
  | { readonly type: "input"; readonly call: string; readonly name: string; readonly text: string }
  /** Texts and calls of an attempt that came to nothing are no part of the message. */
  | {
      readonly type: "withdrawn";
      readonly ids: readonly string[];
      readonly calls: readonly string[];
    }
  | { readonly type: "call"; readonly call: string; readonly name: string; readonly input: Json }
  /** A person is asked: whether the call may run, or for its result. */
  | {
      readonly type: "approval";
      readonly id: string;
      readonly call: string;
      readonly title: string;
      /** The JSON Schema of the value that is asked for. */
      readonly ask?: Json | undefined;
    }
  /** A person said yes, perhaps with another input. */
  | {
      readonly type: "approved";
      readonly call: string;
      readonly name: string;
      readonly input: Json;
    }
  /** The model is down, and is asked again and again; once it answers, or nobody waits any more, that is over. */
  | {
      readonly type: "waiting";
      readonly id: string;
      readonly code: string;
      readonly message: string;
      /** In milliseconds since 1970. */
      readonly since: number;
      readonly isOver: boolean;
    }
  | { readonly type: "progress"; readonly call: string; readonly data: Json }
  | { readonly type: "outcome"; readonly call: string; readonly outcome: CallOutcome }
  /** A call of an earlier message has come to something. */
  | { readonly type: "late"; readonly call: string; readonly outcome: CallOutcome }
  /** The turn failed. */
  | { readonly type: "failed"; readonly code: string; readonly message: string }
  /** The message is whole. */
  | { readonly type: "end" };

/** A word of a process on an answer, or of a tool, that is under way. Never recorded. */
export type LiveDelta =
  /** @param key of the attempt: the owner's epoch and its number @param n pieces before it */
  | {
      readonly type: "piece";
      readonly id: string;
      readonly key: string;
      readonly n: number;
      readonly kind: TextKind;
      readonly text: string;
    }
  | {
      readonly type: "piece";
      readonly id: string;
      readonly key: string;
      readonly n: number;
      readonly kind: "input";
      readonly call: string;
      readonly name: string;
      readonly text: string;
    }
  /** All pieces so far, for whoever came later. */
  | {
      readonly type: "so-far";
      readonly id: string;
      readonly key: string;
      readonly n: number;
      readonly texts: readonly StreamedText[];
      /** Absent: none has begun. */
      readonly calls?: readonly StreamedCall[];
    }
  | { readonly type: "progress"; readonly id: string; readonly data: Json };

/** A text that streams in. */
export interface StreamedText {
  readonly kind: TextKind;
  readonly text: string;
}

/** A call whose input streams in. */
export interface StreamedCall {
  readonly call: string;
  readonly name: string;
  readonly text: string;
}
