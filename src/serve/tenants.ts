/** Limits of tenants, at the door of a host. */
import type { Clock } from "../runtime/for-hosts.js";
import type { Fault, HostStore } from "./store.js";
import type { Word } from "./words.js";

/** Limits of a tenant. */
export interface TenantLimit {
  /** Runs that one process goes on with at once; further ones wait, the first first. */
  readonly runs?: number | undefined;
  /** Money that its runs may cost on a day (UTC), in the unit of the prices. */
  readonly moneyPerDay?: number | undefined;
  /** Messages and starts that one process takes in a minute. */
  readonly messagesPerMinute?: number | undefined;
}

/** Limits by tenant; a function for those that are not known beforehand. */
export type TenantLimits =
  | { readonly [tenant: string]: TenantLimit }
  | ((tenant: string) => TenantLimit | undefined);

const MINUTE = 60_000;

/** See the banner. */
export class TenantGate {
  readonly #limits: TenantLimits;
  readonly #store: HostStore;
  readonly #clock: Clock;
  readonly #taken = new Map<string, number[]>();

  constructor(limits: TenantLimits, store: HostStore, clock: Clock) {
    this.#limits = limits;
    this.#store = store;
    this.#clock = clock;
  }

  #of(tenant: string): TenantLimit {
    const limits = this.#limits;
    if (typeof limits === "function") return limits(tenant) ?? {};
    return Object.hasOwn(limits, tenant) ? (limits[tenant] as TenantLimit) : {};
  }

  /** The runs of a tenant that go on at once. */
  runsOf(tenant: string): number {
    return this.#of(tenant).runs ?? Number.POSITIVE_INFINITY;
  }

  /** Returns why something is not let in; only what makes a run ask its model is refused. */
  async refuses(tenant: string, word: Word): Promise<Fault | undefined> {
    const { moneyPerDay, messagesPerMinute } = this.#of(tenant);
    if (!asksModel(word)) return undefined;
    if (moneyPerDay !== undefined) {
      const day = new Date(this.#clock.now()).toISOString().slice(0, 10);
      const spent = await this.#store.spent(tenant, day);
      if (spent >= moneyPerDay) {
        return limit(tenant, `has spent ${spent} of ${moneyPerDay} on ${day}; it goes on tomorrow`);
      }
    }
    if (messagesPerMinute === undefined) return undefined;
    if (this.#count(tenant, messagesPerMinute)) return undefined;
    return limit(tenant, `has sent ${messagesPerMinute} messages in a minute; send it later`);
  }

  /** @returns whether one more is let in */
  #count(tenant: string, most: number): boolean {
    const now = this.#clock.now();
    const recent = (this.#taken.get(tenant) ?? []).filter((at) => at > now - MINUTE);
    const isIn = recent.length < most;
    if (isIn) recent.push(now);
    this.#taken.set(tenant, recent);
    return isIn;
  }
}

function asksModel(word: Word): boolean {
  if (word.type !== "arrived") return true;
  const { arrived } = word;
  return arrived.type === "event" && arrived.event.type === "message";
}

function limit(tenant: string, what: string): Fault {
  return {
    code: "host.limit",
    message: `The tenant ${tenant === "" ? "(none)" : tenant} ${what}.`,
  };
}
