/**
 * The oracle: a naive, sequential interpreter of the paper's operations, written by hand from its
 * rules. It copies thoughts where the paper does, knows no graph, and shares no code with the machine.
 */
import { hashOf } from "../test/unit/core/thoughts/drive.js";

/** A thought of the paper: a state and what was said of it. */
export interface Plain {
  v: number;
  /** How it came to be: the thought's id. */
  from: string;
  score: number | null;
  valid: boolean | null;
  solved: boolean | null;
}

export type PlainOperation = { id: string; after: string[] } & (
  | { kind: "generate"; responses: number }
  | { kind: "score"; by: "function" | "model"; samples: number }
  | { kind: "improve" }
  | { kind: "validate"; tries: number; improve: boolean }
  | { kind: "aggregate"; responses: number }
  | { kind: "vote"; weighted: boolean }
  | { kind: "keepBest"; n: number }
  | { kind: "keepValid" }
  | { kind: "groundTruth" }
  | { kind: "select" }
);

/** What the model answers: a number, two, or something that cannot be read; by the call's place. */
export function answerTo(operation: string, path: string, about: string): string {
  const number = hashOf(operation, path, about);
  if (number % 11 === 0) return "I cannot say.";
  if (number % 7 === 0) return `${number % 40} ${number % 30}`;
  return String(number % 40);
}

export const scoreOf = (v: number): number => (v * 7) % 10;
export const isValid = (v: number): boolean => v % 2 === 0;
export const isRight = (v: number): boolean => v % 3 === 0;
export const isPicked = (v: number): boolean => v % 5 < 3;
export const about = (...values: number[]): string => `about ${values.join(",")}`;

const read = (text: string): number[] => (/^\d/.test(text) ? text.split(" ").map(Number) : []);
const fresh = (v: number, from: string): Plain => ({
  v,
  from: from === "root" ? from : `thought/${from}`,
  score: null,
  valid: null,
  solved: null,
});

export interface Outcome {
  /** What each operation hands on. */
  readonly outputs: ReadonlyMap<string, readonly Plain[]>;
  readonly calls: number;
}

/** Runs operations one after the other; they are given in an order in which they can run. */
export function interpret(operations: readonly PlainOperation[], problem: number): Outcome {
  const outputs = new Map<string, Plain[]>();
  let calls = 0;
  const ask = (operation: string, path: string, what: string): string => {
    calls += 1;
    return answerTo(operation, path, what);
  };
  for (const operation of operations) {
    const { id, kind, after } = operation;
    let given = after.flatMap((before) => outputs.get(before) as Plain[]).map((t) => ({ ...t }));
    const root = fresh(problem, "root");
    if (after.length === 0 || (kind === "select" && given.length === 0)) given = [root];
    const out: Plain[] = [];
    if (kind === "generate") {
      given.forEach((thought, i) => {
        for (let j = 0; j < operation.responses; j++) {
          const states = read(ask(id, `${i}/${j}`, about(thought.v)));
          states.forEach((v, k) => {
            out.push(fresh(v, `${id}/${i}/${j}${states.length > 1 ? `.${k}` : ""}`));
          });
        }
      });
    } else if (kind === "score") {
      given.forEach((thought, i) => {
        if (operation.by === "function") thought.score = scoreOf(thought.v);
        else {
          const samples: number[] = [];
          for (let j = 0; j < operation.samples; j++) {
            const said = read(ask(id, `${i}/${j}`, about(thought.v)));
            if (said.length === 1) samples.push(said[0]!);
          }
          const sum = samples.reduce((a, b) => a + b, 0);
          thought.score = samples.length === 0 ? null : sum / samples.length;
        }
        out.push(thought);
      });
    } else if (kind === "improve") {
      given.forEach((thought, i) => {
        const [v] = read(ask(id, `${i}/0`, about(thought.v)));
        if (v !== undefined) out.push(fresh(v, `${id}/${i}/0`));
      });
    } else if (kind === "validate") {
      given.forEach((thought, i) => {
        let now = thought;
        for (let tried = 1; ; tried++) {
          now.valid = isValid(now.v);
          if (now.valid || !operation.improve || tried > operation.tries) break;
          const [v] = read(ask(id, `${i}/improve/${tried}`, about(now.v)));
          if (v === undefined) break;
          now = fresh(v, `${id}/${i}/improve/${tried}`);
        }
        out.push(now);
      });
    } else if (kind === "aggregate") {
      for (let j = 0; given.length > 0 && j < operation.responses; j++) {
        const [v] = read(ask(id, `0/${j}`, about(...given.map((thought) => thought.v))));
        if (v !== undefined) out.push(fresh(v, `${id}/0/${j}`));
      }
    } else if (kind === "vote") {
      const weight = (t: Plain) => (operation.weighted ? Math.max(0, t.score ?? 0) : 1);
      const better = (a: Plain, b: Plain) =>
        (b.score ?? -1) - (a.score ?? -1) || (a.from < b.from ? -1 : 1);
      const candidates = [...new Set(given.map((t) => t.v))].map((v) => {
        const group = given.filter((t) => t.v === v).sort(better);
        const total = [...group]
          .sort((a, b) => (a.from < b.from ? -1 : 1))
          .reduce((sum, t) => sum + weight(t), 0);
        return { total, best: group[0]! };
      });
      candidates.sort((a, b) => b.total - a.total || better(a.best, b.best));
      if (candidates[0] !== undefined) out.push(fresh(candidates[0].best.v, `${id}/0/0`));
    } else if (kind === "keepBest") {
      const rank = (t: Plain) => (t.score === null ? Number.NEGATIVE_INFINITY : t.score);
      out.push(
        ...given
          .sort((a, b) => (rank(a) === rank(b) ? 0 : rank(b) - rank(a)))
          .slice(0, operation.n),
      );
    } else if (kind === "keepValid") {
      out.push(...given.filter((thought) => thought.valid !== false));
    } else if (kind === "groundTruth") {
      for (const thought of given) out.push({ ...thought, solved: isRight(thought.v) });
    } else {
      out.push(...given.filter((thought) => isPicked(thought.v)));
    }
    outputs.set(id, out);
  }
  return { outputs, calls };
}
