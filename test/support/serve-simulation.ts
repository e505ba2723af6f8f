// Many hosts in one process from one seed: their clocks differ, calls of the store take time and fail before or
// after their work, hosts are killed, drained and cut off from the store, later code is rolled out, and people edit
// what they said. Over the real code, with the store in memory as database.
import {
  agent,
  type Clock,
  type JournalPort,
  type ModelPort,
  replay,
  tool,
  virtualClock,
} from "reckoner";
import {
  type Answer,
  type Host,
  type HostStore,
  host,
  memoryHostStore,
  type RunHost,
} from "reckoner/serve";
import { headOf } from "../../src/runtime/journals/head.js";
import { inTime, seeded, type Turns } from "./serve.js";

/** What a simulation came to. */
export interface Simulated {
  /** What did not hold; none where all did. */
  readonly broken: readonly string[];
  /** Virtual milliseconds. */
  readonly ms: number;
  readonly unparked: number;
  readonly kills: number;
  readonly drains: number;
  readonly partitions: number;
  readonly edits: number;
  readonly upgrades: number;
  readonly effects: number;
}

/** The faults of a simulation, and the store that may have one planted. */
export interface SimulationOptions {
  readonly seed: number;
  readonly hosts?: number;
  readonly runs?: number;
  /** Kills, drains and partitions in all. */
  readonly faults?: number;
  /** The part of the store's calls that take seconds; 0.02 where it is left out. */
  readonly slow?: number;
  /** The part of turns that are edited, and of edits that are of the first message; 0.3 where it is left out. */
  readonly edited?: number;
  plant?(store: HostStore, pause: () => Promise<void>): HostStore;
}

/** More of what is rare: a slow store, edits, and hosts that end. */
export const ROUGH = { slow: 0.2, edited: 0.9, faults: 20 };

/** A host as a process has it. */
interface Process {
  readonly own: Host;
  /** Nothing of it goes on from here on. */
  kill(): void;
  /** It does not reach the store for so long, and hears nothing of what it asked. */
  cut(ms: number): void;
}

/** Five owners in a row were killed or cut off: no fault of the run. */
const isBadLuck = ({ code, message }: { readonly code: string; readonly message: string }) =>
  code === "run.parked" && /no route|connection|ended again and again/.test(message);

/** Why a run is parked. */
const parked = ({ fault }: { readonly fault?: { readonly message: string } | undefined }) => ({
  code: "run.parked",
  message: fault?.message ?? "ended again and again",
});

const LEASE = 2_000;
const TURNS = 3;

const refund = (effects: string[]) =>
  tool({
    name: "refund",
    needsApproval: true,
    execute(_, { idempotencyKey }) {
      effects.push(idempotencyKey);
      return "refunded";
    },
  });

/** Simulates hosts. */
export async function simulate(options: SimulationOptions): Promise<Simulated> {
  const { seed, hosts = 3, runs = 4, faults = 9, plant = (store) => store } = options;
  const { slow = 0.02, edited = 0.3 } = options;
  const world = virtualClock(Date.UTC(2026, 0, 31));
  const began = world.now();
  const random = seeded(seed);
  const chance = (part: number) => random.fraction() < part;
  // All that a host awaits is a port's, and each port's answer comes in a turn of the clock: whoever asks a port at
  // another time was woken by something else.
  const turns: Turns = { isPorts: true };
  const woken = new Set<string>();
  const asks = (port: string) => {
    if (!turns.isPorts) woken.add(port);
  };
  const effects: string[] = [];
  const counts = { unparked: 0, kills: 0, drains: 0, partitions: 0, edits: 0, upgrades: 0 };
  const database = memoryHostStore({ clock: world });
  const planted = plant(database, () => world.sleep(random.fraction() * 1_000));
  const early = agent({ name: "desk", conversation: true, tools: [refund(effects)] });
  const look = tool({ name: "look", execute: () => "seen" });
  const late = agent({
    ...{ name: "desk", version: 2, conversation: true, system: "Be kind." },
    tools: [refund(effects), look],
  });
  const model = (clock: Clock): ModelPort => ({
    name: "model",
    async generate({ messages }, { signal }) {
      await clock.sleep(50 + random.fraction() * 200, signal);
      const last = messages.at(-1);
      const asks = last?.role === "user";
      const call = { type: "tool-call", toolCallId: `c${messages.length}`, toolName: "refund" };
      return {
        content: (asks ? [{ ...call, input: {} }] : [{ type: "text", text: "Done." }]) as never,
        finishReason: asks ? "tool-calls" : "stop",
        usage: { inputTokens: 1, outputTokens: 1 },
      };
    },
  });

  const start = (isLate: boolean): Process => {
    let isDead = false;
    let cutUntil = 0;
    const skew = (random.fraction() - 0.5) * 4_000;
    const never = () => new Promise<never>(() => {});
    const clock: Clock = {
      now: () => world.now() + skew,
      setTimer: (ms, wake) => {
        asks("clock.setTimer");
        return world.setTimer(ms, () => void (isDead || wake()));
      },
      sleep: (ms, signal) => {
        asks("clock.sleep");
        return world.sleep(ms, signal).then(() => (isDead ? never() : undefined));
      },
    };
    const reach = async () => {
      await clock.sleep(random.fraction() * (chance(slow) ? 3_000 : 20));
      if (world.now() < cutUntil) throw new Error("no route");
    };
    const store = new Proxy(planted, {
      get(target, name: keyof HostStore) {
        const part = target[name];
        if (typeof part !== "function") return part;
        if (name === "journal" || name === "listen") return part.bind(target);
        // What is told to others is lost.
        if (name === "tell") return () => {};
        return async (...given: never[]) => {
          asks(`store.${name}`);
          const fate = random.fraction();
          await reach();
          if (fate < 0.03) throw new Error("no connection");
          const done = await (part as (...all: never[]) => unknown).apply(target, given);
          await reach();
          if (fate > 0.97) throw new Error("the connection broke");
          return done;
        };
      },
    });
    const own: Host = host({
      ...{ reasoners: isLate ? [late, early] : [early], model: model(clock), store, clock },
      ...{ leaseMs: LEASE, pollMs: 500 },
      random: {
        id() {
          asks("random.id");
          return random.id();
        },
        fraction() {
          asks("random.fraction");
          return random.fraction();
        },
      },
    });
    return {
      own,
      kill() {
        isDead = true;
      },
      cut(ms) {
        cutUntil = world.now() + ms;
      },
    };
  };
  const all = Array.from({ length: hosts }, () => start(false));
  const any = () => all[Math.floor(random.fraction() * all.length)]?.own as Host;
  const place = (id: string) => ({ tenant: "", id });
  const rowOf = async (id: string) => (await database.row(place(id)))?.row;
  const taken = new Map<string, string>();
  /** The journals in which a run went on before it was edited. */
  const earlier = new Map<string, readonly JournalPort[]>();

  /** Unparks a run, as somebody would; the host that is asked may be dead. */
  const looksAfter = async (id: string) => {
    counts.unparked += 1;
    const asked = any()
      .unpark(id)
      .catch(() => {});
    await Promise.race([asked, world.sleep(3_000)]);
  };
  /** Says something until somebody answers, each time to another host; it has to be taken. */
  const say = async (key: string, id: string, verb: (run: RunHost) => Promise<Answer>) => {
    for (let n = 0; n < 200; n++) {
      const asked = verb(any().run(id)).catch(() => undefined);
      const answer = await Promise.race([asked, world.sleep(3_000)]);
      if (answer?.outcome === "taken") return;
      if (answer?.outcome !== "refused") continue;
      if (!isBadLuck(answer)) throw new Error(`${id}: ${JSON.stringify(answer)}`);
      await looksAfter(id);
    }
    throw new Error(`${id}: nobody answers ${key}`);
  };
  const until = async (id: string, what: string, holds: () => Promise<boolean>) => {
    for (let n = 1; !(await holds()); n++) {
      if (n > 3_000) throw new Error(`${id}: ${what}`);
      await world.sleep(200);
      const state = n % 50 === 0 ? await database.row(place(id)) : undefined;
      if (state?.parked === true && isBadLuck(parked(state))) await looksAfter(id);
    }
  };
  /** Lets the refund go through that a message asked for. */
  const decides = async (id: string, key: string) => {
    let open = "";
    await until(id, `${key} is asked of nobody`, async () => {
      open = (await rowOf(id))?.approvals[0]?.id ?? "";
      return open !== "";
    });
    await say(key, id, (run) => run.decide(open, { approve: true }, { key }));
    await until(
      id,
      `${key} never becomes ready`,
      async () => (await rowOf(id))?.status === "ready",
    );
  };
  const messages = async (id: string, key: string) => {
    await say(key, id, (run) => run.message("refund", { key }));
    taken.set(`${id} ${key}`, key);
  };
  const edits = async (id: string, key: string) => {
    counts.edits += 1;
    const journal = await headOf(database.journal(place(id)));
    earlier.set(id, [...(earlier.get(id) ?? []), journal]);
    const lines = (await database.lines(journal, 0)).map((line) => JSON.parse(line));
    const said = lines.findLast(({ event }) => event?.type === "message");
    const seq = chance(edited) ? 0 : (said?.seq ?? 0);
    await say(key, id, (run) => run.edit(seq, "refund", { key }));
  };
  const person = async (id: string) => {
    const input = { prompt: "refund" };
    await say("s", id, (run) => run.start({ input }, { key: "s" }));
    for (let turn = 0; turn < TURNS; turn++) {
      await decides(id, `d${turn}`);
      if (chance(edited)) {
        await edits(id, `e${turn}`);
        await decides(id, `d${turn}b`);
      }
      await messages(id, `m${turn}`);
    }
  };
  const chaos = async () => {
    for (let n = 0; n < faults; n++) {
      await world.sleep(random.fraction() * 2_500);
      const at = Math.floor(random.fraction() * hosts);
      const drawn = random.fraction();
      // The first host is of the later code for sure, once that is rolled out.
      const isLate = 2 * n >= faults && (at === 0 || chance(0.7));
      if (drawn < 0.4) {
        counts.partitions += 1;
        all[at]?.cut(random.fraction() * 3 * LEASE);
        continue;
      }
      if (drawn < 0.75) {
        counts.kills += 1;
        all[at]?.kill();
      } else {
        counts.drains += 1;
        void all[at]?.own.drain(chance(0.5) ? 0 : 200);
      }
      all[at] = start(isLate);
    }
    all[0]?.kill();
    all[0] = start(true);
  };
  const broken: string[] = [];
  const ids = Array.from({ length: runs }, (_, n) => `r${n}`);
  const failed = (thrown: unknown) => void broken.push(String(thrown));
  const lives = Promise.all([...ids.map((id) => person(id).catch(failed)), chaos()]);
  await inTime(world, lives, turns);
  for (const port of woken) broken.push(`${port} was asked by what no port woke`);
  if (new Set(effects).size < effects.length) broken.push("an effect began twice");
  for (const id of ids) {
    const found = await checked(id).catch((thrown) => [`it cannot be read: ${thrown}`]);
    broken.push(...found.map((each) => `${id}: ${each}`));
  }
  for (const each of all) each.kill();
  return { broken, ms: world.now() - began, ...counts, effects: effects.length };

  /** Looks at what is left of a run. */
  async function checked(id: string): Promise<readonly string[]> {
    const found: string[] = [];
    const first = database.journal(place(id));
    const head = await headOf(first);
    const journals = [...new Set([first, ...(earlier.get(id) ?? []), head])];
    const texts = await Promise.all(
      journals.map((each) => database.lines(each, 0).catch(() => [] as string[])),
    );
    for (const [said, key] of taken) {
      if (!said.startsWith(`${id} `)) continue;
      const times = texts.map(
        (lines) => lines.filter((line) => line.includes(`"type":"message","id":"${key}"`)).length,
      );
      if (Math.max(...times) > 1) found.push(`${key} is ${Math.max(...times)} events`);
      // What was edited away stands in the journal that it was taken back from.
      if (Math.max(...times) === 0) found.push(`${key} was taken, and is lost`);
    }
    const own = texts[journals.indexOf(head)] ?? [];
    const upgrades = own.filter((line) => line.startsWith('{"upgrade"')).length;
    counts.upgrades += upgrades;
    if (upgrades > 1) found.push(`it was upgraded ${upgrades} times`);
    const replayed = await replay([late, early] as never, head).catch((thrown) => {
      found.push(`its journal is not sound: ${thrown}`);
    });
    if (replayed?.status === "diverged") found.push("its journal replays as another");
    const state = await database.row(place(id));
    if (state?.parked === true && !isBadLuck(parked(state)))
      found.push(`it is parked: ${state.fault?.message}`);
    return found;
  }
}
