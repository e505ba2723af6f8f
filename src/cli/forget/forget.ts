/** `reckoner forget`: removes all runs of a tenant or of a person from a store. */

import { printPruned } from "../prune/prune.js";
import { storeNamed } from "../store/open-stores.js";
import { storeAddress } from "../store/store-address.js";
import { usageError } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";

/** Flags of `forget`. */
export interface ForgetFlags {
  readonly tenant?: string;
  readonly person?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** Forgets. @returns 1 where a run had to be kept, else 0 */
export async function forgetCommand(io: Io, word: string, flags: ForgetFlags): Promise<number> {
  const address = storeAddress(word);
  const { tenant = address.tenant, person, dryRun } = flags;
  if (address.run !== undefined) {
    throw usageError("forget takes a store; reckoner prune removes one run of it.");
  }
  if (tenant === "" && person === undefined) {
    throw usageError("forget needs --tenant or --person: whose runs are to go.");
  }
  const named = storeNamed(io, word);
  const store = tenant === address.tenant ? named : named.tenant(tenant);
  if (address.tenant !== "" && tenant !== address.tenant) {
    throw usageError(`--tenant ${tenant} and the tenant of ${word} are two; name one.`);
  }
  const pruned = await store.forget({ person, dryRun });
  return printPruned(io, { ...address, tenant }, pruned, flags);
}
