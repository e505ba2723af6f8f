/** `reckoner prune`: removes runs of a store that have ended, or one run. */
import type { Pruned, PruneOptions } from "../../adapters/journal-tables/index.js";
import { storeNamed } from "../store/open-stores.js";
import { addressOf, type StoreAddress, storeAddress } from "../store/store-address.js";
import { usageError } from "../terminal/failure.js";
import { type Io, print, printJson } from "../terminal/io.js";
import { plural } from "../terminal/plural.js";
import { inLine } from "../terminal/visible.js";

/** Flags of `prune`. */
export interface PruneFlags {
  readonly before?: string;
  readonly status?: readonly string[];
  readonly person?: string;
  readonly tag?: string;
  readonly detach?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Prunes. @returns 1 where a run had to be kept, else 0 */
export async function pruneCommand(io: Io, word: string, flags: PruneFlags): Promise<number> {
  const address = storeAddress(word);
  const { before, status, person, tag, detach, dryRun } = flags;
  const conditions = { status: status as PruneOptions["status"], person, tag };
  const { run } = address;
  if (run !== undefined && [before, status, person, tag].some((each) => each !== undefined)) {
    throw usageError("A run that is named by itself takes no condition; name the store alone.");
  }
  const options: PruneOptions =
    run === undefined ? { ...conditions, before: momentOf(before) } : { ids: [run] };
  // The store is named with the run, or alone.
  const store = run === undefined ? storeNamed(io, word) : storeOfRun(io, address);
  const pruned = await store.prune({ ...options, detach, dryRun });
  return printPruned(io, address, pruned, flags);
}

function storeOfRun(io: Io, address: StoreAddress) {
  const { store, tenant } = address;
  return storeNamed(io, tenant === "" ? store : `${store}#@${tenant}`);
}

/** Returns a moment in milliseconds since 1970: a time, or so many days ago. @throws ReckonerError `cli.usage` */
function momentOf(before: string | undefined): number | undefined {
  if (before === undefined) return undefined;
  const days = /^(\d{1,5})d$/.exec(before)?.[1];
  const at = days === undefined ? Date.parse(before) : Date.now() - Number(days) * DAY_MS;
  if (Number.isFinite(at)) return at;
  throw usageError(
    `--before ${before} is no time; write one as 2026-01-31, or 30d for 30 days ago.`,
  );
}

/** Prints what became of the runs. @returns the exit code */
export function printPruned(
  io: Io,
  address: StoreAddress,
  { removed, detached, kept }: Pruned,
  { dryRun, json }: Pick<PruneFlags, "dryRun" | "json">,
): number {
  const name = (id: string) => inLine(addressOf(address, id));
  if (json === true) printJson(io, { removed, detached, kept, dryRun: dryRun === true });
  else {
    const would = dryRun === true ? "would be " : "";
    for (const id of removed) print(io, `${would}removed   ${name(id)}`);
    for (const id of detached)
      print(io, `${would}detached  ${name(id)}: the lines that others share stay`);
    for (const { id, why, by } of kept)
      print(io, `kept      ${name(id)}: ${REASONS[why](by.map(inLine))}`);
    const rest = kept.length === 0 ? "" : `, ${plural(kept.length, "run")} kept`;
    print(io, `${plural(removed.length + detached.length, "run")} ${would}removed${rest}`);
  }
  return kept.length > 0 ? 1 : 0;
}

const REASONS: {
  readonly [Why in Pruned["kept"][number]["why"]]: (by: readonly string[]) => string;
} = {
  needed: (by) => `${by.join(", ")} needs it; remove that too, or pass --detach`,
  inherits: (by) =>
    `${by.join(", ")} has not taken over all that it was answered; resume that first`,
  open: () => "it is being written",
};
