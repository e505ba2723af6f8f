/** The arithmetic of the Game of 24: exact fractions, what can be reached, puzzles from a seed. */
import { randomOf } from "../random.js";

/** A fraction, as a string: `24`, `8/3`. */
export type Fraction = string;

const parts = (fraction: Fraction): [number, number] => {
  const [above = 0, below = 1] = fraction.split("/").map(Number);
  return [above, below];
};

/** A fraction as a number. */
export function numberOf(of: Fraction): number {
  const [above, below] = parts(of);
  return above / below;
}

const divisor = (a: number, b: number): number => (b === 0 ? Math.abs(a) : divisor(b, a % b));

const fraction = (above: number, below: number): Fraction => {
  const by = divisor(above, below) * Math.sign(below);
  return below / by === 1 ? `${above / by}` : `${above / by}/${below / by}`;
};

/** `a` and `b` taken together; `undefined` where a division by zero would be needed. */
export function compute(a: Fraction, sign: string, b: Fraction): Fraction | undefined {
  const [a1, a2] = parts(a);
  const [b1, b2] = parts(b);
  switch (sign) {
    case "+":
      return fraction(a1 * b2 + b1 * a2, a2 * b2);
    case "-":
      return fraction(a1 * b2 - b1 * a2, a2 * b2);
    case "*":
      return fraction(a1 * b1, a2 * b2);
    case "/":
      return b1 === 0 ? undefined : fraction(a1 * b2, a2 * b1);
    default:
      return undefined;
  }
}

/** A step: two numbers become one. */
export interface Move {
  /** `4 + 8 = 12` */
  readonly text: string;
  readonly left: readonly Fraction[];
}

/** All steps from some numbers. */
export function movesFrom(left: readonly Fraction[]): Move[] {
  const moves = new Map<string, Move>();
  left.forEach((a, i) => {
    left.forEach((b, j) => {
      if (i === j) return;
      const rest = left.filter((_, at) => at !== i && at !== j);
      for (const sign of "+-*/") {
        if ((sign === "+" || sign === "*") && i > j) continue;
        const result = compute(a, sign, b);
        if (result === undefined) continue;
        const text = `${a} ${sign} ${b} = ${result}`;
        moves.set(text, { text, left: [...rest, result] });
      }
    });
  });
  return [...moves.values()];
}

const results = new Map<string, boolean>();

/** Whether 24 can be reached with all of the numbers. */
export function reaches24(left: readonly Fraction[]): boolean {
  if (left.length === 1) return left[0] === "24";
  const key = [...left].sort().join(" ");
  const before = results.get(key);
  if (before !== undefined) return before;
  const can = movesFrom(left).some((move) => reaches24(move.left));
  results.set(key, can);
  return can;
}

/** A puzzle that can be solved, from a seed: four numbers from 1 to 13. */
export function puzzle(seed: string): number[] {
  const random = randomOf(`24 ${seed}`);
  for (;;) {
    const numbers = Array.from({ length: 4 }, () => 1 + Math.floor(random() * 13));
    if (reaches24(numbers.map(String))) return numbers.sort((a, b) => a - b);
  }
}
