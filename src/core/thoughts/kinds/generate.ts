/** Generate and Improve: an answer becomes a thought below the one it was asked for. */
import { tableValues } from "../../kernel/index.js";
import { ask, resolve, viewOf } from "../ask.js";
import type { Ask, Entry } from "../context.js";
import type { Parser } from "../functions.js";
import type { Operation } from "../operation.js";
import type { StructuralEdge } from "../thought.js";
import { attempt, entryOf, fail, grow, seenAs, stateOf, type Work } from "../work.js";
import type { Kind } from "./kind.js";

export const generateKind: Kind<"generate"> = {
  begin(work, operation, inputs) {
    const { responses = 1, branches = 1 } = operation;
    const prompt = operation.prompt ?? work.spec.prompts.generate;
    inputs.forEach((entry, source) => {
      const thoughts = [seenAs(work, entry)];
      for (let i = 0; i < responses; i++) {
        ask(work, operation, {
          path: `${source}/${i}`,
          source,
          thoughts,
          prompt,
          branches,
          makes: true,
        });
      }
    });
  },
  answer(work, operation, asked, text) {
    const { parse, branches = 1 } = operation;
    const made = makeThoughts(work, operation, asked, text, "generates", parse, { branches });
    resolve(work, operation.id, asked, made);
  },
  close: (work, operation) => madeBy(work, operation.id).map(entryOf),
};

export const improveKind: Kind<"improve"> = {
  begin(work, operation, inputs) {
    const prompt = operation.prompt ?? work.spec.prompts.improve;
    inputs.forEach((entry, source) => {
      const thoughts = [seenAs(work, entry)];
      ask(work, operation, {
        path: `${source}/0`,
        source,
        thoughts,
        prompt,
        attempt: 1,
        makes: true,
      });
    });
  },
  answer(work, operation, asked, text) {
    const about = { attempt: 1 };
    const made = makeThoughts(work, operation, asked, text, "refines", operation.parse, about);
    resolve(work, operation.id, asked, made.slice(0, 1));
  },
  close: (work, operation) => madeBy(work, operation.id).map(entryOf),
};

/** The thoughts that an operation's answers became, in the order in which they were asked for. */
function madeBy(work: Work, operation: string): string[] {
  return tableValues(stateOf(work, operation).asks).flatMap(
    ({ result }) => (result ?? []) as readonly string[],
  );
}

/** The thoughts in an answer, by their ids; what cannot be read is a failure of the thought asked. */
export function makeThoughts(
  work: Work,
  operation: Operation,
  asked: Ask,
  text: string,
  type: StructuralEdge,
  parse: Parser | undefined,
  about: { readonly branches?: number; readonly attempt?: number },
): string[] {
  const entry = stateOf(work, operation.id).inputs[asked.source] as Entry;
  const source = seenAs(work, asked.thought === entry.id ? entry : entryOf(asked.thought));
  const states = readStates(work, operation, asked, text, parse, () =>
    viewOf(work, { thoughts: [source], ...about }),
  );
  return states.flatMap((state, i) => {
    const id = `thought/${operation.id}/${asked.path}${states.length === 1 ? "" : `.${i}`}`;
    const content = states.length === 1 ? text : JSON.stringify(state);
    const overlaid = { ...source.state, ...state };
    return grow(work, operation, [source.id], type, { id, content, state: overlaid }) ?? [];
  });
}

/** What a parser makes of an answer; none where it cannot be read. */
export function readStates(
  work: Work,
  operation: Operation,
  asked: Ask,
  text: string,
  parse: Parser | undefined,
  view: () => Parameters<Parser>[1],
): readonly object[] {
  if (text === "") {
    fail(work, operation.id, asked.thought, "answer.empty");
    return [];
  }
  if (parse === undefined) return [{}];
  const outcome = attempt(work, operation, asked.thought, "parser", () => ({
    read: parse(text, view()),
  }));
  if (outcome === undefined) return [];
  const { read } = outcome;
  const states = (Array.isArray(read) ? read : [read]).filter(
    (state) => typeof state === "object" && state !== null,
  ) as readonly object[];
  if (states.length === 0) fail(work, operation.id, asked.thought, "answer.unreadable");
  return states;
}
