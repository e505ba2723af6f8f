/** A studio over a folder of runs. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileJournal } from "reckoner/file-journal";
import { copyJournal } from "reckoner/time-travel";
import { studioApi } from "../../../../src/cli/studio/api.js";
import { studioJournals } from "../../../../src/cli/studio/journals.js";
import type { ApiAnswer } from "../../../../src/cli/studio/listen.js";
import { openStudio } from "../../../../src/cli/studio/open-studio.js";
import { paidRun, waitingRun } from "../../studio/support.js";
import { aFolder, anIo } from "../support.js";

/** A folder with a run that was paid, one that waits, and one that is damaged. */
export async function aFolderOfRuns(): Promise<string> {
  const folder = aFolder();
  await copyJournal(await paidRun(), fileJournal(join(folder, "paid.jsonl")));
  await copyJournal(await waitingRun(), fileJournal(join(folder, "waits.jsonl")));
  const text = readFileSync(join(folder, "paid.jsonl"), "utf8");
  writeFileSync(join(folder, "damaged.jsonl"), text.replace("arrived broken", "arrived whole "));
  writeFileSync(
    join(folder, "payer.ts"),
    `import { payer, script } from ${JSON.stringify(join(import.meta.dirname, "../../studio/payer.ts"))};
     export default { reasoner: payer(), model: script() };`,
  );
  return folder;
}

export async function anApi(config?: string, word = ".") {
  const cwd = await aFolderOfRuns();
  const io = anIo(cwd);
  const parts = openStudio({ io, word, journals: studioJournals(io, word), config });
  const { here } = parts;
  const api = studioApi(parts);
  const call = async (method: string, path: string, body?: unknown): Promise<ApiAnswer> => {
    const url = new URL(path, "http://studio/");
    const { signal } = new AbortController();
    return api({ method, path: url.pathname.slice(1), query: url.searchParams, body, signal });
  };
  const json = async <Answer>(method: string, path: string, body?: unknown) =>
    ((await call(method, path, body)) as { readonly json: Answer }).json;
  return { cwd, call, json, here };
}

export async function textOf(answer: ApiAnswer): Promise<string> {
  const chunks: Buffer[] = [];
  if ("pieces" in answer) for await (const each of answer.pieces) chunks.push(Buffer.from(each));
  return Buffer.concat(chunks).toString("utf8");
}
