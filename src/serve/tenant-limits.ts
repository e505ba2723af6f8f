/**
 * Limits what each tenant may use: runs at once, messages a minute, money a day. A host asks before it takes
 * something or asks a model.
 */

import * as shapes from "../core/kernel/shapes.js";
import { isThenable, ReckonerError } from "../core/kernel/values/index.js";
import { type Clock, checkAllOptions } from "../runtime/for-hosts.js";
import { faultOf, type Word } from "./mail-content.js";
import type { Fault, HostStore } from "./store.js";

/** Limits of a tenant. */
export interface TenantLimit {
  /** Runs that one process goes on with at once; further ones wait, the first first. */
  readonly runs?: number | undefined;
  /** Money that its runs may cost on a day (UTC), in US dollars. */
  readonly moneyPerDay?: number | undefined;
  /** Messages and starts that one process takes in a minute. */
  readonly messagesPerMinute?: number | undefined;
}

/** Limits by tenant; a function for those that are not known beforehand. */
export type TenantLimits =
  | { readonly [tenant: string]: TenantLimit }
  | ((tenant: string) => TenantLimit | undefined);

const LIMIT: shapes.Shapes<TenantLimit> = {
  runs: /* @__PURE__ */ shapes.count(1),
  moneyPerDay: /* @__PURE__ */ shapes.atLeast(0),
  messagesPerMinute: /* @__PURE__ */ shapes.count(0),
};

/** @throws ReckonerError `option.invalid` */
export function checkTenantLimit(tenant: string, limit: TenantLimit): void {
  checkAllOptions(`limits.tenants.${tenant}`, limit, LIMIT);
}

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

  /** @throws ReckonerError `option.invalid` where a function of the caller's tells no limits */
  #of(tenant: string): TenantLimit {
    const limits = this.#limits;
    if (typeof limits !== "function") {
      return Object.hasOwn(limits, tenant) ? (limits[tenant] as TenantLimit) : {};
    }
    const own = asked(limits, tenant) ?? {};
    checkTenantLimit(tenant, own);
    return own;
  }

  /** The runs of a tenant that go on at once. Limits that nobody can tell are for the door: they stop no run. */
  runsOf(tenant: string): number {
    try {
      return this.#of(tenant).runs ?? Number.POSITIVE_INFINITY;
    } catch {
      return Number.POSITIVE_INFINITY;
    }
  }

  /**
   * Returns why something is not let in; only what makes a run ask its model is refused.
   * @throws ReckonerError `option.invalid`, and what the store throws
   */
  async refuses(tenant: string, word: Word): Promise<Fault | undefined> {
    if (!asksModel(word)) return undefined;
    const { moneyPerDay, messagesPerMinute } = this.#of(tenant);
    if (moneyPerDay !== undefined) {
      const fault = await this.#daySpent(tenant, moneyPerDay);
      if (fault !== undefined) return fault;
    }
    if (messagesPerMinute === undefined) return undefined;
    if (this.#count(tenant, messagesPerMinute)) return undefined;
    return limit(tenant, `has sent ${messagesPerMinute} messages in a minute; send it later`);
  }

  /**
   * Returns why no model is asked any more: what runs ends its turn then, as at a budget. `undefined` where nothing
   * limits the tenant. A store that does not answer stops nobody.
   */
  refusesModel(tenant: string): Promise<Fault | undefined> | undefined {
    try {
      const { moneyPerDay: most } = this.#of(tenant);
      return most === undefined ? undefined : this.#daySpent(tenant, most).catch(() => undefined);
    } catch (thrown) {
      return Promise.resolve(faultOf(thrown));
    }
  }

  async #daySpent(tenant: string, most: number): Promise<Fault | undefined> {
    const day = dayOf(this.#clock.now());
    const spent = await this.#store.spent(tenant, day);
    if (spent < most) return undefined;
    return limit(tenant, `has spent ${spent} of ${most} on ${day}; it goes on tomorrow`);
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

function asked(
  limits: (tenant: string) => TenantLimit | undefined,
  tenant: string,
): TenantLimit | undefined {
  try {
    const ownLimit = limits(tenant);
    if (!isThenable(ownLimit)) return ownLimit;
    throw new Error("it returned a promise");
  } catch (cause) {
    const message = `limits.tenants tells no limits of ${named(tenant)} (${faultOf(cause).message}); return them, or nothing.`;
    throw new ReckonerError("option.invalid", message, { place: "limits.tenants", cause });
  }
}

/** Returns a day in UTC, as `2026-01-31`. */
export function dayOf(now: number): string {
  return new Date(now).toISOString().slice(0, 10);
}

function asksModel(word: Word): boolean {
  if (word.type !== "arrived") return true;
  const { arrived } = word;
  return arrived.type === "event" && arrived.event.type === "message";
}

function limit(tenant: string, what: string): Fault {
  return {
    code: "host.limit",
    message: `The tenant ${named(tenant)} ${what}.`,
  };
}

function named(tenant: string): string {
  return tenant === "" ? "(none)" : tenant;
}
