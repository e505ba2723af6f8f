// What the arbitraries promise: JSON passes the border as it is, the rest is changed or refused there.
import fc from "fast-check";
import { expect, it } from "vitest";
import { isReckonerError, toJson } from "../../../src/core/kernel/index.js";
import {
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

it("answers are JSON, their calls' ids unique", () => {
  fc.assert(
    fc.property(modelAnswer(["t"]), (answer) => {
      toJson(answer);
      const ids = answer.content.flatMap((part) => ("toolCallId" in part ? [part.toolCallId] : []));
      return new Set(ids).size === ids.length;
    }),
  );
});

it("transcripts are whole, or end an answer's results too early", () => {
  const faults = fc.sample(transcript(["t"]), { seed: 1, numRuns: 300 }).map(transcriptFault);
  expect(faults.some((fault) => fault === undefined)).toBe(true);
  expect(faults.some((fault) => fault?.includes("before the result of"))).toBe(true);
  expect(faults.filter((fault) => fault?.includes("not due"))).toEqual([]);
});
