/** Loading a run from its journal: verified line by line, from the last snapshot where there is one. */
import {
  checkReasoner,
  compareStep,
  type DecodedLine,
  decodeLines,
  describeDifference,
  foldSteps,
  type HeaderLine,
  type Line,
  Recorder,
  splitJournal,
} from "../core/journal/index.js";
import {
  isReckonerError,
  type Reasoner,
  ReckonerError,
  type RunState,
} from "../core/kernel/index.js";
import { earlierContext } from "./link.js";
import type { NoticeCode } from "./observation.js";
import type { JournalPort, JournalPosition } from "./ports.js";
import {
  decodeSnapshot,
  type RunOrigin,
  type Snapshot,
  type SnapshotAge,
  utf8Length,
} from "./session.js";

/** A run as its journal left it. */
export interface LoadedRun<Context> {
  /** Absent where the process ended before the start was recorded. */
  readonly state: RunState<Context> | undefined;
  /** Absent where the run was loaded from a snapshot. */
  readonly header: HeaderLine | undefined;
  /** The context of the run that this one goes on from, where it was read. */
  readonly earlier: unknown;
  /** What the headers of its children are made of. */
  readonly origin: RunOrigin;
  /** What was cancelled, as far back as was read: children among it may not have ended yet. */
  readonly cancelled: readonly string[];
  readonly recorder: Recorder;
  /** Where the journal ends, a torn line left out. */
  readonly position: JournalPosition;
  /** How many attempts of each outstanding tool have begun. */
  readonly attempts: ReadonlyMap<string, number>;
  /** What was read behind the last snapshot; so many short lives of a run leave one in the end too. */
  readonly snapshotAge: SnapshotAge;
  readonly notices: readonly { readonly code: NoticeCode; readonly message: string }[];
}

/**
 * Loads a run. Whatever the reasoner does otherwise than recorded is refused: going on from there
 * would make a journal that no code replays.
 * @throws ReckonerError `journal.diverged` with both values, and what reading a journal throws
 */
export async function loadRun<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  port: JournalPort,
): Promise<LoadedRun<Context>> {
  const text = await readSnapshot(port);
  const snapshot = usable(reasoner, decodeSnapshot(text));
  if (snapshot !== undefined) {
    try {
      const loaded = await loadFrom<Input, Output, Context>(reasoner, port, snapshot);
      return { ...loaded, snapshotAge: { ...loaded.snapshotAge, size: text?.length ?? 0 } };
    } catch (thrown) {
      // The whole journal has the last word: it says what is wrong, or that only the snapshot was.
      if (!isReckonerError(thrown)) throw thrown;
      const loaded = await loadFrom(reasoner, port, undefined);
      const message = `The snapshot was not used: ${thrown.message}`;
      return { ...loaded, notices: [...loaded.notices, { code: "snapshot.unused", message }] };
    }
  }
  return loadFrom(reasoner, port, undefined);
}

/** The snapshot's text; one that cannot be read is as good as none. */
async function readSnapshot(port: JournalPort): Promise<string | undefined> {
  try {
    return await port.snapshot?.read();
  } catch {
    return undefined;
  }
}

function usable<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  snapshot: Snapshot | undefined,
): Snapshot | undefined {
  const same =
    snapshot?.fingerprint === reasoner.fingerprint &&
    snapshot.state.reasoner === reasoner.id &&
    snapshot.state.version === reasoner.version;
  return same ? snapshot : undefined;
}

async function loadFrom<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  port: JournalPort,
  snapshot: Snapshot | undefined,
): Promise<LoadedRun<Context>> {
  const from = snapshot?.anchor ?? { lines: 0, bytes: 0 };
  const text = splitJournal(await port.read(from));
  const previous = snapshot?.anchorPrevious ?? "";
  const decoded = [...decodeLines(text, { lines: from.lines, previous })];
  const recorder = new Recorder(snapshot?.recorder);
  const attempts = new Map(Object.entries(snapshot?.attempts ?? {}));
  const first = decoded[0];
  const fresh = snapshot === undefined ? decoded : afterAnchor(decoded, snapshot);
  for (const { line, hash } of fresh) {
    recorder.observe(line, hash);
    countAttempts(line, attempts);
  }
  const header = first?.line.type === "header" ? first.line : undefined;
  if (snapshot === undefined && header === undefined) {
    throw new ReckonerError(
      "journal.empty",
      `The journal ${port.name} holds no header: the run never began. Remove it and run again.`,
    );
  }
  const lines = fresh.map(({ line }) => line);
  const origin = header ?? (snapshot?.state as RunState<Context>);
  const earlier = header === undefined ? undefined : await earlierContext(reasoner, port, header);
  const state = verify(reasoner, origin, lines, earlier);
  const owed = new Set(state?.outstanding.map(({ id }) => id));
  for (const id of attempts.keys()) if (!owed.has(id)) attempts.delete(id);
  return {
    state,
    header,
    earlier,
    origin: header === undefined ? (snapshot?.origin ?? {}) : originOf(header),
    cancelled: decoded.flatMap(({ line }) => cancelledIn(line)),
    recorder,
    position: {
      lines: from.lines + text.lines.length,
      bytes: from.bytes + text.lines.reduce((sum, line) => sum + utf8Length(line) + 1, 0),
    },
    attempts,
    snapshotAge: {
      since: text.lines.reduce((sum, line) => sum + utf8Length(line) + 1, 0),
      size: 0,
    },
    notices: noticesOf(reasoner, header, text.torn),
  };
}

/** The lines behind a snapshot's own; the first one has to be the line that led to its state. */
function afterAnchor(decoded: readonly DecodedLine[], snapshot: Snapshot): readonly DecodedLine[] {
  if (decoded[0]?.hash === snapshot.recorder.previous) return decoded.slice(1);
  const marks = decoded.findIndex(({ hash }) => hash === snapshot.recorder.previous);
  if (marks < 0) {
    throw new ReckonerError("journal.chain", "The snapshot is not of this journal.");
  }
  return decoded.slice(marks + 1);
}

function verify<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  origin: HeaderLine | RunState<Context>,
  lines: readonly Line[],
  earlier: unknown,
): RunState<Context> | undefined {
  if ("type" in origin) checkReasoner(reasoner, origin);
  let state = "type" in origin ? undefined : origin;
  for (const { line, step } of foldSteps(reasoner, origin, lines, earlier)) {
    const upTo = () => lines.slice(0, lines.indexOf(line) + 1);
    const difference = compareStep(reasoner, line, step, upTo);
    if (difference !== undefined) {
      throw new ReckonerError(
        "journal.diverged",
        `The reasoner at hand does not do what the journal recorded; resume with the code that wrote it. ${describeDifference(difference)}`,
        { place: `event ${difference.seq}, ${difference.path}` },
      );
    }
    state = step.state;
  }
  return state;
}

function countAttempts(line: Line, attempts: Map<string, number>): void {
  if (line.type === "mark") attempts.set(line.id, line.attempt);
  if (line.type === "event") {
    for (const { id, attempt } of line.starts ?? []) attempts.set(id, attempt);
  }
}

function originOf({ config, seed, parent }: HeaderLine): RunOrigin {
  return {
    ...(config === undefined ? {} : { config }),
    ...(seed === undefined ? {} : { seed }),
    ...(parent === undefined ? {} : { parent }),
  };
}

/** The targets of the `cancel` directives of a line. */
function cancelledIn(line: Line): string[] {
  if (line.type !== "event") return [];
  return (line.directives ?? []).flatMap(({ type, parts }) => {
    const { target } = parts;
    if (type !== "cancel" || target === undefined) return [];
    const id =
      typeof target === "string" ? line.values?.[target] : "is" in target ? target.is : undefined;
    return typeof id === "string" ? [id] : [];
  });
}

function noticesOf(
  reasoner: { readonly fingerprint: string },
  header: HeaderLine | undefined,
  torn: string,
): LoadedRun<unknown>["notices"] {
  const notices: { code: NoticeCode; message: string }[] = [];
  if (torn !== "") {
    const message = `The last line was torn (${torn.length} characters) and is left out.`;
    notices.push({ code: "journal.torn", message });
  }
  if (header !== undefined && header.fingerprint !== reasoner.fingerprint) {
    const message = "The reasoner's configuration is not the one that was recorded.";
    notices.push({ code: "journal.configuration", message });
  }
  return notices;
}
