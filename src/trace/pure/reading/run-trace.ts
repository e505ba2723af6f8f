/**
 * Derives the trace of one run from its lines, one by one, without the reasoner. The result
 * depends on the lines alone, so that an event has the same id and causes whoever derives it.
 */
import {
  type EventLine,
  type HeaderLine,
  isEventLine,
  isHeaderLine,
  type Line,
  type Mark,
  type RecordedDirective,
  RecordedValues,
  ROOT_RUN,
} from "../../../core/journal/index.js";
import { printStateValue } from "../../../core/kernel/machine/index.js";
import { addTo, type Json, type JsonObject } from "../../../core/kernel/values/index.js";
import { isSettlement, type Settlement, settles } from "../../../core/kernel/vocabulary/index.js";
import type { TraceEvent, TraceEventType, TraceStatus } from "../trace-event.js";
import { recordId, traceId } from "../trace-id.js";
import { type Issued, resultsIn } from "./answer-batch.js";
import { DECISION_TOPIC, decisionFields } from "./decision-of.js";
import { type PrecedingEvents, waitedFor } from "./directive-causes.js";
import { EventLog } from "./event-log.js";
import { askedFields, cutAt, inputFields, MAX_FIELD_LENGTH, settledFields } from "./fields.js";
import { type Draft, type Effect, isOpen } from "./open-event.js";
import { groupOf, kindOfStart, operationsIn, type RunKind } from "./run-kind.js";
import { attach, CallLog } from "./tool-call-events.js";

/** The options of deriving a run's events. */
export interface RunTraceOptions {
  /** Characters of one field; what is beyond is counted. Default 16 384. */
  readonly maxFieldLength?: number | undefined;
}

const TYPES: Readonly<Record<string, TraceEventType>> = {
  llm: "llm_call",
  tool: "tool_call",
  read: "read",
  write: "write",
  approval: "approval",
  timer: "timer",
  run: "delegation",
};

/** A directive of a line: its parts by value, and as they are recorded. */
interface IssuedRecord extends Issued {
  readonly parts: JsonObject;
  readonly recorded: RecordedDirective["parts"];
}

/** A run of a tree: its path, and the values of its lines. */
export interface TracePlace {
  readonly path: string;
  readonly values: RecordedValues;
}

/** Derives the trace of one run: of the root, where no other is named. */
export class RunTrace {
  readonly #log: EventLog;
  readonly #calls: CallLog;
  readonly #values: RecordedValues;
  #kind: RunKind = "other";
  #ended = false;
  readonly #effects = new Map<string, Effect>();
  readonly #open = new Set<Effect>();
  readonly #groups = new Map<string, Effect[]>();
  /** The user's messages that no request has shown yet, with their content as JSON. */
  #unheard = new Map<Draft, string>();

  constructor(options: RunTraceOptions = {}, place?: TracePlace) {
    const cut = cutAt(options.maxFieldLength ?? MAX_FIELD_LENGTH);
    this.#log = new EventLog(cut, place?.path ?? ROOT_RUN);
    this.#values = place?.values ?? new RecordedValues();
    this.#calls = new CallLog(this.#log);
  }

  get header(): HeaderLine | undefined {
    return this.#log.hasHeader ? this.#log.header : undefined;
  }

  /** Returns true when the run has ended. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Returns true when something has begun and is not over. */
  get isUnderWay(): boolean {
    return this.#open.size > 0;
  }

  /** The run id of the run that started it; absent for the root of a tree. */
  get parent(): string | undefined {
    return this.header && this.#log.parent?.runId;
  }

  /** All events in the order in which they began; each stands behind what it came from. */
  events(): readonly TraceEvent[] {
    return this.#log.events.map((each) => ({ ...each }));
  }

  /**
   * Takes the next line in; one of another run is passed over. Of a fork, the journal whose beginning it
   * shares comes first, up to the event where they part; then its own.
   */
  take(line: Line): void {
    const run = "run" in line ? line.run : undefined;
    if ((run ?? ROOT_RUN) !== this.#log.path && !isHeaderLine(line)) {
      this.#values.takeStored(line);
      return;
    }
    const directives = this.#values.take(line);
    if (isHeaderLine(line)) this.#begin(line);
    else if (isEventLine(line)) this.#take(line, directives);
    else if ("mark" in line) this.#mark(line.mark);
  }

  #begin(header: HeaderLine): void {
    // Work that was under way where a fork begins is under way in it too, under its own ids.
    this.#log.begin(header, header.fork === undefined ? [] : this.#open);
    this.#ended = false;
  }

  #mark(mark: Mark): void {
    if (!("attempt" in mark)) return;
    const { id, attempt } = mark;
    const effect = this.#effects.get(id);
    if (effect === undefined || !isOpen(effect)) return;
    // A tool that begins at once has its first mark in the event's line: this one had to wait.
    const waited = attempt === 1 ? { waitedFor: "place" } : { attempts: String(attempt) };
    effect.draft.fields = { ...effect.draft.fields, ...waited };
  }

  #take(line: EventLine, recorded: readonly RecordedDirective[]): void {
    const { event } = line;
    if (isStart(line)) this.#kind = kindOfStart(line);
    const settled = this.#settledBy(line);
    const trigger = settled?.draft ?? this.#input(line);
    const slot = settled === undefined ? undefined : this.#calls.batch?.slotOf(settled);
    const issued = recorded.map((each) => this.#issued(each));
    const effects = issued.filter(({ type, id }) => Object.hasOwn(TYPES, type) && id !== "");
    if (settled !== undefined) {
      settled.quiet = effects.length === 0;
      if (slot !== undefined) this.#calls.settled(slot, settled, line);
      if (event.type === "llm.succeeded") this.#calls.answered(settled, line, this.#kind);
    }
    for (const { type, parts } of issued) if (type === "cancel") this.#cancel(parts, line);
    this.#closeCalls(line, effects);
    const before: PrecedingEvents = {
      kind: this.#kind,
      trigger,
      settled,
      batch: this.#calls.batch,
      slot,
      groups: this.#groups,
    };
    const siblings: Effect[] = [];
    for (const each of effects) this.#issue(each, line, before, siblings);
    for (const { type, parts } of issued) if (type === "notify") this.#tell(parts, line, trigger);
    if (line.end !== undefined) this.#end(line, trigger);
  }

  #issued({ type, id = "", parts }: RecordedDirective): IssuedRecord {
    // Of a model request only its model is a field; its messages may be long.
    const named = [...parts].filter(([name]) => type !== "llm" || name === "model");
    const values = named.map(([name, node]) => [name, this.#values.value(node)] as const);
    return { type, id, parts: Object.fromEntries(values), recorded: parts };
  }

  /** The effect that an event settles, settled; `undefined` where it settles none that is open. */
  #settledBy(line: EventLine): Effect | undefined {
    const { event, seq } = line;
    if (!isSettlement(event)) return undefined;
    const effect = this.#effects.get(event.id);
    // K4: what settles nothing that is outstanding changes nothing.
    if (effect === undefined || !isOpen(effect)) return undefined;
    if (settles[event.type] !== effect.type) return undefined;
    const { draft } = effect;
    const { cut } = this.#log;
    const operations = this.#kind === "thoughts" ? operationsIn(line).join(", ") : "";
    draft.fields = {
      ...draft.fields,
      ...settledFields(event, cut),
      ...(operations === "" ? {} : { operations }),
    };
    draft.durationMs = Math.max(0, event.at - draft.at);
    this.#log.finish(draft, statusOf(event), seq);
    this.#open.delete(effect);
    if (event.type === "tool.succeeded") {
      this.#log.addDecisionOf(draft, line, { input: effect.input, output: event.output });
    }
    if ("error" in event) {
      const { message, code } = event.error as { message: string; code: string };
      this.#log.addError(draft, line, "error", { error: cut(message), code: cut(code) });
    }
    return effect;
  }

  #input(line: EventLine): Draft | undefined {
    const { event, seq, ignored } = line;
    if (isSettlement(event)) return undefined;
    const { header, cut } = this.#log;
    const { from, runId } = header;
    const begins = isStart(line);
    const parent = begins ? this.#log.parent : undefined;
    const draft = this.#log.add(line, {
      id: recordId(runId, seq),
      type: "input",
      causes: parent === undefined ? [] : [traceId(parent.runId, parent.id)],
      fields: {
        ...inputFields(event, begins ? header.input : "", cut),
        ...(begins && from !== undefined ? { from: recordId(from.runId, from.seq) } : {}),
        ...(ignored === undefined ? {} : { ignored }),
      },
    });
    if (event.type === "message" && "content" in event) {
      this.#unheard.set(draft, JSON.stringify(event.content));
    }
    return this.#log.finish(draft, "succeeded", seq);
  }

  /** Where the last answer's calls are over, they have their events, and what they are told to be. */
  #closeCalls(line: EventLine, effects: readonly IssuedRecord[]): void {
    const request = effects.find(({ type }) => type === "llm");
    const goesOn = this.#kind === "agent" ? line.value === "acting" : request === undefined;
    if (goesOn && line.end === undefined) return;
    const results = request === undefined ? [] : resultsIn(this.#messagesOf(request.recorded));
    const isKnown = request !== undefined || line.end !== undefined;
    this.#calls.close(line, isKnown ? results : undefined);
  }

  /** The messages of a request; of a List those that are new in it. */
  #messagesOf(parts: RecordedDirective["parts"]): readonly Json[] {
    const node = parts.get("messages");
    if (typeof node === "string" && node.startsWith("@")) {
      return this.#values.growth(node)?.items ?? [];
    }
    const value = node === undefined ? [] : this.#values.value(node);
    return Array.isArray(value) ? value : [];
  }

  #issue(issued: IssuedRecord, line: EventLine, before: PrecedingEvents, siblings: Effect[]): void {
    const { type, id } = issued;
    const { run, cut } = this.#log;
    const slot = this.#calls.batch?.slotOf(issued);
    const waited = waitedFor(before, issued, slot);
    const causes = type === "llm" ? this.#withMessages(waited, issued.recorded) : waited;
    const isRequest = slot !== undefined && type !== "tool" && type !== "approval";
    const of = isRequest ? [this.#calls.beginRequests(slot, line, causes).id] : [];
    const operation = this.#kind === "thoughts" ? groupOf("thoughts", id) : undefined;
    const draft = this.#log.add(line, {
      id: traceId(run.runId, id),
      type: TYPES[type] as TraceEventType,
      causes: [...new Set([...causes, ...of])],
      fields: {
        ...askedFields(issued, cut, { parentId: run.agentId, runId: this.#log.childOf(id) }),
        ...(operation === undefined ? {} : { operation }),
      },
    });
    const { input } = issued.parts;
    const effect: Effect = { draft, type, id, input, siblings, quiet: false };
    siblings.push(effect);
    this.#effects.set(id, effect);
    this.#open.add(effect);
    const group = groupOf(this.#kind, id);
    if (group !== undefined) addTo(this.#groups, group, effect);
    if (slot !== undefined) attach(slot, effect);
    if (type === "llm" && this.#calls.batch?.over === true) this.#calls.forget();
  }

  /** A request is also for what the user has said meanwhile, where it is the first that shows it. */
  #withMessages(causes: readonly string[], parts: RecordedDirective["parts"]): readonly string[] {
    if (this.#unheard.size === 0) return causes;
    const shown = new Set(
      this.#messagesOf(parts).map((each) => JSON.stringify((each as JsonObject).content)),
    );
    const heard = [...this.#unheard].filter(([, content]) => shown.has(content));
    for (const [draft] of heard) this.#unheard.delete(draft);
    return [...new Set([...causes, ...heard.map(([{ id }]) => id)])];
  }

  #cancel({ target }: JsonObject, line: EventLine): void {
    const effect = this.#effects.get(String(target));
    if (effect !== undefined && isOpen(effect)) this.#stop(effect, line);
  }

  #stop(effect: Effect, { event, seq }: EventLine): void {
    effect.draft.durationMs = Math.max(0, event.at - effect.draft.at);
    this.#log.finish(effect.draft, "cancelled", seq);
    this.#open.delete(effect);
  }

  #tell({ topic, data }: JsonObject, line: EventLine, trigger: Draft | undefined): void {
    if (topic !== DECISION_TOPIC || trigger === undefined) return;
    const fields = decisionFields(data, this.#log.cut);
    if (fields !== undefined) this.#log.addDecision(trigger, line, fields);
  }

  #end(line: EventLine, trigger: Draft | undefined): void {
    this.#ended = true;
    for (const effect of [...this.#open]) this.#stop(effect, line);
    const { end, value } = line;
    if (end?.status !== "failed") return;
    const { code, place } = end.fault ?? {};
    const error = code === undefined ? printStateValue(value) : `${code}: ${place}`;
    this.#log.addError(trigger, line, "end", {
      error: this.#log.cut(error),
      ...(code === undefined ? {} : { code }),
    });
  }
}

/** Returns true for the line with which a run begins: the root's has the first number. */
function isStart({ event, seq, begin }: EventLine): boolean {
  return event.type === "start" && (seq === 0 || begin !== undefined);
}

function statusOf(event: Settlement): TraceStatus {
  if (event.type === "tool.failed") return event.reason === "unknown" ? "unknown" : "failed";
  if (event.type === "approval.decided") return event.approve === true ? "succeeded" : "rejected";
  return event.type.endsWith(".failed") ? "failed" : "succeeded";
}
