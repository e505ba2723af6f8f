/** Edits of what was said: a rewind of the run to before a message. */
import { isEventLine } from "../core/journal/index.js";
import { ReckonerError, type UserPart } from "../core/kernel/index.js";
import {
  type Clock,
  type HostOptions,
  headOf,
  type JournalPort,
  type Randomness,
  viewOf,
} from "../runtime/for-hosts.js";
import { rewind } from "../time-travel/live/index.js";

/** Forks that a run may have: one for each edit. */
const MAX_FORKS = 10_000;

/** Returns what a message said. @throws ReckonerError `fork.point` where the event is none */
export async function messageAt(
  journal: JournalPort,
  seq: number,
): Promise<string | readonly UserPart[]> {
  for await (const { line } of viewOf(await headOf(journal)).lines()) {
    if (!isEventLine(line) || line.seq !== seq) continue;
    if (line.event.type === "message") return line.event.content;
    break;
  }
  throw new ReckonerError("fork.point", `The event ${seq} of ${journal.name} is no message.`);
}

/** Rewinds a run to before an event. @throws ReckonerError `fork.point`, and what reading a journal throws */
export async function rewindBefore(
  journal: JournalPort,
  seq: number,
  {
    clock,
    random,
    ...hidden
  }: Pick<HostOptions, "redact" | "maskCredentials"> & {
    readonly clock: Clock;
    readonly random: Randomness;
  },
): Promise<void> {
  await messageAt(journal, seq);
  const name = `edit-${random.id()}`;
  await rewind(
    journal,
    { at: seq - 1 },
    { ...hidden, clock, name, runId: random.id(), limit: MAX_FORKS },
  );
}
