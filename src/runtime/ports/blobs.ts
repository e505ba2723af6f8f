/**
 * `BlobPort`: the store of the files that messages name by ids. A file stays as long as a run holds it: it is
 * kept before any line names it, and goes with the last run that held it.
 */
import type { JournalPort } from "./ports.js";

/** A store of files. An id stands for the content: the same id is the same bytes. */
export interface BlobPort {
  /** For people: "memory", the path of a folder. */
  readonly name: string;
  /** Keeps a file, and has a run hold it; durable when this resolves. @param journal of the run */
  keep(journal: JournalPort, id: string, bytes: Uint8Array): Promise<void>;
  /** Has a run hold a file that is there. @returns false where its tenant has none of that id */
  hold(journal: JournalPort, id: string): Promise<boolean>;
  /** Returns a file of the run's tenant; `undefined` where there is none. */
  read(journal: JournalPort, id: string): Promise<Uint8Array | undefined>;
  /** The run is gone: what nobody else holds goes with it. */
  release(journal: JournalPort): Promise<void>;
}

/** The files of one run: a {@link BlobPort} for its journal. */
export interface RunBlobs {
  /** Keeps a file under its id, for the run. */
  keep(id: string, bytes: Uint8Array): Promise<void>;
  /** Has the run name a file that is kept. @returns false where none is */
  hold(id: string): Promise<boolean>;
  /** Returns the bytes of a file; `undefined` where none is kept. */
  read(id: string): Promise<Uint8Array | undefined>;
}

/** Returns the files of a run. */
export function blobsOf(blobs: BlobPort, journal: JournalPort): RunBlobs {
  return {
    keep: (id, bytes) => blobs.keep(journal, id, bytes),
    hold: (id) => blobs.hold(journal, id),
    read: (id) => blobs.read(journal, id),
  };
}
