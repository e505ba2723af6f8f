/**
 * `folderBlobs`: a store of the files that messages name (`BlobPort`) in a folder, for one process: a folder for
 * each file, in which its content lies and an entry for each run that holds it.
 */
import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { digestOf, ReckonerError } from "../../core/kernel/values/index.js";
import { pairKey } from "../../core/kernel/vocabulary/index.js";
import type { BlobPort, JournalPort } from "../../runtime/index.js";
import { codeOf, FOLDER_OWNER_ONLY, OWNER_ONLY } from "./file-calls.js";

const CONTENT = "content";
const DRAFT = "draft.tmp";

/**
 * Files in a folder, which is made where it is missing. Journals are told apart by their names and tenants. Nobody
 * removes a journal in a file but you: call `release` with it then.
 * @throws ReckonerError `option.invalid`
 */
export function folderBlobs(folder: string): BlobPort {
  if (typeof folder !== "string" || folder === "") {
    const message = "folderBlobs needs the path of a folder.";
    throw new ReckonerError("option.invalid", message, { place: "folder" });
  }
  // One change at a time: whoever releases a file must not pass by someone who takes hold of it.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
  const at = ({ tenant = "" }: JournalPort, id: string) =>
    join(folder, digestOf(pairKey(tenant, id)));
  return {
    name: folder,
    keep: (journal, id, bytes) =>
      inTurn(async () => {
        const place = at(journal, id);
        await mkdir(place, { recursive: true, mode: FOLDER_OWNER_ONLY });
        if (!(await isThere(join(place, CONTENT)))) await put(place, CONTENT, bytes);
        await put(place, holderOf(journal), Buffer.from(journal.name));
        await syncFolder(folder);
      }),
    hold: (journal, id) =>
      inTurn(async () => {
        const place = at(journal, id);
        if (!(await isThere(join(place, CONTENT)))) return false;
        await put(place, holderOf(journal), Buffer.from(journal.name));
        return true;
      }),
    async read(journal, id) {
      try {
        return new Uint8Array(await readFile(join(at(journal, id), CONTENT)));
      } catch (thrown) {
        if (codeOf(thrown) === "ENOENT") return undefined;
        throw thrown;
      }
    },
    release: (journal) =>
      inTurn(async () => {
        const holder = holderOf(journal);
        for (const name of await namesIn(folder)) {
          const place = join(folder, name);
          const holders = (await namesIn(place)).filter((each) => /^by-/.test(each));
          if (!holders.includes(holder)) continue;
          // First the entry, so that what a crash leaves is held by nobody, and not half a file.
          await rm(join(place, holder));
          if (holders.length === 1) await rm(place, { recursive: true });
        }
      }),
  };
}

function holderOf({ tenant = "", name }: JournalPort): string {
  return `by-${digestOf(pairKey(tenant, name))}`;
}

/** Writes a file, whole or not at all; it is durable then. */
async function put(place: string, name: string, bytes: Uint8Array): Promise<void> {
  const draft = await open(join(place, DRAFT), "w", OWNER_ONLY);
  try {
    await draft.writeFile(bytes);
    await draft.sync();
  } finally {
    await draft.close();
  }
  await rename(join(place, DRAFT), join(place, name));
  await syncFolder(place);
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r").catch(() => undefined);
  // Some systems open no folders, and keep their entries by themselves.
  await folder?.sync().catch(() => {});
  await folder?.close();
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );
}

async function namesIn(path: string): Promise<readonly string[]> {
  return readdir(path).catch((thrown: unknown) => {
    if (codeOf(thrown) === "ENOENT" || codeOf(thrown) === "ENOTDIR") return [];
    throw thrown;
  });
}
