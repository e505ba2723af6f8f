/**
 * `Kind`, the interface of a kind of operation of thoughts (generate, score …): what it asks the model, what
 * it does with an answer, and which thoughts it hands on. `operations/index.ts` lists all kinds.
 */
import type { Ask, Entry } from "../context.js";
import type { Work } from "../work-on-context.js";
import type { Operation, OperationKind } from "./operation.js";

/** The way to carry out operations of one kind. */
export interface Kind<K extends OperationKind> {
  /** Returns true when an operation asks the model before anything else. */
  asks(operation: Operation<K>): boolean;
  /** Asks what there is to ask first. One that asks nothing is closed at once. */
  begin(work: Work, operation: Operation<K>, inputs: readonly Entry[]): void;
  /** Takes an answer in; may ask further. */
  answer(work: Work, operation: Operation<K>, asked: Ask, text: string): void;
  /** Learns that a call failed for good, or was left out; a failure is counted already. */
  lost?(work: Work, operation: Operation<K>, asked: Ask): void;
  /** When nothing is open: what the operation hands on. */
  close(work: Work, operation: Operation<K>, inputs: readonly Entry[]): readonly Entry[];
}
