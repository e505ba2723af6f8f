/**
 * Keeps the runs that this process owns: claims those that are due, renews its leases on them, hands over
 * what was sent to them, and lets go of those it lost. Hints from other processes only make it look into the
 * store sooner.
 */
import { countOf } from "../core/kernel/values/index.js";
import { pairKey } from "../core/kernel/vocabulary/index.js";
import { BoundedCache } from "./bounded-cache.js";
import type { KeptRun, RunParts } from "./host-parts.js";
import { HostedRun } from "./hosted-run.js";
import type { LiveDelta } from "./page/index.js";
import type { Answer } from "./run-host.js";
import type { Held, Hint, RunPlace } from "./store.js";

/** The way in which a process looks after its runs. */
export interface Owning {
  readonly leaseMs: number;
  readonly pollMs: number;
  readonly runs: number;
  /** The number of runs of a tenant that go on at once. */
  tenantRuns(tenant: string): number;
}

/** Milliseconds between two looks, where something happens. */
const MIN_POLL_MS = 20;
/** Runs that are claimed with one look. */
const MOST_AT_ONCE = 64;
/** Runs that wait and are kept as they were open, and the bytes of their journals in all. */
const KEPT_RUNS = 500;
const KEPT_BYTES = 32 * 1024 * 1024;
/** Answers are swept so often. */
const SWEEP_MS = 60_000;

/** See the banner. */
export class OwnedRuns {
  readonly #parts: RunParts;
  readonly #owning: Owning;
  readonly #runs = new Map<string, HostedRun>();
  /** Runs that wait until their tenant has fewer going. */
  readonly #waiting: HostedRun[] = [];
  readonly #listening = new Map<string, Set<() => void>>();
  readonly #hearing = new Map<string, Set<(delta: LiveDelta | undefined) => void>>();
  #isDraining = false;
  #renewedAt = 0;
  #sweptAt = 0;
  #kick: () => void = () => {};
  #isKicked = false;
  #leave: () => void = () => {};
  #empty: () => void = () => {};

  constructor(parts: Omit<RunParts, "committed" | "kept">, owning: Owning) {
    const kept = new BoundedCache<KeptRun>(KEPT_RUNS, KEPT_BYTES);
    this.#parts = { ...parts, kept, committed: (held, answers) => this.#committed(held, answers) };
    this.#owning = owning;
  }

  /** Begins to look for runs that are due. */
  begin(): void {
    const { store, clock } = this.#parts;
    this.#renewedAt = clock.now();
    this.#sweptAt = clock.now();
    this.#leave = store.listen((hint) => this.#hear(hint));
    void this.#look();
  }

  /** Leaves all runs to other hosts. */
  async drain(ms: number): Promise<void> {
    this.#isDraining = true;
    for (const run of this.#runs.values()) run.drain(ms);
    for (const run of this.#waiting.splice(0)) this.#drive(run);
    if (this.#runs.size > 0) {
      await this.#emptied(ms);
      for (const run of this.#runs.values()) run.drop();
      this.#runs.clear();
    }
    this.#parts.kept.clear();
    this.#leave();
    this.kick();
  }

  /** Resolves when no run is left, or when a store that does not answer has given them to others. */
  #emptied(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const takeBack = this.#parts.clock.setTimer(ms + this.#owning.leaseMs, resolve);
      this.#empty = () => {
        takeBack();
        resolve();
      };
    });
  }

  /** Looks at the store at once. */
  kick(): void {
    this.#isKicked = true;
    this.#kick();
  }

  /** Resolves when something is answered in this process, or after a time. */
  answered(place: RunPlace, key: string, ms: number): Promise<void> {
    return this.#listen(pairKey(nameOf(place), key), ms);
  }

  /** Resolves when a run has more lines, as far as this process hears of it, or after a time. */
  lines(place: RunPlace, ms: number): Promise<void> {
    return this.#listen(nameOf(place), ms);
  }

  #listen(name: string, ms: number): Promise<void> {
    return new Promise((resolve) => {
      const listening = this.#listening.get(name) ?? new Set();
      this.#listening.set(name, listening);
      const hear = () => {
        takeBack();
        listening.delete(hear);
        if (listening.size === 0) this.#listening.delete(name);
        resolve();
      };
      const takeBack = this.#parts.clock.setTimer(ms, hear);
      listening.add(hear);
    });
  }

  #wake(name: string): void {
    for (const hear of [...(this.#listening.get(name) ?? [])]) hear();
  }

  /**
   * Hears of a run's lines (`undefined`) and of what streams in, as far as this process is told.
   * @returns stops hearing
   */
  hear(place: RunPlace, hear: (delta: LiveDelta | undefined) => void): () => void {
    const name = nameOf(place);
    const hearing = this.#hearing.get(name) ?? new Set();
    this.#hearing.set(name, hearing.add(hear));
    return () => {
      hearing.delete(hear);
      if (hearing.size === 0 && this.#hearing.get(name) === hearing) this.#hearing.delete(name);
    };
  }

  #show(place: RunPlace, delta?: LiveDelta): void {
    for (const hear of [...(this.#hearing.get(nameOf(place)) ?? [])]) hear(delta);
  }

  #hear(hint: Hint): void {
    if (hint.type === "delta") this.#show(hint.place, hint.delta as LiveDelta);
    if (hint.type === "wanted") this.#runs.get(nameOf(hint.place))?.tellLive();
    if (hint.type === "lines") this.#show(hint.place);
    if (hint.type === "lines") this.#wake(nameOf(hint.place));
    if (hint.type === "mail") this.kick();
  }

  #committed({ place }: Held, answers: readonly Answer[]): void {
    for (const { key } of answers) this.#wake(pairKey(nameOf(place), key));
    this.#wake(nameOf(place));
    this.#parts.store.tell({ type: "lines", place });
  }

  async #look(): Promise<void> {
    const { random } = this.#parts;
    const { pollMs } = this.#owning;
    let wait = MIN_POLL_MS;
    while (!this.#isDraining || this.#runs.size > 0) {
      this.#isKicked = false;
      const found = await this.#lookOnce().catch(() => false);
      wait = found ? MIN_POLL_MS : Math.min(2 * wait, pollMs);
      // Hosts that look at the same moment would be in each other's way.
      await this.#pause(wait * (0.75 + random.fraction() / 2));
    }
  }

  #pause(ms: number): Promise<void> {
    if (this.#isKicked) return Promise.resolve();
    return new Promise((resolve) => {
      const takeBack = this.#parts.clock.setTimer(ms, () => this.#kick());
      this.#kick = () => {
        takeBack();
        this.#kick = () => {};
        resolve();
      };
    });
  }

  /** @returns whether anything was there */
  async #lookOnce(): Promise<boolean> {
    await this.#renew();
    const claimed = await this.#claim();
    // What was said before a run was claimed is in its first take, where the store can tell it.
    const hasMail = await this.#tellMail(claimed).catch(() => false);
    for (const run of claimed) {
      if (this.#gate()(run)) this.#drive(run);
      else this.#waiting.push(run);
    }
    await this.#sweep();
    return claimed.length > 0 || hasMail;
  }

  async #renew(): Promise<void> {
    const { clock, store, owner } = this.#parts;
    const { leaseMs } = this.#owning;
    const asked = clock.now();
    if (asked - this.#renewedAt < leaseMs / 3) return;
    try {
      const before = [...this.#runs];
      const held = await store.renew(owner, leaseMs);
      this.#renewedAt = asked;
      const epochs = new Map(held.map(({ place, epoch }) => [nameOf(place), epoch]));
      for (const [name, run] of before) {
        if (epochs.get(name) !== run.held.epoch) run.drop();
      }
      for (const each of held) await this.#letGoUnknown(each);
    } catch (thrown) {
      // Others may own them by now.
      if (clock.now() - this.#renewedAt > leaseMs)
        for (const run of this.#runs.values()) run.drop();
      throw thrown;
    }
  }

  /** A claim whose answer was lost, or a run that was given up: nobody here goes on with it. */
  async #letGoUnknown(held: Held): Promise<void> {
    const { store, owner } = this.#parts;
    const isKnown = ({ held: { place, epoch } }: HostedRun) =>
      epoch === held.epoch && nameOf(place) === nameOf(held.place);
    if ([...this.#runs.values(), ...this.#waiting].some(isKnown)) return;
    const token = `${owner}/${held.epoch}/unknown`;
    await store.commit(owner, held, { token, release: { wakeIn: 0 } });
  }

  async #claim(): Promise<readonly HostedRun[]> {
    const { store, owner } = this.#parts;
    const { leaseMs, runs } = this.#owning;
    const room = runs - this.#runs.size;
    if (this.#isDraining || room <= 0) return [];
    // Further runs of a tenant that has some waiting are left to others: they would take the room of its neighbours.
    const full = new Set(this.#waiting.map(({ held }) => held.place.tenant));
    const claimed = await store.claim(owner, leaseMs, Math.min(room, MOST_AT_ONCE), [...full]);
    return claimed.map((held) => new HostedRun(held, this.#parts));
  }

  /** Returns a test of runs: their tenant has fewer going than it may. */
  #gate(): (run: HostedRun) => boolean {
    const going = countOf([...this.#runs.values()].map(({ held }) => held.place.tenant));
    return ({ held: { place } }) =>
      (going.get(place.tenant) ?? 0) < this.#owning.tenantRuns(place.tenant);
  }

  #drive(run: HostedRun): void {
    const name = nameOf(run.held.place);
    // One that was lost may still be on its way out.
    this.#runs.get(name)?.drop();
    this.#runs.set(name, run);
    if (this.#isDraining) run.drain(0);
    void run.drive().then(() => {
      if (this.#runs.get(name) === run) this.#runs.delete(name);
      this.#next();
      if (this.#runs.size === 0) this.#empty();
      this.kick();
    });
  }

  #next(): void {
    const at = this.#waiting.findIndex(this.#gate());
    const [run] = at < 0 ? [] : this.#waiting.splice(at, 1);
    if (run !== undefined) this.#drive(run);
  }

  /** @returns whether anything is new */
  async #tellMail(claimed: readonly HostedRun[]): Promise<boolean> {
    const { store, owner } = this.#parts;
    const runs = new Map(this.#runs);
    for (const run of [...this.#waiting, ...claimed]) runs.set(nameOf(run.held.place), run);
    if (runs.size === 0) return false;
    for (const run of runs.values()) run.forgetAnswered();
    let isNew = false;
    for (const { place, mail } of await store.mail(owner)) {
      if (runs.get(nameOf(place))?.tell(mail) === true) isNew = true;
    }
    return isNew;
  }

  async #sweep(): Promise<void> {
    const { clock, store } = this.#parts;
    if (clock.now() - this.#sweptAt < SWEEP_MS) return;
    this.#sweptAt = clock.now();
    await store.sweep();
  }
}

function nameOf({ tenant, id }: RunPlace): string {
  return pairKey(tenant, id);
}
