/** `memoryBlobs`: files in memory, for tests and for runs that go with the process. */
import { pairKey } from "../../core/kernel/vocabulary/index.js";
import type { BlobPort } from "./blobs.js";
import type { JournalPort } from "./ports.js";

/** A file, and the names of the journals whose runs hold it. */
interface Kept {
  readonly bytes: Uint8Array;
  readonly holders: Set<string>;
}

/** Files that live as long as this object. Journals are told apart by their names and tenants. */
export function memoryBlobs(): BlobPort {
  const files = new Map<string, Kept>();
  const keyOf = ({ tenant = "" }: JournalPort, id: string) => pairKey(tenant, id);
  const holderOf = ({ tenant = "", name }: JournalPort) => pairKey(tenant, name);
  return {
    name: "memory",
    async keep(journal, id, bytes) {
      const key = keyOf(journal, id);
      const kept = files.get(key) ?? { bytes: bytes.slice(), holders: new Set<string>() };
      kept.holders.add(holderOf(journal));
      files.set(key, kept);
    },
    async hold(journal, id) {
      const kept = files.get(keyOf(journal, id));
      kept?.holders.add(holderOf(journal));
      return kept !== undefined;
    },
    read: async (journal, id) => files.get(keyOf(journal, id))?.bytes.slice(),
    async release(journal) {
      for (const [key, { holders }] of files) {
        if (holders.delete(holderOf(journal)) && holders.size === 0) files.delete(key);
      }
    },
  };
}
