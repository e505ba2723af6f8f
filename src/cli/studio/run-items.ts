/** Converts the rows of runs to the items of the studio's list. */
import type { HeaderLine } from "../../core/journal/index.js";
import * as shapes from "../../core/kernel/shapes.js";
import { isReckonerError, messageOf } from "../../core/kernel/values/index.js";
import { headerOf, type JournalPort, type RunRow, summaryOf } from "../../runtime/index.js";
import type { RunItem, UnreadItem } from "../../studio/model/index.js";

/** Makes an item of a row. */
export function itemOf(
  journal: string,
  row: RunRow,
  { fingerprint }: Pick<HeaderLine, "fingerprint">,
): RunItem {
  const { runId, reasoner, version, status, title, words, person, tenant, tags, link } = row;
  const { startedAt, lastAt, events, approvals, timers, children, modelDown, failure, usage } = row;
  return {
    journal,
    runId,
    reasoner,
    version,
    fingerprint,
    status,
    ...shapes.defined({ title, words, person, tenant, tags }),
    startedAt,
    lastAt,
    events,
    approvals: approvals.map(({ id, title: asked, since }) => ({
      id,
      title: asked,
      ...(since === undefined ? {} : { since }),
    })),
    timers,
    children,
    ...shapes.defined({ down: modelDown?.message, failure: failure?.message }),
    tokens: usage.totalTokens,
    requests: usage.requests,
    ...(link === undefined ? {} : { link: link.runId }),
  };
}

/** Reads the row of a journal. @throws ReckonerError as `summaryOf` does */
export async function readItem(port: JournalPort, name: string): Promise<RunItem> {
  const header = await headerOf(port);
  return itemOf(name, await summaryOf(port), header);
}

/** Says why a journal cannot be read. */
export function unreadItem(journal: string, thrown: unknown): UnreadItem {
  const code = isReckonerError(thrown) ? thrown.code : "journal.unreadable";
  return { journal, code, message: messageOf(thrown) };
}
