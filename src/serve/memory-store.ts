/** `memoryHostStore`: runs in memory, for tests, for one process, and as the database of the simulation. */
import { isReckonerError, pairKey } from "../core/kernel/index.js";
import {
  type Clock,
  type JournalPort,
  type JournalWriter,
  memoryJournal,
  type RunRow,
  systemClock,
} from "../runtime/for-hosts.js";
import { listed } from "./list-rows.js";
import type { Answer } from "./run-host.js";
import {
  ANSWER_MS,
  type Change,
  type Fault,
  type Held,
  type Hint,
  type HostStore,
  MAIL_AT_ONCE,
  type Mail,
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
  token: string;
  fault: Fault | undefined;
  row: RunRow | undefined;
  readonly mail: Map<string, Mail>;
  readonly answers: Map<string, { readonly answer: Answer; readonly until: number }>;
}

const NEVER = Number.POSITIVE_INFINITY;
/** Lines that are read at once. */
const PAGE = 1_000;

/**
 * Runs that live as long as this object.
 * @param clock of leases and wakes
 */
export function memoryHostStore({ clock = systemClock }: MemoryStoreOptions = {}): HostStore {
  return new MemoryStore(clock);
}

/** Options of a store in memory. */
export interface MemoryStoreOptions {
  readonly clock?: Pick<Clock, "now"> | undefined;
}

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
    const port = this.#journals.get(key) ?? memoryJournal(tenant === "" ? id : `${tenant}/${id}`);
    this.#journals.set(key, port);
    return port;
  }

  async post(place: RunPlace, mail: Mail, begins: boolean): Promise<Posted> {
    const entry = this.#entryOf(place, begins);
    if (entry === undefined) return { type: "missing" };
    const known = this.#posted(entry, mail.key);
    if (known.type !== "missing") return known;
    if (entry.parked) return parkedFor(entry);
    entry.mail.set(mail.key, mail);
    return { type: "waits" };
  }

  async answer(place: RunPlace, key: string): Promise<Posted> {
    const entry = this.#entryOf(place);
    if (entry === undefined) return { type: "missing" };
    const posted = this.#posted(entry, key);
    return posted.type === "waits" && entry.parked ? parkedFor(entry) : posted;
  }

  async claim(owner: string, leaseMs: number, most: number): Promise<readonly Held[]> {
    const now = this.#clock.now();
    const due = [...this.#entries.values()]
      .filter((entry) => isDue(entry, now))
      .sort((a, b) => a.lease - b.lease);
    return due.slice(0, most).map((entry) => {
      if (entry.owner !== "") entry.tries += 1;
      entry.owner = owner;
      entry.epoch += 1;
      entry.lease = now + leaseMs;
      return heldOf(entry);
    });
  }

  async renew(owner: string, leaseMs: number): Promise<readonly Held[]> {
    const own = [...this.#entries.values()].filter((entry) => entry.owner === owner);
    for (const entry of own) entry.lease = this.#clock.now() + leaseMs;
    return own.map(heldOf);
  }

  async mail(owner: string): ReturnType<HostStore["mail"]> {
    return [...this.#entries.values()]
      .filter((entry) => entry.owner === owner && entry.mail.size > 0)
      .map(({ place, mail }) => ({ place, mail: [...mail.values()].slice(0, MAIL_AT_ONCE) }));
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
    const writer = append === undefined ? undefined : await opened(append.journal);
    try {
      // From here on nobody else has a turn.
      const entry = this.#entryOf(place);
      if (entry === undefined) return false;
      if (entry.token === change.token) return true;
      if (entry.owner !== owner || entry.epoch !== epoch) return false;
      if (append !== undefined) writer?.append(append.lines, append.at);
      this.#apply(entry, change);
      return true;
    } finally {
      await writer?.close();
    }
  }

  #apply(entry: Entry, { token, row, answers = [], progress, release, spent }: Change): void {
    const now = this.#clock.now();
    entry.token = token;
    entry.row = row ?? entry.row;
    if (progress === true) entry.tries = 0;
    for (const answer of answers) {
      entry.mail.delete(answer.key);
      entry.answers.set(answer.key, { answer, until: now + ANSWER_MS });
    }
    if (spent !== undefined) {
      const key = pairKey(entry.place.tenant, spent.day);
      this.#spent.set(key, (this.#spent.get(key) ?? 0) + spent.amount);
    }
    if (release === undefined) return;
    const { wakeIn = NEVER, fault, park = false } = release;
    entry.owner = "";
    entry.lease = now;
    entry.wake = now + wakeIn;
    entry.tries = fault === undefined ? entry.tries : entry.tries + 1;
    entry.fault = fault;
    entry.parked = park;
  }

  async row(place: RunPlace): ReturnType<HostStore["row"]> {
    const entry = this.#entryOf(place);
    if (entry === undefined) return undefined;
    const { row, fault, parked } = entry;
    return { row, fault, parked };
  }

  async lines(journal: JournalPort, from: number): Promise<readonly string[]> {
    let text = "";
    const decoder = new TextDecoder();
    for await (const chunk of journal.read()) text += decoder.decode(chunk, { stream: true });
    return text
      .split("\n")
      .slice(0, -1)
      .slice(from, from + PAGE);
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
    for (const { answers } of this.#entries.values()) {
      for (const [key, { until }] of answers) if (until <= now) answers.delete(key);
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
    const known = this.#entries.get(key);
    if (known !== undefined || !makes) return known;
    const entry: Entry = {
      ...{ place, owner: "", epoch: 0, lease: 0, wake: NEVER, tries: 0, token: "" },
      ...{ parked: false, fault: undefined, row: undefined },
      mail: new Map(),
      answers: new Map(),
    };
    this.#entries.set(key, entry);
    return entry;
  }

  #posted({ mail, answers }: Entry, key: string): Posted {
    const answered = answers.get(key);
    if (answered !== undefined) return { type: "answered", answer: answered.answer };
    return mail.has(key) ? { type: "waits" } : { type: "missing" };
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

function isDue({ parked, owner, lease, wake, mail, fault }: Entry, now: number): boolean {
  if (parked) return false;
  // A run that failed is tried at its moment, whatever is said to it.
  if (owner === "" && fault !== undefined) return wake <= now;
  return owner === "" ? mail.size > 0 || wake <= now : lease < now;
}

function heldOf({ place, epoch, tries, fault }: Entry): Held {
  return { place, epoch, tries, ...(fault === undefined ? {} : { fault }) };
}

function parkedFor({ fault }: Entry): Posted {
  return { type: "parked", fault: fault ?? UNKNOWN };
}

const UNKNOWN: Fault = { code: "run.parked", message: "Its processes ended again and again." };
