/**
 * `PageFold`: converts the lines of a run, and what streams in, to the events of a page. It needs no code of
 * the run: all that it shows of an agent is in the run's lines.
 */
import {
  type EventLine,
  type FailedMark,
  idFromRoot,
  type Line,
  LineDecoder,
  type RecordedDirective,
  RecordedValues,
  ROOT_RUN,
} from "../../core/journal/index.js";
import type { Json, JsonObject } from "../../core/kernel/values/index.js";
import {
  type ApprovalDecision,
  type AssistantPart,
  isSettlement,
  type RunEvent,
  type Settlement,
  type ToolResultPart,
  type UserPart,
} from "../../core/kernel/vocabulary/index.js";
import { outcomeOf, resultOutcome } from "./call-outcome.js";
import { ModelWaits } from "./model-waits.js";
import type { CallOutcome, LiveDelta, PageEvent } from "./page-event.js";
import { type WaitingMessage, WaitingMessages } from "./queue-from-lines.js";
import { StreamedAnswer, wholeAnswer } from "./streamed.js";

/** A call of a tool. */
interface Call {
  readonly name: string;
  readonly input: Json;
  /** The message in which it stands. */
  readonly message: string;
  isSettled: boolean;
}

/** A directive that is not settled. */
interface Owed {
  readonly run: string;
  readonly id: string;
  readonly type: string;
  readonly call?: string | undefined;
}

/** An approval that waits for a person. */
export interface OpenApproval {
  /** By the id by which the root's host knows it. */
  readonly id: string;
  readonly call: string;
  /** The person is asked for a value. */
  readonly asks: boolean;
}

const BEGINS = '{"type":"header"';
/** Directives that go on without a person. */
const AT_WORK: ReadonlySet<string> = new Set(["llm", "tool", "read", "write"]);

/** See the banner. */
export class PageFold {
  #decoder = new LineDecoder();
  #number = 0;
  #values = RecordedValues.recent();
  readonly #childValues = new Map<string, RecordedValues>();
  readonly #owed = new Map<string, Owed>();
  readonly #calls = new Map<string, Call>();
  readonly #approvals = new Map<string, OpenApproval>();
  /** The numbers of the users' messages' events, by the messages' ids. */
  readonly #seqs = new Map<string, number>();
  readonly #waiting = new WaitingMessages();
  #streamed: StreamedAnswer | undefined;
  #message: string | undefined;
  #late: PageEvent[] = [];
  /** Approvals of children, and waits that are over, which a page was not told of. */
  #pending: PageEvent[] = [];
  #isOver = false;
  readonly #waits = new ModelWaits();

  /** The id of the message that the agent is at. */
  get message(): string | undefined {
    return this.#message;
  }

  /** False where nothing comes of itself: the run has ended, or waits for a message or for people. */
  get isRunning(): boolean {
    if (this.#isOver) return false;
    if (this.#message === undefined && this.#waiting.size > 0) return true;
    return !this.#asksOnly && (this.#message !== undefined || this.#owed.size > 0);
  }

  get #asksOnly(): boolean {
    for (const { type, run, id } of this.#owed.values()) {
      if (AT_WORK.has(type)) return false;
      if (type === "run" && !this.#childValues.has(idFromRoot(run, id))) return false;
    }
    return true;
  }

  /** True where pieces of what streams in are missing. */
  get isLost(): boolean {
    return this.#streamed?.isLost === true;
  }

  /** True where an answer has streamed in of which the line is not there. */
  get isStreaming(): boolean {
    return this.#streamed !== undefined;
  }

  /** The number of characters that it holds of the lines. */
  get length(): number {
    return this.#values.length;
  }

  /** The approvals that wait for a person, in their order. */
  get approvals(): readonly OpenApproval[] {
    return [...this.#approvals.values()];
  }

  /** The number of the event of a user's message. */
  eventOf(message: string): number | undefined {
    return this.#seqs.get(message);
  }

  /** Takes a line, in its order; of a run that was rewound those first that it shares with the journal before. */
  take(text: string): readonly PageEvent[] {
    if (text.startsWith(BEGINS)) {
      this.#decoder = new LineDecoder();
      this.#number = 0;
    }
    this.#number += 1;
    const { line } = this.#decoder.whole({ text, number: this.#number, hash: "" });
    const run = ("run" in line ? line.run : undefined) ?? ROOT_RUN;
    const values = run === ROOT_RUN ? this.#values : this.#valuesOf(run, line);
    const directives = values.take(line);
    if ("mark" in line && "failed" in line.mark) return this.#attemptFailed(run, line.mark);
    if (run !== ROOT_RUN) {
      if ("event" in line) this.#takeChild(run, line, directives);
      return this.#takePending();
    }
    if ("type" in line) return line.fork === undefined ? this.#begin(line.input) : [];
    return "event" in line ? this.#event(line, directives) : [];
  }

  #valuesOf(run: string, line: Line): RecordedValues {
    const values = this.#childValues.get(run) ?? this.#values.ofOtherRun();
    this.#childValues.set(run, values);
    if ("begin" in line && line.begin !== undefined) values.begin(line.begin.input);
    return values;
  }

  #begin(input: Json): readonly PageEvent[] {
    const prompt = typeof input === "string" ? input : (input as JsonObject | null)?.prompt;
    if (typeof prompt !== "string" && !Array.isArray(prompt)) return [];
    this.#seqs.set("start", 0);
    return [{ type: "user", id: "start", content: prompt as string | readonly UserPart[] }];
  }

  #event(line: EventLine, directives: readonly RecordedDirective[]): readonly PageEvent[] {
    const { event, seq } = line;
    const own = line.ignored === undefined ? this.#happened(event, seq) : [];
    const events = [...own, ...this.#results(line)];
    const isTaken = this.#waiting.taken(
      line.set,
      directives.some(({ type }) => type === "llm"),
    );
    if (isTaken.length > 0) events.push(...this.#end(), ...isTaken.map(userEvent));
    for (const directive of directives) events.push(...this.#issued(directive, seq));
    events.push(...this.#takePending());
    if (line.end === undefined && line.value !== "ready") return events;
    this.#isOver = line.end !== undefined;
    const failure = line.says?.failure ?? line.end?.fault;
    if (failure !== undefined && this.#message !== undefined) {
      const { code, message } = failure as { readonly code: string; readonly message: string };
      events.push({ type: "failed", code, message });
    }
    return [...events, ...this.#end()];
  }

  #happened(event: RunEvent, seq: number): readonly PageEvent[] {
    switch (event.type) {
      case "message": {
        const id = event.id ?? `message-${seq}`;
        this.#seqs.set(id, seq);
        this.#waiting.say({ id, content: event.content });
        return [];
      }
      case "message.edited":
      case "message.removed":
      case "message.moved":
        this.#waiting.change(event);
        return [];
      case "interrupt":
        return Object.entries(event.partial).flatMap(([id, { content }]) =>
          this.#answered(id, content),
        );
      default:
        return isSettlement(event) ? this.#settled(ROOT_RUN, event) : [];
    }
  }

  #settled(run: string, event: Settlement): readonly PageEvent[] {
    const key = idFromRoot(run, event.id);
    const owed = this.#owed.get(key);
    this.#forgetOwed(key);
    if (event.type === "approval.decided") return this.#decided(key, event, owed);
    if (run !== ROOT_RUN) return [];
    if (event.type === "llm.succeeded") return this.#answered(event.id, event.content);
    if (event.type === "llm.failed") return this.#withdraw(event.id);
    const name = owed?.call === undefined ? undefined : this.#calls.get(owed.call)?.name;
    const outcome = name === undefined ? undefined : outcomeOf(event, name);
    return outcome === undefined ? [] : this.#came(owed?.call as string, outcome);
  }

  #decided(
    key: string,
    { approve, reason, input, value }: ApprovalDecision,
    owed: Owed | undefined,
  ): readonly PageEvent[] {
    const approval = this.#approvals.get(key);
    this.#approvals.delete(key);
    if (approval === undefined || owed?.run !== ROOT_RUN) return [];
    const { call, asks } = approval;
    const found = this.#calls.get(call);
    if (!approve) return this.#came(call, { type: "denied", reason });
    if (asks) return this.#came(call, { type: "output", output: value ?? null });
    if (found === undefined || found.isSettled) return [];
    return [{ type: "approved", call, name: found.name, input: input ?? found.input }];
  }

  #answered(id: string, content: readonly AssistantPart[]): readonly PageEvent[] {
    const streamed = this.#streamed?.id === id ? this.#streamed : undefined;
    this.#streamed = undefined;
    const events = [...(streamed?.finish(content) ?? wholeAnswer(id, content))];
    for (const part of content) {
      if (part.type !== "tool-call") continue;
      const { toolCallId: call, toolName: name, input } = part;
      this.#calls.set(call, { name, input, message: this.#message ?? "", isSettled: false });
      events.push({ type: "call", call, name, input });
    }
    return events;
  }

  /** An attempt came to nothing. Another one follows, at once or when the model is there again. */
  #attemptFailed(run: string, { id, down }: FailedMark): readonly PageEvent[] {
    const withdrawn = run === ROOT_RUN ? this.#withdraw(id) : [];
    if (down === undefined || this.#message === undefined) return withdrawn;
    return [...withdrawn, this.#waits.begin(idFromRoot(run, id), down)];
  }

  #withdraw(id: string): readonly PageEvent[] {
    if (this.#streamed?.id !== id) return [];
    const events = this.#streamed.withdraw();
    this.#streamed = undefined;
    return events;
  }

  #came(call: string, outcome: CallOutcome): readonly PageEvent[] {
    const cached = this.#calls.get(call);
    if (cached === undefined) return [];
    const isLate = cached.isSettled || cached.message !== this.#message;
    cached.isSettled = true;
    if (!isLate) return [{ type: "outcome", call, outcome }];
    const late: PageEvent = { type: "late", call, outcome };
    if (this.#message !== undefined) return [late];
    this.#late.push(late);
    return [];
  }

  /** The results that no event has: of pure tools, of calls that were refused or cut off. */
  #results({ items = [] }: EventLine): readonly PageEvent[] {
    return items.flatMap(({ add }) =>
      add.flatMap((node) => {
        const { role, content } = this.#values.value(node) as JsonObject;
        if (role !== "tool" || !Array.isArray(content)) return [];
        return (content as readonly ToolResultPart[]).flatMap((part) => {
          if (part.type !== "tool-result") return [];
          const isOpen = this.#calls.get(part.toolCallId)?.isSettled === false;
          return isOpen ? this.#came(part.toolCallId, resultOutcome(part.output)) : [];
        });
      }),
    );
  }

  #issued({ type, id = "", parts }: RecordedDirective, seq: number): readonly PageEvent[] {
    const text = (name: string) => {
      const part = parts.get(name);
      return part === undefined ? undefined : String(this.#values.value(part));
    };
    if (type === "cancel") {
      this.#forget(idFromRoot(ROOT_RUN, text("target") ?? ""));
      return [];
    }
    if (type === "notify") return this.#notified(text("topic"), parts.get("data"));
    const call = text("toolCallId");
    const key = idFromRoot(ROOT_RUN, id);
    this.#owed.set(key, { run: ROOT_RUN, id, type, call });
    if (type === "approval" && call !== undefined) {
      const ask = parts.get("ask");
      this.#approvals.set(key, { id: key, call, asks: ask !== undefined });
      const title = text("title") ?? "";
      const asked = ask === undefined ? {} : { ask: this.#values.value(ask) };
      return [{ type: "approval", id: key, call, title, ...asked }];
    }
    if (type !== "llm") return [];
    const begun: PageEvent[] = [];
    if (this.#message === undefined) {
      this.#message = `answer-${seq}`;
      begun.push({ type: "begin", id: this.#message }, ...this.#late);
      this.#late = [];
    }
    return [...begun, { type: "step" }];
  }

  #notified(topic: string | undefined, data: Json | undefined): readonly PageEvent[] {
    if (topic !== "tool.settled" || data === undefined) return [];
    const { toolCallId, output, status } = this.#values.value(data) as JsonObject;
    if (status !== "succeeded" || this.#calls.get(String(toolCallId))?.isSettled !== false)
      return [];
    return this.#came(String(toolCallId), { type: "output", output: output ?? null });
  }

  /** A child's approvals are asked for at the call that it is of. */
  #takeChild(run: string, line: EventLine, directives: readonly RecordedDirective[]): void {
    const { event } = line;
    if (isSettlement(event)) this.#settled(run, event);
    for (const { type, id = "", parts } of directives) {
      const key = idFromRoot(run, id);
      if (type === "cancel") this.#forget(idFromRoot(run, String(parts.get("target"))));
      else if (type !== "notify") this.#owed.set(key, { run, id, type });
      const call = this.#owed.get(run.split(":")[0] ?? "")?.call;
      if (type !== "approval" || call === undefined) continue;
      this.#approvals.set(key, { id: key, call, asks: false });
      this.#pending.push({ type: "approval", id: key, call, title: String(parts.get("title")) });
    }
    if (line.end === undefined) return;
    for (const [key, owed] of this.#owed) if (owed.run === run) this.#forgetOwed(key);
  }

  #takePending(): readonly PageEvent[] {
    return this.#pending.splice(0);
  }

  /** Nobody is waited for any more. */
  #forget(key: string): void {
    this.#forgetOwed(key);
    this.#approvals.delete(key);
  }

  #forgetOwed(key: string): void {
    this.#owed.delete(key);
    this.#pending.push(...this.#waits.end(key));
  }

  /** The message is over. Calls without a result were cut off. */
  #end(): readonly PageEvent[] {
    const message = this.#message;
    if (message === undefined) return [];
    const events = [
      ...(this.#streamed?.withdraw() ?? []),
      ...this.#takePending(),
      ...this.#waits.endAll(),
    ];
    this.#streamed = undefined;
    const cut: PageEvent[] = [];
    for (const [call, { isSettled, message: own, name }] of this.#calls) {
      if (isSettled || own !== message) continue;
      cut.push(...this.#came(call, { type: "error", message: `${name} was cut off.` }));
    }
    this.#message = undefined;
    return [...events, ...cut, { type: "end" }];
  }

  /** Takes what streams in. */
  live(delta: LiveDelta): readonly PageEvent[] {
    const owed = this.#owed.get(idFromRoot(ROOT_RUN, delta.id));
    if (owed === undefined || owed.run !== ROOT_RUN || this.#message === undefined) return [];
    if (delta.type === "progress") {
      const { call } = owed;
      return call === undefined ? [] : [{ type: "progress", call, data: delta.data }];
    }
    if (owed.type !== "llm") return [];
    const isSame = this.#streamed?.id === delta.id && this.#streamed.key === delta.key;
    const over = this.#waits.end(delta.id);
    const before = isSame ? [] : (this.#streamed?.withdraw() ?? []);
    if (!isSame) this.#streamed = new StreamedAnswer(delta);
    return [...over, ...before, ...((this.#streamed as StreamedAnswer).take(delta) ?? [])];
  }
}

function userEvent({ id, content }: WaitingMessage): PageEvent {
  return { type: "user", id, content };
}
