/**
 * Finds the store of the files that a journal's messages name (`BlobPort`): in the journal's store, or in the
 * folder beside its file.
 */
import { resolve } from "node:path";
import { folderBlobs } from "../../adapters/file-journal/index.js";
import type { BlobPort } from "../../runtime/index.js";
import { storeNamed } from "../store/open-stores.js";
import { isStoreAddress, storeAddress } from "../store/store-address.js";
import type { Io } from "../terminal/io.js";

/** Returns the files of a journal: those of `talk.jsonl` lie in `talk.jsonl.blobs`. */
export function blobsAt(io: Io, journal: string): BlobPort {
  if (!isStoreAddress(journal)) return folderBlobs(`${resolve(io.cwd, journal)}.blobs`);
  const { store, tenant } = storeAddress(journal);
  return storeNamed(io, tenant === "" ? store : `${store}#@${tenant}`).blobs;
}
