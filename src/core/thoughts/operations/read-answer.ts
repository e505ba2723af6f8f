/**
 * Asks the model the questions of an operation of thoughts, about each thought alone or about all together,
 * and reads the answers with the task's parser or schema. An answer that cannot be read is counted as a
 * failure, with its reason, and the run continues.
 */
import {
  groupBy,
  type Json,
  type JsonObject,
  tableValues,
  toJson,
  withParts,
} from "../../kernel/values/index.js";
import { jsonIn, validate } from "../../kernel/vocabulary/index.js";
import type { Ask, Entry } from "../context.js";
import {
  attempt,
  fail,
  inputOf,
  inputsOf,
  putAsk,
  stateOf,
  type Work,
} from "../work-on-context.js";
import { ask, type Question } from "./ask.js";
import type { Parser, PromptView, Reading } from "./functions.js";
import type { Operation } from "./operation.js";

/** The thoughts that are asked about together: all that are merged or compared, else each alone. */
export function groupsOf(
  operation: Operation,
  inputs: readonly Entry[],
): readonly (readonly Entry[])[] {
  return isTogether(operation) ? [inputs] : inputs.map((entry) => [entry]);
}

/** The thoughts that a question was about. */
export function groupOf(work: Work, operation: Operation, { source }: Ask): readonly Entry[] {
  return isTogether(operation)
    ? inputsOf(work, operation.id)
    : [inputOf(work, operation.id, source)];
}

function isTogether(operation: Operation): boolean {
  return operation.kind === "aggregate" || (operation.kind === "score" && !!operation.combined);
}

/** Asks the same question about each group, so many times. */
export function askAll(
  work: Work,
  operation: Operation,
  inputs: readonly Entry[],
  count: number,
  about: (group: readonly Entry[]) => Omit<Question, "path" | "source">,
): void {
  groupsOf(operation, inputs).forEach((group, source) => {
    const question = about(group);
    for (let i = 0; i < count; i++) {
      ask(work, operation, { path: `${source}/${i}`, source, ...question });
    }
  });
}

/** The parts of an operation that read its answers. */
export interface Reader {
  readonly parse?: Parser<JsonObject, string, Reading<JsonObject>> | undefined;
  readonly schema?: Parameters<typeof validate>[0] | undefined;
}

/**
 * Calls a parser, and takes what it read; else counts a failure of the thought in question.
 * @param take turns what was read into the value, `undefined` where it is none
 */
export function readAnswer<T>(
  work: Work,
  operation: Operation,
  view: PromptView,
  parse: (view: PromptView) => unknown,
  take: (read: unknown) => T | undefined,
): T | undefined {
  const { id } = view.thought;
  const outcome = attempt(work, operation, id, "parser", () => parse(view));
  if (outcome === undefined) return undefined;
  const taken = take(outcome.answer);
  if (taken === undefined) fail(work, operation.id, id, "answer.unreadable");
  return taken;
}

/** The states that a parser makes of an answer; none where it cannot be read. */
export function readStates(
  work: Work,
  operation: Operation,
  view: PromptView,
  text: string,
  { parse, schema }: Reader,
): readonly object[] {
  if (text === "") {
    fail(work, operation.id, view.thought.id, "answer.empty");
    return [];
  }
  if (schema !== undefined) return readBySchema(work, operation, view.thought.id, text, schema);
  if (parse === undefined) return [{}];
  return readAnswer(work, operation, view, () => parse(text, view), statesIn) ?? [];
}

/** One state or several; `undefined` where there is none. */
export function statesIn(read: unknown): readonly object[] | undefined {
  const states = (Array.isArray(read) ? read : [read]).filter(
    (state): state is object => typeof state === "object" && state !== null,
  );
  return states.length === 0 ? undefined : states;
}

/** The last JSON in the answer that is of the schema. */
function readBySchema(
  work: Work,
  operation: Operation,
  thought: string,
  text: string,
  schema: Parameters<typeof validate>[0],
): readonly object[] {
  let issues: string | undefined;
  for (const value of jsonIn(text).reverse()) {
    const outcome = attempt(work, operation, thought, "schema", () => validate(schema, value));
    if (outcome === undefined) return [];
    const { answer: parsed } = outcome;
    if (!parsed.ok) issues ??= parsed.issues;
    else if (typeof parsed.value === "object" && parsed.value !== null) return [parsed.value];
  }
  const code = issues === undefined ? "answer.unreadable" : "answer.notOfSchema";
  fail(work, operation.id, thought, code, issues);
  return [];
}

/**
 * Records what an answer was read as; where all are read together (`parseAll`), its text, for when all are
 * there. An empty one is a failure of its own there.
 */
export function recordAnswer(
  work: Work,
  operation: Operation & { readonly parseAll?: unknown },
  asked: Ask,
  text: string,
  read: () => Json | undefined,
): void {
  const result = operation.parseAll === undefined ? read() : text;
  if (result === "") fail(work, operation.id, asked.thought, "answer.empty");
  else if (result !== undefined)
    putAsk(work, operation.id, withParts(asked, { result: toJson(result) }));
}

/** The questions whose answers came to something, by the source they are about, in the order of asking. */
export function keptAsks(work: Work, operation: string): ReadonlyMap<number, readonly Ask[]> {
  const asks = [...tableValues(stateOf(work, operation).asks)];
  const kept = asks.filter(({ result }) => result !== null);
  return groupBy(kept, ({ source }) => source);
}

/** The texts of answers that were kept. */
export function textsOf(kept: readonly Ask[]): readonly string[] {
  return kept.map(({ result }) => result as string);
}
