// Many hosts in one process from one seed: their clocks differ, calls of the store take time and fail before or
// after their work, hosts are killed and begun anew. Over the real code, with the store in memory as database.
import { agent, type Clock, type ModelPort, tool, virtualClock } from "reckoner";
import { type Host, type HostStore, host, memoryHostStore, type RunHost } from "reckoner/serve";
import { inTime, seeded } from "./serve.js";

/** What a simulation came to. */
export interface Simulated {
  /** What did not hold; none where all did. */
  readonly broken: readonly string[];
  /** Virtual milliseconds. */
  readonly ms: number;
  readonly kills: number;
  readonly effects: number;
}

/** The faults of a simulation, and the store that may have one planted. */
export interface SimulationOptions {
  readonly seed: number;
  readonly hosts?: number;
  readonly runs?: number;
  readonly kills?: number;
  plant?(store: HostStore): HostStore;
}

const LEASE = 2_000;

/** Simulates hosts. */
export async function simulate(options: SimulationOptions): Promise<Simulated> {
  const { seed, hosts = 3, runs = 4, kills = 6, plant = (store) => store } = options;
  const world = virtualClock(Date.UTC(2026, 0, 31));
  const began = world.now();
  const random = seeded(seed);
  const effects: string[] = [];
  const database = plant(memoryHostStore({ clock: world }));
  const desk = agent({
    name: "desk",
    conversation: true,
    tools: [
      tool({
        name: "refund",
        needsApproval: true,
        execute(_, { idempotencyKey }) {
          effects.push(idempotencyKey);
          return "refunded";
        },
      }),
    ],
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

  /** A host as a process has it: nothing of it goes on once it is killed. */
  const start = () => {
    let isDead = false;
    const skew = (random.fraction() - 0.5) * 4_000;
    const never = () => new Promise<never>(() => {});
    const clock: Clock = {
      now: () => world.now() + skew,
      setTimer: (ms, wake) => world.setTimer(ms, () => void (isDead || wake())),
      sleep: (ms, signal) => world.sleep(ms, signal).then(() => (isDead ? never() : undefined)),
    };
    const store = new Proxy(database, {
      get(target, name: keyof HostStore) {
        const part = target[name];
        if (typeof part !== "function") return part;
        if (name === "journal" || name === "listen") return part.bind(target);
        // What is told to others is lost.
        if (name === "tell") return () => {};
        return async (...given: never[]) => {
          const fate = random.fraction();
          await clock.sleep(random.fraction() * 20);
          if (fate < 0.03) throw new Error("no connection");
          const done = await (part as (...all: never[]) => unknown).apply(target, given);
          await clock.sleep(random.fraction() * 20);
          if (fate > 0.97) throw new Error("the connection broke");
          return done;
        };
      },
    });
    const own: Host = host({
      ...{ reasoners: [desk], model: model(clock), store, clock, leaseMs: LEASE, pollMs: 500 },
      random: { id: () => random.id(), fraction: () => random.fraction() },
    });
    const kill = () => {
      isDead = true;
    };
    return { own, kill };
  };
  const all = Array.from({ length: hosts }, start);
  const any = () => all[Math.floor(random.fraction() * all.length)]?.own as Host;

  /** Says something until somebody answers, each time to another host. */
  const say = async (
    key: string,
    id: string,
    verb: (run: RunHost) => ReturnType<RunHost["start"]>,
  ) => {
    for (let n = 0; n < 200; n++) {
      const asked = verb(any().run(id)).catch(() => undefined);
      const answer = await Promise.race([asked, world.sleep(3_000)]);
      if (answer !== undefined && answer.outcome !== "accepted") return answer;
    }
    throw new Error(`${id}: nobody answers ${key}`);
  };
  const person = async (id: string) => {
    const input = { prompt: "refund" };
    await say("s", id, (run) => run.start({ input }, { key: "s" }));
    for (let turn = 0; turn < 3; turn++) {
      let open = "";
      for (let n = 0; open === ""; n++) {
        if (n > 300) throw new Error(`${id}: turn ${turn} asks nobody`);
        open = (await database.row({ tenant: "", id }))?.row?.approvals[0]?.id ?? "";
        if (open === "") await world.sleep(200);
      }
      const key = `d${turn}`;
      const decided = await say(key, id, (run) => run.decide(open, { approve: true }, { key }));
      if (decided.outcome !== "taken") throw new Error(`${id}: ${JSON.stringify(decided)}`);
      for (let n = 0; (await database.row({ tenant: "", id }))?.row?.status !== "resting"; n++) {
        if (n > 300) throw new Error(`${id}: turn ${turn} never rests`);
        await world.sleep(200);
      }
      const next = `m${turn}`;
      const said = await say(next, id, (run) => run.message("refund", { key: next }));
      if (said.outcome !== "taken") throw new Error(`${id}: ${JSON.stringify(said)}`);
    }
  };
  const killer = async () => {
    for (let n = 0; n < kills; n++) {
      await world.sleep(random.fraction() * 3_000);
      const at = Math.floor(random.fraction() * hosts);
      all[at]?.kill();
      all[at] = start();
    }
  };
  const broken: string[] = [];
  const ids = Array.from({ length: runs }, (_, n) => `r${n}`);
  const failed = (thrown: unknown) => void broken.push(String(thrown));
  await inTime(world, Promise.all([...ids.map((id) => person(id).catch(failed)), killer()]));
  if (new Set(effects).size < effects.length) broken.push("an effect began twice");
  for (const id of ids) {
    const lines = await database.lines(database.journal({ tenant: "", id }), 0);
    for (const key of ["m0", "m1", "m2"]) {
      const times = lines.filter((line) => line.includes(`"type":"message","id":"${key}"`)).length;
      if (times > 1) broken.push(`${id}: ${key} is ${times} events`);
    }
  }
  for (const each of all) each.kill();
  return { broken, ms: world.now() - began, kills, effects: effects.length };
}
