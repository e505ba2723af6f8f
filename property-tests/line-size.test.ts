// J6: a line's size is bounded whatever arrives together, and each of its values comes back.
import fc from "fast-check";
import { expect, it } from "vitest";
import { LineDecoder, MAX_LINE_LENGTH, RecordedValues } from "../src/core/journal/index.js";
import {
  exceeds,
  type Json,
  MAX_EVENT_LENGTH,
  refOf,
  toJson,
} from "../src/core/kernel/values/index.js";
import { Recording } from "../test/support/recorded.js";
import type { AnyEvent } from "../test/support/small-machine.js";
import { times } from "./setup.js";

const MIB = 1024 * 1024;
const size = fc.constantFrom(0, 10, 100_000, 2 * MIB, 4 * MIB - 40, 5 * MIB, 7.9 * MIB);
const letter = fc.constantFrom("a", "#", "=", "\n", "é", "😀");
/** So many characters of JSON, whatever they are. */
const text = fc.tuple(size, letter).map(([length, each]) => {
  const one = JSON.stringify(each).length - 2;
  return each.repeat(Math.max(0, Math.floor(length / one)));
});
const values = fc.oneof(
  { weight: 3, arbitrary: text as fc.Arbitrary<unknown> },
  fc.array(text, { maxLength: 3, size: "max" }),
  // Entries that are too short for a reference, and the keys of an object as well.
  fc.nat(900_000).map((length) => Array.from({ length }, (_, i) => (i % 2 === 0 ? "#" : i % 7))),
  fc
    .nat(60_000)
    .map((length) =>
      Object.fromEntries(Array.from({ length }, (_, i) => [`k${i}`.padEnd(40, "k"), i])),
    ),
);
const scripts = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant("set"), fields: fc.record({ large: values }), pad: text }),
    fc.record({
      type: fc.constant("say"),
      to: fc.constantFrom("a", "b"),
      items: fc.array(values, { maxLength: 3 }),
      pad: text,
    }),
    fc.record({ type: fc.constant("do"), count: fc.constantFrom(1, 300, 40_000), pad: text }),
  ),
  { minLength: 1, maxLength: 5, size: "max" },
);

it("no line is longer than a reader takes", () => {
  fc.assert(
    fc.property(scripts, text, (script, pad) => {
      const run = new Recording();
      const step = (event: AnyEvent) => {
        // What is larger is refused where it enters.
        if (!exceeds(toJson(event), MAX_EVENT_LENGTH)) run.step(event);
      };
      script.forEach((each, i) => {
        if ("fields" in each) step({ ...each, fields: { [`large${i}`]: each.fields.large } });
        else if ("items" in each) step(each);
        else {
          step({ type: "many", count: each.count, name: `${i}`, pad: each.pad });
        }
      });
      step({ type: "give", pad });
      const decoder = new LineDecoder();
      const read = new RecordedValues();
      let last: ReturnType<RecordedValues["take"]> = [];
      run.texts.forEach((line, i) => {
        expect(line.length).toBeLessThanOrEqual(MAX_LINE_LENGTH);
        const hash = line.slice(-34, -2);
        last = read.take(decoder.decode({ text: line, number: i + 1, hash }).line);
      });
      const { context } = run.state;
      const given = Object.entries(context).filter(([key]) => key.startsWith("large"));
      if (last.length === 0 || last[0]?.id !== "give/0") return;
      last.forEach(({ parts }, i) => {
        const input = read.value(parts.get("input") as Json) as { readonly text: Json };
        expect(refOf(toJson(input.text))).toBe(refOf(given[i]?.[1] as Json));
      });
    }),
    { numRuns: Math.ceil(8 * times) },
  );
});
