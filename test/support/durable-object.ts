// A Durable Object by hand: its SQLite is libsql's, its alarm a timer of a virtual clock. A crash drops what
// is in memory, and keeps what is stored.
import Database from "libsql";
import type { VirtualClock } from "reckoner";
import {
  DurableRun,
  type DurableRunOptions,
  durableRuns,
  type ObjectSocket,
  type ObjectState,
} from "reckoner/durable-object";

/** Objects by their names, as a namespace has them. */
export class FakeObjects {
  readonly #options: DurableRunOptions;
  readonly #clock: VirtualClock;
  readonly #objects = new Map<string, FakeObject>();

  constructor(options: DurableRunOptions, clock: VirtualClock) {
    this.#options = options;
    this.#clock = clock;
  }

  object(name: string): FakeObject {
    const known = this.#objects.get(name) ?? new FakeObject(this.#options, this.#clock);
    this.#objects.set(name, known);
    return known;
  }

  get runs() {
    return durableRuns({
      idFromName: (name) => name,
      get: (name: string) => ({
        fetch: (url, init) => this.object(name).run.fetch(new Request(url, init)),
      }),
    });
  }
}

/** One object. */
export class FakeObject {
  readonly #options: DurableRunOptions;
  readonly #clock: VirtualClock;
  readonly #db = new Database(":memory:");
  readonly #sockets: ObjectSocket[] = [];
  #generation = 0;
  #cancel = () => {};
  /** The alarm that is set. */
  alarmAt: number | undefined;
  /** The writes so far. */
  writes = 0;
  /** Fails the write with this number, once. */
  failAt = -1;
  run: DurableRun;

  constructor(options: DurableRunOptions, clock: VirtualClock) {
    this.#options = options;
    this.#clock = clock;
    this.run = this.#make();
  }

  /** Opens a socket. @returns the texts that it is sent */
  watch(): readonly string[] {
    const sent: string[] = [];
    let place: unknown = { from: 0 };
    this.#sockets.push({
      send: (text) => sent.push(text),
      close: () => {},
      serializeAttachment: (value) => {
        place = value;
      },
      deserializeAttachment: () => place,
    });
    return sent;
  }

  /** The object is gone; its alarm makes it anew. Returns what was in memory, which nothing hears any more. */
  crash(): void {
    this.run = this.#make();
  }

  #make(): DurableRun {
    this.#generation += 1;
    return new DurableRun(this.#state(this.#generation), this.#options);
  }

  #state(generation: number): ObjectState {
    const alive = () => {
      if (generation !== this.#generation) throw new Error("the object is gone");
    };
    return {
      acceptWebSocket: () => {},
      getWebSockets: () => this.#sockets,
      storage: {
        sql: {
          exec: (query, ...bindings) => {
            alive();
            const statement = this.#db.prepare(query);
            if (statement.reader) return statement.all(...bindings) as never;
            statement.run(...bindings);
            return [];
          },
        },
        transactionSync: (work) => {
          alive();
          this.writes += 1;
          if (this.writes === this.failAt) throw new Error("the disk is full");
          return this.#db.transaction(work)();
        },
        sync: async () => alive(),
        setAlarm: async (at) => {
          alive();
          this.#cancel();
          this.alarmAt = at;
          this.#cancel = this.#clock.setTimer(Math.max(0, at - this.#clock.now()), () => {
            this.alarmAt = undefined;
            void this.run.alarm().catch(() => {});
          });
        },
        deleteAlarm: async () => {
          alive();
          this.#cancel();
          this.alarmAt = undefined;
        },
      },
    };
  }
}
