/** The platform on Node: its own SHA-256, and journals in files, which are loaded with the first path. */
import { hash } from "node:crypto";
import type { JournalPort } from "../runtime/index.js";

export function sha256(data: string | Uint8Array): string {
  return hash("sha256", data, "base64url");
}

export async function openJournal(path: string): Promise<JournalPort> {
  const { fileJournal } = await import("../adapters/file-journal/index.js");
  return fileJournal(path);
}
