/** `reckoner/time-travel` on Node: the same exports, a faster hash, and journals by path. */
import { hash } from "node:crypto";
import { useSha256 } from "./core/kernel/index.js";
import { useJournalPaths } from "./runtime/live.js";

export * from "./time-travel.js";

useSha256((text) => hash("sha256", text, "base64url"));
useJournalPaths(async (path) => {
  const { fileJournal } = await import("./adapters/file-journal/index.js");
  return fileJournal(path);
});
