// Hosts in virtual time: a desk whose model is scripted, and a way to wait that moves the clock on.
import { agent, type ModelPort, tool, type VirtualClock, virtualClock } from "reckoner";
import {
  type Host,
  type HostRunsOptions,
  type HostStore,
  host,
  memoryHostStore,
} from "reckoner/serve";

// What reads journals is loaded late, in real time, in which virtual time would move on.
await Promise.all([
  import("../../src/runtime/journals/head.js"),
  import("../../src/runtime/journals/summarize.js"),
  import("../../src/runtime/journals/view.js"),
]);

/** The desk of the laws of hosts: it refunds where a person lets it. */
export const desk = agent({
  name: "desk",
  conversation: true,
  tools: [tool({ name: "refund", needsApproval: true, execute: () => "refunded" })],
});

/** Answers `Hello.`, but calls `refund` where the last message says so. */
export const deskModel: ModelPort = {
  name: "desk-model",
  async generate({ messages }) {
    const last = messages.at(-1);
    const asks = last?.role === "user" && last.content === "refund";
    const content = asks
      ? [{ type: "tool-call", toolCallId: `c${messages.length}`, toolName: "refund", input: {} }]
      : [{ type: "text", text: "Hello." }];
    return {
      content: content as never,
      finishReason: asks ? "tool-calls" : "stop",
      usage: { inputTokens: 1, outputTokens: 1 },
    };
  },
};

/** Randomness from a number. */
export function seeded(seed: number): NonNullable<HostRunsOptions["random"]> {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  };
  return {
    id: () => `${next().toString(16)}${next().toString(16)}`,
    fraction: () => next() / 2 ** 32,
  };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Awaits something while time moves on whenever nothing else happens. */
export async function inTime<T>(clock: VirtualClock, awaited: PromiseLike<T>): Promise<T> {
  let over = false;
  const outcome = Promise.resolve(awaited).finally(() => {
    over = true;
  });
  outcome.catch(() => {});
  for (let idle = 0; !over && idle < 100_000; idle++) {
    for (let n = 0; n < 3 && !over; n++) await turn();
    if (!over) clock.jump();
  }
  if (!over) throw new Error("It does not end.");
  return outcome;
}

/** A store of which some of it is done otherwise. */
export function storeWith(store: HostStore, own: Partial<HostStore>): HostStore {
  return new Proxy(store, {
    get(target, name: keyof HostStore) {
      const part = own[name] ?? target[name];
      return typeof part === "function" && own[name] === undefined ? part.bind(target) : part;
    },
  });
}

/** A host in memory, in virtual time. */
export function memoryHost(
  options: Partial<HostRunsOptions> = {},
  clock: VirtualClock = virtualClock(Date.UTC(2026, 0, 31)),
) {
  const store = options.store ?? memoryHostStore({ clock });
  const random = seeded(1);
  const made: Host = host({
    reasoners: [desk],
    model: deskModel,
    store,
    clock,
    random,
    ...options,
  });
  const at = <T>(awaited: PromiseLike<T>) => inTime(clock, awaited);
  /** Resolves when something holds. */
  const until = async (holds: () => Promise<boolean>) => {
    for (let n = 0; n < 1_000; n++) {
      if (await at(holds().catch(() => false))) return;
      clock.advance(100);
    }
    throw new Error("It never holds.");
  };
  return { host: made, store, clock, at, until };
}
