/** `host`: many runs by their ids, from any process that has their store. */
import { openServer } from "#platform";
import * as shapes from "../core/kernel/shapes.js";
import { isReckonerError, type Json, ReckonerError } from "../core/kernel/values/index.js";
import { type ApprovalDecision, pairKey, type UserPart } from "../core/kernel/vocabulary/index.js";
import {
  blobsOf,
  type Clock,
  checkArgument,
  checkReady,
  driverOptions,
  FileDoor,
  headOf,
  LABEL,
  missingBlob,
  type Randomness,
  systemClock,
  systemRandomness,
  viewOf,
} from "../runtime/for-hosts.js";
import { checkHost, checkList, checkListen } from "./check-host.js";
import type { HostRunsOptions } from "./host-options.js";
import { type Authorize, answered } from "./http/fetch.js";
import { ReadRuns } from "./http/read-runs.js";
import type { ServedRuns, Who } from "./http/served.js";
import { SlowReaders } from "./http/slow-readers.js";
import {
  cancelWord,
  decisionWord,
  editWord,
  eventWord,
  faultOf,
  interruptWord,
  keyOf,
  mailOf,
  messageWord,
  queueWord,
  startWord,
  type Word,
} from "./mail-content.js";
import { ModelGates } from "./model-gates.js";
import { withReasoner } from "./open-run.js";
import { OwnedRuns } from "./owned-runs.js";
import { missingRun, notHeard, otherRun } from "./refused.js";
import type {
  Answer,
  HostedRow,
  LinesPage,
  NewHostedRun,
  QueueChange,
  RunHost,
  Sender,
} from "./run-host.js";
import type { Listening, ListenOptions } from "./server/index.js";
import type { Fault, HostStore, ListOptions, ListPage, Posted, RunPlace } from "./store.js";
import { TenantGate } from "./tenant-limits.js";
import type { TenantRuns } from "./tenant-runs.js";
import { type Seen, type WatchOptions, watch } from "./watch.js";

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
  readonly #read = new ReadRuns();
  readonly #slow = new SlowReaders();
  #isReady: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: HostRunsOptions) {
    const { store, reasoners, clock = systemClock, random = systemRandomness, limits } = options;
    this.#options = options;
    this.#store = store;
    this.#clock = clock;
    this.#random = random;
    this.#answerMs = options.answerMs ?? ANSWER_MS;
    const { model, stores, blobs, services, unseal, redact, maskCredentials } = options;
    this.#tenants = new TenantGate(limits?.tenants ?? {}, store, clock);
    this.#owned = new OwnedRuns(
      {
        ...{ store, clock, random, owner: random.id() },
        ports: { model, stores, services, unseal, maskCredentials },
        blobs,
        tenants: this.#tenants,
        gates: new ModelGates(limits?.models ?? {}, model, clock),
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
    checkArgument("The tenant", name, LABEL);
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
    const authorizer = authorize ?? (() => ({}));
    if (openServer === undefined) {
      const message = "host.listen is Node's; give host.fetch to what serves here.";
      return Promise.reject(new ReckonerError("option.invalid", message, { place: "listen" }));
    }
    return openServer(
      (request) => this.#answered(request, authorizer),
      options,
      authorize === undefined,
    );
  }

  #answered(request: Request, authorize: Authorize): Promise<Response> {
    const { path = "" } = this.#options;
    const runsOf = ({ tenant }: Who) => {
      if (tenant !== undefined) checkArgument("The tenant", tenant, LABEL);
      return this.#runsOf(tenant ?? "");
    };
    const served = { runsOf, clock: this.#clock, slow: this.#slow, authorize, path };
    return answered(served, request);
  }

  async drain(ms = 0): Promise<void> {
    this.#isClosed = true;
    await this.#owned.drain(ms);
  }

  #runsOf(tenant: string): ServedRuns {
    return {
      run: (id) => this.#runOf({ tenant, id: checkedId(id) }),
      list: async (options = {}) => {
        checkList(options);
        await this.ready();
        return this.#store.list(tenant, options);
      },
      watch: (id, options = {}) => {
        const place = { tenant, id: checkedId(id) };
        return watch(options, {
          page: (number) => this.#lines(place, number),
          news: (ms) => this.#owned.lines(place, ms),
        });
      },
      unpark: async (id) => {
        await this.ready();
        if (await this.#store.unpark({ tenant, id: checkedId(id) })) return this.#owned.kick();
        throw missingRun(id);
      },
      kept: {
        take: (id) => this.#read.take(pairKey(tenant, id)),
        keep: (id, run) => this.#read.keep(pairKey(tenant, id), run),
      },
      hear: (id, hear) => this.#owned.hear({ tenant, id }, hear),
      want: (id) => this.#store.tell({ type: "wanted", place: { tenant, id } }),
    };
  }

  #runOf(place: RunPlace): RunHost {
    const say = (word: (key: string, door: FileDoor) => Word, sender: Sender = {}) =>
      this.#say(place, word, sender);
    return {
      start: (run: NewHostedRun = {}, sender) => {
        const named = withReasoner(run, this.#options.reasoners);
        return say((_, door) => startWord(named, (input) => door.take(input, "input")), sender);
      },
      message: (content: string | readonly UserPart[], sender) =>
        say((key, door) => messageWord(door.take(content, "content"), key), sender),
      queued: (id: string, change: QueueChange, sender) =>
        say((_, door) => queueWord(id, door.take(change, "change")), sender),
      edit: (seq, content, sender) =>
        say((_, door) => editWord(seq, door.take(content, "content")), sender),
      decide: (id: string, decision: ApprovalDecision, sender = {}) =>
        say(() => decisionWord(id, decision, sender), sender),
      interrupt: (reason, graceMs = 0, sender) => say(() => interruptWord(reason, graceMs), sender),
      cancel: (reason, sender) => say(() => cancelWord(reason), sender),
      send: (event: { readonly type: string; readonly [part: string]: Json }, sender) =>
        say((_, door) => eventWord(door.take(event, "event")), sender),
      answer: (key) => this.#answer(place, key),
      row: () => this.#row(place),
      lines: (from = 0) => this.#lines(place, from),
      shared: () => this.#shared(place),
    };
  }

  /** @throws ReckonerError what cannot be meant, `host.closed`, and what the store throws */
  async #say(
    place: RunPlace,
    make: (key: string, door: FileDoor) => Word,
    sender: Sender,
  ): Promise<Answer> {
    const { blobs } = this.#options;
    const key = keyOf(sender, () => this.#random.id());
    const door = new FileDoor(blobs !== undefined);
    const word = make(key, door);
    const mail = mailOf(key, word, sender);
    if (this.#isClosed) throw closed();
    await this.ready();
    const begins = word.type === "start";
    const held = await this.#tenants.refuses(place.tenant, word);
    if (held !== undefined) {
      // What was let in before is answered as it was.
      const earlier = await this.#store.answer(place, key, mail.mark);
      if (earlier.type === "missing" || earlier.type === "parked") return refusal(key, held);
      return this.#await(place, key, earlier);
    }
    const files = blobs && blobsOf(blobs, this.#store.journal(place));
    // They are there before anybody reads of them.
    const missing = await this.#patiently(async () => door.settle(files));
    if (missing?.[0] !== undefined) return refusal(key, faultOf(missingBlob(missing[0])));
    const posted = await this.#patiently(() => this.#store.post(place, mail, begins));
    this.#store.tell({ type: "mail", place });
    this.#owned.kick();
    // Of a run that was removed others share lines.
    if (begins && posted.type === "missing") return refusal(key, faultOf(otherRun(place.id)));
    return this.#await(place, key, posted);
  }

  async #answer(place: RunPlace, key: string): Promise<Answer> {
    checkArgument("The key of answer", key, LABEL);
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
      if (posted.type !== "waits") return refusal(key, notHeard(posted, place.id, key));
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
    checkArgument("The first line", from, shapes.whole(0));
    await this.ready();
    const state = await this.#store.row(place);
    if (state?.row === undefined) throw missingRun(place.id);
    const journal = await headOf(this.#store.journal(place));
    const lines = await this.#store.lines(journal, from);
    const isOver = /^(?:done|failed|cancelled)$/.test(state.row.status);
    // The row was read first: the lines of an end are those that are there by now.
    return { journal: journal.name, from, lines, ended: isOver && lines.length === 0 };
  }

  async #shared(place: RunPlace): Promise<readonly string[]> {
    await this.ready();
    const journal = await headOf(this.#store.journal(place));
    const shared: string[] = [];
    for await (const line of viewOf(journal).treeLines()) {
      if (line.port !== journal) shared.push(line.text);
    }
    return shared;
  }
}

function refusal(key: string, { code, message }: Fault): Answer {
  return { outcome: "refused", key, code: code as never, message };
}

function closed(): ReckonerError {
  return new ReckonerError("host.closed", "The host was drained; tell another one.");
}

/** @throws ReckonerError `option.invalid` */
function checkedId(id: string): string {
  checkArgument("The id of a run", id, LABEL);
  return id;
}
