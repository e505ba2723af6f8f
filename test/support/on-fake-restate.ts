// Runs on a Restate server by hand, in virtual time; and one that acts in a world outside, which counts.
import {
  agent,
  type ModelPort,
  memoryJournal,
  replay,
  tool,
  type VirtualClock,
  virtualClock,
} from "reckoner";
import { type RestateEngineOptions, restateEngine } from "reckoner/restate";
import type { RunHost } from "reckoner/serve";
import { linesOf } from "../engines/searching.js";
import { FakeRestate, type Faults } from "./fake-restate.js";
import { desk, deskModel, inTime } from "./serve.js";

export const AT = Date.UTC(2026, 0, 31);

/** A server in virtual time, and the verbs of its runs. */
export function onFake(
  options: Partial<RestateEngineOptions> = {},
  { clock = virtualClock(AT), ...faults }: Faults & { readonly clock?: VirtualClock } = {},
) {
  const server = new FakeRestate(clock, faults);
  server.deploy(restateEngine({ reasoners: [desk], model: deskModel, clock, ...options }));
  const at = <T>(awaited: PromiseLike<T>) => inTime(clock, awaited);
  const until = async (holds: () => Promise<boolean>) => {
    for (let n = 0; n < 1_000; n++) {
      if (await at(holds().catch(() => false))) return;
      clock.advance(100);
    }
    throw new Error("It never holds.");
  };
  const inVirtualTime = (verbs: RunHost): RunHost =>
    Object.fromEntries(
      Object.entries(verbs).map(([name, verb]) => [
        name,
        (...given: never[]) => at((verb as (...all: never[]) => Promise<unknown>)(...given)),
      ]),
    ) as never;
  const verbs = inVirtualTime(server.run("r1"));
  const over = () =>
    until(async () => /done|failed|cancelled/.test((await server.run("r1").row()).status));
  return {
    server,
    clock,
    at,
    until,
    over,
    verbs,
    run: (id: string) => inVirtualTime(server.run(id)),
  };
}

export async function textOf(verbs: RunHost): Promise<string> {
  return (await linesOf(verbs)).map((line) => `${line}\n`).join("");
}

/** A model whose answers depend on what it is asked alone: it may be asked again. */
const acts: ModelPort = {
  name: "acts",
  async generate({ messages }) {
    const asked = messages.filter(({ role }) => role === "assistant").length;
    const call = (toolName: string) => ({
      ...{ type: "tool-call", toolCallId: `${toolName}${asked}`, toolName, input: {} },
    });
    const turns = [[call("act"), call("note"), call("order")], [call("act")]];
    const content = turns[asked] ?? [{ type: "text", text: "Done." }];
    return {
      content: content as never,
      finishReason: turns[asked] === undefined ? "stop" : "tool-calls",
      usage: { inputTokens: 1, outputTokens: 1 },
    };
  },
};

/**
 * A run that acts twice, notes what may be repeated, and orders something that it waits for elsewhere.
 * @param planted the tool that acts only says that it may be repeated
 * @returns what the world outside has counted, and how the journal is
 */
export async function killed(faults: Faults, { planted = false } = {}) {
  const acted = new Map<string, number>();
  const tasks = new Map<string, number>();
  const count = (of: Map<string, number>, key: string) => of.set(key, (of.get(key) ?? 0) + 1);
  const clock = virtualClock(AT);
  const own = agent({
    name: "acting",
    tools: [
      tool({
        name: "act",
        ...(planted ? { idempotent: true, retries: 9 } : {}),
        execute: async (_, { idempotencyKey }) => {
          count(acted, idempotencyKey);
          await clock.sleep(3);
          return "acted";
        },
      }),
      tool({ name: "note", idempotent: true, retries: 9, execute: async () => "noted" }),
      tool({
        name: "order",
        execute: async (_, { handle, keep, idempotencyKey, progress }) => {
          const task = typeof handle === "string" ? handle : idempotencyKey;
          if (handle === undefined) {
            count(tasks, task);
            await keep(task);
          }
          progress({ task });
          await clock.sleep(3);
          return "sent";
        },
      }),
    ],
  });
  const { server, verbs, over, at } = onFake(
    { reasoners: [own], model: acts },
    { ...faults, clock },
  );
  await at(server.run("r1").start({ input: "Act." }, { key: "start" }));
  await over();
  const lines = await linesOf(verbs);
  const journal = memoryJournal();
  const writer = await journal.open("create");
  await writer.append(lines, { lines: 0, bytes: 0 });
  const unknown = lines.filter((line) => JSON.parse(line).event?.error?.code === "tool.unknown");
  const repeated = [...acted.values(), ...tasks.values()].filter((times) => times > 1);
  return {
    points: server.points,
    mismatches: server.mismatches,
    status: (await replay(own, journal)).status,
    repeated: repeated.length,
    unknown: unknown.length,
    lost: Math.max(0, 3 - acted.size - tasks.size - unknown.length),
  };
}
