/** Applies a task's parser to answers: states, or a counted failure with the reason. */
import { jsonIn, validate } from "../../kernel/index.js";
import type { Ask } from "../context.js";
import { attempt, fail, type Work } from "../work.js";
import type { AllParser, Parser, PromptView } from "./functions.js";
import type { Operation } from "./operation.js";

/** What reads an operation's answers. */
export interface Reader {
  readonly parse?: Parser | undefined;
  readonly schema?: Parameters<typeof validate>[0] | undefined;
}

/** What a parser makes of an answer; none where it cannot be read. */
export function readStates(
  work: Work,
  operation: Operation,
  asked: Ask,
  text: string,
  reader: Reader,
  view: () => PromptView,
): readonly object[] {
  if (text === "") {
    fail(work, operation.id, asked.thought, "answer.empty");
    return [];
  }
  const { parse, schema } = reader;
  if (schema !== undefined) return readBySchema(work, operation, asked, text, schema);
  if (parse === undefined) return [{}];
  const outcome = attempt(work, operation, asked.thought, "parser", () => parse(text, view()));
  return outcome === undefined ? [] : statesIn(work, operation, asked.thought, outcome.said);
}

/** What a parser makes of all answers to one question. */
export function readAllStates(
  work: Work,
  operation: Operation,
  thought: string,
  texts: readonly string[],
  parseAll: AllParser,
  view: () => PromptView,
): readonly object[] {
  if (texts.length === 0) return [];
  const outcome = attempt(work, operation, thought, "parser", () => parseAll(texts, view()));
  return outcome === undefined ? [] : statesIn(work, operation, thought, outcome.said);
}

function statesIn(
  work: Work,
  operation: Operation,
  thought: string,
  read: unknown,
): readonly object[] {
  const states = (Array.isArray(read) ? read : [read]).filter(
    (state): state is object => typeof state === "object" && state !== null,
  );
  if (states.length === 0) fail(work, operation.id, thought, "answer.unreadable");
  return states;
}

/** The last JSON in the answer that is of the schema. */
function readBySchema(
  work: Work,
  operation: Operation,
  { thought }: Ask,
  text: string,
  schema: Parameters<typeof validate>[0],
): readonly object[] {
  let issues: string | undefined;
  for (const value of jsonIn(text).reverse()) {
    const outcome = attempt(work, operation, thought, "schema", () => validate(schema, value));
    if (outcome === undefined) return [];
    if (outcome.said.ok && typeof outcome.said.value === "object" && outcome.said.value !== null) {
      return [outcome.said.value];
    }
    if (!outcome.said.ok) issues ??= outcome.said.issues;
  }
  const code = issues === undefined ? "answer.unreadable" : "answer.notOfSchema";
  fail(work, operation.id, thought, code, issues);
  return [];
}
