/**
 * `reckoner export`: writes a run of a store to a file, byte for byte, with its notes, its snapshots and the files that
 * it names beside it.
 */
import { resolve } from "node:path";
import { fileJournal } from "../../adapters/file-journal/index.js";
import { headerOf } from "../../runtime/index.js";
import { copyJournal } from "../../time-travel/live/index.js";
import { blobsAt } from "../files/blobs-at.js";
import { journalFile } from "../files/journal-files.js";
import { about } from "../terminal/failure.js";
import { type Io, print, printJson, say } from "../terminal/io.js";

/** Flags of `export`. */
export interface ExportFlags {
  readonly out: string;
  readonly json?: boolean;
}

/** Exports a run. @returns the exit code */
export async function exportCommand(
  io: Io,
  journal: string,
  { out, json }: ExportFlags,
): Promise<number> {
  try {
    const port = journalFile(io, journal);
    const { runId, fork, from } = await headerOf(port);
    await copyJournal(port, fileJournal(resolve(io.cwd, out)), {
      blobs: { from: blobsAt(io, journal), to: blobsAt(io, out) },
    });
    const link = (fork ?? from)?.journal;
    if (json === true) printJson(io, { journal, out, runId, ...(link && { needs: link }) });
    else print(io, `${out}: run ${runId}`);
    if (link !== undefined) {
      say(
        io,
        `reckoner: it needs the run in ${link}, which it links to; export that too, beside it under that name`,
      );
    }
    return 0;
  } catch (thrown) {
    throw about(journal, thrown);
  }
}
