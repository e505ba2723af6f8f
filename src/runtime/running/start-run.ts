/** Starts a run in this process, and starts the children of any run in the same way. */
import {
  type AnyReasoner,
  beginRun,
  childNamed,
  NO_LONGER_WANTED,
  whyNoChild,
} from "../../core/driver/live.js";
import {
  type ApprovalDecision,
  pairKey,
  type Reasoner,
  type RunDirective,
} from "../../core/kernel/index.js";
import type { ChildRun, ChildRuns } from "../children/child-runs.js";
import { childrenNamed, inputDigest } from "../children/named-children.js";
import type { OpenRun } from "../children/open-run.js";

import { childRunId } from "../journals/child-journal.js";
import { journalAt } from "../journals/journal-place.js";
import { childPort, closeWriter, isBlank, openWriter } from "../journals/port-calls.js";
import { JournalSession } from "../journals/session.js";
import type { JournalPort } from "../ports.js";
import { openApprovals } from "./answers.js";
import { checkTexts } from "./check-event.js";
import { systemClock } from "./clock.js";
import type { End } from "./end.js";
import type { Family, RunOrigin } from "./go-on.js";
import { LiveRun } from "./live-run.js";
import { past } from "./load-past.js";
import { noticeSecrets, noticeUnclosed } from "./notices.js";
import type { HostOptions, ResumeOptions, RunOptions } from "./options.js";

/**
 * Begins a run in a journal of its own.
 * @param begun is called when the header is durable, before anything else of the run begins
 */
export async function begin<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  input: Input,
  port: JournalPort,
  options: RunOptions,
  live: LiveRun<Output, Context>,
  begun?: () => Promise<void>,
): Promise<End<Output, Context>> {
  const runId = options.runId ?? globalThis.crypto.randomUUID();
  const at = (options.clock ?? systemClock).now();
  const { seed, config, parent, budget } = options;
  checkTexts({ runId, seed, config });
  const origin: RunOrigin = {
    ...(config === undefined ? {} : { config }),
    ...(seed === undefined ? {} : { seed }),
    ...(parent === undefined ? {} : { parent }),
  };
  const linked =
    options.from === undefined ? undefined : await linkedTo(reasoner, port, options.from);
  const { headerHash: hash, ...source } = beginRun(
    reasoner,
    {
      input,
      at,
      runId,
      ...origin,
      ...(budget === undefined ? {} : { budget }),
      ...(linked === undefined ? {} : { from: linked }),
    },
    options,
  );
  const writer = await openWriter(port, "create");
  try {
    const session = new JournalSession(port, writer);
    session.add(source.log.take());
    if (begun !== undefined) {
      await session.flush();
      await begun();
    }
    noticeSecrets(source.state, live);
    return await live.drive({
      reasoner,
      port,
      session,
      source,
      children: childRuns({ reasoner, port, run: { runId, hash }, origin, options, live }),
    });
  } finally {
    noticeUnclosed(live, await closeWriter(port, writer));
  }
}

/** What a run goes on from, and how its journal refers to it. */
async function linkedTo<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  port: JournalPort,
  from: string | JournalPort,
) {
  const { headOf, linkTo } = await past();
  return linkTo(reasoner, port, await headOf(await journalAt(from)));
}

/** How a live run gets at its children. */
export function childRuns(family: Family): ChildRuns {
  const { reasoner, port, options, live, opened } = family;
  const marked = new Set(opened?.loaded.begunChildren);
  const take = (id: string): OpenRun | undefined => {
    const found = opened?.children.get(id) ?? opened?.orphans.get(id);
    opened?.children.delete(id);
    opened?.orphans.delete(id);
    return found;
  };
  return {
    open(directive, begun) {
      const { id } = directive;
      const child = childNamed(reasoner, directive.reasoner) as AnyReasoner;
      const journal = childPort(port, id);
      // One that has begun goes on, whatever holds for those that begin from now on.
      const hasBegun = marked.has(id) || opened?.children.has(id) === true;
      const depth = hasBegun ? undefined : live.tree.path.length;
      const why = whyNoChild(child, directive, depth, options);
      if (why !== undefined) return why;
      if (journal === undefined) {
        const message = `The journal ${port.name} has no place for child runs.`;
        return { code: "port.missing", message };
      }
      const mark = async () => {
        if (marked.has(id)) return;
        marked.add(id);
        await begun();
      };
      const taken = take(id);
      return startChild(family, id, directive.reasoner, async (host, run) => {
        if (taken !== undefined) return goOnMarked(taken, mark, host, run);
        const mayBe = opened !== undefined || marked.has(id);
        const again = await childThere(family, directive, child, journal, mayBe, run);
        if (again !== undefined) return goOnMarked(again, mark, host, run);
        const childHost = { ...host, ...headerOf(family, directive) };
        return begin(child, directive.input as never, journal, childHost, run, mark);
      });
    },
    owed: (id) => opened?.children.has(id) ?? false,
    approvals(id) {
      const owed = opened?.children.get(id);
      return owed === undefined ? [] : openApprovals(owed);
    },
    orphans: () => [...(opened?.orphans.keys() ?? [])],
    take(id) {
      const taken = take(id);
      if (taken === undefined) return undefined;
      return startChild(family, id, nameOf(taken), async (host, run) => {
        const { goOn } = await past();
        return goOn(taken, host, run, childRuns);
      });
    },
  };
}

/**
 * A child whose journal is there already.
 * @param mayBe a run that begins in this process finds no child but those that it has made
 */
async function childThere(
  { run: own, options }: Family,
  directive: RunDirective,
  child: AnyReasoner,
  journal: JournalPort,
  mayBe: boolean,
  { tree: { upgrading } }: Pick<LiveRun<unknown, unknown>, "tree">,
): Promise<OpenRun | undefined> {
  if (await isBlank(journal)) return undefined;
  const { checkChild, findHeader, openRun } = await past();
  const header = await findHeader(journal);
  if (header === undefined) return undefined;
  checkChild(journal, header, own, directive, options, mayBe);
  const versions = [child, ...(upgrading?.versions ?? [])];
  const at = upgrading === undefined ? {} : { upgradeAt: upgrading.at };
  return openRun(versions, journal, { ...options, ...at, own: true });
}

/** Goes on with a child whose journal is open when it is marked as begun; else that is closed again. */
async function goOnMarked(
  opened: OpenRun,
  mark: () => Promise<void>,
  host: HostOptions,
  live: LiveRun<unknown, unknown>,
): Promise<End<unknown, unknown>> {
  const { closeRun, goOn } = await past();
  try {
    await mark();
  } catch (thrown) {
    await closeRun(opened);
    throw thrown;
  }
  return goOn(opened, host, live, childRuns);
}

/** What a child's header says of where it comes from. */
function headerOf({ run, origin, options }: Family, directive: RunDirective): RunOptions {
  const { id, reasoner, budget } = directive;
  const { config, seed, parent } = origin;
  return {
    runId: childRunId(run.runId, id),
    parent: {
      ...run,
      id,
      input: inputDigest(directive, options),
      path: [...(parent?.path ?? []), reasoner],
    },
    ...(config === undefined ? {} : { config }),
    ...(seed === undefined ? {} : { seed: pairKey(seed, id) }),
    ...(budget === undefined ? {} : { budget }),
  };
}

/** The name under which its parent knows a child. */
function nameOf({ loaded }: OpenRun): string {
  return loaded.header.parent?.path.at(-1) ?? "";
}

type ChildWork = (
  host: HostOptions,
  live: LiveRun<unknown, unknown>,
) => Promise<End<unknown, unknown>>;

function startChild(
  { run, options, live: above }: Family,
  id: string,
  name: string,
  work: ChildWork,
): ChildRun {
  const observe = above.observe.bind(above) as (observation: unknown) => void;
  const own = childRunId(run.runId, id);
  const host: HostOptions = {
    ...hostOf(options),
    // Through the parent approvals have the ids by which it can be resumed with them.
    ...(options.approve === undefined
      ? {}
      : { approve: (each, call) => approve({ ...each, id: pairKey(id, each.id) }, call) }),
    observers: [(observation) => observe({ type: "child", runId: own, observation })],
  };
  const { approve = () => ({ approve: false }) } = options;
  const { slots, path, upgrading } = above.tree;
  const versions = childrenNamed(upgrading?.versions ?? [], name);
  const below = upgrading === undefined ? {} : { upgrading: { at: upgrading.at, versions } };
  const live: LiveRun<unknown, unknown> = new LiveRun(
    host,
    { slots, path: [...path, id], ...below },
    (run) => work(host, run),
  );
  const end = Promise.resolve(live);
  // Who awaits the child gets its error; it must not count as unhandled otherwise.
  end.catch(() => {});
  return {
    end,
    decide(inner: string, decision: ApprovalDecision) {
      if (live.over) return "over";
      return live.tryDecide(inner, decision) === undefined ? "taken" : "stale";
    },
    approvals: () => live.approvals(),
    cancel: () => live.cancel(NO_LONGER_WANTED.reason),
    hold: () => live.hold(),
    drain: (ms) => void live.drain(ms),
    abandon: () => live.abandon(),
  };
}

/** What of a run's options its children are given as well; a cancel reaches them through the run. */
function hostOf(options: HostOptions & RunOptions & ResumeOptions): HostOptions {
  const {
    signal,
    journal,
    runId,
    seed,
    config,
    parent,
    budget,
    from,
    approvals,
    messages,
    events,
    ...host
  } = options;
  return host;
}
