/** `run` and `resume`: a reasoner, its input and the world, made into one live run. */
import { startOf } from "../core/journal/index.js";
import {
  type Decision,
  isReckonerError,
  type Json,
  type JsonObject,
  type Reasoner,
  type RunDirective,
  type RunState,
  secretPaths,
  toJson,
} from "../core/kernel/index.js";
import { checkAnswers } from "./answers.js";
import { systemClock } from "./clock.js";
import type { ChildRun, ChildRuns } from "./effect-host.js";
import type { End } from "./end.js";
import { redacted } from "./interpreter.js";
import { journalAt } from "./journal-place.js";
import { LiveRun, type Run } from "./live-run.js";
import { type LoadedRun, loadRun } from "./load.js";
import { memoryJournal } from "./memory-journal.js";
import {
  DEFAULT_MAX_DEPTH,
  type HostOptions,
  type ResumeOptions,
  type RunOptions,
} from "./options.js";
import type { JournalPort } from "./ports.js";
import { JournalSession } from "./session.js";

/**
 * Starts a run.
 * @throws ReckonerError (the promise rejects) `journal.exists`, `journal.locked`, `journal.write`,
 * `redaction.refused`, `json.refused` for an input that is not JSON
 */
export function run<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  input: Input,
  options: RunOptions = {},
): Run<Output, Context> {
  const { journal } = options;
  const host = { approvals: journal === undefined ? "deny" : "wait", ...options } as const;
  return new LiveRun(reasoner, host, 0, async (live) =>
    begin(reasoner, input, await journalAt(journal ?? memoryJournal()), host, live),
  );
}

/**
 * Goes on with a run from its journal: nothing that was settled is repeated. A run that has ended
 * gives its end again.
 * @throws ReckonerError (the promise rejects) `journal.diverged`, `approval.stale` for a decision
 * that names no waiting approval, `run.ended` for a message to a run that has ended
 */
export function resume<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  journal: string | JournalPort,
  options: ResumeOptions = {},
): Run<Output, Context> {
  const host = { approvals: "wait" as const, ...options };
  return new LiveRun(reasoner, host, 0, async (live) =>
    goOn(reasoner, await journalAt(journal), host, live),
  );
}

/** Begins a run in a journal of its own. */
async function begin<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  input: Input,
  port: JournalPort,
  options: RunOptions,
  live: LiveRun<Output, Context>,
): Promise<End<Output, Context>> {
  const runId = options.runId ?? globalThis.crypto.randomUUID();
  const at = (options.clock ?? systemClock).now();
  const raw = { type: "start" as const, at, input: toJson(input ?? null, "input") };
  const given = redacted(options, raw) as typeof raw;
  const origin = { at, runId, ...(options.seed === undefined ? {} : { seed: options.seed }) };
  const step = reasoner.start(given.input as Input, origin);
  const { config, parent } = options;
  const writer = await port.open("create");
  try {
    const session = new JournalSession(port, writer, undefined, undefined, parent);
    session.header({
      reasoner: { id: reasoner.id, version: reasoner.version },
      fingerprint: reasoner.fingerprint,
      input: given.input,
      ...origin,
      ...(config === undefined ? {} : { config }),
      ...(parent === undefined ? {} : { parent }),
    });
    warnOfSecrets(step.state, live);
    const children = childrenOf(reasoner, port, runId, parent, options, live);
    return await live.drive(port, session, step.state, new Map(), children, (interpreter) =>
      interpreter.begin({ type: "start", at }, step),
    );
  } finally {
    await writer.close();
  }
}

/** Goes on with a run from its journal. */
async function goOn<Input, Output, Context>(
  root: Reasoner<Input, Output, Context>,
  port: JournalPort,
  options: ResumeOptions,
  live: LiveRun<Output, Context>,
): Promise<End<Output, Context>> {
  const writer = await port.open("append");
  try {
    const loaded = await loadRun(root, port);
    for (const { code, message } of loaded.notices) live.observe({ type: "notice", code, message });
    const { recorder, position, attempts, state, parent } = loaded;
    const answers = await checkAnswers(root as never, port, state, options);
    const session = new JournalSession(port, writer, recorder, position, parent);
    if (state === undefined) {
      // The process ended before the start was recorded.
      const header = loaded.header as NonNullable<LoadedRun<Context>["header"]>;
      const step = startOf(root, header);
      const children = childrenOf(root, port, header.runId, parent, options, live);
      return await live.drive(port, session, step.state, attempts, children, (interpreter) => {
        interpreter.begin({ type: "start", at: header.at }, step);
        for (const event of answers.events) interpreter.post(event);
      });
    }
    const children = childrenOf(root, port, state.runId, parent, options, live);
    return await live.drive(port, session, state, attempts, children, (interpreter) => {
      for (const event of answers.events) interpreter.post(event);
      interpreter.owe(answers.inChildren);
    });
  } finally {
    await writer.close();
  }
}

/** How a run's interpreter gets at its children. */
function childrenOf<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  port: JournalPort,
  runId: string,
  parent: JsonObject | undefined,
  options: HostOptions,
  live: LiveRun<Output, Context>,
): ChildRuns {
  return {
    open(directive, decisions) {
      const child = reasoner.children[directive.reasoner];
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
      const path = Array.isArray(parent?.path) ? parent.path : [];
      const header = { runId, id: directive.id, path: [...path, directive.reasoner] };
      return openChild(child, directive, decisions, journal, header, options, live);
    },
  };
}

function openChild(
  child: Reasoner<never, unknown, never>,
  directive: RunDirective,
  decisions: { readonly [id: string]: Decision },
  journal: JournalPort,
  parent: { readonly runId: string; readonly id: string; readonly path: readonly Json[] },
  { signal: _signal, ...options }: HostOptions,
  above: { readonly depth: number; observe(observation: never): void },
): ChildRun {
  const runId = `${parent.runId}/${directive.id}`;
  const observe = above.observe.bind(above) as (observation: unknown) => void;
  const host: RunOptions = {
    ...options,
    runId,
    parent,
    observers: [(observation) => observe({ type: "child", runId, observation })],
  };
  const live: LiveRun<unknown, never> = new LiveRun(child, host, above.depth + 1, async (own) => {
    if (await isMissing(journal)) return begin(child, directive.input as never, journal, host, own);
    return goOn(child, journal, { ...host, decisions }, own);
  });
  const end = Promise.resolve(live);
  // Whoever awaits the child hears of a failure; nobody else has to.
  end.catch(() => {});
  return {
    runId,
    end,
    decide: (id, decision) => live.decide(id, decision),
    cancel: (reason) => live.cancel(reason),
    abandon: () => live.abandon(),
  };
}

/** Whether a child has still to begin: its journal is not there, or holds nothing yet. */
async function isMissing(journal: JournalPort): Promise<boolean> {
  try {
    return (await journal.read()) === "";
  } catch (thrown) {
    if (isReckonerError(thrown) && thrown.code === "journal.missing") return true;
    throw thrown;
  }
}

function warnOfSecrets<Output, Context>(state: RunState<Context>, live: LiveRun<Output, Context>) {
  const { deps } = (state.context ?? {}) as { readonly deps?: Json };
  for (const path of secretPaths(deps, "deps")) {
    const message = `${path} looks like a secret and would be journalled; pass it in services.`;
    live.observe({ type: "notice", code: "deps.secret", message });
  }
}
