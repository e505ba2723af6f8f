/**
 * Explains an event, a block that a model was shown, or an argument of a call by its causes: a chain of steps
 * in words, of which each leads to the event that it names.
 */
import { cutText, isJsonObject, type Json } from "../../core/kernel/values/index.js";
import {
  callSources,
  directiveOf,
  explain,
  leavesOf,
  runOfId,
  type SeenBlock,
  type Source,
  type TracedArgument,
  type TraceEvent,
} from "../../trace/pure/index.js";
import type { RecordedTree } from "./recorded-tree.js";
import { spanText } from "./spans.js";

/** A step of an explanation, and the event that it is about. */
export interface Step {
  readonly id: string;
  readonly seq: number;
  readonly runId: string;
  readonly type: TraceEvent["type"];
  readonly words: string;
}

/** The explanation of an event. */
export interface Why {
  readonly event: Step;
  /** From the beginning to it, each having led to the next. */
  readonly chain: readonly Step[];
  /** All that it waited for at once. */
  readonly causes: readonly Step[];
  /** All that came of it at once. */
  readonly effects: readonly Step[];
  /** Causes that are not in the journal. */
  readonly missing: readonly string[];
}

/** Explains an event of the trace. @throws ReckonerError `trace.missing`, `trace.ambiguous` */
export function whyOf(tree: RecordedTree, eventId: string): Why {
  const { trace } = tree;
  const found = explain(trace, eventId);
  const { event, chain, missing } = found;
  const stepIn = (id: string): readonly Step[] => {
    const each = trace.get(id);
    return each === undefined ? [] : [stepOf(each)];
  };
  return {
    event: stepOf(event),
    chain: chain.flatMap((each) => stepIn(each.eventId)),
    causes: [
      ...new Set([...(event.parentEvent ? [event.parentEvent] : []), ...event.causes]),
    ].flatMap(stepIn),
    effects: trace.effectsOf(event).map(stepOf),
    missing,
  };
}

/** An event as a step. */
export function stepOf(event: TraceEvent): Step {
  const { id, seq, runId, type } = event;
  return { id, seq, runId, type, words: wordsOf(event) };
}

const LONG = 120;

function briefly(text: string, most = 60): string {
  return text.length > most ? `${cutText(text, most)}…` : text;
}

/** Says of a question without a decision that it waits for one, or that its run did not wait any more. */
export function undecided(status: string): string {
  return status === "open" ? "waits for a person" : "nobody decided";
}

/** An event in one sentence. */
export function wordsOf({ type, fields, status, durationMs, seq, id }: TraceEvent): string {
  const took = durationMs === undefined ? "" : ` after ${spanText(durationMs)}`;
  const outcome = status === "succeeded" ? "" : `, ${status === "open" ? "not over" : status}`;
  const short = (text = "") => briefly(text, LONG);
  switch (type) {
    case "input":
      return fields.kind === "start"
        ? `the run began: ${short(fields.content)}`
        : `${fields.kind ?? "an event"} came from outside: ${short(fields.content)}`;
    case "llm_call":
      return `the model ${fields.model ?? ""} was asked (${directiveOf(id) ?? ""})${
        status === "succeeded" ? ` and answered${took}` : outcome
      }`.replace("  ", " ");
    case "tool_call":
      return `${fields.toolName ?? "a tool"} was called with ${short(fields.input)}${outcome}`;
    case "approval":
      if (status === "open") return `a person is asked: ${short(fields.title)}`;
      return fields.decision === undefined
        ? `${undecided(status)}${took}: ${short(fields.title)}`
        : `${fields.by ?? "a person"} ${fields.decision}${took}: ${short(fields.title)}`;
    case "decision":
      return `it was decided: ${short(fields.description)}`;
    case "delegation":
      return `${fields.childId ?? "a child"} was given the task ${short(fields.task)}${outcome}`;
    case "read":
    case "write":
      return `${fields.store ?? "a store"} was ${type === "read" ? "read" : "written to"}${outcome}`;
    case "timer":
      return status === "open"
        ? "a timer waits"
        : `a timer ${status === "succeeded" ? "went off" : status}${took}`;
    default:
      return `it failed at event ${seq}: ${short(fields.error)}`;
  }
}

/** A source in words, and where it leads. */
export interface SourceWords {
  readonly words: string;
  /** The event that it leads to; absent where no record holds it. */
  readonly id?: string;
  readonly seq?: number;
  readonly path?: string;
  /** The text that stands there, where only a part of the block is that. */
  readonly text?: string;
}

/** Says where a value comes from. */
export function sourceWords(tree: RecordedTree, source: Source): SourceWords {
  if (source.kind === "untraced") return { words: source.why };
  if (source.kind === "computed") {
    const event = tree.trace.get(source.eventId);
    const at = event === undefined ? {} : { seq: event.seq };
    return { words: `what ${source.toolName} returned, inline`, id: source.eventId, ...at };
  }
  const { eventId, path, runId } = source;
  // The input stands in the header, which has no number: it is shown at the start.
  const seq = source.seq ?? tree.trace.get(eventId)?.seq;
  const other = runId === tree.root.header?.runId ? "" : ` of run ${runId}`;
  const words = `${source.kind === "holds" ? "holds " : ""}${placeWords(tree, eventId, path)}${other}`;
  return {
    words,
    id: eventId,
    ...(seq === undefined ? {} : { seq }),
    path,
    ...(source.kind === "holds" ? { text: source.text } : {}),
  };
}

function placeWords(tree: RecordedTree, eventId: string, path: string): string {
  const event = tree.trace.get(eventId);
  const directive = directiveOf(eventId);
  if (event === undefined) return directive === undefined ? "the run's input" : directive;
  switch (event.type) {
    case "llm_call":
      return `the model's answer ${directive}`;
    case "tool_call": {
      // Two calls of one tool differ by their arguments: another customer's is told apart at a glance.
      const { toolName, input = "{}" } = event.fields;
      const upon = input === "{}" ? "" : ` with ${briefly(input)}`;
      if (path.includes("error")) return `the error of ${toolName} (${directive})${upon}`;
      return `the result of ${toolName} (${directive})${upon}`;
    }
    case "approval":
      return `what ${event.fields.by ?? "a person"} decided`;
    case "delegation":
      return `the output of ${event.fields.childId}`;
    case "read":
    case "write":
      return `what ${event.fields.store} answered`;
    case "input":
      return event.fields.kind === "start" ? "the run's input" : `the event ${event.fields.kind}`;
    default:
      return `event ${event.seq}`;
  }
}

/** An argument of a call, and where the model had it from. */
export interface ShownArgument {
  readonly path: string;
  readonly value: Json;
  readonly sources: readonly SourceWords[];
  /** The value that the model had written there, where a person has edited it; null where it had none. */
  readonly edited?: Json;
  /** The blocks of the request in which the model saw it. */
  readonly seenIn: readonly Pick<SeenBlock, "path" | "role">[];
}

/**
 * Traces the arguments of a tool call.
 * @param eventId of the call, or of the approval that asks about it
 * @throws ReckonerError `trace.missing` where it is no call
 */
export function argumentsOf(tree: RecordedTree, eventId: string): readonly ShownArgument[] {
  const run = tree.byId(runOfId(eventId));
  const call = eventId.replace(/#approval\/(\d+\/\d+)(?:\/\d+)?$/, "#tool/$1");
  return callSources(tree.linesOf(run?.path), call).map(
    ({ path, value, sources, seenIn }: TracedArgument): ShownArgument => ({
      path,
      value,
      sources: sources.map((each) => sourceWords(tree, each)),
      ...editedOf(tree, path, value, sources),
      seenIn: seenIn.map(({ path: place, role }) => ({
        path: place,
        ...(role === undefined ? {} : { role }),
      })),
    }),
  );
}

function editedOf(
  tree: RecordedTree,
  path: string,
  value: Json,
  sources: readonly Source[],
): Pick<ShownArgument, "edited"> {
  const [source] = sources;
  if (source === undefined || source.kind === "untraced") return {};
  const { run, effect } = tree.effectOf(source.eventId) ?? {};
  if (run === undefined || effect?.type !== "approval") return {};
  const subject = run.part(effect, "subject");
  if (!isJsonObject(subject) || subject.input === undefined) return {};
  const edited = leavesOf(subject.input).find((each) => each.path === path)?.value ?? null;
  return edited === value ? {} : { edited };
}

/** An event in a few words, for where there is little room: `refund`, `llm/2`, `approved`. */
export function labelOf({ type, fields, id, status }: TraceEvent): string {
  switch (type) {
    case "llm_call":
      return fields.operation ?? fields.model ?? directiveOf(id) ?? "model";
    case "tool_call":
      return fields.toolName ?? "tool";
    case "approval":
      return fields.decision ?? undecided(status);
    case "delegation":
      return fields.childId ?? "child";
    case "read":
    case "write":
      return `${type} ${fields.store ?? ""}`.trim();
    case "input":
      return fields.kind ?? "input";
    case "decision":
      return fields.description ?? "decision";
    default:
      return type;
  }
}
