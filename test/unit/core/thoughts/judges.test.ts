// Scores as judges write them: models of other languages, with their thinking, by public rubrics.
import { describe, expect, it } from "vitest";
import { parsers } from "../../../../src/thoughts.js";

describe("the score of a judge who writes", () => {
  it.each<[string, number | undefined]>([
    ["7\n\nThe steps follow from each other.", 7],
    ["7/10\nThe steps follow.", 7],
    ["6 - a gap in the middle.", 6],
    ["9: convincing", 9],
    ["My rating for this answer is 6.", 6],
    ["Score: 9/10 ✅", 9],
    ["🌟 6/10", 6],
    ["Rating: 7\u200b", 7],
    ["Feedback: clear. [RESULT] 5", 5],
    ["[RESULT]: 3", 3],
    ["<think>Is it a 3? Rather a 4.</think>\n7", 7],
    ["Score [0-10]: 6", 6],
    ["6 out of a maximum of 10", 6],
    ["得分：7", 7],
    ["評分: 6/10", 6],
    ["7分", 7],
    ["점수: 9", 9],
    ["Bewertung: 6/10", 6],
    ["Puntuación: 9", 9],
    ["Evaluation: 7/10", 7],
    ['{"rating": {"value": 6, "reason": "a gap"}}', 6],
    // Nobody can tell.
    ["1: The premise holds.", undefined],
    ["1 - the premise.\n2 - the step.", undefined],
    ["3: good, 4 would be better", undefined],
    ["2\n3", 3],
    ['{"score": {"value": 3, "max": 5}}', undefined],
    ["Evaluation of the 3 steps", undefined],
    ["<think>8/10", undefined],
    ["7 steps: all fine", undefined],
  ])("%j is %s", (text, score) => expect(parsers.score(text)).toBe(score));

  it("several, or a verdict, behind its thinking", () => {
    expect(parsers.scores("<think>[1, 2] or so</think>[6, 7]")).toEqual([6, 7]);
    expect(parsers.verdict("<think>Invalid? No.</think>\nvalid")).toBe(true);
    expect(parsers.verdict('<think>{"valid": false}</think>{"valid": true}')).toBe(true);
  });
});
