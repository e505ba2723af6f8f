/**
 * `reckoner unlock`: removes the lock of a journal whose owner cannot be seen from here (on another machine), on
 * a person's word.
 */
import { resolve } from "node:path";
import { fileJournal } from "../../adapters/file-journal/index.js";
import { withHead } from "../../runtime/index.js";
import { isStoreAddress } from "../store/store-address.js";
import { about, usageError } from "../terminal/failure.js";
import { type Io, print, printJson } from "../terminal/io.js";

/** Unlocks a journal. @returns the exit code */
export async function unlockCommand(
  io: Io,
  journal: string,
  { json = false }: { readonly json?: boolean },
): Promise<number> {
  if (isStoreAddress(journal)) throw usageError(`${journal} is in a store, which has no locks.`);
  const port = fileJournal(resolve(io.cwd, journal), { steal: true });
  try {
    // Nothing is written: who has it open has its lock, and that of each journal up to its head, and gives them up again.
    await withHead(port, async () => {});
  } catch (thrown) {
    throw about(journal, thrown);
  }
  if (json) printJson(io, { journal, unlocked: true });
  else print(io, `${journal} is unlocked`);
  return 0;
}
