/** Goes on with a run from its opened journal. */

import { type AnyReasoner, LineLog } from "../../core/driver/live.js";
import { type HeaderLine, startOf } from "../../core/journal/index.js";
import type { Reasoner, RunEvent, Step } from "../../core/kernel/index.js";
import type { ChildRuns } from "../children/child-runs.js";
import { closeRun, type OpenRun, writeUpgrades } from "../children/open-run.js";
import type { RunName } from "../journals/child-journal.js";
import { givenAt, inheritedAnswers } from "../journals/inherited.js";
import type { LoadedRun } from "../journals/loaded-run.js";
import { JournalSession } from "../journals/session.js";
import type { JournalPort } from "../ports.js";
import { checkAnswers } from "./check-answers.js";
import { systemClock } from "./clock.js";
import type { End } from "./end.js";
import type { LiveRun } from "./live-run.js";
import { noticeUnclosed } from "./notices.js";
import type { HostOptions, ResumeOptions } from "./options.js";

/** What of a run's header the headers of its children are made of. */
export type RunOrigin = Pick<HeaderLine, "config" | "seed" | "parent">;

/** What a run's children are made of. */
export interface Family {
  readonly reasoner: { readonly children: AnyReasoner["children"] };
  readonly port: JournalPort;
  readonly run: RunName;
  readonly origin: RunOrigin;
  readonly options: HostOptions;
  readonly live: Pick<LiveRun<unknown, unknown>, "tree"> & { observe(observation: never): void };
  /** Children whose journals are open already. */
  readonly opened?: OpenRun;
}

/**
 * Goes on with a run whose journal is open.
 * @param childRuns how it gets at its children
 */
export async function goOn<Output, Context>(
  opened: OpenRun,
  options: ResumeOptions,
  live: LiveRun<Output, Context>,
  childRuns: (family: Family) => ChildRuns,
): Promise<End<Output, Context>> {
  const { port, writer } = opened;
  const reasoner = opened.reasoner as Reasoner<never, Output, Context>;
  try {
    const now = (options.clock ?? systemClock).now();
    const answers = checkAnswers(opened, options, now);
    await writeUpgrades(opened);
    const loaded = opened.loaded as LoadedRun<Context>;
    for (const { code, message } of loaded.notices) live.observe({ type: "notice", code, message });
    const { header, attempts } = loaded;
    const session = new JournalSession(port, writer, loaded);
    const log = new LineLog(loaded);
    // Without a state the process ended before the start was recorded.
    const begun = loaded.state === undefined ? startOf(reasoner, header, loaded.from) : undefined;
    const state = loaded.state ?? (begun as Step<Context>).state;
    const start = { type: "start", at: state.at } as RunEvent;
    const inherited = await inheritedAnswers(opened);
    const { runId } = state;
    const origin = originOf(header);
    return await live.drive({
      reasoner,
      port,
      session,
      source: {
        state,
        log,
        begun: attempts,
        failed: loaded.failed,
        ...(loaded.interrupt === undefined ? {} : { interrupt: loaded.interrupt }),
        ...(begun === undefined ? {} : { start: { event: start, step: begun } }),
      },
      inherited: (decided) => [...givenAt(Math.max(now, state.at), inherited, decided).values()],
      children: childRuns({
        reasoner,
        port,
        run: { runId, hash: loaded.headerHash },
        origin,
        options,
        live,
        opened,
      }),
      said: [
        ...answers.decisions.map((route) => ({ route })),
        ...answers.settled.map((arrived) => ({ arrived })),
        ...answers.events.map((event) => ({ arrived: { type: "event", event } as const })),
      ],
    });
  } finally {
    for (const each of await closeRun(opened)) noticeUnclosed(live, each);
  }
}

function originOf({ config, seed, parent }: HeaderLine): RunOrigin {
  return {
    ...(config === undefined ? {} : { config }),
    ...(seed === undefined ? {} : { seed }),
    ...(parent === undefined ? {} : { parent }),
  };
}
