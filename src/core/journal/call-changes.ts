/**
 * Compares the tool calls of a recorded step with those of the same step computed anew, and lists those
 * that are now carried out otherwise (run, put to a person, denied, another result). A part of a replay's
 * difference.
 */

import type { RunState, Step } from "../kernel/machine/index.js";
import {
  asJson,
  firstDifference,
  isJsonObject,
  isList,
  type Json,
  type JsonObject,
  type List,
  sizeOf,
  toArray,
} from "../kernel/values/index.js";
import type { Directive } from "../kernel/vocabulary/index.js";
import type { Node } from "./line.js";
import type { RecordedDirective } from "./recorded-parts.js";
import type { RecordedValues } from "./recorded-values.js";
import type { CallChange } from "./replay-difference.js";

/** A call that a step asks for. */
interface AskedCall {
  readonly call: string;
  readonly name: string;
  readonly input: Json;
  readonly did: "run" | "asked";
}

/** A step, the directives that its line recorded, and the state before it. */
interface ComparedCalls<Context> {
  readonly recorded: readonly RecordedDirective[];
  readonly step: Step<Context>;
  readonly before: RunState<Context> | undefined;
  readonly values: RecordedValues;
}

/** Returns the calls that a step and its line do otherwise; none where neither asks for any. */
export function callChanges<Context>({
  recorded,
  step,
  before,
  values,
}: ComparedCalls<Context>): readonly CallChange[] {
  const valueAt = (node: Node | undefined) => (node === undefined ? null : values.value(node));
  const left = recorded.flatMap(({ type, id = "", parts }) =>
    askedCall(type, id, (part) => valueAt(parts.get(part))),
  );
  const right = step.directives.flatMap((directive: Directive) => {
    const { type, id = "", ...parts } = asJson(directive) as JsonObject;
    return askedCall(String(type), String(id), (part) => parts[part] ?? null);
  });
  const outcomes = newRecords(before?.context, step.state.context);
  const changes: CallChange[] = [];
  const noticeData = recorded.flatMap(({ type, parts }) =>
    type === "notify" ? [valueAt(parts.get("data"))] : [],
  );
  for (const { id = "", name, input = null, output: now = null } of outcomes) {
    // Observers are told of each call that is settled.
    const was = noticeData.find((each) => isJsonObject(each) && each.id === id);
    if (!isJsonObject(was) || was.output === undefined) continue;
    const found = firstDifference(was.output, now, "result");
    if (found === undefined) continue;
    const { left: before, right: after } = found;
    const result = {
      ...(before === undefined ? {} : { recorded: before }),
      ...(after === undefined ? {} : { computed: after }),
    };
    changes.push({ name: String(name), input, was: "answered", is: "answered", result });
  }
  for (const { call, name, input, did } of left) {
    const now = right.find((each) => each.call === call);
    if (now?.did === did) continue;
    const outcome = outcomes.find((each) => each.id === call);
    changes.push({
      name,
      input,
      was: did,
      is: now?.did ?? statusOf(outcome),
      ...textForModel(outcome),
    });
  }
  for (const { call, name, input, did } of right) {
    if (!left.some((each) => each.call === call))
      changes.push({ name, input, was: "none", is: did });
  }
  return changes;
}

/** A call that is run, or that a person is asked about; of calls that are neither nothing. */
function askedCall(type: string, id: string, part: (name: string) => Json): readonly AskedCall[] {
  const call = `tool/${id.split("/").slice(1, 3).join("/")}`;
  if (type === "tool") {
    return [{ call, name: String(part("name")), input: part("input"), did: "run" }];
  }
  if (type !== "approval") return [];
  const subject = part("subject");
  if (!isJsonObject(subject) || typeof subject.tool !== "string") return [];
  return [{ call, name: subject.tool, input: subject.input ?? null, did: "asked" }];
}

/** The records of calls that a context has and the one before has not, where it keeps any. */
function newRecords(before: unknown, context: unknown): readonly JsonObject[] {
  const records = callsOf(context);
  if (records === undefined) return [];
  const old = callsOf(before);
  return toArray(records, old === undefined ? 0 : sizeOf(old)).filter(isJsonObject);
}

function callsOf(context: unknown): List<Json> | undefined {
  const { toolCalls } = (context ?? {}) as { readonly toolCalls?: unknown };
  return isList(toolCalls) ? (toolCalls as List<Json>) : undefined;
}

function statusOf(outcome: JsonObject | undefined): string {
  return outcome === undefined ? "none" : String(outcome.status);
}

/** The text that the model reads of a call that did not run. */
function textForModel(outcome: JsonObject | undefined): { readonly said?: string } {
  const { status, output } = outcome ?? {};
  return typeof output === "string" && status !== "succeeded" ? { said: output } : {};
}
