/** The runs of a host over HTTP, through its own routes: rows, lines, and decisions. Nothing is written but those. */
import { maskCredentials, messageOf, ReckonerError } from "../../core/kernel/index.js";
import type { JournalPort, RunRow } from "../../runtime/index.js";
import type { Decide } from "../../studio/live/index.js";
import type { RunItem } from "../../studio/model/index.js";
import { usageError } from "../terminal/failure.js";
import type { StudioJournals } from "./journals.js";
import { itemOf } from "./run-items.js";

/** A page of a run's lines, as the host gives it. */
interface LinesPage {
  readonly journal: string;
  readonly from: number;
  readonly lines: readonly string[];
  readonly ended: boolean;
}

/** Headers of every request to the host. */
export type HostHeaders = readonly (readonly [name: string, value: string])[];

/** Returns true for a word that names a host. */
export function isHostAddress(word: string): boolean {
  return /^https?:\/\//i.test(word);
}

/** Returns the address of a host. @throws ReckonerError `cli.usage`: nothing of a password is printed */
export function hostAddress(word: string): string {
  let url: URL;
  try {
    url = new URL(word);
  } catch {
    throw usageError("The address of the host is not a URL; write http://HOST:PORT.");
  }
  if (url.username !== "" || url.password !== "") {
    throw usageError(
      "The address of the host has a password in it; send it with --header NAME=VALUE.",
    );
  }
  return word.replace(/\/+$/, "");
}

/** Returns the headers that words name. @throws ReckonerError `cli.usage` */
export function hostHeaders(words: readonly string[]): HostHeaders {
  return words.map((word) => {
    const at = word.indexOf("=");
    if (at > 0 && /^[\w-]+$/.test(word.slice(0, at)))
      return [word.slice(0, at), word.slice(at + 1)];
    throw usageError("--header is not NAME=VALUE.");
  });
}

/** The runs of a host. */
export function hostJournals(word: string, headers: HostHeaders): StudioJournals {
  const address = hostAddress(word);
  const ask = async <Answer>(path: string, body?: unknown): Promise<Answer> => {
    const own = [
      ...headers,
      ...(body === undefined ? [] : [["content-type", "application/json"] as const]),
    ];
    let response: Response;
    try {
      response = await fetch(`${address}${path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: own as [string, string][],
        redirect: "error",
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    } catch (cause) {
      const why = maskCredentials(messageOf((cause as Error).cause ?? cause));
      throw new ReckonerError("port.failed", `The host ${address} does not answer: ${why}.`, {
        place: address,
        cause,
      });
    }
    const said = (await response.json().catch(() => ({}))) as {
      readonly error?: { readonly code: string; readonly message: string };
    };
    if (response.ok) return said as Answer;
    const { code = "port.failed", message = `It answers ${response.status}.` } = said.error ?? {};
    throw new ReckonerError(code as never, message, { place: address });
  };
  const rows = async (): Promise<readonly (RunRow & { readonly id: string })[]> => {
    const all: (RunRow & { readonly id: string })[] = [];
    for (let after: string | undefined; ; ) {
      const query = new URLSearchParams({
        limit: "1000",
        ...(after === undefined ? {} : { after }),
      });
      const page = await ask<{ readonly runs: typeof all; readonly next?: string }>(
        `/runs?${query}`,
      );
      all.push(...page.runs);
      after = page.next;
      if (after === undefined) return all;
    }
  };
  const known = new Map<string, JournalPort>();
  return {
    kind: "host",
    names: async () => (await rows()).map(({ id }) => id),
    async list() {
      const runs: RunItem[] = (await rows()).map(({ id, ...row }) =>
        // A row tells no fingerprint: its version stands for it.
        itemOf(id, row, { fingerprint: `version ${row.version}` }),
      );
      return { runs, unread: [] };
    },
    open(name) {
      const port = known.get(name) ?? hostJournal(name, (from) => ask(linesPath(name, from)));
      known.set(name, port);
      return port;
    },
    async decide({ journal, ...decision }: Decide) {
      await ask(`/runs/${encodeURIComponent(journal)}/decisions`, decision);
    },
  };
}

function linesPath(run: string, from: number): string {
  return `/runs/${encodeURIComponent(run)}/lines?from=${from}`;
}

const encoder = new TextEncoder();

/** A run of a host, read page by page. */
function hostJournal(name: string, page: (from: number) => Promise<LinesPage>): JournalPort {
  // The ends of the lines that were seen, in bytes: a reader goes on from one of them.
  let ends: number[] = [];
  let journal: string | undefined;
  return {
    name,
    open: () =>
      Promise.reject(
        new ReckonerError("journal.write", "The studio only reads a host's runs.", { place: name }),
      ),
    async *read(from = 0) {
      let next = from === 0 ? 0 : ends.indexOf(from) + 1;
      let at = next === 0 ? 0 : (ends[next - 1] as number);
      for (;;) {
        const found = await page(next);
        if (journal !== undefined && found.journal !== journal) ends = [];
        journal = found.journal;
        const text = found.lines.map((line) => `${line}\n`).join("");
        for (const line of found.lines) {
          at += encoder.encode(line).length + 1;
          ends[next] = at;
          next += 1;
        }
        if (text === "") return;
        const bytes = encoder.encode(text);
        const start = at - bytes.length;
        // A place within a line is where no reader of ours stops.
        yield from > start ? bytes.subarray(from - start) : bytes;
        if (found.ended) return;
      }
    },
  };
}
