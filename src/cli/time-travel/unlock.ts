/** `reckoner unlock`: takes over the lock of an owner who cannot be seen from here, on a person's word, and gives it up. */
import { resolve } from "node:path";
import { fileJournal } from "../../adapters/file-journal/index.js";
import { about } from "../terminal/failure.js";
import { type Io, print, printJson } from "../terminal/io.js";

/** Unlocks a journal. @returns the exit code */
export async function unlockCommand(
  io: Io,
  journal: string,
  { json = false }: { readonly json?: boolean },
): Promise<number> {
  const port = fileJournal(resolve(io.cwd, journal), { steal: true });
  try {
    // Nothing is written: who opens the journal has its lock, and gives it up again.
    await (await port.open("append")).close();
  } catch (thrown) {
    throw about(journal, thrown);
  }
  if (json) printJson(io, { journal, unlocked: true });
  else print(io, `${journal} is unlocked`);
  return 0;
}
