/**
 * Reads a model's verdict: valid or not. Negations are understood ("not entirely correct"), questions,
 * single steps and attributes ("the correct answer is 12") are no verdict, and what hedges or
 * contradicts itself is refused.
 */
import type { Json, JsonObject } from "../../kernel/index.js";
import { jsonIn } from "./json-in.js";
import { plainText } from "./plain-text.js";

/** "flaw": a part of it is wrong, which says nothing of the whole, but goes with no yes. */
type Verdict = boolean | "unclear" | "flaw";

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
const negation = /\b(?:not|never|cannot|nor|none|nothing|nowhere|no|impossible|far from)\b|n't\b/i;
const hedge =
  /\b(?:partly|partially|mostly|almost|nearly|largely|somewhat|hardly|barely|scarcely|perhaps|maybe|probably|possibly|likely|seems?|appears?|looks?|may|might|could|would|should|neither|either|both|sure|unclear|doubt|fails?|lacks?|without|used to)\b/i;
/** Who cannot say does not say no. */
const unsaid =
  /(?:\b(?:not|cannot|unable to|nobody can|no one can)|n't) (?:be )?(?:say|said|tell|know|known|confirm|confirmed|verify|determine|judge|decide|prove|guarantee)\b/i;
const conditional = /\b(?:if|unless|only|whether|provided|except|assuming)\b/i;
const part =
  /\b(?:steps?|lines?|parts?|items?|rows?|first|second|third|sum|format|numbers?|premises?|idea|approach)\b/i;
const whole = /\b(?:all|every|each)\b/i;
const final =
  /\b(?:verdict|conclusion|final|finally|in the end|on (?:closer|second) (?:look|thought)|overall|result|answer|therefore|hence|thus)\b/i;
/** `valid: false`, as in JSON without its braces. */
const keyed = /\b(?:valid|correct) ?[:=] ?(true|false|yes|no)\b/gi;
const clauses = /, | [-–—] |: |\b(?:but|hence|therefore|thus|so|because|since|and)\b/i;

/**
 * Whether a model finds a thought valid. `{"valid": true}` wins, then what the answer says it concludes
 * ("Verdict: invalid"), then a last line that is a verdict and nothing else; else all that it says must
 * agree.
 * @returns `undefined` where it does not say, hedges, or contradicts itself
 */
export function parseVerdict(text: string): boolean | undefined {
  const stated = jsonIn(text).flatMap(statedIn);
  if (stated.length > 0) return agreed(stated);
  const plain = plainText(text).replace(/ ?\(([^()\n]{0,200})\)/g, (_, aside: string) =>
    hedge.test(aside) || conditional.test(aside) ? ` ${aside}` : "",
  );
  const named = [...plain.matchAll(keyed)].map(([, word = ""]) => /^(?:true|yes)$/i.test(word));
  if (named.length > 0) return agreed(named);
  const lines = plain.split("\n");
  const said = lines.flatMap(sentencesOf).flatMap(verdictsIn);
  const concluded = said.filter((each) => each.final && each.verdict !== "flaw");
  if (concluded.length > 0) return agreed([concluded.at(-1)?.verdict ?? "unclear"]);
  const bare = /^(?:not )?[a-z]+[.!]?$/i.test(lines.at(-1) ?? "");
  const last = bare ? verdictsIn(lines.at(-1) ?? "").at(-1)?.verdict : undefined;
  if (last !== undefined && last !== "flaw") return agreed([last]);
  const verdicts = said.map(({ verdict }) => verdict);
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

function verdictsIn(sentence: string): { readonly verdict: Verdict; readonly final: boolean }[] {
  const text = sentence.replace(/(?<![.!;])[.!;]+$/, "").trim();
  if (text.endsWith("?")) return [];
  const found = text.split(clauses).flatMap((clause) => clauseVerdict(clause.trim()) ?? []);
  const vague = conditional.test(text);
  return found.map((verdict) => ({
    verdict: vague && verdict !== "flaw" ? "unclear" : verdict,
    final: final.test(text) || /^so\b/i.test(text),
  }));
}

/** "valid, but maybe not" */
const perhapsNot =
  /^(?:(?:maybe|perhaps|possibly|probably|likely|or) not|not (?:quite|really|entirely|exactly|completely|fully))$/i;

/** What a clause says of the thought as a whole; `undefined` where it says nothing. */
function clauseVerdict(clause: string): Verdict | undefined {
  if (perhapsNot.test(clause)) return "unclear";
  const plainly = /^(?:(?:actually|wait|rather|well|sorry|so|then|now) )*(yes|no)$/i.exec(clause);
  if (plainly !== null) return /^yes$/i.test(plainly[1] ?? "");
  const positive = anyPositive.test(clause);
  const negative = anyNegative.test(clause);
  if (positive && negative) return "unclear";
  const match = predicate.exec(clause);
  if (match === null || attribute.test(clause)) return undefined;
  const before = clause.slice(0, match.index);
  if (part.test(before) && !whole.test(before)) return negative ? "flaw" : undefined;
  if (hedge.test(clause) || unsaid.test(before) || anyNegative.test(before)) return "unclear";
  if (!negation.test(before)) return positive;
  return positive ? false : "unclear";
}
