/**
 * Replays and redrives all journals of a studio with the code of `--config`, and streams the differences in
 * groups, each with its runs, to the studio's page.
 */
import { headerOf, replay } from "../../runtime/index.js";
import type { Checked, DifferenceGroup } from "../../studio/live/index.js";
import type { UnreadItem } from "../../studio/model/index.js";
import { redrive } from "../../time-travel/live/index.js";
import { Configs } from "../config/config-of-journal.js";
import { type Found, Regressions } from "../replay/regressions.js";
import { usageError } from "../terminal/failure.js";
import { differencesOf } from "../time-travel/redriven.js";
import type { StudioParts } from "./parts.js";
import { unreadItem } from "./run-items.js";

/** The groups are sent each time that so many journals were checked, and in the end. */
const STRIDE = 25;

/** Groups that know all their journals, and where each differs first. */
class Groups {
  readonly #regressions = new Regressions();
  readonly #journals = new Map<string, Map<string, number>>();

  take(journal: string, found: readonly Found[]): void {
    this.#regressions.take(journal, found);
    const own = new Regressions();
    own.take(journal, found);
    for (const { what, examples } of own.list()) {
      const cached = this.#journals.get(what) ?? new Map<string, number>();
      const [first = ""] = examples;
      this.#journals.set(what, cached.set(journal, Number(first.slice(journal.length + 1))));
    }
  }

  list(): readonly DifferenceGroup[] {
    return this.#regressions.list().map((group) => ({
      what: group.what,
      journals: [...(this.#journals.get(group.what) ?? [])].map(([name, seq]) => ({ name, seq })),
      places: group.places,
      values: group.values,
      ...(group.inputs === undefined ? {} : { inputs: group.inputs }),
    }));
  }
}

/** Lines of JSON: how far it is, and what was found so far. @throws ReckonerError `cli.usage` without a config */
export async function* checkAll(
  { io, journals, config }: StudioParts,
  signal: AbortSignal,
): AsyncGenerator<string> {
  if (config === undefined) {
    throw usageError("Runs are compared with code; start the studio with --config FILE.");
  }
  const names = await journals.names();
  const configs = new Configs(io, { config });
  const [replayed, redriven] = [new Groups(), new Groups()];
  const refused: UnreadItem[] = [];
  const line = (done: number): string => {
    const checked: Checked = {
      done,
      of: names.length,
      replay: replayed.list(),
      redrive: redriven.list(),
      refused,
    };
    return `${JSON.stringify(checked)}\n`;
  };
  yield line(0);
  for (const [i, name] of names.entries()) {
    if (signal.aborted) return;
    try {
      const port = journals.open(name);
      const { reasoner } = await configs.for(await headerOf(port));
      const report = await replay(reasoner, port, { keepGoing: true });
      replayed.take(name, report.causes);
      const done = await redrive(reasoner, port);
      redriven.take(name, differencesOf(done));
    } catch (thrown) {
      refused.push(unreadItem(name, thrown));
    }
    if ((i + 1) % STRIDE === 0) yield line(i + 1);
  }
  yield line(names.length);
}
