/** Generate and Improve: an answer becomes a child of the thought it was asked for. */
import { tableValues } from "../../kernel/index.js";
import { ask, callOf, resolve, viewOf } from "../ask.js";
import type { Ask } from "../context.js";
import { divided } from "../graph/part.js";
import type { StructuralEdge, Thought } from "../graph/thought.js";
import { grow } from "../grow.js";
import { entryOf, fail, inputOf, seenAs, stateOf, type Work } from "../work.js";
import type { Kind } from "./kind.js";
import type { Operation } from "./operation.js";
import { type Reader, readAllStates, readStates } from "./read-states.js";

export const generateKind: Kind<"generate"> = {
  asks: () => true,
  begin(work, operation, inputs) {
    const { responses = 1, branches = 1 } = operation;
    const prompt = operation.prompt ?? work.spec.prompts.generate;
    inputs.forEach((entry, source) => {
      const thoughts = [seenAs(work, entry)];
      for (let i = 0; i < responses; i++) {
        const path = `${source}/${i}`;
        ask(work, operation, { path, source, thoughts, prompt, branches, makes: branches });
      }
    });
  },
  answer(work, operation, asked, text) {
    if (operation.parseAll !== undefined) return keepText(work, operation, asked, text);
    const { branches = 1 } = operation;
    const made = makeThoughts(work, operation, asked, text, "generates", operation, { branches });
    resolve(work, operation.id, asked, made);
  },
  close(work, operation, inputs) {
    const { parseAll, branches = 1 } = operation;
    if (parseAll === undefined) return madeBy(work, operation.id).map(entryOf);
    const kept = keptTexts(work, operation.id);
    return inputs.flatMap((entry, source) => {
      const thought = seenAs(work, entry);
      const texts = kept.get(source) ?? [];
      const states = readAllStates(work, operation, entry.id, texts, parseAll, () =>
        viewOf(work, { thoughts: [thought], branches }),
      );
      const said = texts.length === 1 ? texts[0] : undefined;
      const about = { path: `${source}/all`, calls: keptCalls(work, operation, source) };
      return growAll(work, operation, thought, about, states, "generates", said).map(entryOf);
    });
  },
};

export const improveKind: Kind<"improve"> = {
  asks: () => true,
  begin(work, operation, inputs) {
    const prompt = operation.prompt ?? work.spec.prompts.improve;
    inputs.forEach((entry, source) => {
      const thoughts = [seenAs(work, entry)];
      const path = `${source}/0`;
      ask(work, operation, { path, source, thoughts, prompt, attempt: 1, makes: 1 });
    });
  },
  answer(work, operation, asked, text) {
    const about = { attempt: 1 };
    const made = makeThoughts(work, operation, asked, text, "refines", operation, about);
    resolve(work, operation.id, asked, made);
  },
  close: (work, operation) => madeBy(work, operation.id).map(entryOf),
};

/** The thoughts that an operation's answers became, in the order in which they were asked for. */
function madeBy(work: Work, operation: string): string[] {
  return tableValues(stateOf(work, operation).asks).flatMap(
    ({ result }) => (result ?? []) as readonly string[],
  );
}

/** Keeps an answer for when all are there; an empty one is a failure of its own. */
export function keepText(work: Work, operation: Operation, asked: Ask, text: string): void {
  if (text === "") fail(work, operation.id, asked.thought, "answer.empty");
  else resolve(work, operation.id, asked, text);
}

/** The answers that were kept, by the source they are about, in the order of asking. */
export function keptTexts(work: Work, operation: string): ReadonlyMap<number, string[]> {
  const texts = new Map<number, string[]>();
  for (const { source, result } of tableValues(stateOf(work, operation).asks)) {
    if (typeof result !== "string") continue;
    const known = texts.get(source);
    if (known === undefined) texts.set(source, [result]);
    else known.push(result);
  }
  return texts;
}

/** The calls of the answers that were kept about a source. */
export function keptCalls(work: Work, operation: Operation, source: number): string[] {
  return tableValues(stateOf(work, operation.id).asks)
    .filter((asked) => asked.source === source && typeof asked.result === "string")
    .map((asked) => callOf(operation, asked));
}

/** The thoughts in an answer, by their ids; what cannot be read is a failure of the thought asked. */
export function makeThoughts(
  work: Work,
  operation: Operation,
  asked: Ask,
  text: string,
  type: StructuralEdge,
  reader: Reader,
  about: { readonly branches?: number; readonly attempt?: number },
): string[] {
  const entry = inputOf(work, operation.id, asked.source);
  const source = seenAs(work, asked.thought === entry.id ? entry : entryOf(asked.thought));
  const read = readStates(work, operation, asked, text, reader, () =>
    viewOf(work, { thoughts: [source], ...about }),
  );
  // There is one better version, whatever else the parser reads.
  const states = type === "refines" ? read.slice(0, 1) : read;
  const said = states.length === 1 ? text : undefined;
  const from = { path: asked.path, calls: [callOf(operation, asked)] };
  return growAll(work, operation, source, from, states, type, said);
}

/** A thought for each state: with the text where there is one of each, else with the state as text. */
function growAll(
  work: Work,
  operation: Operation,
  source: Thought,
  { path, calls }: { readonly path: string; readonly calls: readonly string[] },
  states: readonly object[],
  type: StructuralEdge,
  text: string | undefined,
): string[] {
  const many = states.length > 1 || path.endsWith("/all");
  const splits = operation.kind === "generate" && operation.splits === true;
  const parts = splits
    ? divided(`${operation.id}/${path}`, states.length, source.parts)
    : undefined;
  return states.flatMap((read, i) => {
    const id = `thought/${operation.id}/${path}${many ? `.${i}` : ""}`;
    const about = parts === undefined ? {} : { parts: parts[i] ?? [] };
    const thought = { id, content: text, state: source.state, read, calls, ...about };
    return grow(work, operation, [source.id], type, thought) ?? [];
  });
}
