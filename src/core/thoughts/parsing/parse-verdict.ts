/**
 * Parses a model's verdict: valid or not. A clause counts only if every word in it is known: who
 * judges ("I think that the answer is"), how surely, a negation, and the verdict. Anything else
 * ("half right", "some claim it is valid") makes it unclear, so that unforeseen texts are refused
 * and not misread. Questions, single steps and attributes ("the correct answer is 12") are no
 * verdicts.
 */

import * as shapes from "../../kernel/shapes.js";
import type { Json, JsonObject } from "../../kernel/values/index.js";
import { checkArguments, jsonIn, spokenText } from "../../kernel/vocabulary/index.js";
import { plainText } from "./plain-text.js";

/** "flaw": a part of it is wrong, which says nothing of the whole, but goes with no yes. */
type Verdict = boolean | "unclear" | "flaw";

/** The standing of a verdict: the model's conclusion, or a word on the result alone. */
type Final = "conclusion" | "outcome" | false;

const POSITIVE = "valid|correct|right|true";
const NEGATIVE = "invalid|incorrect|wrong|false";
const NOUN = "answer|solution|thought|result|argument|reasoning|proof|conclusion";
/** The word at the end of a clause, perhaps before a noun that means the whole thought. */
const predicate = new RegExp(
  String.raw`\b(?:(${POSITIVE})|(${NEGATIVE}))(?: (?:${NOUN}|overall|here|now|too|indeed|then|as well))?$`,
  "i",
);
const anyPositive = new RegExp(String.raw`\b(?:${POSITIVE})\b`, "i");
const anyNegative = new RegExp(String.raw`\b(?:${NEGATIVE})\b`, "i");
const attribute = new RegExp(
  String.raw`\b(?:the|its|their|has an?|have an?|with an?) \S+ (?:${NOUN})$`,
  "i",
);
/** "Correct answer: 12" */
const heading = new RegExp(`^(?:${POSITIVE}|${NEGATIVE}) (?:${NOUN})$`, "i");
/** The words that may stand before the verdict. */
const fillers: ReadonlySet<string> = new Set(
  `it this that these they everything all every each of the its a an whole entire given final above
  ${NOUN.replaceAll("|", " ")} answers solutions thoughts results arguments proofs conclusions verdict
  judgement judgment assessment steps step lines line parts part items item rows row
  is are be as do does i we think believe find conclude agree say call judge consider would
  well then so thus hence therefore finally now actually clearly certainly definitely indeed really
  quite entirely completely fully perfectly absolutely obviously surely simply also still just totally
  undoubtedly unquestionably wholly exactly overall yes ok okay hmm here`.split(/\s+/),
);
const NOT =
  /(?:\b(?:far from|no longer|none of|nothing in|not the case that|impossible that|cannot|can't|not|never|nor|none|nothing|no)\b|n't\b)/gi;
/** A judge who cannot say does not say no. */
const unsaid =
  /(?:\b(?:not|cannot|can't|never)\b|n't\b) (?:say|call|agree|conclude|judge|consider)\b/i;
/** "It would be correct" is under a condition; "I would say" is not. */
const supposed = /\bwould (?!(?:say|call|judge|conclude|agree)\b)/i;
/** "is it valid" asks, without its sign too. */
const asked =
  /^(?:is|are|does|do) (?:it|this|that|these|they|the|its|all|every|each|everything)\b/i;
/** The words by which an aside takes a verdict back. */
const hedge =
  /\b(?:partly|partially|mostly|almost|nearly|largely|somewhat|hardly|barely|perhaps|maybe|probably|possibly|likely|might|could|except|but)\b/i;
const conditional =
  /\b(?:if|unless|only|whether|provided|except|assuming|suppose|so far|apart from|save for|up to|until|let(?:'s| me| us))\b/i;
/** "True, but irrelevant" */
const limited = new RegExp(
  String.raw`\b(?:${POSITIVE})\b.{0,40}\b(?:but|though|although|however)\b`,
  "i",
);
const part =
  /\b(?:steps?|lines?|parts?|items?|rows?|first|second|third|sum|format|numbers?|premises?|idea|approach)\b/i;
const whole = /\b(?:all|every|each)\b/i;
const final =
  /\b(?:verdict|conclusion|final|finally|in the end|on (?:closer|second) (?:look|thought)|overall|therefore|hence|thus)\b/i;
/** Of what is judged: as good as a conclusion, unless something else in it is found wrong. */
const outcome = /\b(?:result|answer)\b/i;
/** `valid: false`, as in JSON without its braces. */
const keyed = /\b(?:valid|correct) ?[:=] ?(true|false|yes|no)\b/gi;
const clauses = /, | [-–—] |(: )|\b(?:but|hence|therefore|thus|so|because|since|and)\b/i;

/**
 * Returns true when a model finds a thought valid. `{"valid": true}` wins, then what the answer says it
 * concludes ("Verdict: invalid"), then a last line that is a verdict and nothing else; else all that it
 * says must agree.
 * @returns `undefined` where it does not say, hedges, or contradicts itself
 */
export function parseVerdict(answer: string): boolean | undefined {
  checkArguments("parseVerdict", { answer }, { answer: shapes.TEXT });
  const text = spokenText(answer);
  const stated = jsonIn(text).flatMap(statedIn);
  if (stated.length > 0) return agreed(stated);
  // Boxes of which one is ticked: both words are there.
  if (/\[ \]|\( \)/.test(text)) return undefined;
  const plain = plainText(text)
    .replace(/ ?\(([^()\n]{0,200})\)/g, (_, aside: string) =>
      hedge.test(aside) || conditional.test(aside) ? ` ${aside}` : "",
    )
    .replace(/\banything but\b/gi, "not");
  const named = [...plain.matchAll(keyed)].map(([, word = ""]) => /^(?:true|yes)$/i.test(word));
  if (named.length > 0) return agreed(named);
  const lines = plain.split("\n");
  const claims = lines.flatMap(sentencesOf).flatMap(verdictsIn);
  const concluded = claims.findLast((each) => each.final !== false && each.verdict !== "flaw");
  if (concluded !== undefined) {
    // "The result is right. The reasoning is wrong."
    const against = claims.some(({ final, verdict }) => final === false && verdict === false);
    const open = concluded.final === "outcome" && concluded.verdict === true && against;
    return open ? undefined : agreed([concluded.verdict]);
  }
  const bare = /^(?:not )?[a-z]+[.!]?$/i.test(lines.at(-1) ?? "");
  const last = bare ? verdictsIn(lines.at(-1) ?? "").at(-1)?.verdict : undefined;
  if (last !== undefined && last !== "flaw") return agreed([last]);
  const verdicts = claims.map(({ verdict }) => verdict);
  return agreed(verdicts.includes(true) ? verdicts : verdicts.filter((each) => each !== "flaw"));
}

function agreed(verdicts: readonly Verdict[]): boolean | undefined {
  const [first] = verdicts;
  const same = verdicts.every((verdict) => verdict === first);
  return same && typeof first === "boolean" ? first : undefined;
}

function statedIn(value: Json): Verdict[] {
  return Object.entries(value as JsonObject)
    .filter(([key]) => /^(?:is_?)?(?:valid|correct)$|^verdict$/i.test(key))
    .map(([, verdict]) => {
      if (typeof verdict === "boolean") return verdict;
      const text = typeof verdict === "string" ? verdict.trim().toLowerCase() : "";
      return text === "" ? "unclear" : (clauseVerdict(text) ?? "unclear");
    });
}

/** Sentences with the sign that ends them; a point within a number ends none. */
function sentencesOf(line: string): string[] {
  return line.split(/(?<=[.!?;])\s+/);
}

function verdictsIn(sentence: string): { readonly verdict: Verdict; readonly final: Final }[] {
  const text = sentence.replace(/(?<![.!;])[.!;]+$/, "").trim();
  if (text.endsWith("?")) return [];
  // Every other one is what parts two clauses, where that is a colon.
  const parted = text.split(clauses);
  const found = parted.flatMap((clause, i) => {
    if (i % 2 === 1 || clause === undefined) return [];
    const words = clause.trim();
    const heads = parted[i + 1] !== undefined && heading.test(words);
    return heads ? [] : (clauseVerdict(words) ?? []);
  });
  const vague = [conditional, limited, notAVerdict].some((each) => each.test(text));
  // The verdict itself is not what the sentence concludes from: "Right result."
  const before = text.replace(predicate, "");
  return found.map((verdict) => ({
    verdict: vague && verdict !== "flaw" ? "unclear" : verdict,
    final:
      final.test(before) || /^so\b/i.test(text) ? "conclusion" : outcome.test(before) && "outcome",
  }));
}

/** "valid, but maybe not"; "valid … not"; "yes, in part" */
const takenBack =
  /^(?:(?:(?:maybe|perhaps|possibly|probably|likely|or) )?not|not (?:quite|really|entirely|exactly|completely|fully)|(?:at least |or )?(?:in part|partly|partially|almost|mostly|nearly|sort of|kind of|more or less|somewhat))$/i;
/** "right now" says when, "valid: n/a" does not say it. */
const notAVerdict = new RegExp(
  String.raw`^(?:(?:${POSITIVE}) (?:here|now|then)$|(?:${POSITIVE}): (?:\S+ ?){1,3}$)`,
  "i",
);

/** Returns a clause's verdict on the thought as a whole; `undefined` where it has none. */
function clauseVerdict(clause: string): Verdict | undefined {
  if (takenBack.test(clause)) return "unclear";
  const plainly = /^(?:(?:actually|wait|rather|well|sorry|so|then|now) )*(yes|no)$/i.exec(clause);
  if (plainly !== null) return /^yes$/i.test(plainly[1] ?? "");
  const positive = anyPositive.test(clause);
  const negative = anyNegative.test(clause);
  if (positive && negative) return "unclear";
  const match = predicate.exec(clause);
  if (match === null || attribute.test(clause)) return undefined;
  const before = clause.slice(0, match.index);
  if (part.test(before) && !whole.test(before)) return negative ? "flaw" : undefined;
  const odd = [unsaid, supposed, asked, anyNegative].some((each) => each.test(before));
  let negations = 0;
  const rest = before.replace(NOT, () => {
    negations += 1;
    return " ";
  });
  if (odd || negations > 1 || !wordsOf(rest).every((word) => fillers.has(word))) return "unclear";
  if (negations === 0) return positive;
  return positive ? false : "unclear";
}

/** Words, with what is drawn together taken apart: "it's" is two. */
function wordsOf(text: string): string[] {
  const whole = text
    .toLowerCase()
    .replace(/'(?:s|re|d|m)\b/g, "")
    .replace(/\b(?:ca|wo)n\b/g, " ");
  return whole.split(/[\s.!;]+/).filter((word) => word !== "" && word !== "'");
}
