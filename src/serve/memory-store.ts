/**
 * `memoryHostStore`: a store of a host in memory, for tests, for one process, and as the database of the
 * simulation.
 */

import type * as shapes from "../core/kernel/shapes.js";
import { groupBy, isReckonerError, ReckonerError } from "../core/kernel/values/index.js";
import { pairKey } from "../core/kernel/vocabulary/index.js";
import {
  type Clock,
  checkAllOptions,
  headOf,
  type JournalPort,
  type JournalWriter,
  memoryJournal,
  NOW,
  summaryOf,
  systemClock,
} from "../runtime/for-hosts.js";
import type { HostRow } from "./host-row.js";
import { listed } from "./list-in-memory.js";
import type { Answer } from "./run-host.js";
import {
  ANSWER_KEPT_MS,
  BYTES_AT_ONCE,
  type Change,
  type Fault,
  type Held,
  type Hint,
  type HostStore,
  isOther,
  linesFrom,
  MAIL_AT_ONCE,
  type MovedHead,
  type NewMail,
  NO_REASON,
  type Posted,
  type RunPlace,
} from "./store.js";

/** A run, and who owns it. */
interface Entry {
  readonly place: RunPlace;
  owner: string;
  epoch: number;
  lease: number;
  wake: number;
  tries: number;
  parked: boolean;
  /** It never began. */
  gone: boolean;
  token: string;
  /** Somebody has written to its journal beside its owners. */
  isOthers: boolean;
  fault: Fault | undefined;
  row: HostRow | undefined;
  readonly mail: Map<string, NewMail>;
  readonly answers: Map<string, Answered>;
}

interface Answered {
  readonly answer: Answer;
  /** Of what was said. */
  readonly mark: string | undefined;
  readonly until: number;
}

const NEVER = Number.POSITIVE_INFINITY;

/** Runs that live as long as this object. @throws ReckonerError `option.invalid` */
export function memoryHostStore(options: MemoryStoreOptions = {}): HostStore {
  const { clock = systemClock } = checkAllOptions("memoryHostStore", options, STORE);
  return new MemoryStore(clock);
}

/** Options of a store in memory. */
export interface MemoryStoreOptions {
  /** Of leases and wakes. */
  readonly clock?: Pick<Clock, "now"> | undefined;
}

const STORE: shapes.Shapes<MemoryStoreOptions> = { clock: NOW };

class MemoryStore implements HostStore {
  readonly name = "memory";
  readonly #clock: Pick<Clock, "now">;
  readonly #entries = new Map<string, Entry>();
  readonly #journals = new Map<string, JournalPort>();
  readonly #spent = new Map<string, number>();
  readonly #hearing = new Set<(hint: Hint) => void>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  async open(): Promise<void> {}

  journal({ tenant, id }: RunPlace): JournalPort {
    const key = pairKey(tenant, id);
    const cached = this.#journals.get(key);
    if (cached !== undefined) return cached;
    const made = memoryJournal(tenant === "" ? id : `${tenant}/${id}`);
    const open: JournalPort["open"] = (mode) => {
      const entry = this.#entries.get(key);
      if (entry !== undefined) entry.isOthers = true;
      return made.open(mode);
    };
    const port: JournalPort = { ...made, tenant, open };
    this.#journals.set(key, port);
    return port;
  }

  async post(place: RunPlace, mail: NewMail, begins: boolean): Promise<Posted> {
    const entry = this.#entryOf(place, begins);
    if (entry === undefined) return { type: "missing" };
    const posted = this.#posted(entry, mail.key, mail.mark);
    if (posted.type !== "missing") return posted;
    if (entry.parked) return parkedFor(entry);
    if (begins) entry.gone = false;
    if (entry.gone) return { type: "missing" };
    entry.mail.set(mail.key, mail);
    return { type: "waits" };
  }

  async answer(place: RunPlace, key: string, mark?: string): Promise<Posted> {
    const entry = this.#entryOf(place);
    if (entry === undefined) return { type: "missing" };
    return this.#posted(entry, key, mark);
  }

  async claim(
    owner: string,
    leaseMs: number,
    most: number,
    without: readonly string[] = [],
  ): Promise<readonly Held[]> {
    const now = this.#clock.now();
    const due = [...this.#entries.values()]
      .filter((entry) => isDue(entry, now) && !without.includes(entry.place.tenant))
      .sort((a, b) => a.lease - b.lease);
    const claimed = due.slice(0, most).map((entry) => {
      if (entry.owner !== "") entry.tries += 1;
      entry.owner = owner;
      entry.epoch += 1;
      entry.lease = now + leaseMs;
      return { entry, held: heldOf(entry) };
    });
    return Promise.all(claimed.map(({ entry, held }) => this.#withMark(entry, held)));
  }

  async #withMark({ place, token, isOthers }: Entry, held: Held): Promise<Held> {
    const heads = (await this.journal(place).notes?.list("head")) ?? [];
    const isAsLeft = token !== "" && !isOthers && heads.length === 0;
    return isAsLeft ? { ...held, unchanged: token } : held;
  }

  async renew(owner: string, leaseMs: number): Promise<readonly Held[]> {
    const own = [...this.#entries.values()].filter((entry) => entry.owner === owner);
    for (const entry of own) entry.lease = this.#clock.now() + leaseMs;
    return own.map(heldOf);
  }

  async mail(owner: string): ReturnType<HostStore["mail"]> {
    const waiting = [...this.#entries.values()]
      .filter((entry) => entry.owner === owner)
      .flatMap(({ place, mail }) =>
        [...mail.values()].slice(0, MAIL_AT_ONCE).map((own, n) => {
          return { place, own, n, size: JSON.stringify(own.word).length };
        }),
      )
      .sort((a, b) => a.n - b.n || a.size - b.size);
    const found = groupBy(fitting(waiting), ({ place }) => place);
    return [...found].map(([place, mail]) => ({ place, mail: mail.map(({ own }) => own) }));
  }

  commit(owner: string, held: Pick<Held, "place" | "epoch">, change: Change): Promise<boolean> {
    const done = this.#last.then(() => this.#commit(owner, held, change));
    this.#last = done.catch(() => {});
    return done;
  }

  async #commit(
    owner: string,
    { place, epoch }: Pick<Held, "place" | "epoch">,
    change: Change,
  ): Promise<boolean> {
    const { append } = change;
    const entry = this.#entryOf(place);
    let isOthers = entry?.isOthers === true;
    const writer = append === undefined ? undefined : await opened(append.journal);
    try {
      // From here on nobody else has a turn.
      if (entry === undefined) return false;
      if (entry.token === change.token) return true;
      if (entry.owner !== owner || entry.epoch !== epoch) return false;
      if (change.head !== undefined && !(await this.#moveHead(place, change.head))) {
        throw headMoved(place);
      }
      if (append !== undefined) writer?.append(append.lines, append.at);
      this.#apply(entry, change);
      // Its owner knew where it ends.
      if (append !== undefined) isOthers = false;
      return true;
    } finally {
      await writer?.close();
      if (entry !== undefined) entry.isOthers = isOthers;
    }
  }

  /** The note is written at once, before anybody else has a turn. */
  async #moveHead(place: RunPlace, { text, before }: MovedHead): Promise<boolean> {
    const { notes } = this.journal(place);
    return (await notes?.write("head", "head", text, before)) === true;
  }

  #apply(entry: Entry, { token, row, answers = [], progress, release, spent }: Change): void {
    const now = this.#clock.now();
    entry.token = token;
    entry.row = row ?? entry.row;
    if (progress === true) entry.tries = 0;
    for (const answer of answers) {
      const mark = entry.mail.get(answer.key)?.mark;
      entry.mail.delete(answer.key);
      entry.answers.set(answer.key, { answer, mark, until: now + ANSWER_KEPT_MS });
    }
    if (spent !== undefined) {
      const key = pairKey(entry.place.tenant, spent.day);
      this.#spent.set(key, (this.#spent.get(key) ?? 0) + spent.amount);
    }
    if (release === undefined) return;
    const { wakeIn = NEVER, fault, park = false, gone = false } = release;
    entry.owner = "";
    entry.lease = now;
    entry.wake = now + wakeIn;
    entry.tries = fault === undefined ? entry.tries : entry.tries + 1;
    entry.fault = fault;
    entry.parked = park;
    entry.gone = gone;
  }

  async row(place: RunPlace): ReturnType<HostStore["row"]> {
    const entry = this.#entryOf(place);
    if (entry === undefined) return undefined;
    const { row, fault, parked, isOthers } = entry;
    return { row: isOthers ? await this.#rowOf(place) : row, fault, parked };
  }

  /** Makes the row of a run from its lines. */
  async #rowOf(place: RunPlace): Promise<HostRow> {
    const journal = await headOf(this.journal(place));
    const { journal: _name, torn: _torn, ...row } = await summaryOf(journal);
    return row;
  }

  async lines(journal: JournalPort, from: number): Promise<readonly string[]> {
    let text = "";
    const decoder = new TextDecoder();
    for await (const chunk of journal.read()) text += decoder.decode(chunk, { stream: true });
    const lines = linesFrom(text.split("\n").slice(0, -1), from);
    // A part of a text keeps all of it in memory, as long as somebody holds the part.
    return lines.map((line) => new TextDecoder().decode(new TextEncoder().encode(line)));
  }

  async list(tenant: string, options: Parameters<HostStore["list"]>[1]) {
    const rows = [...this.#entries.values()].flatMap(({ place, row }) =>
      place.tenant === tenant && row !== undefined ? [{ ...row, id: place.id }] : [],
    );
    return listed(rows, options);
  }

  async unpark(place: RunPlace): Promise<boolean> {
    const entry = this.#entryOf(place);
    if (entry === undefined) return false;
    if (entry.parked) Object.assign(entry, { parked: false, tries: 0, wake: this.#clock.now() });
    return true;
  }

  async spent(tenant: string, day: string): Promise<number> {
    return this.#spent.get(pairKey(tenant, day)) ?? 0;
  }

  async sweep(): Promise<void> {
    const now = this.#clock.now();
    for (const [name, { gone, mail, answers }] of this.#entries) {
      for (const [key, { until }] of answers) if (until <= now) answers.delete(key);
      if (!gone || mail.size + answers.size > 0) continue;
      this.#entries.delete(name);
      this.#journals.delete(name);
    }
  }

  tell(hint: Hint): void {
    for (const hear of [...this.#hearing]) hear(hint);
  }

  listen(hear: (hint: Hint) => void): () => void {
    this.#hearing.add(hear);
    return () => this.#hearing.delete(hear);
  }

  #entryOf(place: RunPlace, makes = false): Entry | undefined {
    const key = pairKey(place.tenant, place.id);
    const existing = this.#entries.get(key);
    if (existing !== undefined || !makes) return existing;
    const entry: Entry = {
      ...{ place, owner: "", epoch: 0, lease: 0, wake: NEVER, tries: 0, token: "" },
      isOthers: false,
      ...{ parked: false, gone: false, fault: undefined, row: undefined },
      mail: new Map(),
      answers: new Map(),
    };
    this.#entries.set(key, entry);
    return entry;
  }

  #posted(entry: Entry, key: string, mark: string | undefined): Posted {
    const { mail, answers } = entry;
    const answered = answers.get(key);
    const firstMark = answered?.mark ?? mail.get(key)?.mark;
    if (isOther(firstMark, mark)) return { type: "other" };
    if (answered !== undefined) return { type: "answered", answer: answered.answer };
    if (!mail.has(key)) return { type: "missing" };
    return entry.parked ? parkedFor(entry) : { type: "waits" };
  }
}

async function opened(journal: JournalPort): Promise<JournalWriter> {
  try {
    return await journal.open("append");
  } catch (thrown) {
    if (!isReckonerError(thrown) || thrown.code !== "journal.missing") throw thrown;
    return journal.open("create");
  }
}

/** Returns as many as are read at once. */
function fitting<T extends { readonly size: number }>(all: readonly T[]): readonly T[] {
  let sum = 0;
  return all.filter(({ size }) => {
    sum += size;
    return sum - size < BYTES_AT_ONCE;
  });
}

function isDue({ parked, owner, lease, wake, mail, fault }: Entry, now: number): boolean {
  if (parked) return false;
  // A run that failed is tried at its moment, whatever is said to it.
  if (owner === "" && fault !== undefined) return wake <= now;
  return owner === "" ? mail.size > 0 || wake <= now : lease < now;
}

function headMoved({ id }: RunPlace): ReckonerError {
  const message = `The head of the run ${id} was moved by somebody else.`;
  return new ReckonerError("journal.conflict", message, { place: id });
}

function heldOf({ place, epoch, tries, fault }: Entry): Held {
  return { place, epoch, tries, ...(fault === undefined ? {} : { fault }) };
}

function parkedFor({ fault }: Entry): Posted {
  return { type: "parked", fault: fault ?? NO_REASON };
}
