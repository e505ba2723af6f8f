/**
 * A model that is none: it reads the prompts of the sorting and the set task, really does what they
 * ask for, and errs on the way, each element for itself, the oftener the longer the list. The same
 * request (its seed included) gets the same answer. What it can and cannot show: docs/thoughts.md.
 */
import { ModelError, type ModelPort, type ModelRequest, textOf } from "reckoner";
import { listsIn, shown } from "./lists.js";
import { randomOf } from "./random.js";

/** How often the model errs. All numbers are rates per element. */
export interface Frailty {
  /** Rate at a list of 64 elements; it grows in proportion to the length, up to a half. */
  readonly rate: number;
  /** How much rarer mistakes are in merging than in solving. */
  readonly merging: number;
  /** How much rarer they are in splitting, which is copying. */
  readonly splitting: number;
  /** Chance that a mistake is seen, and mended, when an attempt is to be corrected. */
  readonly seen: number;
}

/** Chosen once, by the look of it; not fitted to anything. */
export const frailty: Frailty = { rate: 0.1, merging: 0.5, splitting: 0.05, seen: 0.5 };

interface Task {
  readonly lists: readonly number[][];
  readonly parts: number;
  readonly errs: (length: number) => number;
  readonly random: () => number;
  readonly seen: number;
}

/** Makes the model. */
export function simulatedModel(how: Partial<Frailty> = {}): ModelPort {
  const { rate, merging, splitting, seen } = { ...frailty, ...how };
  return {
    name: "simulated",
    async generate(request) {
      const prompt = promptOf(request);
      const random = randomOf(`${request.settings?.seed ?? ""}\n${prompt}`);
      const errs = (share: number) => (length: number) =>
        share * Math.min(0.5, (rate * length) / 64);
      const lists = listsIn(prompt.slice(prompt.indexOf("\n\n")));
      const parts = Number(/into (\d+) lists/.exec(prompt)?.[1] ?? 0);
      const at = (share: number): Task => ({ lists, parts, errs: errs(share), random, seen });
      const answer = prompt.startsWith("Sort ")
        ? shown(sort(at(1)))
        : prompt.startsWith("Merge ")
          ? shown(merge(at(merging)))
          : prompt.startsWith("Split ")
            ? split(at(splitting))
            : prompt.startsWith("Which numbers")
              ? shown(intersect(at(1)))
              : prompt.startsWith("Put these lists")
                ? shown(unite(at(merging)))
                : prompt.startsWith("Somebody tried to sort")
                  ? shown(mendOrder(at(1)))
                  : prompt.startsWith("Somebody looked for")
                    ? shown(mendSet(at(1)))
                    : undefined;
      if (answer === undefined) {
        const message = "The simulated model knows the sorting and the set task only.";
        throw new ModelError({ code: "llm.failed", message });
      }
      const inputTokens = Math.ceil(prompt.length / 4);
      const outputTokens = Math.ceil(answer.length / 4);
      const totalTokens = inputTokens + outputTokens;
      return {
        content: [{ type: "text", text: answer }],
        finishReason: "stop",
        usage: { inputTokens, outputTokens, totalTokens },
      };
    },
  };
}

function promptOf({ messages }: ModelRequest): string {
  return textOf(messages.at(-1));
}

const ascending = (a: number, b: number) => a - b;

function sort({ lists: [list = []], errs, random }: Task): number[] {
  return slip([...list].sort(ascending), errs(list.length), random);
}

function merge({ lists, errs, random }: Task): number[] {
  const all = lists.flat();
  return slip([...all].sort(ascending), errs(all.length), random);
}

function split({ lists: [list = []], parts, errs, random }: Task): string {
  const length = Math.ceil(list.length / parts);
  const pieces = Array.from({ length: parts }, (_, i) =>
    list.slice(i * length, (i + 1) * length).filter(() => random() >= errs(list.length)),
  );
  return `{${pieces.map((piece, i) => `"List ${i + 1}": ${shown(piece)}`).join(", ")}}`;
}

/** A number is lost, written twice, or changes places with its neighbour. */
function slip(list: readonly number[], rate: number, random: () => number): number[] {
  const out: number[] = [];
  for (const n of list) {
    if (random() >= rate) out.push(n);
    else {
      const kind = Math.floor(random() * 3);
      if (kind === 1) out.push(n, n);
      if (kind === 2) out.splice(Math.max(0, out.length - 1 - Math.floor(random() * 3)), 0, n);
    }
  }
  return out;
}

/** Sees some of what is missing or too many, mends it, sorts, and slips again, more rarely. */
function mendOrder({ lists: [list = [], attempt = []], errs, random, seen }: Task): number[] {
  const mended = [...attempt];
  for (const n of new Set([...list, ...attempt])) {
    const count = (numbers: readonly number[]) => numbers.filter((each) => each === n).length;
    for (let over = count(mended) - count(list); over !== 0; over -= Math.sign(over)) {
      if (random() >= seen) continue;
      if (over > 0) mended.splice(mended.indexOf(n), 1);
      else mended.push(n);
    }
  }
  return slip(mended.sort(ascending), errs(list.length) / 4, random);
}

function intersect({ lists: [a = [], b = []], errs, random }: Task): number[] {
  // As many comparisons as both lists together have elements.
  const rate = errs((a.length + b.length) / 2);
  const found = a.filter((n) => (b.includes(n) ? random() >= rate : random() < rate / 2));
  return found.sort(ascending);
}

function unite({ lists, errs, random }: Task): number[] {
  const all = [...new Set(lists.flat())];
  return all.filter(() => random() >= errs(all.length)).sort(ascending);
}

function mendSet({ lists: [a = [], b = [], attempt = []], errs, random, seen }: Task): number[] {
  const rate = errs((a.length + b.length) / 2) / 4;
  return a
    .filter((n) => {
      const right = b.includes(n);
      const answered = attempt.includes(n);
      if (right === answered) return right ? random() >= rate : random() < rate / 2;
      return random() < seen ? right : answered;
    })
    .sort(ascending);
}
