/**
 * A journal with all that it shares with others: the lines of the runs that it was forked from, each
 * up to the cut, then its own. Every byte of all of them is verified, and no circle is followed.
 */
import {
  type DecodedLine,
  type HeaderLine,
  isHeaderLine,
  type RunLink,
} from "../../core/journal/index.js";
import { ReckonerError } from "../../core/kernel/index.js";
import type { JournalPort } from "../ports.js";
import { readHeader, readLines } from "./read-journal.js";

/** A line of a history, and whose it is. */
export interface PastLine extends DecodedLine {
  readonly port: JournalPort;
  /** The run whose journal it stands in. */
  readonly runId: string;
}

/** The headers of the runs on the way to one: a run that is met twice leads round in a circle. */
export type Trail = ReadonlySet<string>;

/**
 * The journal that a link leads to.
 * @param hash of the header that has the link
 * @throws ReckonerError `journal.link` where there is none, or the links lead round in a circle
 */
export function followLink(
  port: JournalPort,
  link: RunLink,
  hash: string,
  trail: Trail,
): { readonly port: JournalPort; readonly trail: Trail } {
  if (trail.has(hash)) throw linkNotFound(port.name, "the links lead round in a circle");
  const other = port.follow?.(link.journal);
  if (other === undefined) throw linkNotFound(link.journal, `${port.name} does not lead to it`);
  return { port: other, trail: new Set([...trail, hash]) };
}

/** @internal */
export function linkNotFound(journal: string, why: string): ReckonerError {
  return new ReckonerError(
    "journal.link",
    `The run to go on from, in ${journal}, is not to be found: ${why}.`,
    { place: journal },
  );
}

/** A journal that a history goes through, and the last event of it that belongs to the history. */
interface Stretch {
  readonly port: JournalPort;
  readonly header: HeaderLine;
  readonly until: RunLink | undefined;
}

/** The journals of a history, the oldest first. */
async function stretchesOf(port: JournalPort): Promise<readonly Stretch[]> {
  const stretches: Stretch[] = [];
  let at = port;
  let until: RunLink | undefined;
  let trail: Trail = new Set();
  for (;;) {
    const { header, hash } = await readHeaderLine(at);
    if (until !== undefined && header.runId !== until.runId) {
      throw linkNotFound(at.name, `it is of run ${header.runId}, not ${until.runId}`);
    }
    stretches.unshift({ port: at, header, until });
    if (header.fork === undefined) return stretches;
    until = header.fork;
    ({ port: at, trail } = followLink(at, until, hash, trail));
  }
}

async function readHeaderLine(
  port: JournalPort,
): Promise<{ readonly header: HeaderLine; readonly hash: string }> {
  for await (const { line, hash } of readLines(port)) {
    if (isHeaderLine(line)) return { header: line, hash };
  }
  return { header: await readHeader(port), hash: "" };
}

/**
 * The lines of a run from its beginning: of a fork those that it shares first. The headers of forks
 * are among them, where the shared part ends.
 * @param torn is told of bytes behind the last newline
 * @throws ReckonerError `journal.link`, and what reading a journal throws
 */
export async function* readHistory(
  port: JournalPort,
  torn?: (bytes: number) => void,
): AsyncGenerator<PastLine> {
  for (const { port: at, header, until } of await stretchesOf(port)) {
    let found = until === undefined;
    for await (const { text, number, hash, line } of readLines(
      at,
      until === undefined ? torn : undefined,
    )) {
      if (found && until !== undefined) continue;
      yield { text, number, hash, line, port: at, runId: header.runId };
      if (until === undefined || !("event" in line) || line.seq !== until.seq) continue;
      if (hash !== until.hash) throw cutNotFound(at, until);
      found = true;
    }
    if (!found && until !== undefined) throw cutNotFound(at, until);
  }
}

/** @internal */
export function cutNotFound({ name }: JournalPort, { runId, seq }: RunLink): ReckonerError {
  return linkNotFound(name, `it does not hold event ${seq} of run ${runId}`);
}
