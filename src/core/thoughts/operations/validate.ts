/**
 * ValidateAndImprove: validates a thought, and improves it while it is invalid. Call ids are
 * `<source>/check/<try>/<sample>` and `<source>/improve/<try>`; the verdict on each version is
 * stored under `<source>/verdict/<try>`. The original thought is try 0.
 */
import { type Json, tableGet, tableValues } from "../../kernel/index.js";
import type { Ask } from "../context.js";
import type { Thought } from "../graph/thought.js";
import { parseVerdict } from "../parsing/parse-verdict.js";
import {
  A_BOOLEAN,
  attempt,
  entryOf,
  inputOf,
  judge,
  problemOf,
  seenAs,
  stateOf,
  type Work,
} from "../work.js";
import { ask, resolve, viewOf } from "./ask.js";
import type { PromptView } from "./functions.js";
import { makeThoughts } from "./generate.js";
import type { Kind } from "./kind.js";
import type { Operation } from "./operation.js";
import { keepText, readAnswer } from "./read-answer.js";

type Validate = Operation<"validate">;

export const validateKind: Kind<"validate"> = {
  asks: (_work, { by }) => by === undefined,
  begin(work, operation, inputs) {
    inputs.forEach((entry, source) => {
      check(work, operation, { source, id: entry.id, tried: 0 });
    });
  },

  answer(work, operation, asked, text) {
    const version = versionIn(asked);
    if (isCheck(asked)) {
      if (operation.parseAll !== undefined) keepText(work, operation, asked, text);
      else {
        const parse = operation.parse ?? parseVerdict;
        const verdict = read(work, operation, version, (view) => parse(text, view));
        if (verdict !== undefined) resolve(work, operation.id, asked, verdict);
      }
      countChecks(work, operation, version);
      return;
    }
    const view = shownOf(work, operation, version);
    const [made] = makeThoughts(work, operation, asked, text, operation.improve || {}, view);
    if (made !== undefined) check(work, operation, { ...version, id: made });
  },

  lost(work, operation, asked) {
    if (isCheck(asked)) countChecks(work, operation, versionIn(asked));
  },

  close(work, operation, inputs) {
    // Verdicts are noted in the order of the tries, so the last one of a source stands.
    const last = new Map<number, Ask>();
    for (const noted of tableValues(stateOf(work, operation.id).asks)) {
      if (noted.path.includes("/verdict/")) last.set(noted.source, noted);
    }
    return inputs.map((entry, source) => {
      const { thought, result } = last.get(source) as Ask;
      return {
        ...(thought === entry.id ? entry : entryOf(thought)),
        valid: result as boolean | null,
      };
    });
  },
};

/** A version of a source: as it came, or after so many improvements. */
interface Version {
  readonly source: number;
  readonly id: string;
  readonly tried: number;
}

function isCheck({ path }: Ask): boolean {
  return path.includes("/check/");
}

function versionIn({ path, source, thought }: Ask): Version {
  return { source, id: thought, tried: Number(path.split("/")[2]) };
}

/** The version with what its way through the plan says of it. */
function seen(work: Work, operation: Validate, { source, id }: Version): Thought {
  const entry = inputOf(work, operation.id, source);
  return seenAs(work, entry.id === id ? entry : entryOf(id));
}

/** Finds out whether a version is valid: by the function, or by asking the model. */
function check(work: Work, operation: Validate, version: Version): void {
  const { by, samples = 1 } = operation;
  const { source, id, tried } = version;
  note(work, operation, version, null);
  if (by !== undefined) {
    const call = () => by(seen(work, operation, version), problemOf(work));
    const outcome = attempt(work, operation, id, "validator", call, A_BOOLEAN);
    // Of what a validator cannot take nobody can say that it is valid.
    decide(work, operation, version, outcome?.said === true);
    return;
  }
  const prompt = operation.prompt ?? work.spec.prompts.validate;
  const thoughts = [seen(work, operation, version)];
  for (let i = 0; i < samples; i++) {
    const path = `${source}/check/${tried}/${i}`;
    ask(work, operation, { path, source, thoughts, prompt, attempt: tried, makes: 0 });
  }
}

/** Decides by majority when all verdicts on a version are there; with none, nothing is decided. */
function countChecks(work: Work, operation: Validate, version: Version): void {
  const { asks } = stateOf(work, operation.id);
  const { parseAll } = operation;
  const texts: string[] = [];
  let yes = 0;
  let no = 0;
  // Those that were asked for: an upgrade may have changed how many there are.
  for (let i = 0; ; i++) {
    const asked = tableGet(asks, `${version.source}/check/${version.tried}/${i}`);
    if (asked === undefined) break;
    if (asked.status !== "done") return;
    if (asked.result === true) yes += 1;
    if (asked.result === false) no += 1;
    if (typeof asked.result === "string") texts.push(asked.result);
  }
  if (parseAll !== undefined && texts.length > 0) {
    const verdict = read(work, operation, version, (view) => parseAll(texts, view));
    if (verdict !== undefined) decide(work, operation, version, verdict);
  } else if (yes + no > 0) decide(work, operation, version, yes > no);
}

/** A parser's verdict on a version; else a counted failure. */
function read(
  work: Work,
  operation: Validate,
  version: Version,
  parse: (view: PromptView) => boolean | undefined,
): boolean | undefined {
  return readAnswer(work, operation, shownOf(work, operation, version), parse, (said) =>
    typeof said === "boolean" ? said : undefined,
  );
}

/** A version as a parser sees it. */
function shownOf(work: Work, operation: Validate, version: Version): PromptView {
  return viewOf(work, { thoughts: [seen(work, operation, version)], attempt: version.tried });
}

function decide(work: Work, operation: Validate, version: Version, valid: boolean): void {
  const { source, id, tried } = version;
  const { improve = {}, tries = 3 } = operation;
  note(work, operation, version, valid);
  judge(work, operation, id, { valid });
  if (valid || improve === false || tried >= tries) return;
  const thoughts = [seen(work, operation, version)];
  const prompt = improve.prompt ?? work.spec.prompts.improve;
  const path = `${source}/improve/${tried + 1}`;
  ask(work, operation, { path, source, thoughts, prompt, attempt: tried + 1, makes: 1 });
}

function note(work: Work, operation: Validate, { source, id, tried }: Version, result: Json): void {
  const path = `${source}/verdict/${tried}`;
  const nothing = { rooms: 0, repeated: 0, tokens: 0, cost: 0, directive: null, answer: null };
  const noted: Ask = { path, source, thought: id, status: "done", ...nothing, result: null };
  resolve(work, operation.id, noted, result);
}
