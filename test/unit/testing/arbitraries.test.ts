// What the arbitraries promise: JSON passes the border as it is, the rest is changed or refused there.
import fc from "fast-check";
import { expect, it } from "vitest";
import { repairTranscript } from "../../../src/core/agent/index.js";
import { isReckonerError, toJson } from "../../../src/core/kernel/values/index.js";
import {
  anyTranscript,
  jsonValue,
  modelAnswer,
  refusedValue,
  transcript,
  transcriptFault,
  unnormalisedValue,
} from "../../../src/testing/index.js";

const same = (value: unknown) => JSON.stringify(value);

it("JSON values pass the border and come out the same", () => {
  fc.assert(fc.property(jsonValue(), (value) => same(toJson(value)) === same(value)));
});

it("unnormalised values pass the border and come out well-formed", () => {
  fc.assert(
    fc.property(unnormalisedValue(), (value) => {
      const text = JSON.stringify(toJson(value));
      return !/\\ud[89a-f]/.test(text) && toJson(JSON.parse(text)) !== undefined;
    }),
  );
});

it("refused values are refused, with their path", () => {
  fc.assert(
    fc.property(refusedValue(), (value) => {
      let refused: unknown;
      try {
        toJson(value);
      } catch (thrown) {
        refused = thrown;
      }
      return isReckonerError(refused) && refused.place?.startsWith("$") === true;
    }),
  );
});

it("answers are JSON, their calls' ids mostly unique", () => {
  const answers = fc.sample(modelAnswer(["t"]), { seed: 1, numRuns: 300 });
  const unique = answers.map((answer) => {
    toJson(answer);
    const ids = answer.content.flatMap((part) => ("toolCallId" in part ? [part.toolCallId] : []));
    return new Set(ids).size === ids.length;
  });
  expect(unique.filter((each) => !each).length).toBeGreaterThan(20);
  expect(unique.filter((each) => each).length).toBeGreaterThan(150);
});

it("transcripts from anywhere are in every disorder", () => {
  const samples = fc.sample(anyTranscript(["t"]), { seed: 1, numRuns: 2_000 });
  const sums = { moved: 0, orphans: 0, duplicates: 0, answered: 0, renamed: 0, whole: 0 };
  for (const messages of samples) {
    const { repair } = repairTranscript(messages);
    if (repair === null) sums.whole += 1;
    for (const [what, count] of Object.entries(repair ?? {})) {
      sums[what as keyof typeof sums] += count;
    }
  }
  for (const count of Object.values(sums)) expect(count).toBeGreaterThan(50);
});

it("transcripts are whole, or end an answer's results too early", () => {
  const faults = fc.sample(transcript(["t"]), { seed: 1, numRuns: 300 }).map(transcriptFault);
  expect(faults.some((fault) => fault === undefined)).toBe(true);
  expect(faults.some((fault) => fault?.includes("before the result of"))).toBe(true);
  expect(faults.filter((fault) => fault?.includes("not due"))).toEqual([]);
});
