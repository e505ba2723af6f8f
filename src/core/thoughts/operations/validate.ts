/**
 * The operation ValidateAndImprove: validates a thought, and improves it while it is invalid. Call ids are
 * `<source>/check/<try>/<sample>` and `<source>/improve/<try>`; the original thought is try 0.
 */
import { tableGet, tableSet } from "../../kernel/values/index.js";
import type { Ask, Version } from "../context.js";
import { parseVerdict } from "../parsing/parse-verdict.js";
import {
  A_BOOLEAN,
  attempt,
  entryOf,
  inputOf,
  judge,
  problemOf,
  putState,
  seenAs,
  stateOf,
  type Work,
} from "../work-on-context.js";
import { ask, viewOf } from "./ask.js";
import type { PromptView } from "./functions.js";
import { makeThoughts } from "./generate.js";
import type { Kind } from "./kind.js";
import type { Operation } from "./operation.js";
import { readAnswer, recordAnswer } from "./read-answer.js";

type Validate = Operation<"validate">;

export const validateKind: Kind<"validate"> = {
  asks: ({ by }) => by === undefined,
  begin(work, operation, inputs) {
    inputs.forEach(({ id }, source) => {
      check(work, operation, { source, id, tried: 0, valid: null });
    });
  },

  answer(work, operation, asked, text) {
    const version = versionOf(work, operation, asked.source);
    if (!isCheck(asked)) {
      const next = { ...version, tried: version.tried + 1 };
      const view = shownOf(work, operation, next);
      const [id] = makeThoughts(work, operation, asked, text, operation.improve || {}, view);
      if (id !== undefined) check(work, operation, { ...next, id, valid: null });
      return;
    }
    const { parse = parseVerdict } = operation;
    recordAnswer(work, operation, asked, text, () =>
      read(work, operation, version, (view) => parse(text, view)),
    );
    countChecks(work, operation, version);
  },

  lost(work, operation, asked) {
    if (isCheck(asked)) countChecks(work, operation, versionOf(work, operation, asked.source));
  },

  close(work, operation, inputs) {
    return inputs.map((entry, source) => {
      const { id, valid } = versionOf(work, operation, source);
      return { ...(id === entry.id ? entry : entryOf(id)), valid };
    });
  },
};

function isCheck({ path }: Ask): boolean {
  return path.includes("/check/");
}

/** The version of a source that was made last. */
function versionOf(work: Work, { id }: Validate, source: number): Version {
  return tableGet(stateOf(work, id).versions, `${source}`) as Version;
}

function putVersion(work: Work, { id }: Validate, version: Version): void {
  const state = stateOf(work, id);
  const versions = tableSet(state.versions, `${version.source}`, version);
  putState(work, { ...state, versions });
}

/** A version as prompts and parsers see it, with what its way through the plan says of it. */
function shownOf(work: Work, operation: Validate, { source, id, tried }: Version): PromptView {
  const entry = inputOf(work, operation.id, source);
  const thought = seenAs(work, entry.id === id ? entry : entryOf(id));
  return viewOf(work, { thoughts: [thought], attempt: tried });
}

/** Finds out whether a version is valid: by the function, or by asking the model. */
function check(work: Work, operation: Validate, version: Version): void {
  const { by, prompt = work.spec.prompts.validate, samples = 1 } = operation;
  const { source, id, tried } = version;
  putVersion(work, operation, version);
  const { thought, thoughts } = shownOf(work, operation, version);
  if (by !== undefined) {
    const call = () => by(thought, problemOf(work));
    const outcome = attempt(work, operation, id, "validator", call, A_BOOLEAN);
    // Of what a validator cannot take nobody can say that it is valid.
    decide(work, operation, version, outcome?.answer === true);
    return;
  }
  for (let i = 0; i < samples; i++) {
    const path = `${source}/check/${tried}/${i}`;
    ask(work, operation, { path, source, thoughts, prompt, attempt: tried, makes: 0 });
  }
}

/** Decides by majority when all verdicts on a version are there; with none, nothing is decided. */
function countChecks(work: Work, operation: Validate, version: Version): void {
  const { asks } = stateOf(work, operation.id);
  const { parseAll } = operation;
  const results: Ask["result"][] = [];
  // Those that were asked for: an upgrade may have changed how many there are.
  for (let i = 0; ; i++) {
    const asked = tableGet(asks, `${version.source}/check/${version.tried}/${i}`);
    if (asked === undefined) break;
    if (asked.status !== "done") return;
    if (asked.result !== null) results.push(asked.result);
  }
  if (results.length === 0) return;
  const yes = results.filter((each) => each === true).length;
  const verdict =
    parseAll === undefined
      ? yes > results.length - yes
      : read(work, operation, version, (view) => parseAll(results as string[], view));
  if (verdict !== undefined) decide(work, operation, version, verdict);
}

/** A parser's verdict on a version; else a counted failure. */
function read(
  work: Work,
  operation: Validate,
  version: Version,
  parse: (view: PromptView) => boolean | undefined,
): boolean | undefined {
  return readAnswer(work, operation, shownOf(work, operation, version), parse, (answer) =>
    typeof answer === "boolean" ? answer : undefined,
  );
}

/** Notes the verdict on a version, and asks for a better one where it is invalid. */
function decide(work: Work, operation: Validate, version: Version, valid: boolean): void {
  const { improve = {}, tries = 3 } = operation;
  const { source, id, tried } = version;
  putVersion(work, operation, { ...version, valid });
  judge(work, id, { valid });
  if (valid || improve === false || tried >= tries) return;
  const { thoughts } = shownOf(work, operation, version);
  const { prompt = work.spec.prompts.improve } = improve;
  const path = `${source}/improve/${tried + 1}`;
  ask(work, operation, { path, source, thoughts, prompt, attempt: tried + 1, makes: 1 });
}
