/**
 * `#platform` on Node: its own SHA-256, journals by path in files, and the server of `host.listen`. The last two
 * are loaded when they are first used.
 */
import { hash } from "node:crypto";
import type { JournalPort } from "../runtime/index.js";
import type { Listen } from "../serve/server/index.js";

export function sha256(data: string | Uint8Array): string {
  return hash("sha256", data, "base64url");
}

export async function openJournal(path: string): Promise<JournalPort> {
  const { fileJournal } = await import("../adapters/file-journal/index.js");
  return fileJournal(path);
}

export const openServer: Listen = async (...args) => {
  const { listen } = await import("../serve/server/index.js");
  return listen(...args);
};
