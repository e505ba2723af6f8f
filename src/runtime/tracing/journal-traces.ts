/**
 * `journalTraces`: a trace store over journals, their child runs, and the runs that they continue.
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
  assemble,
  eventsByTime,
  groupBy,
  queryEvents,
  type RunTraceOptions,
  sessionsOf,
  type TracedRun,
  type TraceFilter,
} from "../../core/trace/index.js";
import { alienChild, childNotFound, childRunId } from "../journals/child-journal.js";
import { linkNotFound } from "../journals/history.js";
import type { ReadPosition } from "../journals/line-stream.js";
import { emptyJournal } from "../journals/read-journal.js";
import { viewOf } from "../journals/view.js";
import type { JournalPort } from "../ports.js";
import { checkAllOptions, checkGiven, JOURNALS, KEPT_TEXT } from "../running/check-options.js";
import { type IndexedRun, type IndexedRuns, readIndex, writeIndex } from "./index-file.js";
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
  kept: IndexedRun | undefined;
}

/** A journal that is to be read, and under which key it is known. */
interface Next {
  readonly port: JournalPort;
  readonly key: string;
  /** What refers to it; none where it was named. */
  readonly of?: Reference;
}

/** What one journal says of another one. */
interface Reference {
  /** The run that is meant. */
  readonly runId: string;
  /** What is wrong with what stands there; nothing where it is the journal that is meant. */
  readonly fault: (header: TracedRun["header"] | undefined) => ReckonerError | undefined;
  /** Whether nothing is wrong where it is read from another place. */
  readonly anyPlace: boolean;
}

/** A journal that does not stand where another one leads. */
interface Lost extends Unread {
  readonly of: Reference;
}

/** A run that was read. */
interface FoundRun {
  readonly run: TracedRun;
  readonly port: JournalPort;
}

/** Traces of journals. */
export class JournalTraces implements TraceStore {
  readonly name: string;
  readonly #source: JournalSource;
  readonly #options: JournalTracesOptions;
  readonly #known = new Map<string, Known>();
  #kept: IndexedRuns | undefined;
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
    const found: FoundRun[] = [];
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
          const error = of.fault(header);
          if (error !== undefined) lost.push({ name: port.name, error, of });
          if (header === undefined || error !== undefined || ids.has(header.runId)) continue;
        }
        keys.add(key);
        grown = (await this.#update(key, port)) || grown;
      } catch (thrown) {
        unread.push({ name: port.name, error: asRefusal(port, thrown) });
      }
      const known = this.#runOf(key);
      if (known === undefined) {
        const isTold = unread.length > told;
        if (of === undefined && !isTold)
          unread.push({ name: port.name, error: emptyJournal(port) });
        continue;
      }
      const { run } = known;
      const alien = this.#known.get(key)?.trail?.alien;
      if (alien !== undefined && this.#options.links !== false) {
        unread.push({ name: alien.place ?? port.name, error: alien });
      }
      ids.add(run.header.runId);
      found.push({ run, port });
      try {
        queue.push(...this.#referredBy(known, port, key));
      } catch (thrown) {
        unread.push({ name: port.name, error: asRefusal(port, thrown) });
      }
    }
    const byId = groupBy(found, ({ run }) => run.header.runId);
    for (const { name, error, of } of lost) {
      const those = of.anyPlace ? byId.get(of.runId) : undefined;
      const isElsewhere = those?.some(({ run }) => of.fault(run.header) === undefined);
      if (isElsewhere !== true) unread.push({ name, error });
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

  #runOf(key: string): IndexedRun | undefined {
    const known = this.#known.get(key);
    return known?.trail?.known ?? known?.kept;
  }

  /** The journals of a run's children, and of the runs that it goes on from. */
  #referredBy({ run, hash }: IndexedRun, port: JournalPort, key: string): readonly Next[] {
    const { header, events, begun = [] } = run;
    const parent = { runId: header.runId, hash };
    const mustBe = new Set(begun);
    const children = events.flatMap(({ type, id }): Next[] => {
      if (type !== "delegation") return [];
      const directive = directiveOf(id);
      const child = viewOf(port).place(directive)?.port;
      if (child === undefined) return [];
      // Of a call that was refused, or never begun, there is no journal.
      const gone = mustBe.has(directive) ? childNotFound(directive, child, port) : undefined;
      const fault: Reference["fault"] = (there) =>
        there === undefined ? gone : alienChild(child, there, parent, directive);
      const own = childRunId(header.runId, directive);
      return [{ port: child, key: `${key}>${id}`, of: { runId: own, fault, anyPlace: true } }];
    });
    const links = this.#options.links === false ? [] : [header.from, header.fork];
    const linked = links.flatMap((link): Next[] => {
      const journal = link === undefined ? undefined : port.follow?.(link.journal);
      if (link === undefined || journal === undefined) return [];
      const fault: Reference["fault"] = (there) => {
        if (there?.runId === link.runId) return undefined;
        const is = there === undefined ? "not there" : `of run ${there.runId}, not ${link.runId}`;
        return linkNotFound(journal.name, `${port.name} links to it, and it is ${is}`);
      };
      // What a fork shares is read where its link leads, and nowhere else.
      const anyPlace = link !== header.fork;
      const { runId } = link;
      return [{ port: journal, key: `${key}<${link.journal}`, of: { runId, fault, anyPlace } }];
    });
    return [...linked, ...children];
  }

  async #load(): Promise<IndexedRuns> {
    // Where it cannot be read, or written, everything is derived anew each time.
    const text = await this.#options.index?.load().catch(() => undefined);
    return text === undefined ? new Map() : readIndex(text, this.#options.maxFieldLength);
  }

  async #save(): Promise<void> {
    const { index, maxFieldLength } = this.#options;
    if (index === undefined) return;
    const kept = [...this.#known].flatMap(([key, { trail }]): [string, IndexedRun][] => {
      const known = this.#runOf(key);
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

/** The directive of an event's id. */
function directiveOf(id: string): string {
  return id
    .slice(id.lastIndexOf("#") + 1)
    .replace(/%(25|23|40)/g, (escaped) =>
      String.fromCharCode(Number.parseInt(escaped.slice(1), 16)),
    );
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

function contentsOf(runs: readonly FoundRun[], unread: readonly Unread[]): TraceContents {
  const traced = runs.map(({ run }) => run);
  const sessions = sessionsOf(traced);
  return {
    events: assemble(traced),
    runs: runs.map(({ run, port }): TracedRunInfo => {
      const { runId, reasoner, parent, at } = run.header;
      return {
        runId,
        agentId: reasoner.id,
        session: sessions.get(runId) ?? runId,
        ...(parent === undefined ? {} : { parent: parent.runId }),
        startedAt: at,
        events: run.events.length,
        ended: run.ended,
        journal: port.name,
      };
    }),
    unread,
  };
}
