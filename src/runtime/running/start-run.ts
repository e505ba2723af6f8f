/** Starts a run in this process, for `run`: opens its journal, writes its first lines, and drives it. */
import { beginRun } from "../../core/driver/for-live-runs.js";
import type { Reasoner } from "../../core/kernel/machine/index.js";
import * as shapes from "../../core/kernel/shapes.js";
import { journalAt } from "../journals/journal-place.js";
import { closeWriter, openWriter } from "../journals/port-calls.js";
import { JournalSession } from "../journals/session.js";
import { checkTexts } from "../ports/check-event.js";
import { systemClock } from "../ports/clock.js";
import type { RunOptions } from "../ports/options.js";
import type { JournalPort } from "../ports/ports.js";
import { checkTenant, labelsOf, rowStart } from "../ports/run-row.js";
import { checkReady } from "./check-ready.js";
import type { End } from "./end.js";
import { withFilesOutside } from "./files-outside.js";
import type { LiveRun } from "./live-run.js";
import { past } from "./load-past.js";
import { noticeSecrets, noticeUnclosed } from "./tell-notices.js";

/** Begins a run in a journal of its own. */
export async function begin<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  input: Input,
  port: JournalPort,
  options: RunOptions,
  live: LiveRun<Output, Context>,
): Promise<End<Output, Context>> {
  const runId = options.runId ?? globalThis.crypto.randomUUID();
  const at = (options.clock ?? systemClock).now();
  const { seed, config, keyId, budget } = options;
  checkTexts({ runId, seed, config, keyId });
  const { tenant = port.tenant } = options;
  checkTenant(port, tenant);
  const own = await withFilesOutside(input, "input", port, options);
  const labels = labelsOf({ ...options, tenant });
  const from =
    options.from === undefined ? undefined : await linkedTo(reasoner, port, options.from);
  await checkReady(reasoner, options);
  const begun = { input: own, at, runId, seed, config, keyId, budget, labels, from };
  const source = beginRun(reasoner, begun, options);
  const writer = await openWriter(port, "create");
  try {
    const session = new JournalSession(port, writer);
    session.add(source.log.take());
    const { begin } = source.start as NonNullable<typeof source.start>;
    const header = { runId, reasoner, at, input: begin?.input ?? null, labels, from: from?.link };
    session.keepRow(rowStart(shapes.defined(header)));
    noticeSecrets(source.state, live);
    return await live.drive({ reasoner: reasoner as never, port, session, source, words: [] });
  } finally {
    noticeUnclosed(live, await closeWriter(port, writer));
  }
}

/** The run that another one goes on from, and how its journal refers to it. */
async function linkedTo<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  port: JournalPort,
  from: string | JournalPort,
) {
  const { headOf, linkTo } = await past();
  return linkTo(reasoner, port, await headOf(await journalAt(from)));
}
