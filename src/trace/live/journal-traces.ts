/**
 * `journalTraces`: a trace store over journals, with their child runs, and the runs that they continue.
 * Lines are read once; an optional index keeps what was derived.
 */

import {
  isReckonerError,
  maskCredentials,
  messageOf,
  ReckonerError,
} from "../../core/kernel/index.js";
import * as shapes from "../../core/kernel/shapes.js";
import {
  checkAllOptions,
  checkGiven,
  JOURNALS,
  type JournalPort,
  KEPT_TEXT,
} from "../../runtime/for-adapters.js";
import {
  emptyJournal,
  linkNotFound,
  type ReadPosition,
  viewOf,
} from "../../runtime/journals/index.js";
import {
  assemble,
  eventsByTime,
  queryEvents,
  type RunTraceOptions,
  sessionsOf,
  type TracedRun,
  type TraceFilter,
} from "../pure/index.js";
import { type IndexedTree, type IndexedTrees, readIndex, writeIndex } from "./index-file.js";
import { JournalTrail } from "./journal-trail.js";
import type { TextStore } from "./text-store.js";
import type { TraceContents, TracedRunInfo, TraceStore, Unread } from "./trace-store.js";

/** How journals are traced. */
export interface JournalTracesOptions extends RunTraceOptions {
  /** For people. Default: the first journal's name. */
  readonly name?: string | undefined;
  /** Keeps what was derived, so that the next process need not. It may be lost at any time. */
  readonly index?: TextStore | undefined;
  /** Whether runs that a journal goes on from are read along with it. Default true. */
  readonly links?: boolean | undefined;
}

const JOURNAL_TRACES: shapes.Shapes<JournalTracesOptions> = {
  name: shapes.TEXT,
  index: KEPT_TEXT,
  links: shapes.FLAG,
  maxFieldLength: shapes.count(1),
};

/** Journals, or what finds them, asked at each reading. */
export type JournalSource =
  | JournalPort
  | readonly JournalPort[]
  | (() => Promise<readonly JournalPort[]> | readonly JournalPort[]);

/** What is known of one journal: derived in this process, or kept by an earlier one. */
interface Known {
  trail: JournalTrail | undefined;
  kept: IndexedTree | undefined;
}

/** A journal that is to be read, and under which key it is known. */
interface Next {
  readonly port: JournalPort;
  readonly key: string;
  /** What refers to it; none where it was named. */
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

/** The runs of a journal that was read, the root first. */
interface FoundTree {
  readonly runs: readonly TracedRun[];
  readonly port: JournalPort;
}

/** Traces of journals. */
export class JournalTraces implements TraceStore {
  readonly name: string;
  readonly #source: JournalSource;
  readonly #options: JournalTracesOptions;
  readonly #known = new Map<string, Known>();
  #kept: IndexedTrees | undefined;
  /** The reading that began last. */
  #last: Promise<unknown> = Promise.resolve();
  /** The one behind it, where somebody waits for it. */
  #next: Promise<TraceContents> | undefined;

  constructor(source: JournalSource, options: JournalTracesOptions = {}) {
    checkGiven("What is traced", source, JOURNALS);
    this.#source = source;
    this.#options = options;
    const first = typeof source === "function" ? undefined : [source].flat()[0];
    this.name = options.name ?? (first as JournalPort | undefined)?.name ?? "journals";
  }

  /**
   * All runs, brought up to date, and of their events those that fit.
   * @throws ReckonerError `trace.query` where the filter is none
   */
  async read(filter: TraceFilter = {}): Promise<TraceContents> {
    const contents = await this.#fresh();
    const { events } = contents;
    // Only the last so many depend on the order.
    const asked = filter.limit === undefined ? events : eventsByTime(events);
    return { ...contents, events: queryEvents(asked, filter) };
  }

  /**
   * A reading that begins after it was asked for, so that it misses nothing that was there then; those
   * who wait for it share it.
   */
  #fresh(): Promise<TraceContents> {
    this.#next ??= this.#last.then(() => {
      this.#next = undefined;
      const reading = this.#read();
      this.#last = reading.then(
        () => undefined,
        () => undefined,
      );
      return reading;
    });
    return this.#next;
  }

  async #read(): Promise<TraceContents> {
    this.#kept ??= await this.#load();
    const source = this.#source;
    const roots = typeof source === "function" ? await source() : [source].flat();
    checkGiven("What finds journals", roots, JOURNALS);
    const unread: Unread[] = [];
    const found: FoundTree[] = [];
    const ids = new Set<string>();
    const keys = new Set<string>();
    const queue: Next[] = (roots as readonly JournalPort[]).map((port) => ({
      port,
      key: port.name,
    }));
    const lost: Lost[] = [];
    let grown = false;
    // It grows on the way.
    for (const next of queue) {
      const { port, of } = next;
      const key = unused(keys, next.key);
      const told = unread.length;
      try {
        if (of !== undefined) {
          const header = await viewOf(port).findHeader();
          if (header?.runId !== of.runId) {
            lost.push({ name: port.name, error: lostJournal(port, header, of), of });
            continue;
          }
          if (ids.has(of.runId)) continue;
        }
        keys.add(key);
        grown = (await this.#update(key, port)) || grown;
      } catch (thrown) {
        unread.push({ name: port.name, error: asRefusal(port, thrown) });
      }
      const known = this.#treeOf(key);
      const root = known?.runs[0];
      if (known === undefined || root === undefined) {
        const isTold = unread.length > told;
        if (of === undefined && !isTold)
          unread.push({ name: port.name, error: emptyJournal(port) });
        continue;
      }
      const alien = this.#known.get(key)?.trail?.alien;
      if (alien !== undefined && this.#options.links !== false) {
        unread.push({ name: alien.place ?? port.name, error: alien });
      }
      ids.add(root.header.runId);
      found.push({ runs: known.runs, port });
      try {
        queue.push(...this.#linked(root, port, key));
      } catch (thrown) {
        unread.push({ name: port.name, error: asRefusal(port, thrown) });
      }
    }
    for (const { name, error, of } of lost) {
      if (!of.anyPlace || !ids.has(of.runId)) unread.push({ name, error });
    }
    for (const key of [...this.#known.keys()]) if (!keys.has(key)) this.#known.delete(key);
    if (grown) await this.#save();
    return contentsOf(found, unread);
  }

  /** @returns whether something has come */
  async #update(key: string, port: JournalPort): Promise<boolean> {
    let known = this.#known.get(key);
    if (known === undefined) {
      known = { trail: undefined, kept: this.#kept?.get(key) };
      this.#known.set(key, known);
    }
    if (known.trail === undefined && known.kept !== undefined) {
      if (await isUnchanged(port, known.kept.position)) return false;
    }
    known.kept = undefined;
    known.trail ??= new JournalTrail(port, this.#options);
    return await known.trail.update();
  }

  #treeOf(key: string): IndexedTree | undefined {
    const known = this.#known.get(key);
    return known?.trail?.known ?? known?.kept;
  }

  /** The journals of the runs that a run goes on from. */
  #linked({ header: { from, fork } }: TracedRun, port: JournalPort, key: string): readonly Next[] {
    const links = this.#options.links === false ? [] : [from, fork];
    return links.flatMap((link): Next[] => {
      const journal = link === undefined ? undefined : port.follow?.(link.journal);
      if (link === undefined || journal === undefined) return [];
      // What a fork shares is read where its link leads, and nowhere else.
      const of = { name: port.name, runId: link.runId, anyPlace: link !== fork };
      return [{ port: journal, key: `${key}<${link.journal}`, of }];
    });
  }

  async #load(): Promise<IndexedTrees> {
    // Where it cannot be read, or written, everything is derived anew each time.
    const text = await this.#options.index?.load().catch(() => undefined);
    return text === undefined ? new Map() : readIndex(text, this.#options.maxFieldLength);
  }

  async #save(): Promise<void> {
    const { index, maxFieldLength } = this.#options;
    if (index === undefined) return;
    const kept = [...this.#known].flatMap(([key, { trail }]): [string, IndexedTree][] => {
      const known = this.#treeOf(key);
      // What is wrong is told by who reads it, and not by what was kept.
      return known === undefined || trail?.alien !== undefined ? [] : [[key, known]];
    });
    try {
      await index.save(writeIndex(new Map(kept), maxFieldLength));
    } catch {
      // Too long for a text, or not to be written: the next process derives it anew.
    }
  }
}

/**
 * Traces of one journal or several, with their child runs and the runs that they go on from.
 * @throws ReckonerError `option.invalid`
 */
export function journalTraces(
  source: JournalSource,
  options: JournalTracesOptions = {},
): TraceStore {
  return new JournalTraces(source, checkAllOptions("journalTraces", options, JOURNAL_TRACES));
}

function lostJournal(
  { name }: JournalPort,
  there: { readonly runId: string } | undefined,
  of: Reference,
): ReckonerError {
  const is = there === undefined ? "not there" : `of run ${there.runId}, not ${of.runId}`;
  return linkNotFound(name, `${of.name} links to it, and it is ${is}`);
}

/** Whether a journal still ends where it ended. */
async function isUnchanged(port: JournalPort, position: ReadPosition): Promise<boolean> {
  try {
    for await (const _ of viewOf(port).rawLines(position).batches()) return false;
    return true;
  } catch (thrown) {
    if (isReckonerError(thrown)) return false;
    throw thrown;
  }
}

function asRefusal({ name }: JournalPort, thrown: unknown): ReckonerError {
  if (isReckonerError(thrown)) return thrown;
  return new ReckonerError(
    "trace.unreachable",
    `${name} cannot be read: ${maskCredentials(messageOf(thrown))}.`,
    {
      place: name,
      cause: thrown,
    },
  );
}

/** A key that none has: journals in memory may all have one name. */
function unused(keys: ReadonlySet<string>, key: string): string {
  let free = key;
  for (let n = 2; keys.has(free); n++) free = `${key} (${n})`;
  return free;
}

function contentsOf(trees: readonly FoundTree[], unread: readonly Unread[]): TraceContents {
  const traced = trees.flatMap(({ runs }) => runs);
  const sessions = sessionsOf(traced);
  const infoOf = (
    port: JournalPort,
    { header, parent, events, ended }: TracedRun,
  ): TracedRunInfo => {
    const { runId, reasoner, at } = header;
    return {
      runId,
      agentId: reasoner.id,
      session: sessions.get(runId) ?? runId,
      ...(parent === undefined ? {} : { parent }),
      startedAt: at,
      events: events.length,
      ended,
      journal: port.name,
    };
  };
  return {
    events: assemble(traced),
    runs: trees.flatMap(({ runs, port }) => runs.map((run) => infoOf(port, run))),
    unread,
  };
}
