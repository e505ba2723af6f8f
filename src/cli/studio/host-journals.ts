/**
 * Shows the runs of a remote host in the studio: reads their rows and lines through the host's own HTTP
 * routes, and sends it the decisions that are made in the studio. It writes nothing else.
 */

import { textOfLines } from "../../core/journal/index.js";
import * as shapes from "../../core/kernel/shapes.js";
import { messageOf, ReckonerError } from "../../core/kernel/values/index.js";
import { maskCredentials } from "../../core/kernel/vocabulary/index.js";
import { ROW } from "../../runtime/for-adapters.js";
import type { JournalPort, RunRow } from "../../runtime/index.js";
import type { LinesPage } from "../../serve/for-adapters.js";
import type { Decide, Refused } from "../../studio/live/index.js";
import type { RunItem, UnreadItem } from "../../studio/model/index.js";
import { usageError } from "../terminal/failure.js";
import type { StudioJournals } from "./journals.js";
import { itemOf } from "./run-items.js";

const LINES_PAGE = shapes.open(
  { journal: shapes.TEXT, from: shapes.WHOLE, lines: shapes.TEXTS, ended: shapes.FLAG },
  "journal",
  "lines",
);
const ROWS_PAGE = shapes.open({ runs: shapes.LIST, next: shapes.TEXT }, "runs");

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
    const [name, value] = [word.slice(0, at), word.slice(at + 1)];
    if (at <= 0 || !/^[\w-]+$/.test(name)) throw usageError("--header is not NAME=VALUE.");
    // Fetch refuses such a value as well, but with the value in its message, and it may be a password.
    if (/^[\t\x20-\x7e]*$/.test(value)) return [name, value];
    throw usageError(
      `--header ${name} has a value that no header can have: letters of ASCII alone.`,
    );
  });
}

type HostRow = RunRow & { readonly id: string };

/** The runs of a host. */
export function hostJournals(word: string, headers: HostHeaders): StudioJournals {
  const address = hostAddress(word);
  const ask = async <Answer>(
    path: string,
    shape: shapes.Shape,
    body?: unknown,
  ): Promise<Answer> => {
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
    const answer: unknown = await response.json().catch(() => undefined);
    if (!response.ok) {
      const { error } = (answer ?? {}) as { readonly error?: Partial<Refused["error"]> };
      const { code = "port.failed", message = `It answers ${response.status}.` } = error ?? {};
      throw new ReckonerError(code as never, message, { place: address });
    }
    const fault = shapes.misfit(answer, shape, "its answer");
    if (fault === undefined) return answer as Answer;
    const message = `The host ${address} answers ${path.split("?")[0]} as no host of reckoner does: ${fault}.`;
    throw new ReckonerError("port.failed", message, { place: address });
  };
  const rows = async (): Promise<readonly HostRow[]> => {
    const all: HostRow[] = [];
    for (let after: string | undefined; ; ) {
      const query = new URLSearchParams({
        limit: "1000",
        ...(after === undefined ? {} : { after }),
      });
      const page = await ask<{ readonly runs: readonly HostRow[]; readonly next?: string }>(
        `/runs?${query}`,
        ROWS_PAGE,
      );
      all.push(...page.runs.filter((each) => typeof each?.id === "string"));
      // A page that leads to itself leads nowhere.
      if (page.next === undefined || page.next === after) return all;
      after = page.next;
    }
  };
  const ports = new Map<string, JournalPort>();
  return {
    kind: "host",
    names: async () => (await rows()).map(({ id }) => id),
    async list() {
      const runs: RunItem[] = [];
      const unread: UnreadItem[] = [];
      for (const { id, ...row } of await rows()) {
        const fault = shapes.misfit(row, ROW);
        // A row tells no fingerprint: its version stands for it.
        if (fault === undefined)
          runs.push(itemOf(id, row, { fingerprint: `version ${row.version}` }));
        else
          unread.push({ journal: id, code: "port.failed", message: `The host's row: ${fault}.` });
      }
      return { runs, unread };
    },
    open(name) {
      const port =
        ports.get(name) ?? hostJournal(name, (from) => ask(linesPath(name, from), LINES_PAGE));
      ports.set(name, port);
      return port;
    },
    async decide({ journal, ...decision }: Decide) {
      await ask(`/runs/${encodeURIComponent(journal)}/decisions`, shapes.ANYTHING, decision);
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
        const text = textOfLines(found.lines);
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
