/**
 * Moves the large files of a run's input, or of what is sent to a resumed run, to the run's file store
 * (`BlobPort`), before any line is written. It fails if a file that is named by its id is not there.
 */
import { blobsOf } from "../ports/blobs.js";
import { FileDoor, refuseMissing } from "../ports/file-door.js";
import type { HostOptions } from "../ports/options.js";
import type { JournalPort } from "../ports/ports.js";

/** Returns a value with ids in the place of large files. @throws ReckonerError `blob.missing` */
export async function withFilesOutside<T>(
  value: T,
  place: string,
  journal: JournalPort,
  { blobs }: Pick<HostOptions, "blobs">,
): Promise<T> {
  if (blobs === undefined) return value;
  const door = new FileDoor(true);
  const taken = door.take(value, place);
  refuseMissing(await door.settle(blobsOf(blobs, journal)));
  return taken;
}
