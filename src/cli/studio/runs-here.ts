/**
 * `RunsHere`: takes decisions that are made in the studio on journals that this process may write. It
 * continues such a run with the code of `--config`, as `reckoner resume` does: tools are called, and the
 * model is asked.
 */
import { type HostOptions, type Run, resume, viewOf } from "../../runtime/index.js";
import type { Decide } from "../../studio/live/index.js";
import { Configs } from "../config/config-of-journal.js";
import { modelOf } from "../run/model.js";
import { describe, usageError } from "../terminal/failure.js";
import { say } from "../terminal/io.js";
import type { StudioParts } from "./parts.js";

/** The time for running effects to settle where the studio ends, in milliseconds. */
const DRAIN_MS = 10_000;

/** The runs that go on in this process, since somebody decided something. */
export class RunsHere {
  readonly #live = new Map<string, Run>();
  /** The last decision of each journal, kept or refused. */
  readonly #last = new Map<string, Promise<void>>();

  /**
   * Gives a decision, and lets the run go on. It returns when the decision is in the journal. Those of one journal are
   * given one after the other: two cards are decided at once, and the run is begun by the first of them.
   * @throws ReckonerError `cli.usage` without a config, `journal.locked` where another process writes the journal,
   * and what `resume` refuses: then nothing is written
   */
  decide(parts: StudioParts, decision: Decide): Promise<void> {
    const { journal } = decision;
    const before = this.#last.get(journal) ?? Promise.resolve();
    const own = before.then(() => this.#decide(parts, decision));
    this.#last.set(
      journal,
      own.catch(() => undefined),
    );
    return own;
  }

  async #decide(
    { io, journals, config, model }: StudioParts,
    { journal, approval, ...decision }: Decide,
  ): Promise<void> {
    if (config === undefined) {
      throw usageError(
        "A decision lets the run go on, which takes its code; start the studio with --config FILE, or use reckoner resume.",
      );
    }
    const found = this.#live.get(journal);
    if (found !== undefined) return found.decide(approval, decision);
    const port = journals.open(journal);
    const loaded = await new Configs(io, { config }).for(await viewOf(port).header());
    const { options = {}, services } = loaded;
    const host: HostOptions = {
      ...options,
      ...(await modelOf(io, loaded, model)),
      ...(services === undefined ? {} : { services }),
    };
    const run: Run = resume([loaded.reasoner], port, {
      ...host,
      approvals: { [approval]: decision },
    });
    this.#live.set(journal, run);
    const over = () => this.#live.delete(journal);
    void run.then(over, over);
    // Nothing is observed of a run before its decisions are durable, but notices; a refusal is thrown.
    for await (const { type } of run) if (type === "step" || type === "child") break;
    void run.then(undefined, (thrown) => say(io, `reckoner: ${journal}: ${describe(thrown)}`));
  }

  /** Leaves the runs to whoever resumes them: what is running may settle. */
  async drain(): Promise<void> {
    await Promise.allSettled([...this.#live.values()].map((run) => run.drain(DRAIN_MS)));
  }
}
