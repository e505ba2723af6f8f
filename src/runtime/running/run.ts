/** `run` starts a run of a reasoner, `resume` continues one from its journal. */
import type { Reasoner } from "../../core/kernel/machine/index.js";
import { journalAt } from "../journals/journal-place.js";
import { memoryJournal } from "../journals/memory-journal.js";
import { type ReasonerVersions, reasonersOf } from "../journals/reasoners-of.js";
import { checkIsReasoner, checkResumeOptions, checkRunOptions } from "../ports/check-options.js";
import { checkedClock } from "../ports/checked-clock.js";
import type { ResumeOptions, RunOptions } from "../ports/options.js";
import type { JournalPort } from "../ports/ports.js";
import type { Serviced, WithServices } from "../ports/services.js";
import type { Run } from "./handle.js";
import { LiveRun } from "./live-run.js";
import { past } from "./load-past.js";
import { begin } from "./start-run.js";

/**
 * Starts a run.
 * @throws ReckonerError (the promise rejects) `journal.exists`, `journal.locked`, `journal.write`,
 * `redaction.refused`, `json.refused` for an input that is not JSON, `port.notReady`, `services.missing`,
 * `option.invalid`
 */
export function run<Input, Output, Context, Services = never>(
  reasoner: Reasoner<Input, Output, Context> & Serviced<Services>,
  input: Input,
  ...[options = {}]: WithServices<RunOptions, Services>
): Run<Output, Context> {
  const refusal = refusalOf(() => {
    checkIsReasoner(reasoner);
    checkRunOptions(options);
  });
  if (refusal !== undefined) return neverBegun(refusal);
  const { journal } = options;
  const { unattended = journal === undefined ? "deny" : "wait" } = options;
  const host = { ...options, unattended, clock: checkedClock(options.clock) };
  return new LiveRun(host, async (live) =>
    begin(reasoner, input, await journalAt(journal ?? memoryJournal()), host, live),
  );
}

/**
 * Goes on with a run from its journal, or where its head leads to after a rewind: nothing that was
 * settled is repeated. A run that has ended gives its end again.
 * @param reasoner the present code, and of several the one under whose configuration the journal was
 * written; with `upgrade` the run goes on with the first
 * @throws ReckonerError (the promise rejects) `journal.configuration` where none of them wrote it,
 * `upgrade.refused`, `journal.diverged`, `approval.stale` for a decision that names no waiting
 * approval, `run.ended` for a message to a run that has ended, `port.notReady`, `option.invalid`
 */
export function resume<Input, Output, Context, Services = never>(
  reasoner: ReasonerVersions<Input, Output, Context> & Serviced<Services>,
  journal: string | JournalPort,
  ...[options = {}]: WithServices<ResumeOptions, Services>
): Run<Output, Context> {
  const refusal = refusalOf(() => {
    reasonersOf(reasoner);
    checkResumeOptions(options);
  });
  if (refusal !== undefined) return neverBegun(refusal);
  const clock = checkedClock(options.clock);
  const host = { ...options, unattended: options.unattended ?? "wait", clock };
  const versions = reasonersOf(reasoner);
  const upgrading = options.upgrade === true ? { upgradeAt: clock.now() } : {};
  return new LiveRun(host, async (live) => {
    const { closeOpen, goOn, openHead, openRun } = await past();
    const open = (head: JournalPort) => openRun(versions, head, { ...host, ...upgrading });
    const opened = await openHead(await journalAt(journal), open, closeOpen);
    return goOn<Output, Context>(opened as never, host, live);
  });
}

function refusalOf(check: () => void): { readonly thrown: unknown } | undefined {
  try {
    check();
    return undefined;
  } catch (thrown) {
    return { thrown };
  }
}

/** A run that is refused before anything of it begins: its promise rejects. */
function neverBegun<Output, Context>({ thrown }: { thrown: unknown }): Run<Output, Context> {
  return new LiveRun({}, () => Promise.reject(thrown));
}
