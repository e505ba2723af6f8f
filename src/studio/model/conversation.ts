/**
 * Makes the conversation that the studio shows of a run: inputs, models' answers with a card for each of
 * their calls, and all other effects, in the order in which they began. `entries.ts` has the types.
 */
import { childPath } from "../../core/journal/index.js";
import * as shapes from "../../core/kernel/shapes.js";
import { addTo, isJsonObject, type Json, type JsonObject } from "../../core/kernel/values/index.js";
import { type Message, textOf } from "../../core/kernel/vocabulary/index.js";
import { directiveOf, type TraceEvent } from "../../trace/pure/index.js";
import type {
  AnswerEntry,
  ApprovalCard,
  CallCard,
  DecisionEntry,
  EffectEntry,
  Effected,
  EndEntry,
  Entry,
  InputEntry,
  TurnEntry,
} from "./entries.js";
import { eventJson, type RecordedMoment, type RecordedRun } from "./recorded-run.js";
import type { RecordedTree } from "./recorded-tree.js";

/** The entries of a run, in the order in which they began. @throws ReckonerError `trace.missing` */
export function conversationOf(tree: RecordedTree, path: string): readonly Entry[] {
  return new Conversation(tree, tree.run(path)).entries();
}

/** Makes the entries of one run. */
class Conversation {
  readonly #tree: RecordedTree;
  readonly #run: RecordedRun;
  readonly #events: readonly TraceEvent[];
  readonly #approvals = new Map<string, ApprovalCard>();
  /** The ids of events that are shown within others. */
  readonly #within = new Set<string>();

  constructor(tree: RecordedTree, run: RecordedRun) {
    this.#tree = tree;
    this.#run = run;
    const runId = run.header?.runId;
    this.#events = tree.trace.events.filter((event) => event.runId === runId);
  }

  entries(): readonly Entry[] {
    for (const event of this.#events) {
      if (event.type === "approval") this.#approvals.set(event.id, this.#approval(event));
    }
    const calls = this.#callsByAnswer();
    const entries = this.#events.flatMap((event): readonly Entry[] => {
      if (this.#within.has(event.id)) return [];
      switch (event.type) {
        case "input":
          return [this.#input(event)];
        case "llm_call":
          return [this.#answer(event, calls.get(event.id) ?? [])];
        case "tool_call":
          return [this.#call(event)];
        case "decision":
          return [decisionEntry(event)];
        case "error":
          return [];
        default:
          return [this.#effect(event)];
      }
    });
    return grouped([...entries, ...this.#turns(), ...this.#end()].sort(byPlace));
  }

  /** The calls of each answer; one that waits for a person is known by that question alone. */
  #callsByAnswer(): ReadonlyMap<string, readonly CallCard[]> {
    const calls = new Map<string, CallCard[]>();
    const answers = new Set(
      this.#events.flatMap(({ id, type }) => (type === "llm_call" ? id : [])),
    );
    const add = (event: TraceEvent, make: () => CallCard) => {
      // A call that a person approved came from that decision, and the question from the answer.
      const asked = event.causes.flatMap((id) =>
        this.#approvals.has(id) ? (this.#tree.trace.get(id)?.causes ?? []) : [],
      );
      const answer = [...event.causes, ...asked].find((id) => answers.has(id));
      if (answer === undefined) return;
      this.#within.add(event.id);
      addTo(calls, answer, make());
    };
    for (const event of this.#events) {
      if (event.type === "tool_call") add(event, () => this.#call(event));
    }
    for (const event of this.#events) {
      if (event.type !== "approval" || this.#within.has(event.id)) continue;
      const card = this.#approvals.get(event.id) as ApprovalCard;
      if (isJsonObject(card.subject) && typeof card.subject.tool === "string") {
        add(event, () => pendingCall(card));
      }
    }
    for (const of of calls.values()) of.sort(byPlace);
    return calls;
  }

  #input(event: TraceEvent): InputEntry {
    const { id, seq, at, fields } = event;
    const moment = this.#tree.at(seq) as RecordedMoment;
    const isStart = moment.event.type === "start";
    return {
      kind: "input",
      id,
      seq,
      at,
      type: fields.kind ?? String(moment.event.type),
      text: fields.content ?? "",
      value: isStart ? (this.#run.origin?.input ?? null) : eventJson(moment.event),
      ...(moment.ignored === undefined ? {} : { ignored: moment.ignored }),
    };
  }

  #answer(event: TraceEvent, calls: readonly CallCard[]): AnswerEntry {
    const settlement = this.#settlement(event);
    const content = Array.isArray(settlement?.content) ? settlement.content : [];
    const model = settlement?.model ?? settlement?.port ?? event.fields.model;
    return {
      kind: "answer",
      ...this.#effected(event),
      directive: directiveOf(event.id) ?? event.id,
      ...(typeof model === "string" ? { model } : {}),
      text: textOf({ role: "assistant", content } as unknown as Message),
      reasoning: reasoningIn(content),
      content,
      ...(isJsonObject(settlement?.usage) ? { usage: settlement.usage } : {}),
      calls,
    };
  }

  #call(event: TraceEvent): CallCard {
    const approval = event.causes.flatMap((id) => this.#approvals.get(id) ?? []).at(-1);
    for (const id of event.causes) if (this.#approvals.has(id)) this.#within.add(id);
    const child = this.#tree.trace
      .effectsOf(event)
      .find(({ type, causes }) => type === "delegation" && causes.includes(event.id));
    for (const { id, type, causes } of this.#tree.trace.effectsOf(event)) {
      // A call's own requests are parts of it; effects that only follow from it are not.
      const isPart = type === "delegation" || type === "read" || type === "write";
      if (isPart && causes.includes(event.id) && id.startsWith(`${event.id}/`))
        this.#within.add(id);
    }
    const settled = this.#effected(event);
    const inline = settled.output === undefined ? jsonIn(event.fields.output) : undefined;
    return {
      kind: "call",
      ...settled,
      ...(inline === undefined ? {} : { output: inline }),
      directive: directiveOf(event.id) ?? event.id.slice(event.id.lastIndexOf("#") + 1),
      name: event.fields.toolName ?? "",
      input: this.#part(event, "input") ?? jsonIn(event.fields.input) ?? null,
      ...(approval === undefined ? {} : { approval }),
      ...(child === undefined ? {} : { child: this.#childOf(child) }),
    };
  }

  #effect(event: TraceEvent): EffectEntry {
    const { type, fields } = event;
    const names = { read: "query", write: "operations", timer: "until", delegation: "input" };
    const part = Object.hasOwn(names, type) ? names[type as keyof typeof names] : "subject";
    const approval = this.#approvals.get(event.id);
    return {
      kind: "effect",
      ...this.#effected(event),
      type: type === "delegation" ? "run" : (type as EffectEntry["type"]),
      directive: directiveOf(event.id) ?? event.id,
      name: fields.store ?? fields.childId ?? fields.title ?? type,
      input: this.#part(event, part) ?? null,
      ...(approval === undefined ? {} : { approval }),
      ...(type === "delegation" ? { child: this.#childOf(event) } : {}),
    };
  }

  #approval(event: TraceEvent): ApprovalCard {
    const { id, seq, at, status, endSeq, durationMs, fields } = event;
    const decision = this.#settlement(event);
    const ask = this.#part(event, "ask");
    return {
      id,
      seq,
      at,
      directive: directiveOf(id) ?? id,
      title: fields.title ?? "",
      subject: this.#part(event, "subject") ?? null,
      status,
      ...shapes.defined({ endSeq, waitedMs: durationMs, decision, ask }),
    };
  }

  #effected({ id, seq, at, status, endSeq, durationMs }: TraceEvent): Effected {
    const settled = this.#settlement({ id });
    const output = settled?.output ?? settled?.value;
    return {
      id,
      seq,
      at,
      status,
      ...shapes.defined({ endSeq, durationMs, output }),
      ...(settled?.error === undefined ? {} : { error: settled.error }),
      ...(typeof settled?.attempts === "number" ? { attempts: settled.attempts } : {}),
    };
  }

  #settlement({ id }: Pick<TraceEvent, "id">): JsonObject | undefined {
    const answer = this.#run.effects.get(directiveOf(id) ?? "")?.answer;
    return answer === undefined ? undefined : eventJson(answer.event);
  }

  #part({ id }: TraceEvent, name: string): Json | undefined {
    const effect = this.#run.effects.get(directiveOf(id) ?? "");
    return effect === undefined ? undefined : this.#run.part(effect, name);
  }

  #childOf({ id }: TraceEvent): string {
    return childPath(this.#run.path, directiveOf(id) ?? "");
  }

  /** The places from which the run goes on under another configuration, or as a fork. */
  #turns(): readonly TurnEntry[] {
    const { segments, origin, header } = this.#run;
    const cut = header?.fork;
    const upgrades = segments.slice(1).map(({ seq, version }): TurnEntry => {
      const isFork = cut !== undefined && seq === cut.seq + 1;
      const text = isFork
        ? `a fork goes on under version ${version}`
        : `goes on under another configuration, version ${version}`;
      return { kind: "upgrade", id: `@${seq}`, seq, at: this.#timeOf(seq), text };
    });
    if (cut === undefined || origin?.runId === header?.runId) return upgrades;
    const seq = cut.seq + 1;
    const text = `here run ${header?.runId} was forked from run ${cut.runId}`;
    return [{ kind: "fork", id: `@${seq}`, seq, at: this.#timeOf(seq), text }, ...upgrades];
  }

  #timeOf(seq: number): number {
    return (this.#tree.at(seq) ?? this.#tree.moments.at(-1))?.event.at ?? 0;
  }

  #end(): readonly EndEntry[] {
    const last = this.#run.moments.at(-1);
    if (last?.end === undefined) return [];
    const { status, fault } = last.end;
    const { output } = this.#run;
    return [
      {
        kind: "end",
        id: `@${last.seq}`,
        seq: last.seq,
        at: last.event.at,
        status,
        ...(output === undefined ? {} : { output }),
        ...(fault === undefined ? {} : { fault: fault as unknown as Json }),
      },
    ];
  }
}

/** A call that waits for a person has no event of its own. */
function pendingCall(approval: ApprovalCard): CallCard {
  const { id, seq, at, directive, status, endSeq } = approval;
  const subject = approval.subject as JsonObject;
  return {
    kind: "call",
    id,
    seq,
    at,
    directive: directive.replace(/^approval\//, "tool/"),
    name: String(subject.tool),
    input: subject.input ?? null,
    status,
    ...(endSeq === undefined ? {} : { endSeq }),
    approval,
  };
}

function decisionEntry({ id, seq, at, fields }: TraceEvent): DecisionEntry {
  const { description = "", chosen = "", reasoning = "" } = fields;
  return { kind: "decision", id, seq, at, description, chosen, reasoning };
}

/** Model calls of one operation that follow each other are one entry. */
function grouped(entries: readonly Entry[]): readonly Entry[] {
  const out: Entry[] = [];
  const operations = new Map<string, AnswerEntry[]>();
  for (const entry of entries) {
    const operation = entry.kind === "answer" ? operationOf(entry) : undefined;
    if (operation === undefined || entry.kind !== "answer") {
      out.push(entry);
      continue;
    }
    const found = operations.get(operation);
    if (found !== undefined) found.push(entry);
    else {
      const answers = [entry];
      operations.set(operation, answers);
      const { id, seq, at } = entry;
      out.push({ kind: "operation", id: `operation ${id}`, seq, at, name: operation, answers });
    }
  }
  return out;
}

/** The operation of a model call: the ids of a run of thoughts say it, and those of an agent are numbers. */
function operationOf({ directive }: AnswerEntry): string | undefined {
  const [, operation] = /^llm\/([^/]+)\/\d+\/\d+/.exec(directive) ?? [];
  return operation === undefined || /^\d+$/.test(operation) ? undefined : operation;
}

/** Sorts by their beginnings; the end comes behind all that its event began. */
function byPlace(a: Entry, b: Entry): number {
  return a.seq - b.seq || rankOf(a) - rankOf(b);
}

function rankOf({ kind }: Entry): number {
  return kind === "end" ? 2 : kind === "fork" || kind === "upgrade" ? 0 : 1;
}

function reasoningIn(content: readonly Json[]): string {
  const texts = content.flatMap((part) =>
    isJsonObject(part) && part.type === "reasoning" && typeof part.text === "string"
      ? [part.text]
      : [],
  );
  return texts.join("\n\n");
}

function jsonIn(text: string | undefined): Json | undefined {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    // A field that was cut is shown as it is.
    return text;
  }
}
