/** Laws over runs that were recorded: each journal is replayed, and every law looks at its steps. */
import { isHeaderLine } from "../../core/journal/index.js";
import { isReckonerError, type Reasoner } from "../../core/kernel/index.js";
import {
  findHeader,
  type JournalPort,
  journalAt,
  readHistory,
  replay,
} from "../../runtime/index.js";
import type { Law } from "./law.js";
import { type Breach, Monitor } from "./monitor.js";
import type { LawCount } from "./report.js";
import { isOver } from "./rest.js";
import type { Moment } from "./world.js";

/** A law that is broken in a journal, and at which event. */
export interface RecordedBreach extends Breach {
  readonly seq: number;
}

/** What laws say of a journal. */
export interface RecordedReport {
  readonly events: number;
  /** Each law that is broken, at the first event where it is. */
  readonly breaches: readonly RecordedBreach[];
  readonly laws: readonly LawCount[];
  /** Why it was not judged to its end: the reasoner at hand does something else than was recorded. */
  readonly diverged?: string;
  /** Child runs that have begun and whose journals are not there, by directive: nobody judged them. */
  readonly missing: readonly string[];
  /** What else there is to know: a torn last line, stretches that other code wrote, what is missing. */
  readonly notices: readonly string[];
}

/**
 * Judges a journal by laws.
 * @throws ReckonerError `journal.*` where the journal cannot be read
 */
export async function checkJournal<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  laws: readonly Law<NoInfer<Context>, never>[],
  journal: string | JournalPort,
): Promise<RecordedReport> {
  const port = await journalAt(journal);
  const monitor = new Monitor(laws);
  const breaches = new Map<string, RecordedBreach>();
  let memories = monitor.begin;
  let last: Moment<Context> | undefined;
  const note = (found: readonly Breach[], seq: number) => {
    for (const each of found) if (!breaches.has(each.law)) breaches.set(each.law, { ...each, seq });
  };
  let hasChildren = false;
  const report = await replay(reasoner, port, {
    onStep(step) {
      hasChildren ||= step.step.directives.some(({ type }) => type === "run");
      if (!step.same) return;
      const looked = monitor.next(memories, step);
      memories = looked.memories;
      last = step;
      note(looked.breaches, step.step.state.seq);
    },
  });
  if (last !== undefined && report.status === "identical") {
    const { state } = last.step;
    if (isOver(state)) note(monitor.end(memories, state), state.seq);
  }
  // Who saw only part of a run knows nothing of what must have come before, or will come.
  const inPart = report.stretches.some(({ checked }) => !checked);
  const unjudged = laws.filter(({ formula }) => inPart && isOfHistories(formula));
  const isJudged = (law: string) => !unjudged.some(({ name }) => name === law);
  const missing = hasChildren || inPart ? await missingChildren(port) : [];
  return {
    events: report.events,
    breaches: [...breaches.values()].filter(({ law }) => isJudged(law)),
    laws: monitor.counts.filter(({ name }) => isJudged(name)),
    ...(report.status === "diverged"
      ? { diverged: `event ${report.difference.seq}: ${report.difference.path}` }
      : {}),
    missing: missing.map(({ id }) => id),
    notices: [
      ...report.notices,
      ...missing.map(
        ({ id, journal, why }) =>
          `The child run ${id} has begun, and its journal ${journal} ${why}: what it did is not judged.`,
      ),
      ...unjudged.map(
        ({ name }) =>
          `Not judged: ${JSON.stringify(name)} looks at whole runs, and part of this one was not checked.`,
      ),
    ],
  };
}

const isOfHistories = ({ memory, end }: Law<never, never>["formula"]): boolean =>
  memory !== undefined || end !== undefined;

interface Missing {
  readonly id: string;
  readonly journal: string;
  readonly why: string;
}

/** Children that have begun, and do not lie where their parent left them. */
async function missingChildren(port: JournalPort): Promise<readonly Missing[]> {
  const missing: Missing[] = [];
  let parent = "";
  for await (const { line, hash, port: at } of readHistory(port)) {
    if (isHeaderLine(line)) parent = hash;
    if (!("mark" in line) || !("child" in line.mark) || line.mark.child !== "begun") continue;
    const { id } = line.mark;
    const child = at.child?.(id);
    const why = child === undefined ? "is not there" : await whyNot(child, parent, id);
    if (why !== undefined) missing.push({ id, journal: child?.name ?? "", why });
  }
  return missing.sort((a, b) => (a.id < b.id ? -1 : 1));
}

async function whyNot(child: JournalPort, parent: string, id: string): Promise<string | undefined> {
  try {
    const header = await findHeader(child);
    if (header === undefined) return "is not there";
    const isIts = header.parent?.hash === parent && header.parent.id === id;
    return isIts ? undefined : "is another run's";
  } catch (thrown) {
    if (!isReckonerError(thrown)) throw thrown;
    return `cannot be read (${thrown.code})`;
  }
}
