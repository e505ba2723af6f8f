/**
 * Makes events of tool calls. A call with a directive is that directive's event; the outcome of the
 * others (pure, denied, rejected, never begun) is read from the request that shows it.
 */
import type { EventLine } from "../../../core/journal/index.js";
import {
  isOurCall,
  type LlmSucceeded,
  type Message,
  toolCallsOf,
} from "../../../core/kernel/vocabulary/index.js";
import { AnswerBatch, type BatchResult, outcomeOfResult, type Slot } from "./answer-batch.js";
import type { EventLog } from "./event-log.js";
import { askedFields } from "./fields.js";
import { type Draft, type Effect, isOpen } from "./open-event.js";
import type { RunKind } from "./run-kind.js";

/** The calls of the last answer, and their events. */
export class CallLog {
  readonly #log: EventLog;
  #batch: AnswerBatch | undefined;

  constructor(log: EventLog) {
    this.#log = log;
  }

  get batch(): AnswerBatch | undefined {
    return this.#batch;
  }

  /** A model has answered. */
  answered(settled: Effect, line: EventLine, kind: RunKind): void {
    const { content } = line.event as LlmSucceeded;
    const calls = toolCallsOf({ role: "assistant", content } as Message).filter(isOurCall);
    if (calls.length === 0) return;
    // Of an answer that nothing was asked upon, no request will show the results.
    if (this.#batch !== undefined) this.#conclude(this.#batch, [], line);
    this.#batch = new AnswerBatch(settled.draft, settled.id, calls, kind === "agent");
  }

  /** A directive of a call is settled. */
  settled(slot: Slot, settled: Effect, line: EventLine): void {
    if (settled.draft.status === "rejected" && slot.event === undefined) this.#begin(slot, line);
    const { event } = slot;
    if (event === undefined || slot.direct === true || slot.requests.some(isOpen)) return;
    // Its requests are settled; what it makes of them stands in the next model request.
    if (event.status === "open") event.status = "unrecorded";
    if (slot.requests.length > 0) event.durationMs = Math.max(0, line.event.at - event.at);
  }

  /**
   * The batch is over with this line.
   * @param results the results that a request of this line shows; `undefined` where there is none
   */
  close(line: EventLine, results: readonly BatchResult[] | undefined): void {
    const batch = this.#batch;
    if (batch === undefined) return;
    batch.over = true;
    for (const slot of batch.slots) {
      if (slot.event === undefined) this.#begin(slot, line);
      // Its requests were cut off with the batch.
      else if (slot.direct !== true && slot.event.status === "open")
        slot.event.status = "unrecorded";
    }
    if (results !== undefined) this.#conclude(batch, results, line);
  }

  /** The results were shown: what follows has nothing to do with these calls. */
  forget(): void {
    this.#batch = undefined;
  }

  /** A call that asks for reads, writes or runs begins with the first of them. */
  beginRequests(slot: Slot, line: EventLine, causes: readonly string[]): Draft {
    const event = slot.event ?? this.#begin(slot, line);
    event.fields = { ...event.fields, via: "requests" };
    event.status = "open";
    if (causes[0] !== undefined && event.seq === line.seq) {
      event.causes = [...new Set([...causes, ...event.causes])];
      event.parentEvent = causes[0];
    }
    return event;
  }

  #begin(slot: Slot, line: EventLine): Draft {
    const batch = this.#batch as AnswerBatch;
    const { run, cut } = this.#log;
    const { toolName, input } = slot.call;
    const event = this.#log.add(line, {
      id: batch.idOf(slot, run.runId),
      type: "tool_call",
      causes: [batch.answer.id, ...slot.approvals.map(({ draft }) => draft.id)],
      fields: {
        ...askedFields({ type: "tool", parts: { name: toolName, input } }, cut),
        // No directive settles it: it is made of others, or of none.
        via: "inline",
      },
    });
    event.status = "unrecorded";
    slot.event = event;
    return event;
  }

  #conclude({ slots }: AnswerBatch, results: readonly BatchResult[], line: EventLine): void {
    for (const slot of slots) {
      if (slot.event === undefined) this.#begin(slot, line);
      this.#concludeOne(slot, results[slot.index], line);
    }
  }

  #concludeOne(slot: Slot, result: BatchResult | undefined, line: EventLine): void {
    const { event, call, direct, approvals, index } = slot;
    if (event === undefined || direct === true || event.endSeq !== undefined) return;
    const { cut } = this.#log;
    const outcome = result?.toolName === call.toolName ? outcomeOfResult(result) : undefined;
    const isRejected = approvals.some(({ draft }) => draft.status === "rejected");
    if (outcome !== undefined) {
      event.fields = { ...event.fields, output: cut(JSON.stringify(outcome.value)) };
    }
    this.#log.finish(event, isRejected ? "rejected" : (outcome?.status ?? "unrecorded"), line.seq);
    this.#log.addDecisionOf(event, line, { input: call.input, output: outcome?.value });
    if (event.status !== "failed" && event.status !== "unknown") return;
    this.#log.addError(event, line, `error/${index}`, { error: cut(outcome?.value) });
  }
}

/** A call's directive is issued. */
export function attach(slot: Slot, effect: Effect): void {
  if (effect.type === "approval") slot.approvals.push(effect);
  else if (effect.type === "tool") {
    slot.event = effect.draft;
    slot.direct = true;
  } else slot.requests.push(effect);
}
