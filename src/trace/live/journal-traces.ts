/**
 * `journalTraces`: the trace of journals, of their child runs, and of the runs that they continue. Each line
 * is read once: as journals grow, only what has come is read.
 */

import * as shapes from "../../core/kernel/shapes.js";
import { isReckonerError, messageOf, ReckonerError } from "../../core/kernel/values/index.js";
import { maskCredentials } from "../../core/kernel/vocabulary/index.js";
import {
  checkAllOptions,
  checkArgument,
  JOURNALS,
  type JournalPort,
} from "../../runtime/for-adapters.js";
import { emptyJournal, linkNotFound, viewOf } from "../../runtime/journals/index.js";
import { assemble, type RunTraceOptions, type Trace, type TracedRun } from "../pure/index.js";
import { JournalTrail } from "./journal-trail.js";

/** The options of tracing. */
export interface JournalTracesOptions extends RunTraceOptions {
  /** False leaves out the runs that a journal goes on from. Default true. */
  readonly links?: boolean | undefined;
}

const JOURNAL_TRACES: shapes.Shapes<JournalTracesOptions> = {
  links: shapes.FLAG,
  maxFieldLength: shapes.count(1),
};

/** Journals, or what finds them, asked at each reading. */
export type JournalSource =
  | JournalPort
  | readonly JournalPort[]
  | (() => Promise<readonly JournalPort[]> | readonly JournalPort[]);

/** A journal that cannot be read, while the others can. */
export interface Unread {
  /** The journal's name. */
  readonly name: string;
  readonly error: ReckonerError;
}

/** The trace of journals, as they were when they were read. */
export interface TracedJournals {
  readonly trace: Trace;
  /** The journals that could not be read: the trace is without them. */
  readonly unread: readonly Unread[];
}

/** A journal that is to be read, and under which key it is known. */
interface Next {
  readonly port: JournalPort;
  readonly key: string;
  /** The link that leads to it; none where it was named. */
  readonly of?: Reference;
}

/** The link from one journal to another one. */
interface Reference {
  /** The name of the journal that has the link. */
  readonly name: string;
  /** The run that is meant. */
  readonly runId: string;
  /** True if nothing is wrong where that run is read from another place. */
  readonly anyPlace: boolean;
}

/** A journal that does not stand where another one leads. */
interface Lost extends Unread {
  readonly of: Reference;
}

/** Traces of journals. */
export class JournalTraces {
  /** The first journal's name. */
  readonly name: string;
  readonly #source: JournalSource;
  readonly #options: JournalTracesOptions;
  #trails: ReadonlyMap<string, JournalTrail> = new Map();
  /** The reading that was asked for last. */
  #last: Promise<unknown> = Promise.resolve();

  /** @throws ReckonerError `option.invalid` */
  constructor(source: JournalSource, options: JournalTracesOptions = {}) {
    checkArgument("What is traced", source, JOURNALS);
    this.#source = source;
    this.#options = checkAllOptions("journalTraces", options, JOURNAL_TRACES);
    const first = typeof source === "function" ? undefined : [source].flat()[0];
    this.name = (first as JournalPort | undefined)?.name ?? "journals";
  }

  /**
   * All runs as they are now. A reading begins after it was asked for, and one is done after the other, so
   * that it misses nothing that was there then.
   */
  read(): Promise<TracedJournals> {
    const reading = this.#last.then(() => this.#read());
    this.#last = reading.catch(() => undefined);
    return reading;
  }

  async #read(): Promise<TracedJournals> {
    const source = this.#source;
    const roots = typeof source === "function" ? await source() : [source].flat();
    checkArgument("What finds journals", roots, JOURNALS);
    const queue = roots.map((port): Next => ({ port, key: port.name }));
    const trails = new Map<string, JournalTrail>();
    const found: TracedRun[] = [];
    const ids = new Set<string>();
    const unread: Unread[] = [];
    const lost: Lost[] = [];
    // It grows on the way.
    for (const { port, key: name, of } of queue) {
      const key = unused(trails, name);
      const unreadBefore = unread.length;
      const trail = this.#trails.get(key) ?? new JournalTrail(port, this.#options);
      try {
        if (of !== undefined) {
          const header = await viewOf(port).findHeader();
          if (header?.runId !== of.runId) {
            lost.push({ name: port.name, error: lostJournal(port, header, of), of });
            continue;
          }
          if (ids.has(of.runId)) continue;
        }
        trails.set(key, trail);
        await trail.update();
      } catch (thrown) {
        unread.push({ name: port.name, error: asRefusal(port, thrown) });
      }
      const { runs, alien } = trail;
      const [root] = runs;
      if (root === undefined) {
        if (of === undefined && unread.length === unreadBefore)
          unread.push({ name: port.name, error: emptyJournal(port) });
        continue;
      }
      ids.add(root.header.runId);
      found.push(...runs.map((run) => ({ ...run, journal: port.name })));
      if (this.#options.links === false) continue;
      if (alien !== undefined) unread.push({ name: alien.place ?? port.name, error: alien });
      try {
        queue.push(...linked(root, port, key));
      } catch (thrown) {
        unread.push({ name: port.name, error: asRefusal(port, thrown) });
      }
    }
    for (const { name, error, of } of lost) {
      if (!of.anyPlace || !ids.has(of.runId)) unread.push({ name, error });
    }
    this.#trails = trails;
    return { trace: assemble(found), unread };
  }
}

/**
 * Traces of one journal or several, with their child runs and the runs that they go on from.
 * @throws ReckonerError `option.invalid`
 */
export function journalTraces(
  source: JournalSource,
  options: JournalTracesOptions = {},
): JournalTraces {
  return new JournalTraces(source, options);
}

/** The journals of the runs that a run goes on from. */
function linked(
  { header: { from, fork } }: TracedRun,
  port: JournalPort,
  key: string,
): readonly Next[] {
  return [from, fork].flatMap((link): Next[] => {
    const journal = link === undefined ? undefined : port.follow?.(link.journal);
    if (link === undefined || journal === undefined) return [];
    // The events that a fork shares are read where its link leads, and nowhere else.
    const of = { name: port.name, runId: link.runId, anyPlace: link !== fork };
    return [{ port: journal, key: `${key}<${link.journal}`, of }];
  });
}

function lostJournal(
  { name }: JournalPort,
  there: { readonly runId: string } | undefined,
  of: Reference,
): ReckonerError {
  const is = there === undefined ? "not there" : `of run ${there.runId}, not ${of.runId}`;
  return linkNotFound(name, `${of.name} links to it, and it is ${is}`);
}

function asRefusal({ name }: JournalPort, thrown: unknown): ReckonerError {
  if (isReckonerError(thrown)) return thrown;
  return new ReckonerError(
    "trace.unreachable",
    `${name} cannot be read: ${maskCredentials(messageOf(thrown))}.`,
    { place: name, cause: thrown },
  );
}

/** A key that none has: journals in memory may all have one name. */
function unused(taken: ReadonlyMap<string, unknown>, key: string): string {
  let free = key;
  for (let n = 2; taken.has(free); n++) free = `${key} (${n})`;
  return free;
}
