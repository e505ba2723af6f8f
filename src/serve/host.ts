/** `host`: many runs by their ids, from any process that has their store. */
import {
  type ApprovalDecision,
  isReckonerError,
  type Json,
  ReckonerError,
  type UserPart,
} from "../core/kernel/index.js";
import {
  type Clock,
  checkGiven,
  checkReady,
  driverOptions,
  headOf,
  LABEL,
  type Randomness,
  systemClock,
  systemRandomness,
} from "../runtime/for-hosts.js";
import { checkHost, checkList, checkListen } from "./check-host.js";
import { ModelGates } from "./gates.js";
import type { HostRunsOptions } from "./host-options.js";
import { type Authorize, answered } from "./http/fetch.js";
import type { Who } from "./http/routes.js";
import { OwnedRuns } from "./owned-runs.js";
import { missingRun } from "./refused.js";
import type {
  Answer,
  HostedRow,
  LinesPage,
  NewHostedRun,
  QueueChange,
  RunHost,
  Sender,
} from "./run-host.js";
import { type Listening, type ListenOptions, listen } from "./server/index.js";
import type { Fault, HostStore, ListOptions, ListPage, Posted, RunPlace } from "./store.js";
import type { TenantRuns, WatchOptions } from "./tenant-runs.js";
import { TenantGate } from "./tenants.js";
import { type Seen, watch } from "./watch.js";
import {
  cancelWord,
  decisionWord,
  editWord,
  eventWord,
  interruptWord,
  keyOf,
  messageWord,
  queueWord,
  startWord,
  type Word,
  wordJson,
} from "./words.js";

/** A host of many runs: those of no tenant, and of each tenant. */
export interface Host extends TenantRuns {
  /** Resolves when it owns runs and can be told things. @throws ReckonerError `host.exclusion`, `store.version` */
  ready(): Promise<void>;
  /** No other tenant's runs are found in it, by whatever id. @throws ReckonerError `option.invalid` */
  tenant(name: string): TenantRuns;
  /**
   * Leaves all runs to other hosts, and ends. Attempts have some milliseconds to settle.
   * @param ms default 0
   */
  drain(ms?: number): Promise<void>;
  /**
   * Answers a request: on Bun, Deno, Workers, in Hono, and wherever a Request is one. It needs no `this`.
   * @throws ReckonerError `option.invalid` where the host has no `authorize`; what `authorize` throws
   */
  readonly fetch: (request: Request) => Promise<Response>;
  /**
   * Serves the same by Node's own server. Without `authorize` it listens on 127.0.0.1 alone, and refuses another Host
   * or Origin than its own.
   * @throws ReckonerError `option.invalid`; errors of the socket as they are
   */
  listen(options?: ListenOptions): Promise<Listening>;
}

const ANSWER_MS = 10_000;
const LEASE_MS = 10_000;
const POLL_MS = 1_000;
const RUNS = 1_000;
/** Milliseconds before an answer is looked for in the store again, at first and at most. */
const LOOK_MS = 20;
const MAX_LOOK_MS = 500;

/**
 * Makes a host. It goes on with whatever is due in its store, until it is drained.
 * @throws ReckonerError `option.invalid`
 */
export function host(options: HostRunsOptions): Host {
  checkHost(options);
  return new RunsHost(options);
}

class RunsHost implements Host {
  readonly #store: HostStore;
  readonly #clock: Clock;
  readonly #random: Randomness;
  readonly #answerMs: number;
  readonly #owned: OwnedRuns;
  readonly #tenants: TenantGate;
  readonly #options: HostRunsOptions;
  #isReady: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: HostRunsOptions) {
    const { store, reasoners, clock = systemClock, random = systemRandomness, limits } = options;
    this.#options = options;
    this.#store = store;
    this.#clock = clock;
    this.#random = random;
    this.#answerMs = options.answerMs ?? ANSWER_MS;
    const { model, stores, services, unseal, redact, maskCredentials } = options;
    this.#tenants = new TenantGate(limits?.tenants ?? {}, store, clock);
    this.#owned = new OwnedRuns(
      {
        ...{ store, clock, random, owner: random.id() },
        ports: { model, stores, services, unseal, maskCredentials },
        gates: new ModelGates(limits?.models ?? {}, model),
        opening: {
          reasoners,
          options: driverOptions({ ...options, timers: "sleep", modelDown: "wait" }),
        },
        hidden: { redact, maskCredentials },
        mayDecide: options.mayDecide,
      },
      {
        leaseMs: options.leaseMs ?? LEASE_MS,
        pollMs: options.pollMs ?? POLL_MS,
        runs: options.runs ?? RUNS,
        tenantRuns: (tenant) => this.#tenants.runsOf(tenant),
      },
    );
    void this.ready().catch(() => {});
  }

  ready(): Promise<void> {
    this.#isReady ??= this.#open().catch((thrown: unknown) => {
      // A database that cannot be reached now may be so later.
      this.#isReady = undefined;
      throw thrown;
    });
    return this.#isReady;
  }

  async #open(): Promise<void> {
    for (const reasoner of this.#options.reasoners) await checkReady(reasoner, this.#options);
    await this.#store.open();
    if (!this.#isClosed) this.#owned.begin();
  }

  tenant(name: string): TenantRuns {
    checkGiven("The tenant", name, LABEL);
    return this.#runsOf(name);
  }

  run(id: string): RunHost {
    return this.#runsOf("").run(id);
  }

  list(options?: ListOptions): Promise<ListPage> {
    return this.#runsOf("").list(options);
  }

  watch(id: string, options?: WatchOptions): AsyncIterable<Seen> {
    return this.#runsOf("").watch(id, options);
  }

  unpark(id: string): Promise<void> {
    return this.#runsOf("").unpark(id);
  }

  readonly fetch = async (request: Request): Promise<Response> => {
    const { authorize } = this.#options;
    if (authorize === undefined) {
      const message =
        "host.fetch needs authorize, an option of host that tells who makes a request.";
      throw new ReckonerError("option.invalid", message, { place: "authorize" });
    }
    return this.#answered(request, authorize);
  };

  listen(options: ListenOptions = {}): Promise<Listening> {
    checkListen(options);
    const { authorize } = this.#options;
    const known = authorize ?? (() => ({}));
    return listen((request) => this.#answered(request, known), options, authorize === undefined);
  }

  #answered(request: Request, authorize: Authorize): Promise<Response> {
    const { path = "" } = this.#options;
    const runsOf = ({ tenant }: Who) => (tenant === undefined ? this : this.tenant(tenant));
    return answered({ runsOf, clock: this.#clock, authorize, path }, request);
  }

  async drain(ms = 0): Promise<void> {
    this.#isClosed = true;
    await this.#owned.drain(ms);
  }

  #runsOf(tenant: string): TenantRuns {
    return {
      run: (id) => this.#runOf({ tenant, id: checkedId(id) }),
      list: async (options = {}) => {
        checkList(options);
        await this.ready();
        return this.#store.list(tenant, options);
      },
      watch: (id, options = {}) => this.#watch({ tenant, id: checkedId(id) }, options),
      unpark: async (id) => {
        await this.ready();
        if (await this.#store.unpark({ tenant, id: checkedId(id) })) return this.#owned.kick();
        throw missingRun(id);
      },
    };
  }

  async *#watch(place: RunPlace, { from = 0, signal }: WatchOptions): AsyncGenerator<Seen> {
    await this.ready();
    yield* watch({
      page: (number) => this.#lines(place, number),
      from,
      signal,
      news: (ms) => this.#owned.lines(place, ms),
    });
  }

  #runOf(place: RunPlace): RunHost {
    const say = (word: (key: string) => Word, sender: Sender = {}) =>
      this.#say(place, word, sender);
    return {
      start: (run: NewHostedRun = {}, sender) => say(() => startWord(run), sender),
      message: (content: string | readonly UserPart[], sender) =>
        say((key) => messageWord(content, key), sender),
      queued: (id: string, change: QueueChange, sender) => say(() => queueWord(id, change), sender),
      edit: (seq, content, sender) => say(() => editWord(seq, content), sender),
      decide: (id: string, decision: ApprovalDecision, sender = {}) =>
        say(() => decisionWord(id, decision, sender), sender),
      interrupt: (reason, graceMs = 0, sender) => say(() => interruptWord(reason, graceMs), sender),
      cancel: (reason, sender) => say(() => cancelWord(reason), sender),
      send: (event: { readonly type: string; readonly [part: string]: Json }, sender) =>
        say(() => eventWord(event), sender),
      answer: (key) => this.#answer(place, key),
      row: () => this.#row(place),
      lines: (from = 0) => this.#lines(place, from),
    };
  }

  /** @throws ReckonerError what cannot be meant, `host.closed`, and what the store throws */
  async #say(place: RunPlace, make: (key: string) => Word, sender: Sender): Promise<Answer> {
    const key = keyOf(sender, () => this.#random.id());
    const word = make(key);
    if (this.#isClosed) throw closed();
    await this.ready();
    const begins = word.type === "start";
    const held = await this.#tenants.refuses(place.tenant, word);
    if (held !== undefined) {
      // What was let in before is answered as it was.
      const known = await this.#store.answer(place, key);
      if (known.type === "missing" || known.type === "parked") return refusal(key, held);
      return this.#await(place, key, known);
    }
    const mail = { key, word: wordJson(word) };
    const posted = await this.#patiently(() => this.#store.post(place, mail, begins));
    this.#store.tell({ type: "mail", place });
    this.#owned.kick();
    return this.#await(place, key, posted);
  }

  async #answer(place: RunPlace, key: string): Promise<Answer> {
    await this.ready();
    const posted = await this.#store.answer(place, key);
    if (posted.type === "missing") {
      const message = `Nothing is known of ${key} at the run ${place.id}; answers are kept for an hour.`;
      throw new ReckonerError("run.missing", message, { place: key });
    }
    return this.#await(place, key, posted);
  }

  /** Waits for an answer, as long as a verb does. */
  async #await(place: RunPlace, key: string, first: Posted): Promise<Answer> {
    const until = this.#clock.now() + this.#answerMs;
    let posted = first;
    for (let wait = LOOK_MS; ; wait = Math.min(2 * wait, MAX_LOOK_MS)) {
      if (posted.type === "answered") return posted.answer;
      if (posted.type === "missing") return refusal(key, faultIn(missingRun(place.id)));
      if (posted.type === "parked") return refusal(key, parked(place.id, posted.fault));
      const left = until - this.#clock.now();
      if (left <= 0) return { outcome: "accepted", key };
      await this.#owned.answered(place, key, Math.min(wait, left));
      // A store that does not answer now may do so until the time is over.
      posted = await this.#store.answer(place, key).catch((thrown: unknown) => {
        if (this.#clock.now() >= until) throw thrown;
        return posted;
      });
    }
  }

  /** Asks a store again that failed: what is posted is posted once. */
  async #patiently<T>(ask: () => Promise<T>): Promise<T> {
    const until = this.#clock.now() + this.#answerMs;
    for (let wait = LOOK_MS; ; wait = Math.min(2 * wait, MAX_LOOK_MS)) {
      try {
        return await ask();
      } catch (thrown) {
        if (isReckonerError(thrown) || this.#clock.now() + wait > until) throw thrown;
        await this.#clock.sleep(wait);
      }
    }
  }

  async #row(place: RunPlace): Promise<HostedRow> {
    await this.ready();
    const state = await this.#store.row(place);
    if (state?.row === undefined) throw missingRun(place.id);
    const { row, fault, parked } = state;
    return { ...row, id: place.id, ...(parked && fault !== undefined ? { parked: fault } : {}) };
  }

  async #lines(place: RunPlace, from: number): Promise<LinesPage> {
    await this.ready();
    const state = await this.#store.row(place);
    if (state?.row === undefined) throw missingRun(place.id);
    const journal = await headOf(this.#store.journal(place));
    const lines = await this.#store.lines(journal, from);
    const isOver = /^(?:done|failed|cancelled)$/.test(state.row.status);
    // The row was read first: the lines of an end are those that are there by now.
    return { journal: journal.name, from, lines, ended: isOver && lines.length === 0 };
  }
}

function refusal(key: string, { code, message }: Fault): Answer {
  return { outcome: "refused", key, code: code as never, message };
}

function faultIn({ code, message }: ReckonerError): Fault {
  return { code, message };
}

function parked(id: string, { code, message }: Fault): Fault {
  const why = `The run ${id} is parked, since it failed again and again: ${code}: ${message}`;
  return { code: "run.parked", message: why };
}

function closed(): ReckonerError {
  return new ReckonerError("host.closed", "The host was drained; tell another one.");
}

/** @throws ReckonerError `option.invalid` */
function checkedId(id: string): string {
  checkGiven("The id of a run", id, LABEL);
  return id;
}
