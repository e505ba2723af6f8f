/**
 * `DurableRun`: the class of a Durable Object (Cloudflare) that is one run. Its lines are in the object's
 * SQLite, its alarm is the run's timer, and attempts are carried out in the object. After a crash the alarm
 * opens the object again.
 */
import type { Attempt } from "../../core/driver/index.js";
import { ReckonerError } from "../../core/kernel/values/index.js";
import {
  CLOCK,
  type Clock,
  checkAllOptions,
  checkReady,
  systemClock,
  systemRandomness,
} from "../../runtime/for-hosts.js";
import {
  Attempts,
  eventStream,
  LINES_LENGTH,
  LiveTexts,
  lineEvents,
  ModelGates,
  type Seen,
  SlowReaders,
  STREAM_HEADERS,
  watch,
} from "../../serve/for-adapters.js";
import {
  type Arrivals,
  type Asked,
  ENGINE,
  type EngineOptions,
  KeptRun,
  keptAt,
  mailIn,
  partsOf,
  portsOf,
  RECORD,
  type Reported,
  RunReader,
  recordIn,
  replied,
  type Turned,
} from "../shared/index.js";
import type { ObjectState } from "./platform-types.js";
import { Sockets } from "./sockets.js";
import { SqlKept } from "./sql-kept.js";

/** Options of a run in a Durable Object. */
export interface DurableRunOptions extends EngineOptions {
  readonly clock?: Clock | undefined;
}

/** An object whose attempts are under way is woken so often: one that is gone goes on. */
const HEARTBEAT_MS = 20_000;
const ID = "id";

/** The parts of a run that is known by its id. */
interface RunParts {
  readonly id: string;
  readonly run: KeptRun;
  readonly reader: RunReader;
  readonly sockets: Sockets;
}

/** A run in a Durable Object: the object's own `fetch`, `alarm` and sockets. */
export class DurableRun {
  readonly #state: ObjectState;
  readonly #options: DurableRunOptions;
  readonly #clock: Clock;
  readonly #slow = new SlowReaders();
  readonly #kept: SqlKept;
  #parts: RunParts | undefined;
  #isReady: Promise<void> | undefined;
  #attempts: Attempts | undefined;
  #fork = "";
  #reports: Reported[] = [];
  #turning: Promise<unknown> = Promise.resolve();
  #alarmAt: number | undefined;
  readonly #hearing = new Set<() => void>();

  /**
   * @param state the first argument of the object's constructor
   * @throws ReckonerError `option.invalid`
   */
  constructor(state: ObjectState, options: DurableRunOptions) {
    checkAllOptions("DurableRun", options, { ...ENGINE, clock: CLOCK });
    this.#state = state;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#kept = new SqlKept(state.storage);
  }

  /** Answers what `durableRuns` asks, and streams. The Worker tells who may ask. */
  async fetch(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const [, encoded = "", way] = pathname.split("/");
    const parts = this.#partsFor(decodeURIComponent(encoded));
    if (way === "ask" && request.method === "POST") {
      const asked = (await request.json()) as Asked;
      return Response.json(await replied(() => this.#answer(parts, asked)));
    }
    if (way !== "events" || request.method !== "GET") return new Response(null, { status: 404 });
    const from = Math.max(0, Math.floor(Number(searchParams.get("from") ?? 0)) || 0);
    const reply = await replied(() => parts.reader.row());
    if ("error" in reply) return Response.json(reply, { status: 404 });
    if (request.headers.get("upgrade") === "websocket") return parts.sockets.open(from);
    return this.#stream(parts, from);
  }

  /** Goes on with the run: what is due is taken, and what a crash has cut off begins again. */
  async alarm(): Promise<void> {
    this.#alarmAt = undefined;
    const id = this.#parts?.id ?? (await keptAt(this.#kept, ID));
    if (id !== undefined) await this.#tell(this.#partsFor(id), {});
  }

  #partsFor(id: string): RunParts {
    if (this.#parts !== undefined) return this.#parts;
    const reader = new RunReader(this.#kept, id);
    const run = new KeptRun({
      ...partsOf(this.#options),
      ...{ id, kept: this.#kept, random: systemRandomness, stays: true },
    });
    const sockets = new Sockets(this.#state, (from) => reader.lines(from));
    const parts = { id, run, reader, sockets };
    this.#parts = parts;
    // The alarm would do so too, but later.
    void this.#revive(parts).catch(() => {});
    return parts;
  }

  /** Goes on at once with a run whose attempts were cut off. */
  async #revive(parts: RunParts): Promise<void> {
    const record = recordIn(await keptAt(this.#kept, RECORD));
    if ((record?.inFlight?.attempts.length ?? 0) > 0) await this.#tell(parts, {});
  }

  async #answer(parts: RunParts, asked: Asked): Promise<unknown> {
    const { reader } = parts;
    if (asked.type === "row") return reader.row();
    if (asked.type === "lines") return reader.lines(asked.from);
    if (asked.type === "answer") return reader.answer(asked.key);
    if (asked.type === "unpark") {
      await reader.row();
      await this.#tell(parts, { unpark: true });
      return undefined;
    }
    const mail = mailIn(asked);
    if (asked.verb === "start") await this.#begins(parts.id);
    const { answers } = await this.#tell(parts, { mail: [mail] });
    return answers[0];
  }

  /** The ports are looked at before a run begins, and an alarm will know its id. */
  async #begins(id: string): Promise<void> {
    this.#isReady ??= this.#checkReady().catch((thrown: unknown) => {
      this.#isReady = undefined;
      throw thrown;
    });
    await this.#isReady;
    await this.#kept.write(new Map([[ID, id]]));
  }

  async #checkReady(): Promise<void> {
    for (const each of this.#options.reasoners) await checkReady(each, this.#options);
  }

  /** One turn at a time. */
  #tell(parts: RunParts, arrivals: Arrivals): Promise<Turned> {
    const turn = this.#turning.then(() => this.#turn(parts, arrivals));
    this.#turning = turn.catch(() => {});
    return turn;
  }

  async #turn(parts: RunParts, arrivals: Arrivals): Promise<Turned> {
    const reports = [...(arrivals.reports ?? []), ...this.#reports.splice(0)];
    try {
      const turned = await parts.run.turn({ ...arrivals, reports }, this.#clock.now());
      this.#act(parts, turned);
      await this.#wakeAt(turned);
      return turned;
    } catch (thrown) {
      // Nobody knows what was written: the run is opened anew, as after a crash.
      parts.run.drop();
      this.#abandon();
      throw thrown;
    } finally {
      parts.sockets.cast();
      for (const hear of [...this.#hearing]) hear();
    }
  }

  /** The lines are durable. */
  #act(parts: RunParts, { isAbandoned, fork, reasoner, stop, begin, kept, refused }: Turned): void {
    if (isAbandoned) this.#abandon();
    this.#fork = fork;
    const attempts = this.#attempts ?? this.#makeAttempts(parts, reasoner);
    if (attempts === undefined) return;
    for (const each of stop) attempts.stop(each);
    for (const each of kept) attempts.kept(each);
    for (const { message, ...call } of refused) {
      attempts.kept(call, new ReckonerError("handle.refused", message));
    }
    for (const each of begin as readonly Attempt[]) attempts.begin(each);
  }

  #makeAttempts(parts: RunParts, id: string | undefined): Attempts | undefined {
    const reasoner = this.#options.reasoners.find((each) => each.id === id);
    if (reasoner === undefined) return undefined;
    const clock = this.#clock;
    // A hook that redacts whole texts might not find in pieces what it hides.
    const isShown = this.#options.redact === undefined;
    this.#attempts = new Attempts({
      ports: { ...portsOf(this.#options), reasoner },
      gates: new ModelGates({}, this.#options.model, clock),
      clock,
      refusesModel: () => undefined,
      arrive: (arrived) => {
        this.#reports.push({ fork: this.#fork, arrived });
        // A turn that fails has dropped the run, and its alarm goes on.
        if (this.#reports.length === 1) this.#tell(parts, {}).catch(() => {});
      },
      // A later life of the object begins anew.
      ...(isShown
        ? { live: new LiveTexts(clock.now(), (delta) => parts.sockets.show(delta)) }
        : {}),
    });
    return this.#attempts;
  }

  #abandon(): void {
    this.#attempts?.abandon();
    this.#attempts = undefined;
    this.#reports = [];
  }

  async #wakeAt({ wakeAt, isBusy }: Turned): Promise<void> {
    const { storage } = this.#state;
    const beat = isBusy ? this.#clock.now() + HEARTBEAT_MS : undefined;
    const next = beat === undefined ? wakeAt : Math.min(beat, wakeAt ?? beat);
    // An alarm that comes sooner sets the next one.
    if (next === undefined && this.#alarmAt !== undefined) await storage.deleteAlarm();
    else if (next !== undefined && next < (this.#alarmAt ?? Number.POSITIVE_INFINITY)) {
      await storage.setAlarm(next);
    } else return;
    this.#alarmAt = next;
  }

  #stream({ reader }: RunParts, from: number): Response {
    const stop = new AbortController();
    const texts = lineEvents(this.#watch(reader, from, stop.signal));
    const source = { texts, held: () => LINES_LENGTH, stop: () => stop.abort() };
    const body = eventStream(source, { clock: this.#clock, slow: this.#slow });
    return new Response(body, { headers: STREAM_HEADERS });
  }

  #watch(reader: RunReader, from: number, signal: AbortSignal): AsyncIterable<Seen> {
    const news = (ms: number) => this.#news(ms);
    return watch({ from, signal }, { page: (number) => reader.lines(number), news });
  }

  #news(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const hear = () => {
        takeBack();
        this.#hearing.delete(hear);
        resolve();
      };
      const takeBack = this.#clock.setTimer(ms, hear);
      this.#hearing.add(hear);
    });
  }
}
