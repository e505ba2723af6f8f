/**
 * Read-only journal ports for the studio's page: over the studio's server, or over the journals that an
 * exported page holds.
 */
import { ReckonerError } from "../../core/kernel/values/index.js";
import type { JournalPort } from "../../runtime/for-adapters.js";
import type { Refused } from "./protocol.js";

const encoder = new TextEncoder();

/** Fetches an address of the studio's server. */
export type Fetch = (path: string) => Promise<Response>;

/**
 * A journal that the studio's server reads.
 * @param links the words that lead to it from the journal of that name
 */
export function servedJournal(
  fetch: Fetch,
  name: string,
  links: readonly string[] = [],
): JournalPort {
  return {
    name: links.length === 0 ? name : `${name} → ${links.join(" → ")}`,
    open: refuseToWrite,
    async *read(from = 0) {
      const query = new URLSearchParams({ name, from: String(from) });
      for (const link of links) query.append("link", link);
      const response = await fetch(`api/journal?${query}`);
      if (!response.ok) throw await refusedBy(response, name);
      if (response.body === null) return;
      const reader = response.body.getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        yield value as Uint8Array;
      }
    },
    follow: (link) => servedJournal(fetch, name, [...links, link]),
  };
}

/** The error that an answer of the server holds. */
export async function refusedBy(response: Response, place: string): Promise<ReckonerError> {
  const body = (await response.json().catch(() => undefined)) as Refused | undefined;
  const code = body?.error.code ?? "journal.unreadable";
  const message = body?.error.message ?? `The server answered ${response.status}.`;
  return new ReckonerError(code as never, message, { place });
}

/** A journal whose text is in the page, where the page has it. @param follow the journals to which its links lead */
export function heldJournal(
  name: string,
  text: string | undefined,
  follow: (link: string) => JournalPort | undefined,
): JournalPort {
  return {
    name,
    open: refuseToWrite,
    async *read(from = 0) {
      if (text === undefined) {
        const message = `This page does not hold the journal ${name}.`;
        throw new ReckonerError("journal.missing", message, { place: name });
      }
      yield encoder.encode(text).subarray(from);
    },
    follow,
  };
}

async function refuseToWrite(): Promise<never> {
  throw new ReckonerError("journal.write", "The studio's page only reads journals.");
}
