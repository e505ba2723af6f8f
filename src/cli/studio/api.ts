/**
 * Answers the requests of the studio's page to its server: the bytes of journals, the rows of runs, decisions,
 * and what the reasoner's code alone can tell.
 */
import { changesOf, plainOf } from "../../core/journal/index.js";
import { asJson, type Json, messageOf, ReckonerError } from "../../core/kernel/values/index.js";
import { headerOf, type JournalPort, snapshotsOf, verifiedSnapshot } from "../../runtime/index.js";
import type { About, Decide, Otherwise, StateAnswer } from "../../studio/live/index.js";
import { Timeline } from "../../time-travel/live/index.js";
import { Configs } from "../config/config-of-journal.js";
import { checkAll } from "./check-all.js";
import type { ApiAnswer, ApiCall } from "./listen.js";
import type { Studio } from "./open-studio.js";
import { modelNameOf, otherwise } from "./otherwise.js";
import type { StudioParts } from "./parts.js";

/** Says what is shown, and what can be done. @throws ReckonerError `config.invalid` */
export async function aboutOf(parts: Studio): Promise<About> {
  const model = await modelNameOf(parts);
  const prices = await parts.costs.book(parts);
  return { ...shownIn(parts), ...(model === undefined ? {} : { model }), prices };
}

/** The same for a page: its runs can be read without the code, too. */
async function servedAbout(parts: Studio): Promise<About> {
  try {
    return await aboutOf(parts);
  } catch (thrown) {
    return { ...quickAbout(parts), fault: messageOf(thrown) };
  }
}

/** The same without the code. */
function quickAbout(parts: Studio): About {
  return { ...shownIn(parts), prices: {} };
}

function shownIn({ word, journals, config }: Studio): Omit<About, "prices"> {
  return {
    name: word,
    kind: journals.kind,
    ...(journals.only === undefined ? {} : { only: journals.only }),
    code: config !== undefined,
    decides: journals.decide !== undefined ? "host" : config !== undefined ? "here" : "no",
  };
}

/** Answers the page. @throws ReckonerError what it is refused for */
export function studioApi(parts: Studio): (call: ApiCall) => Promise<ApiAnswer> {
  const { journals } = parts;
  return async (call) => {
    const { method, path, query, body, signal } = call;
    switch (`${method} ${path}`) {
      case "GET about":
        // Code may take seconds to load: what is shown first does not wait for it.
        return { json: parts.config === undefined ? await aboutOf(parts) : quickAbout(parts) };
      case "GET code":
        return { json: await servedAbout(parts) };
      case "GET runs":
        return { json: await parts.costs.add(parts, await journals.list()) };
      case "GET journal": {
        const from = Number(query.get("from") ?? 0);
        const port = await linked(journals.open(query.get("name") ?? ""), query.getAll("link"));
        return {
          type: "application/x-ndjson",
          pieces: port.read(Number.isSafeInteger(from) ? Math.max(0, from) : 0),
        };
      }
      case "GET state": {
        const port = journals.open(query.get("name") ?? "");
        return { json: await stateOf(parts, port, Number(query.get("at") ?? 0)) };
      }
      case "POST otherwise":
        return { json: await otherwise(parts, checkedOtherwise(body)) };
      case "POST decide": {
        const decision = checkedDecide(body);
        await (journals.decide?.(decision) ?? parts.here.decide(parts, decision));
        return { json: {} };
      }
      case "POST check":
        return { type: "application/x-ndjson", pieces: checkAll(parts, signal) };
      default:
        throw new ReckonerError("journal.missing", `The studio does not know ${method} ${path}.`);
    }
  };
}

/** Follows links that headers have: a page is given no other file. @throws ReckonerError `journal.link` */
async function linked(port: JournalPort, links: readonly string[]): Promise<JournalPort> {
  let at = port;
  for (const link of links) {
    const { from, fork } = await headerOf(at);
    const isThere = [from, fork].some((each) => each?.journal === link);
    const next: JournalPort | undefined = isThere ? at.follow?.(link) : undefined;
    if (next === undefined) {
      throw new ReckonerError("journal.link", `${at.name} does not lead to ${link}.`, {
        place: link,
      });
    }
    at = next;
  }
  return at;
}

function checkedOtherwise(body: unknown): Otherwise {
  const { journal, set, budget } = (body ?? {}) as { readonly [part: string]: unknown };
  const isSet =
    set === undefined || (typeof set === "object" && set !== null && !Array.isArray(set));
  const isBudget = budget === undefined || (Number.isSafeInteger(budget) && Number(budget) >= 0);
  if (typeof journal === "string" && isSet && isBudget) return body as Otherwise;
  throw new ReckonerError(
    "option.invalid",
    isBudget
      ? "A question of what would be otherwise names a journal and answers."
      : "The budget is a whole number of tokens.",
  );
}

function checkedDecide(body: unknown): Decide {
  const { journal, approval, approve } = (body ?? {}) as { readonly [part: string]: unknown };
  const isOne =
    typeof journal === "string" && typeof approval === "string" && typeof approve === "boolean";
  if (isOne) return body as Decide;
  throw new ReckonerError(
    "option.invalid",
    "A decision names a journal, an approval, and whether it is granted.",
  );
}

/**
 * The state of a journal's run after an event: by the code that was named, else the newest snapshot up to there.
 * @returns null where neither tells
 */
export async function stateOf(
  { io, config }: StudioParts,
  port: JournalPort,
  at: number,
): Promise<StateAnswer | null> {
  if (config !== undefined) {
    const { reasoner } = await new Configs(io, { config }).for(await headerOf(port));
    const timeline = await Timeline.open(reasoner, port);
    const { seq, state, before, run } = await timeline.at(Math.min(at, timeline.events - 1));
    const changes = run === undefined ? { changes: changesOf(before, state) } : {};
    return { seq, by: "code", ...contextOf(state.context), ...changes };
  }
  const kept = [...(await snapshotsOf(port))].map(({ seq }) => seq).filter((seq) => seq <= at);
  for (const seq of kept.sort((a, b) => b - a)) {
    const state = (await verifiedSnapshot(port, seq))?.runs[0]?.state;
    if (state !== undefined) return { seq, by: "snapshot", ...contextOf(state.context) };
  }
  return null;
}

function contextOf(context: unknown): Pick<StateAnswer, "context" | "thoughts"> {
  const { graph, better, result } = context as {
    readonly graph?: Json;
    readonly better?: unknown;
    readonly result?: { readonly thought?: string } | null;
  };
  const isOfThoughts = typeof graph === "object" && typeof better === "string";
  const thoughts = isOfThoughts
    ? { thoughts: { graph, better, best: result?.thought ?? null } }
    : {};
  return { context: plainOf(asJson(context as object)), ...thoughts };
}
