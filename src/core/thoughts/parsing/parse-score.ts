/**
 * Parses scores in a model's answer: JSON in prose, `Score: 7/10`, "a 6 on a scale from 1 to 10".
 * Ambiguous texts are refused: a misread score would count like any other.
 */

import * as shapes from "../../kernel/shapes.js";
import type { Json, JsonObject } from "../../kernel/values/index.js";
import { checkArguments, jsonIn, placedJson, spokenText } from "../../kernel/vocabulary/index.js";
import { plainText } from "./plain-text.js";
import { DIGITS, MAX_SCORE, NUMBER, numberOf, type Quantity, quantityAt } from "./quantity.js";

export { MAX_SCORE } from "./quantity.js";

const LABEL = "(?:score|rating|grade|mark|assessment)";
/** A label, perhaps a remark in parentheses, and what connects it with a number, or does not. */
const labels = new RegExp(
  String.raw`((?:[\w'-]{1,20} ){0,2})\b${LABEL}\b(?: for (?:this|that|the|your) [a-z]{1,20})?(?: ?\([^)\n]{0,40}\))?(?:[ \n]?(?::|=|-{1,2}>|-(?=[ \n])|–|—|\b(?:is|of|be)\b)){0,2}[ \n]?(${NUMBER})?`,
  "gi",
);
const connected = /(?::|=|->|–|—|-|\b(?:is|of|be)\b)[ \n]?$/i;
/** "I give it a 7", "I would rate this thought 3 out of 10". */
const verb = new RegExp(
  String.raw`\b(?:give|gives|(?:rate|score|grade)(?= (?:it|this|that|the)\b)|deserves?|earns?|put|say|assess)\b[^.?!:=\n]{0,40}? (${DIGITS})`,
  "gi",
);
const fractions = new RegExp(String.raw`(${NUMBER})(?= ?(?:\/|out of))`, "gi");
const isA = new RegExp(String.raw`\bis an? (${DIGITS})`, "gi");
const beforeScale = new RegExp(`(${NUMBER})(?= (?:on|in) (?:a|the) scale)`, "gi");
const scales = [
  /\bscale (?:from |of |between )?(?:\d{1,3} ?(?:to|-|–|and) ?)?(\d{1,3})\b/gi,
  /(?<![\d%] |(?:zero|one|two|three|four|five|six|seven|eight|nine|ten) )\bout of (\d{1,3}|five|ten)\b/gi,
  /\b(\d{1,3})[- ]point scale\b/gi,
  /\b(\d{1,3}) ?(?:=|is|means|being) ?(?:the )?(?:best|perfect|excellent|highest)\b/gi,
  /\b[01] ?(?:to|-|–) ?(\d{1,3}) scale\b/gi,
  /\(of ?(\d{1,3})\)/gi,
  /\bmax(?:imum)?\b\.?:? ?(\d{1,3})\b/gi,
  /\((?:from )?[01] ?(?:to|-|–) ?(\d{1,3})\)/gi,
];
/** The words that may stand behind a score, and say that it is one and no count of something. */
const ends =
  /^(?: ?(?:stars?|points?|pts|marks?)\b)?(?:$|[.,;!?)\n]|:(?! ?\d)| [-–—] ?(?!\d)| ?\((?!\d(?!\d{0,2}-point))| (?:because|since|as|for|and|but|so|given|due|overall|here|too|in all|in total|in my|on (?:balance|the whole|reflection|a|the|this)|in (?:a|the|this) scale)\b)/i;
/** "8 (but could be 6)", "nine and a half", "5 at best", "1. 2. 3." */
const unsure =
  /^ ?(?:\([^)\n]{0,60}\b(?:but|could|might|or|maybe|perhaps|if)\b|and (?:a |one |three )?(?:half|quarters?|thirds?)\b|at (?:best|most|least|worst)\b|\. ?\d)/i;
/** The words that may stand before a score that has no label: who gives it, and to what. */
const giver: ReadonlySet<string> = new Set(
  `i i'd i'll i'm we we'd would will do give giving rate score grade say put assess go going think with at of
  it it's its this that thought answer solution result one the a an is are be gets earns deserves gives
  scores rates worth worthy only just solid strong weak good fair decent mere clear my our final score rating
  grade mark verdict overall so then thus hence therefore now here total by out on`.split(/\s+/),
);
/** The signs and words that part a saying from the one before it. */
const border = /[.;!?\n,(–—]| - |\b(?:but|and|so|because|since)\b/gi;
const others =
  /\b(?:previous|last|old|earlier|base|raw|initial|tentative|max|maximum|minimum|min|highest|lowest|perfect|best|possible|threshold|passing|target|expected|average|mean|no)\b/i;
const finals = /\b(?:final|overall|total|new|revised|updated|corrected)\b/i;
const plainQualifier =
  /^(?:(?:the|my|this|its|a|an|is|and|or|rather|so|therefore|thus|one|it|this) ?)*$/i;
/** "Score: 3, no wait, 5": who takes a number back says another one. */
const takenBack =
  /\b(?:wait|actually|correction|correcting|scratch that|make (?:it|that)|sorry|well|hmm|plus|minus|bonus|now|final|i mean|on second thoughts?|or rather)\b[^\n]{0,60}\d/i;
/** "7, but the arithmetic is off, so 4"; "7, but it is off: 4" */
const concludedOtherwise = [
  String.raw`\b(?:so|thus|hence|therefore|then|making it|down to)\b[, :]{0,2}(?:(?:i|it|it's|is|that's|a|an|only|just|rather|more|like|say|at|give|would|i'd|to|score|final|of) ){0,6}${NUMBER}(?=[.,;!)\n]|$| ?/ ?10| out of| at (?:most|best)| it is| overall| in all)`,
  String.raw`\b(?:but|though|although|however)\b[^\n]{0,120}?(?::|–|—| -) ?${NUMBER}[.!]{0,3}(?:$|\n)`,
].map((other) => new RegExp(String.raw`^[^\n]{0,160}?${other}`, "i"));
/** "2 for form and 3 for content" */
const oneOfSeveral = /^[^.\n]{0,80}?\b(?:and|plus)\b[^.\n]{0,40}?\d/i;
/** "5/10 for clarity, 9/10 for rigour" */
const ofAnAspect = /^ ?(?:for|in|on)\b[^\n]{0,80}?\d ?(?:\/|out of)/i;
/** "2 for form and 3 for content" */
const ofSeveral =
  /^ ?(?:for|in|on)\b[^.\n]{0,60}?(?:\band\b|\bplus\b|[,;]) ?\d+(?:\.\d+)? (?:for|in|on)\b/i;
/** A number that something is compared with is not the score: "worse than 4/10". */
const compared =
  /\b(?:than|least|most|almost|nearly|under|over|above|below|up to|anything but) (?:an? )?$/i;
const denied = /\b(?:not|never|cannot|nor|hardly|without|if|were)\b|n't\b/i;

/**
 * The score in an answer, on the scale from 0 to 10: a fraction, a percentage or a number on another
 * scale that the answer names is converted. The last line wins where it is a score and nothing else;
 * else all that the answer says must agree.
 * @returns `undefined` where there is none, none on the scale, or more than one
 */
export function parseScore(text: string): number | undefined {
  checkArguments("parseScore", { text }, { text: shapes.TEXT });
  const stated = jsonIn(text).flatMap(scoresOf);
  if (stated.length > 0) return agreed(stated);
  const plain = plainText(inEnglish(spokenText(text)));
  const scale = scaleOf(plain);
  if (scale === undefined) return undefined;
  const line = plain.slice(plain.lastIndexOf("\n") + 1);
  const last = alone(line, scale);
  if (last !== undefined) return last.score;
  const labelled = labelledIn(plain, scale);
  if (labelled !== undefined) return labelled.score;
  const sayings = sayingsIn(plain, scale);
  return sayings.length > 0 ? agreed(sayings) : firstIn(plain, scale);
}

/** The words of judges for "score", in other languages too, where a colon says that one follows. */
const OTHER_LABELS =
  /(?:评分|得分|分数|打分|評分|分數|評価|点数|スコア|점수|평점|Bewertung|Punktzahl|Puntuaci[oó]n|Punteggio|Pontuaç[aã]o|Оценка|Evaluation)(?= ?[:：=])/giu;

/** A judge's words, as {@link parseScore} knows them. */
function inEnglish(text: string): string {
  return text
    .replace(/\[RESULT\][ :]*/gi, "\nFinal score: ")
    .replace(OTHER_LABELS, "Score")
    .replace(/(\d) ?[分点점](?!\p{L})/gu, "$1")
    .replace(/\[( ?[01] ?(?:-|–|to) ?\d{1,3} ?)\]/g, "($1)")
    .replace(/\bout of an? (?:possible|maximum|total)(?: of)? (?=\d)/gi, "out of ");
}

/** A number that a text begins with, before what it says of it; one that may count an item is none. */
const first = new RegExp(`^(${NUMBER})(?=(?: ?(?:/|out of) ?10)?(?:\\n| ?[:–—-] ?\\p{L}))`, "iu");

function firstIn(text: string, scale: number): number | undefined {
  const [, number] = first.exec(text) ?? [];
  if (number === undefined) return undefined;
  const quantity = quantityAt(text, number, number.length, scale);
  const isOnly = !/\d/.test(text.slice(quantity.end));
  return isOnly && numberOf(number) !== 1 ? quantity.score : undefined;
}

/** The words before a list that say that it is one of scores. */
const listLabel = new RegExp(
  String.raw`\b${LABEL}s?\b[*_\x60"']{0,2}(?: ?\([^)\n]{0,40}\))?(?: (?:are|is|of))?[ :=*_\x60]{0,6}$`,
  "i",
);

/**
 * The scores in an answer about several thoughts: a JSON array of numbers, or one in each line. Of
 * several arrays those count that are called scores, which must agree, else the last one.
 * @returns `undefined` too where an array and as many lines, or more, say different things
 */
export function parseScores(answer: string): readonly number[] | undefined {
  checkArguments("parseScores", { answer }, { answer: shapes.TEXT });
  const text = spokenText(answer);
  const lists = placedJson(text).flatMap(({ value, from, to }) => {
    const list = Array.isArray(value) ? value : (value as JsonObject | null)?.scores;
    if (!Array.isArray(list) || list.length === 0) return [];
    const label = listLabel.exec(text.slice(Math.max(0, from - 80), from))?.[0].length ?? 0;
    return [{ list: list as readonly Json[], label, from: from - label, to }];
  });
  const lineScores = labelledLines(without(text, lists));
  const named = lists.filter(({ label }) => label > 0);
  const [last, ...before] = (named.length > 0 ? named : lists.slice(-1)).reverse();
  if (last === undefined) return clean(lineScores);
  const scores = clean(last.list.map(scoreIn));
  const isOne = before.every(({ list }) => isSame(list.map(scoreIn), scores));
  // Fewer lines are about something else: "a score of 10 is perfect".
  const differs = lineScores.length >= last.list.length && !isSame(lineScores, scores);
  return isOne && !differs ? scores : undefined;
}

/** The scores that lines say, `undefined` for one that says none which is clear. */
function labelledLines(text: string): (number | undefined)[] {
  return plainText(text)
    .split("\n")
    .flatMap((line) => {
      const labelled = labelledIn(line, MAX_SCORE);
      return labelled === undefined ? [] : [labelled.score];
    });
}

function without(text: string, parts: readonly { readonly from: number; readonly to: number }[]) {
  const ends = [0, ...parts.map(({ to }) => to)];
  return [...parts.map(({ from }) => from), text.length]
    .map((from, i) => text.slice(ends[i], from))
    .join(" ");
}

/** All scores, where there are some and each is one. */
function clean(scores: readonly (number | undefined)[]): readonly number[] | undefined {
  const numbers = scores.filter((score) => score !== undefined);
  return numbers.length > 0 && numbers.length === scores.length ? numbers : undefined;
}

function isSame(
  some: readonly (number | undefined)[],
  others: readonly (number | undefined)[] = [],
): boolean {
  return some.length === others.length && some.every((score, i) => score === others[i]);
}

/**
 * Returns the scores of an object under keys that mean a score; `undefined` in it for a value that is
 * none.
 */
function scoresOf(value: Json): (number | undefined)[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  return Object.entries(value)
    .filter(([key]) => /^(?:overall|final|total)?[_ ]?(?:score|rating)$/i.test(key))
    .map(([, score]) => {
      if (typeof score === "number") return onScale(score);
      if (typeof score === "object") return valueIn(score);
      return typeof score === "string" ? alone(plainText(score), MAX_SCORE)?.score : undefined;
    });
}

/** `{ "value": 8 }`; with anything but a reason beside it, nobody knows what it is out of. */
function valueIn(score: Json): number | undefined {
  const { value, ...rest } = (score ?? {}) as { readonly value?: Json };
  const isPlain = Object.values(rest).every((each) => typeof each === "string");
  return isPlain && typeof value === "number" ? onScale(value) : undefined;
}

function scoreIn(value: Json): number | undefined {
  return typeof value === "number" ? onScale(value) : agreed(scoresOf(value));
}

function onScale(score: number): number | undefined {
  return score >= 0 && score <= MAX_SCORE ? score : undefined;
}

/** The one value, where all are the same. */
function agreed(scores: readonly (number | undefined)[]): number | undefined {
  const [first] = scores;
  return scores.every((score) => score === first) ? first : undefined;
}

/** Returns the scale of a bare number, as the text names it; `undefined` where it names several. */
function scaleOf(text: string): number | undefined {
  const named = scales.flatMap((scale) => [...text.matchAll(scale)]);
  const wholes = new Set(named.map(([, whole = ""]) => numberOf(whole) ?? 0));
  const [only = MAX_SCORE] = wholes;
  return wholes.size > 1 || only <= 0 ? undefined : only;
}

/** Perhaps an item of a list; "-3" is below every scale. */
const naked = new RegExp(`^(?:\\( ?|- )?(${NUMBER})`, "i");

/** A line that is a score and nothing else: `7`, `(7)`, `Score: 7/10.` */
function alone(line: string, scale: number): Quantity | undefined {
  const bare = naked.exec(line);
  const [found] = [...line.matchAll(labels)];
  const own = found?.index === 0 && !others.test(found[1] ?? "") && isOwn(found[1] ?? "");
  const match = bare ?? (own ? found : undefined);
  const number = bare === null ? found?.[2] : bare[1];
  if (match == null || number === undefined) return undefined;
  const quantity = quantityAt(line, number, match.index + match[0].length, scale);
  const rest = line.slice(quantity.end).replace(/^ ?(?:points?|stars?|pts)\b/i, "");
  if (!/^ ?[).!]*$/.test(rest)) return undefined;
  return quantity;
}

function isOwn(qualifier: string): boolean {
  return finals.test(qualifier) || plainQualifier.test(qualifier.trim());
}

/** The label that counts most: a final score before a score, a score before one of an aspect. */
function labelledIn(text: string, scale: number): { score: number | undefined } | undefined {
  const ranks: (number | undefined)[][] = [[], [], []];
  for (const match of text.matchAll(labels)) {
    const [all, qualifier = "", number] = match;
    const end = match.index + all.length;
    if (others.test(qualifier) || isDoubted(text, match.index + qualifier.length)) continue;
    const rank = finals.test(qualifier) ? 2 : plainQualifier.test(qualifier.trim()) ? 1 : 0;
    if (number === undefined) {
      // "Score: unknown" says that there is none; "the score of the last one" says nothing.
      if (/[:=] ?$/.test(all)) ranks[rank]?.push(undefined);
      continue;
    }
    const quantity = quantityAt(text, number, end, scale);
    const loose = !connected.test(all.slice(0, -number.length));
    const behind = text.slice(quantity.end, quantity.end + 200);
    if (loose && !/^ ?(?:$|[.,;!)\n])/.test(behind)) continue;
    const doubtful = [takenBack, ...concludedOtherwise, ofAnAspect, ofSeveral, unsure].some(
      (each) => each.test(behind),
    );
    // "Score:\n1. Clarity" is the first of a list.
    const item = all.includes("\n") && /^\. ?\p{L}/u.test(behind);
    ranks[rank]?.push(doubtful || item || !ends.test(behind) ? undefined : quantity.score);
  }
  const [aspects = [], plain = [], final = []] = ranks;
  const best = final.length > 0 ? final : plain.length > 0 ? plain : aspects;
  if (best.length === 0) return undefined;
  // Two aspects are no score, also where they agree.
  return { score: best === aspects && best.length > 1 ? undefined : agreed(best) };
}

/** Returns the scores that a text says without a label. */
function sayingsIn(text: string, scale: number): (number | undefined)[] {
  const found: (number | undefined)[] = [];
  const add = (pattern: RegExp, only: (quantity: Quantity) => boolean) => {
    for (const match of text.matchAll(pattern)) {
      const number = match[1] as string;
      const end = match.index + match[0].length;
      const quantity = quantityAt(text, number, end, scale);
      if (isDoubted(text, end - number.length) || !only(quantity)) continue;
      const before = text.slice(Math.max(0, end - number.length - 20), end - number.length);
      const ranged = /\d ?(?:-|–|—|to|or|and) ?$/.test(before) || compared.test(before);
      const behind = text.slice(quantity.end, quantity.end + 200);
      const doubtful =
        ranged ||
        !namesJudge(text, end - number.length) ||
        [takenBack, ...concludedOtherwise, oneOfSeveral, unsure].some((each) => each.test(behind));
      found.push(doubtful ? undefined : quantity.score);
    }
  };
  const over = ({ end }: Quantity) => ends.test(text.slice(end, end + 200));
  add(verb, (quantity) => over(quantity) || /^ (?:on|in|or|to)\b/i.test(text.slice(quantity.end)));
  add(fractions, (quantity) => quantity.whole && over(quantity) && isCommon(text, quantity));
  add(beforeScale, () => true);
  if (/\bscale\b/i.test(text)) add(isA, over);
  return found;
}

/** Returns true when all words before a number, in its part of a sentence, say who gives it and to what. */
function namesJudge(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 200), at);
  const last = [...before.matchAll(border)].at(-1);
  const part = last === undefined ? before : before.slice(last.index + last[0].length);
  return part
    .toLowerCase()
    .split(/[ :]/)
    .every((word) => word === "" || giver.has(word));
}

/** "8/10" may be a score; "3/4" is arithmetic. */
function isCommon(text: string, { end }: Quantity): boolean {
  return /(?:\/|of) ?(?:5|10|100|five|ten)$/i.test(text.slice(0, end));
}

/** Returns true when the sentence before a place denies or only asks the rest. */
function isDoubted(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 200), at);
  const sentence = before.slice(
    Math.max(...[". ", "\n", "? ", "! ", "; "].map((end) => before.lastIndexOf(end))) + 1,
  );
  const asked = /^[^.!\n]{0,200}\?/.test(text.slice(at).replace(/\d\.\d/g, ""));
  return denied.test(sentence) || asked;
}
