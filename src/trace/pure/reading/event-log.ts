/**
 * Collects the trace events of one run, in the order in which they began and ended, while `RunTrace` derives
 * them from the run's lines.
 */
import type { EventLine, HeaderLine } from "../../../core/journal/index.js";
import type { Json } from "../../../core/kernel/values/index.js";
import { isoTime, type TraceEvent, type TraceStatus } from "../trace-event.js";
import { childRunOf, parentRunOf, recordId, traceId } from "../trace-id.js";
import { DECISION_TOOLS, decisionFields, isRecorded, WeighedOptions } from "./decision-of.js";
import type { Cut, Fields } from "./fields.js";
import type { Draft, Effect } from "./open-event.js";

/** The events of one run. */
export class EventLog {
  readonly cut: Cut;
  /** The path of the run in its tree. */
  readonly path: string;
  #header: HeaderLine | undefined;
  #events: Draft[] = [];
  #weighed = new WeighedOptions();
  /** The number of decisions of the present line. */
  #decisions: { readonly seq: number; count: number } = { seq: -1, count: 0 };

  constructor(cut: Cut, path: string) {
    this.cut = cut;
    this.path = path;
  }

  /** The header of the run; nothing is derived before it is there. */
  get header(): HeaderLine {
    return this.#header as HeaderLine;
  }

  get hasHeader(): boolean {
    return this.#header !== undefined;
  }

  /** The run that started it, and the id of its directive there; absent for the root of a tree. */
  get parent(): ReturnType<typeof parentRunOf> {
    return parentRunOf(this.header.runId, this.path);
  }

  /** The id of the child run of a directive. */
  childOf(directiveId: string): string {
    return childRunOf(this.header.runId, this.path, directiveId);
  }

  /** The run and its reasoner. */
  get run(): { readonly runId: string; readonly agentId: string } {
    return { runId: this.header.runId, agentId: this.header.reasoner.id };
  }

  get events(): readonly Draft[] {
    return this.#events;
  }

  /** Begins the run. @param shared what is under way in it already, where it is a fork */
  begin(header: HeaderLine, shared: Iterable<Effect>): void {
    this.#header = header;
    this.#events = [];
    this.#weighed = new WeighedOptions();
    for (const { draft, id, type } of shared) {
      draft.id = traceId(header.runId, id);
      draft.runId = header.runId;
      draft.session = header.runId;
      if (type === "run") draft.fields = { ...draft.fields, runId: this.childOf(id) };
      this.#events.push(draft);
    }
  }

  /** A new event. */
  add(
    { event, seq }: EventLine,
    made: Pick<TraceEvent, "id" | "type" | "causes" | "fields">,
  ): Draft {
    const { at } = event;
    const [parentEvent] = made.causes;
    const draft: Draft = {
      ...made,
      ...this.run,
      session: this.header.runId,
      timestamp: isoTime(at),
      at,
      ...(parentEvent === undefined ? {} : { parentEvent }),
      status: "open",
      seq,
    };
    this.#events.push(draft);
    return draft;
  }

  finish(draft: Draft, status: TraceStatus, seq: number): Draft {
    draft.status = status;
    draft.endSeq = seq;
    return draft;
  }

  /** A failure. @param word what sets it apart from others of the line */
  addError(of: Draft | undefined, line: EventLine, word: string, fields: Fields): void {
    const context = of === undefined ? {} : { context: contextOf(of) };
    const made = this.add(line, {
      id: recordId(this.header.runId, line.seq, word),
      type: "error",
      causes: of === undefined ? [] : [of.id],
      fields: { ...fields, ...context },
    });
    this.finish(made, "failed", line.seq);
  }

  addDecision(of: Draft, line: EventLine, fields: Fields): void {
    const { seq } = line;
    if (this.#decisions.seq !== seq) this.#decisions = { seq, count: 0 };
    const id = recordId(this.header.runId, seq, `decision/${this.#decisions.count}`);
    this.#decisions.count += 1;
    this.finish(
      this.add(line, { id, type: "decision", causes: [of.id], fields }),
      "succeeded",
      seq,
    );
  }

  /**
   * A decision, where a call that succeeded was one of a decision tool's.
   * @param input and output are whole: fields may be cut
   */
  addDecisionOf(
    call: Draft,
    line: EventLine,
    { input, output }: { readonly input?: Json | undefined; readonly output?: Json | undefined },
  ): void {
    const { toolName = "" } = call.fields;
    if (call.status !== "succeeded" || !isRecorded(output)) return;
    this.#weighed.take(toolName, input);
    if (!DECISION_TOOLS.includes(toolName)) return;
    const fields = decisionFields(input, this.cut, this.#weighed.of(input));
    if (fields !== undefined) this.addDecision(call, line, fields);
  }
}

/** Names the failure in a word. */
function contextOf({ type, fields }: Draft): string {
  const name = fields.toolName ?? fields.model ?? fields.store ?? fields.childId ?? fields.kind;
  return name === undefined ? type : `${type} ${name}`;
}
