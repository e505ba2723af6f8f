/**
 * How a run gets going in this process, anew or from its open journal, and how it starts its children
 * in turn.
 */
import { type HeaderLine, Recorder, startOf } from "../core/journal/index.js";
import {
  type Json,
  type Reasoner,
  type RunDirective,
  type RunState,
  type Step,
  secretPaths,
  toJson,
} from "../core/kernel/index.js";
import { checkAnswers } from "./answers.js";
import { systemClock } from "./clock.js";
import type { ChildRun, ChildRuns } from "./effect-host.js";
import type { End } from "./end.js";
import { redacted } from "./interpreter.js";
import { journalAt } from "./journal-place.js";
import { linkTo } from "./link.js";
import { LiveRun } from "./live-run.js";
import type { LoadedRun } from "./load.js";
import {
  type AnyReasoner,
  childNamed,
  closeRun,
  hasBegun,
  type OpenRun,
  openRun,
  textOf,
} from "./open-run.js";
import {
  DEFAULT_MAX_DEPTH,
  type HostOptions,
  type ResumeOptions,
  type RunOptions,
} from "./options.js";
import type { JournalPort } from "./ports.js";
import { JournalSession, type RunOrigin } from "./session.js";

/**
 * Begins a run in a journal of its own.
 * @param mode `append` where a torn header is in the journal, which the first line cuts
 */
export async function begin<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  input: Input,
  port: JournalPort,
  options: RunOptions,
  live: LiveRun<Output, Context>,
  mode: "create" | "append" = "create",
): Promise<End<Output, Context>> {
  const runId = options.runId ?? globalThis.crypto.randomUUID();
  const at = (options.clock ?? systemClock).now();
  const raw = { type: "start" as const, at, input: toJson(input ?? null, "input") };
  const given = redacted(options, raw) as typeof raw;
  const { seed, config, parent } = options;
  const start = { at, runId, ...(seed === undefined ? {} : { seed }) };
  const origin: RunOrigin = {
    ...(config === undefined ? {} : { config }),
    ...(seed === undefined ? {} : { seed }),
    ...(parent === undefined ? {} : { parent }),
  };
  const earlier =
    options.from === undefined
      ? undefined
      : await linkTo(reasoner, port, await journalAt(options.from));
  const step = reasoner.start(given.input as Input, {
    ...start,
    ...(earlier === undefined ? {} : { from: earlier.context }),
  });
  const writer = await port.open(mode);
  try {
    const recorder = new Recorder({ previous: "", lists: earlier?.lists ?? {} });
    const session = new JournalSession(port, writer, recorder, undefined, origin);
    session.header({
      reasoner: { id: reasoner.id, version: reasoner.version },
      fingerprint: reasoner.fingerprint,
      input: given.input,
      ...start,
      ...origin,
      ...(earlier === undefined ? {} : { from: earlier.link }),
    });
    warnOfSecrets(step.state, live);
    const children = childRuns({ reasoner, port, runId, origin, options, live });
    return await live.drive(port, session, step.state, new Map(), children, (interpreter) =>
      interpreter.begin({ type: "start", at }, step),
    );
  } finally {
    await writer.close();
  }
}

/** Goes on with a run whose journal is open. */
export async function goOn<Output, Context>(
  opened: OpenRun,
  options: ResumeOptions,
  live: LiveRun<Output, Context>,
): Promise<End<Output, Context>> {
  const { port, writer } = opened;
  const reasoner = opened.reasoner as Reasoner<never, Output, Context>;
  const loaded = opened.loaded as LoadedRun<Context>;
  try {
    const answers = checkAnswers(opened, options);
    for (const { code, message } of loaded.notices) live.observe({ type: "notice", code, message });
    const { recorder, position, attempts, origin, header, snapshotAge } = loaded;
    const session = new JournalSession(port, writer, recorder, position, origin, snapshotAge);
    // Without a state the process ended before the start was recorded.
    const begun =
      loaded.state === undefined
        ? startOf(reasoner, header as HeaderLine, loaded.earlier)
        : undefined;
    const state = loaded.state ?? (begun as Step<Context>).state;
    const { runId } = state;
    const children = childRuns({ reasoner, port, runId, origin, options, live, opened });
    return await live.drive(port, session, state, attempts, children, (interpreter) => {
      if (begun !== undefined) interpreter.begin({ type: "start", at: state.at }, begun);
      // A time that has passed comes before what is said now: it may be too late for it.
      const now = (options.clock ?? systemClock).now();
      for (const each of begun === undefined ? state.outstanding : []) {
        if (each.type === "timer" && each.until <= now) {
          interpreter.post({ type: "timer.fired", id: each.id });
        }
      }
      for (const event of answers) interpreter.post(event);
      if (begun === undefined) interpreter.owe();
    });
  } finally {
    await closeRun(opened);
  }
}

function warnOfSecrets<Output, Context>(state: RunState<Context>, live: LiveRun<Output, Context>) {
  const { deps } = (state.context ?? {}) as { readonly deps?: Json };
  for (const path of secretPaths(deps, "deps")) {
    const message = `${path} looks like a secret and would be journalled; pass it in services.`;
    live.observe({ type: "notice", code: "deps.secret", message });
  }
}

/** What a run's children are made of. */
interface Family {
  readonly reasoner: { readonly children: AnyReasoner["children"] };
  readonly port: JournalPort;
  readonly runId: string;
  readonly origin: RunOrigin;
  readonly options: HostOptions;
  readonly live: { readonly depth: number; observe(observation: never): void };
  /** Children whose journals are open already. */
  readonly opened?: OpenRun;
}

/** How a live run gets at its children. */
function childRuns(family: Family): ChildRuns {
  const { reasoner, port, options, live, opened } = family;
  const take = (id: string): OpenRun | undefined => {
    const found = opened?.children.get(id) ?? opened?.orphans.get(id);
    opened?.children.delete(id);
    opened?.orphans.delete(id);
    return found;
  };
  return {
    open(directive) {
      const child = childNamed(reasoner.children, directive.reasoner);
      const journal = port.child?.(directive.id);
      const missing = (message: string) => ({ code: "port.missing", message });
      if (child === undefined) return missing(`The run has no reasoner ${directive.reasoner}.`);
      if (journal === undefined) {
        return missing(`The journal ${port.name} has no place for child runs.`);
      }
      if (live.depth >= (options.maxDepth ?? DEFAULT_MAX_DEPTH)) {
        const message = `Runs may start runs ${live.depth} deep and no deeper; raise maxDepth.`;
        return { code: "run.depth", message };
      }
      const own = take(directive.id);
      return startChild(family, directive.id, child, async (host, run) => {
        if (own !== undefined) return goOn(own, host, run);
        const text = await textOf(journal);
        if (hasBegun(text)) return goOn(await openRun(child, journal), host, run);
        const childHost = { ...host, ...headerOf(family, directive) };
        const mode = text === "" ? "create" : "append";
        return begin(child, directive.input as never, journal, childHost, run, mode);
      });
    },
    owed: () => opened?.children.keys() ?? [],
    orphans: () => [...(opened?.orphans.keys() ?? [])],
    take(id) {
      const own = take(id);
      if (own === undefined) return undefined;
      return startChild(family, id, own.reasoner, (host, run) => goOn(own, host, run));
    },
  };
}

/** What a child's header says of where it comes from. */
function headerOf({ runId, origin }: Family, { id, reasoner }: RunDirective): RunOptions {
  const { config, seed, parent } = origin;
  const path = Array.isArray(parent?.path) ? parent.path : [];
  return {
    runId: `${runId}/${id}`,
    parent: { runId, id, path: [...path, reasoner] },
    ...(config === undefined ? {} : { config }),
    ...(seed === undefined ? {} : { seed: `${seed}/${id}` }),
  };
}

type ChildWork = (
  host: HostOptions,
  live: LiveRun<unknown, unknown>,
) => Promise<End<unknown, unknown>>;

function startChild(
  { runId, options, live: above }: Family,
  id: string,
  reasoner: AnyReasoner,
  work: ChildWork,
): ChildRun {
  const observe = above.observe.bind(above) as (observation: unknown) => void;
  const host: HostOptions = {
    ...hostOf(options),
    // Through the parent approvals have the ids by which it can be resumed with them.
    ...(options.approve === undefined
      ? {}
      : { approve: (each, call) => approve({ ...each, id: `${id}/${each.id}` }, call) }),
    observers: [(observation) => observe({ type: "child", runId: `${runId}/${id}`, observation })],
  };
  const { approve = () => ({ approve: false }) } = options;
  const live: LiveRun<unknown, unknown> = new LiveRun(
    reasoner as Reasoner<never, unknown, unknown>,
    host,
    above.depth + 1,
    (own) => work(host, own),
  );
  const end = Promise.resolve(live);
  // Whoever awaits the child hears of a failure; nobody else has to.
  end.catch(() => {});
  return {
    end,
    decide(inner, decision) {
      if (live.over) return false;
      live.decide(inner, decision);
      return true;
    },
    cancel: () => live.cancel("The run that started it no longer wants it."),
    abandon: () => live.abandon(),
  };
}

/** What of a run's options its children are given as well; a cancel reaches them through the run. */
function hostOf(options: HostOptions & RunOptions & ResumeOptions): HostOptions {
  const { signal, journal, runId, seed, config, parent, from, decisions, messages, ...host } =
    options;
  return host;
}
