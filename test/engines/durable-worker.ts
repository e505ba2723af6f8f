// The Worker of the tests, with a Durable Object for each run. Its tools are counted outside, at OUTSIDE.
import { DurableObject } from "cloudflare:workers";
import { agent, tool, virtualClock } from "reckoner";
import { DurableRun } from "reckoner/durable-object";
import { desk, deskModel } from "../support/desk.js";
import { searches } from "./searching.js";

interface Env {
  /** The address at which tools are counted; "" for none. */
  readonly OUTSIDE: string;
  /** The time of all events; 0 for the real one. */
  readonly AT: number;
  /** The number of searches. */
  readonly TURNS: number;
}

export class Runs extends DurableObject<Env> {
  readonly #run: DurableRun;

  constructor(ctx: never, env: Env) {
    super(ctx, env);
    const search = tool({
      name: "search",
      execute: async (_input, { idempotencyKey }) => {
        if (env.OUTSIDE === "") return "found it";
        const response = await fetch(`${env.OUTSIDE}/${encodeURIComponent(idempotencyKey)}`);
        return response.text();
      },
    });
    const searching = agent({ name: "searching", maxIterations: 1_000, tools: [search] });
    const hang = tool({ name: "search", timeoutMs: 300, execute: () => new Promise(() => {}) });
    const hanging = agent({ name: "hanging", tools: [hang] });
    const clock = env.AT === 0 ? {} : { clock: fixedClock(env.AT) };
    const model = {
      name: "searches",
      generate: (request: never, call: never) => {
        const { tools = [] } = request as { readonly tools?: readonly { readonly name: string }[] };
        const own = tools.some(({ name }) => name === "refund") ? deskModel : searches(env.TURNS);
        return own.generate(request, call);
      },
    };
    this.#run = new DurableRun(ctx, { reasoners: [searching, hanging, desk], model, ...clock });
  }

  override fetch(request: Request): Promise<Response> {
    return this.#run.fetch(request);
  }

  override alarm(): Promise<void> {
    return this.#run.alarm();
  }
}

/** A clock that stands, and whose timers are real. */
function fixedClock(at: number) {
  return {
    ...virtualClock(at),
    now: () => at,
    setTimer: (ms: number, wake: () => void) => {
      const timer = setTimeout(wake, ms);
      return () => clearTimeout(timer);
    },
    sleep: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
  };
}

export default { fetch: () => new Response("none", { status: 404 }) };
