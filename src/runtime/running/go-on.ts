/**
 * Opens the journal of a run, verifies it, and goes on with the run: the part of `resume` that is loaded when it
 * is called.
 */
import { continuedFrom, ROOT } from "../../core/driver/index.js";
import type { Reasoner, RunState } from "../../core/kernel/machine/index.js";
import { dueAt, inheritedAnswers } from "../journals/inherited.js";
import { loadRun } from "../journals/load.js";
import type { LoadedRun } from "../journals/loaded-run.js";
import { closeWriter, openWriter } from "../journals/port-calls.js";
import { summarize } from "../journals/row-from-journal.js";
import { JournalSession } from "../journals/session.js";
import { checkEvent, checkSettled, lookAt } from "../ports/check-event.js";
import { systemClock } from "../ports/clock.js";
import type { ResumeOptions } from "../ports/options.js";
import type { JournalPort, JournalWriter } from "../ports/ports.js";
import { type Arrival, decided, idOf, openApprovals, whyNotAsked } from "./answers.js";
import { checkReady } from "./check-ready.js";
import type { End } from "./end.js";
import { withFilesOutside } from "./files-outside.js";
import type { LiveRun } from "./live-run.js";
import { noticeUnclosed } from "./tell-notices.js";
import { staleApproval } from "./too-late.js";

/** A run whose journal is open for writing. */
export interface OpenRun<Output, Context> {
  readonly reasoner: Reasoner<never, Output, Context>;
  readonly port: JournalPort;
  readonly writer: JournalWriter;
  readonly loaded: LoadedRun<Context>;
}

/**
 * Opens a run: its journal is verified before anything runs, so that a resume that is refused has changed
 * nothing.
 * @param reasoners of which one goes on with it; with `upgradeAt` the first
 * @throws ReckonerError what opening, reading and verifying a journal throws
 */
export async function openRun<Output, Context>(
  reasoners: readonly Reasoner<never, Output, Context>[],
  port: JournalPort,
  { acceptLoss, redact, upgradeAt }: ResumeOptions & { readonly upgradeAt?: number },
): Promise<OpenRun<Output, Context>> {
  const writer = await openWriter(port, "append");
  try {
    const loss = acceptLoss === true ? ("accept" as const) : ("refuse" as const);
    const how = { loss, redact, ...(upgradeAt === undefined ? {} : { upgradeAt }) };
    const loaded = await loadRun<never, Output, Context>(reasoners, port, how);
    const reasoner = loaded.reasoner as Reasoner<never, Output, Context>;
    return { reasoner, port, writer, loaded };
  } catch (thrown) {
    await closeWriter(port, writer);
    throw thrown;
  }
}

/** Closes a run that nobody goes on with. */
export async function closeOpen({ port, writer }: OpenRun<unknown, unknown>): Promise<void> {
  await closeWriter(port, writer);
}

/**
 * Goes on with a run whose journal is open.
 * @throws ReckonerError `approval.stale`, `run.ended`, `event.invalid`, `event.tooLarge`, `json.refused`,
 * `settlement.refused`, `upgrade.refused`, `port.notReady`: then nothing is written
 */
export async function goOn<Output, Context>(
  { reasoner, port, writer, loaded }: OpenRun<Output, Context>,
  options: ResumeOptions,
  live: LiveRun<Output, Context>,
): Promise<End<Output, Context>> {
  try {
    const words = arrivalsOf(await withWordsOutside(port, options));
    checkAsked(loaded, words);
    if (loaded.state === undefined || loaded.state.status === "active")
      await checkReady(reasoner, options);
    const now = (options.clock ?? systemClock).now();
    const session = new JournalSession(port, writer, loaded);
    if (writer.row !== undefined) session.keepRow(writer.row ?? (await summarize(port)));
    const source = continuedFrom(reasoner, loaded);
    // They are written with what comes first, once that is not refused.
    if (loaded.upgrades.length > 0) session.add(source.log.take());
    for (const { code, message } of loaded.notices) live.observe({ type: "notice", code, message });
    const inherited = await inheritedAnswers(port, loaded);
    const decisions = words.flatMap((each) => (each.type === "decided" ? [each] : []));
    return await live.drive({
      reasoner,
      port,
      session,
      source: {
        ...source,
        inherited: dueAt(Math.max(now, source.state.at), inherited, decisions),
      },
      words,
    });
  } finally {
    noticeUnclosed(live, await closeWriter(port, writer));
  }
}

/** Returns what `resume` is told, with its large files outside. @throws ReckonerError `blob.missing` */
async function withWordsOutside(port: JournalPort, options: ResumeOptions): Promise<ResumeOptions> {
  if (options.blobs === undefined) return options;
  const { messages, events } = options;
  const words = { messages, events };
  return { ...options, ...(await withFilesOutside(words, "resume", port, options)) };
}

/**
 * Nobody can decide what the journal does not say was asked for, though the run may ask for it when it goes on.
 * @throws ReckonerError `approval.stale`
 */
function checkAsked({ state, tree }: LoadedRun<unknown>, words: readonly Arrival[]): void {
  const children = [...tree.children].map(({ path, replay }) => {
    return { path, state: replay.state as RunState<unknown> };
  });
  const runs = state === undefined ? [] : [{ path: ROOT, state }, ...children];
  for (const each of words) {
    const stale = each.type === "decided" ? whyNotAsked(runs, each) : undefined;
    if (each.type !== "decided" || stale === undefined) continue;
    throw staleApproval(idOf(each), stale, openApprovals(runs));
  }
}

/**
 * Returns what `resume` is told, in order: decisions first, since what is said may end the run.
 * @throws ReckonerError `event.invalid`, `event.tooLarge`, `json.refused`
 */
function arrivalsOf({
  approvals = {},
  messages = [],
  events = [],
  settle = [],
}: ResumeOptions): Arrival[] {
  const entries = lookAt("What approvals hold", () => Object.entries(approvals));
  const decisions = entries.map(([id, decision]) => decided(id, decision));
  const words = lookAt("What resume is told", () => [
    ...messages.map((content) => ({ type: "message", content })),
    ...events,
  ]);
  const incoming = words.map((each) => ({ type: "event", event: checkEvent(each) }) as const);
  const settled = lookAt("What resume is told to settle", () => [...settle]).map(checkSettled);
  return [...decisions, ...settled, ...incoming];
}
