// Hostile values, from a seed: JSON that is bent, and values of JavaScript that are no JSON at all.
import type { Json } from "../../src/core/kernel/values/index.js";
import { type Choose, seeded } from "../../src/testing/checking/choose.js";

/** Draws from a seed, on every engine the same. */
export class Random {
  readonly #choose: Choose;
  constructor(seed: number) {
    this.#choose = seeded(seed, []);
  }
  /** From 0 to 1, 1 left out. */
  next(): number {
    return this.#choose(2 ** 32) / 2 ** 32;
  }
  /** A whole number from 0 on. */
  below(most: number): number {
    return this.#choose(most);
  }
  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }
}

const ODD_TEXTS = [
  "",
  "__proto__",
  "constructor",
  "toString",
  "#",
  "@1#x",
  "%9#x",
  "=",
  "../../etc/passwd",
  "/dev/zero",
  "\u0000",
  "\u001b[2J\u001b]0;owned\u0007",
  "\u202e",
  "\ud800",
  "'; DROP TABLE decision_nodes; --",
  "9".repeat(400),
  "(a+)+$",
  "a".repeat(70_000),
];
const ODD_NUMBERS = [
  -1,
  0,
  0.5,
  1e308,
  -1e308,
  9e15,
  2 ** 53,
  -(2 ** 53),
  1e-320,
  4_294_967_296,
  Number.MAX_SAFE_INTEGER,
];

/** A JSON value of any kind, small or now and then deep or wide. */
export function oddJson(random: Random, depth = 3): Json {
  const kind = random.below(depth === 0 ? 5 : 9);
  if (kind === 0) return null;
  if (kind === 1) return random.next() < 0.5;
  if (kind === 2) return random.pick(ODD_NUMBERS);
  if (kind <= 4) return random.pick(ODD_TEXTS);
  if (kind === 5 && random.next() < 0.05) return deep(1_000 + random.below(2_000));
  if (kind === 6 && random.next() < 0.05) return Array.from({ length: 50_000 }, (_, i) => i);
  const items = Array.from({ length: random.below(5) }, () => oddJson(random, depth - 1));
  if (kind <= 6) return items;
  return Object.fromEntries(
    items.map((item, i) => [random.next() < 0.5 ? random.pick(ODD_TEXTS) : `k${i}`, item]),
  );
}

function deep(levels: number): Json {
  let value: Json = 1;
  for (let i = 0; i < levels; i++) value = i % 2 === 0 ? [value] : { a: value };
  return value;
}

/** A value that may be anything a program can hand over. */
export function oddValue(random: Random): unknown {
  const kinds: readonly (() => unknown)[] = [
    () => oddJson(random),
    () => undefined,
    () => Number.NaN,
    () => Number.NEGATIVE_INFINITY,
    () => 10n,
    () => Symbol("odd"),
    () => () => "a function",
    () => new Date(0),
    () => new Map([["a", 1]]),
    () => new Uint8Array(4),
    () => Promise.resolve({ late: true }),
    () => {
      const circle: Record<string, unknown> = {};
      circle.self = circle;
      return circle;
    },
    () =>
      new Proxy(
        {},
        {
          get() {
            throw new Error("a trap");
          },
          ownKeys() {
            throw new Error("a trap");
          },
        },
      ),
    () => ({
      get type(): never {
        throw new Error("a getter");
      },
    }),
    () => Object.freeze({ toJSON: () => ({ type: "approval.decided", id: "x", approve: true }) }),
    () => JSON.parse('{"__proto__":{"polluted":true}}'),
    () => Object.assign(["array"], { extra: 1 }),
    () => new (class Odd {})(),
    () => new String("boxed"),
    () => new Array(3),
  ];
  return random.pick(kinds)();
}

/** A JSON value with something about it changed: a part gone, doubled, moved, or of another kind. */
export function bent(random: Random, value: Json, depth = 6): Json {
  if (random.next() < 0.15 || depth === 0) return oddJson(random);
  if (Array.isArray(value) && value.length > 0) {
    const at = random.below(value.length);
    const list = [...value] as Json[];
    switch (random.below(5)) {
      case 0:
        list.splice(at, 1);
        return list;
      case 1:
        list.splice(at, 0, list[at] as Json);
        return list;
      case 2:
        return list.reverse();
      default:
        list[at] = bent(random, list[at] as Json, depth - 1);
        return list;
    }
  }
  if (typeof value === "object" && value !== null && Object.keys(value).length > 0) {
    const names = Object.keys(value);
    const name = random.pick(names);
    const { [name]: part, ...rest } = value as { [name: string]: Json };
    switch (random.below(6)) {
      case 0:
        return rest;
      case 1:
        return { ...rest, [random.pick(ODD_TEXTS)]: part as Json };
      case 2:
        return { ...rest, [name]: part as Json, [random.pick(names)]: oddJson(random) };
      default:
        return { ...value, [name]: bent(random, part as Json, depth - 1) } as Json;
    }
  }
  if (typeof value === "number") return value + random.pick([-1, 1, 0.5, 1e9]);
  if (typeof value === "string") {
    return random.next() < 0.5 ? value.slice(0, random.below(value.length + 1)) : `${value}x`;
  }
  return oddJson(random);
}

/** A text with a few of its characters changed, gone or doubled. */
export function garbled(random: Random, text: string): string {
  let made = text;
  for (let times = 1 + random.below(3); times > 0; times--) {
    const at = random.below(made.length + 1);
    const length = 1 + random.below(random.next() < 0.2 ? 200 : 3);
    const put = random.pick([
      "",
      "\n",
      "\u0000",
      "0",
      '"',
      "}",
      made.slice(at, at + length),
      "\uffff",
    ]);
    made = made.slice(0, at) + put + made.slice(random.next() < 0.5 ? at : at + length);
  }
  return made;
}
