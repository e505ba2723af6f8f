/** `reckoner import`: writes a journal from a file to a store, byte for byte, with the files that it names. */
import { basename, resolve } from "node:path";
import { fileJournal } from "../../adapters/file-journal/index.js";
import { headerOf } from "../../runtime/index.js";
import { copyJournal } from "../../time-travel/live/index.js";
import { blobsAt } from "../files/blobs-at.js";
import { storeNamed } from "../store/open-stores.js";
import { addressOf, storeAddress } from "../store/store-address.js";
import { about } from "../terminal/failure.js";
import { type Io, print, printJson } from "../terminal/io.js";

/** Flags of `import`. */
export interface ImportFlags {
  readonly into: string;
  readonly id?: string;
  readonly json?: boolean;
}

/** Imports a run; its tenant is that of its header. @returns the exit code */
export async function importCommand(
  io: Io,
  file: string,
  { into, id = basename(file).replace(/\.jsonl$/, ""), json }: ImportFlags,
): Promise<number> {
  try {
    const store = storeNamed(io, into);
    const port = fileJournal(resolve(io.cwd, file));
    const { runId, labels } = await headerOf(port);
    const address = storeAddress(into);
    const tenant = address.tenant === "" ? (labels?.tenant ?? "") : address.tenant;
    const own = address.tenant !== "" || tenant === "" ? store : store.tenant(tenant);
    const blobs = { from: blobsAt(io, file), to: own.blobs };
    await copyJournal(port, own.journal(id), { blobs });
    const journal = addressOf({ ...address, tenant }, id);
    if (json === true) printJson(io, { journal, runId });
    else print(io, `${journal}: run ${runId}`);
    return 0;
  } catch (thrown) {
    throw about(file, thrown);
  }
}
