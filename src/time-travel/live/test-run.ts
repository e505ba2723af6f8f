/**
 * `testRun`: a recorded run as a test, in any test runner. Its errors have `expected` and
 * `actual`.
 */
import { type Difference, describeDifference } from "../../core/journal/index.js";
import type { Reasoner } from "../../core/kernel/machine/index.js";
import { inOneLine, type Json, ReckonerError } from "../../core/kernel/values/index.js";
import { type JournalPort, type ReplayReport, replay } from "../../runtime/index.js";

/** A run does something else than its fixture says. */
export class RunDiffers extends Error {
  readonly code = "journal.diverged";
  readonly difference: Difference;
  /** The recorded side. */
  readonly expected: Json | undefined;
  /** The reasoner's side. */
  readonly actual: Json | undefined;
  /** Asks the runner to show both. */
  readonly showDiff = true;

  constructor(difference: Difference, events: number) {
    super(inOneLine(`${describeDifference(difference)} The ${events} events before are the same.`));
    this.name = "AssertionError";
    this.difference = difference;
    this.expected = difference.recorded;
    this.actual = difference.computed;
  }
}

/**
 * Replays a fixture, or any journal: the reasoner has to do exactly what it says.
 * @param file a path, a `file:` URL, or a port
 * @throws RunDiffers with the first difference and both its values
 * @throws ReckonerError `journal.*` where it cannot be read or is another reasoner's, `option.invalid`
 */
export async function testRun<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  file: string | { readonly href: string; readonly pathname: string } | JournalPort,
): Promise<ReplayReport> {
  const report = await replay(reasoner, isUrl(file) ? pathOf(file) : file);
  if (report.status === "diverged") throw new RunDiffers(report.difference, report.events);
  return report;
}

interface FileUrl {
  readonly href: string;
  readonly pathname: string;
}

function isUrl(file: string | FileUrl | JournalPort): file is FileUrl {
  if (typeof file !== "object" || file === null) return false;
  return "href" in file && typeof file.pathname === "string";
}

/** The path of a `file:` URL. */
function pathOf({ href, pathname }: FileUrl): string {
  try {
    const path = decodeURIComponent(pathname);
    // A drive's letter has no slash before it.
    return path.replace(/^\/([A-Za-z]:)/, "$1");
  } catch (cause) {
    const message = `The file URL ${href} has a % that begins no character; pass the path, or %25 for it.`;
    throw new ReckonerError("option.invalid", message, { place: "file", cause });
  }
}
