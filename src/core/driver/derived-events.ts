/**
 * Computes, while a journal is read, the events that follow from lines of other runs (a child's beginning
 * and cancel, its parent's settlement), and compares them with those that the journal has.
 */
import {
  type BeginRecord,
  broken,
  type Configuration,
  childPath,
  configurationOf,
  differenceOf,
  type SetAnswer,
} from "../journal/index.js";
import type { RunState } from "../kernel/machine/index.js";
import {
  canonical,
  firstDifference,
  isJsonObject,
  type Json,
  ReckonerError,
  toJson,
  type ValueDifference,
} from "../kernel/values/index.js";
import type { Budget, RunDirective, RunEvent, Usage } from "../kernel/vocabulary/index.js";
import type { Path } from "./arrived.js";
import {
  type AnyReasoner,
  childEndOf,
  childNamed,
  NO_LONGER_WANTED,
  type Parent,
  placeOf,
  settlementOf,
  usageOf,
} from "./child.js";
import { preparedInput } from "./door.js";
import type { FoldedChild } from "./folded-children.js";
import type { DriverOptions } from "./options.js";
import { type Follow, ROOT } from "./parents-and-children.js";

/** An event of a run of the tree. */
export interface TreeEvent {
  readonly run: Path;
  readonly seq: number;
  readonly event: RunEvent;
}

/** The comparison of what only follows. */
export interface Comparing extends Pick<DriverOptions, "redact"> {
  /** False where the code may be another than wrote the lines: what it does not explain is passed over. */
  readonly strict?: boolean;
  /** Is told of what only follows and does not, in a fold that is not strict; without it nothing is compared. */
  readonly tell?: (at: TreeEvent, found: ValueDifference) => void;
}

/** The next consequence, the state of the run, and the child whose outcome the event says that it is. */
interface Position {
  readonly next: Follow | undefined;
  readonly state: Pick<RunState, "at"> | undefined;
  readonly child: FoldedChild | undefined;
}

/** The beginning of a child, as its parent has it. */
interface Wanted {
  readonly reasoner: AnyReasoner;
  readonly directive: RunDirective;
  /** The time of the step that issued it. */
  readonly at: number;
}

/** A child that begins, and its code. */
interface BegunChild extends Pick<FoldedChild, "path" | "place" | "configuration"> {
  readonly reasoner: AnyReasoner;
}

/** Compares what only follows. */
export class Derived {
  /** The answers that a header sets: they need not follow from anything. */
  set: readonly SetAnswer[] = [];
  readonly #options: Comparing;

  constructor(options: Comparing) {
    this.#options = options;
  }

  get isStrict(): boolean {
    return this.#options.strict !== false;
  }

  /** True if somebody is told. */
  get tells(): boolean {
    return this.#options.tell !== undefined;
  }

  /** Returns true for an event that only follows. */
  follows(path: Path, event: RunEvent): boolean {
    const { type } = event;
    const isOf = type === "run.succeeded" || type === "run.failed";
    if (!isOf && (type !== "cancel" || path === ROOT)) return false;
    return !this.set.some(
      ({ run = ROOT, event: { id } }) => run === path && "id" in event && event.id === id,
    );
  }

  /** Returns true if a hook, which a fold never calls, may have changed what stands in lines. */
  get #isRedacted(): boolean {
    return this.#options.redact !== undefined;
  }

  /**
   * The child that a line begins, as the directive that waits for it says; nothing where its code is not at hand, or
   * nobody is told of what differs.
   * @throws ReckonerError in a strict fold `journal.format` where no directive waits, `journal.configuration` where the
   * child began under another one, `journal.diverged` where it begins otherwise
   */
  beginning(
    at: TreeEvent,
    number: number,
    begin: BeginRecord,
    { follow, above }: { readonly follow: Follow | undefined; readonly above: Parent | undefined },
  ): BegunChild | undefined {
    const { run: path } = at;
    if (follow?.open === undefined) {
      if (!this.isStrict) return undefined;
      throw broken("journal.format", number, `begins a run ${path} for which no directive waits`);
    }
    const { directive } = follow.open;
    const reasoner = above && childNamed(above.reasoner, directive.reasoner);
    const isOwn = reasoner?.fingerprint === begin.fingerprint;
    const { reasoner: named, fingerprint, configuration: parts } = begin;
    const own = { version: named.version, fingerprint };
    const configuration = parts === undefined ? own : { ...own, configuration: parts };
    if (!isOwn && this.isStrict) throw otherChild(path, reasoner, configuration);
    if (above === undefined || reasoner === undefined || !(isOwn || this.tells)) return undefined;
    this.#checkBegin(at, number, begin, { reasoner, directive, at: follow.at });
    return { path, reasoner, place: placeOf(above.place, directive), configuration };
  }

  /** Compares the beginning of a child with what its directive says. */
  #checkBegin(
    at: TreeEvent,
    number: number,
    { input, budget }: BeginRecord,
    { reasoner, directive, at: time }: Wanted,
  ): void {
    const prepared = preparedInput(reasoner, directive.input);
    const own = this.#isRedacted ? input : withDepsOf(input, prepared, directive.input);
    const recorded = beginning(at.event.at, input, budget);
    const wanted = beginning(time, own, directive.budget);
    this.#compare(at, "begin", [recorded, wanted], () =>
      underived(number, at.run, "begins otherwise than its directive says"),
    );
  }

  /** Compares an event that only follows with what it follows from. */
  check(at: TreeEvent, number: number, { next, state: own, child: folded }: Position): void {
    if (!this.isStrict && !this.tells) return;
    const { run: path, event } = at;
    // A consequence has the time of its cause; but a run's time never goes back.
    const time = Math.max(next?.at ?? 0, own?.at ?? 0);
    if (path !== ROOT && event.type === "cancel") {
      const isNext = next?.type === "cancel" && next.child === path;
      const wanted = isNext ? { ...NO_LONGER_WANTED, at: time } : undefined;
      this.#compare(at, "event", [event, wanted], () =>
        underived(number, path, "is cancelled otherwise than its parent does"),
      );
      return;
    }
    if (event.type !== "run.succeeded" && event.type !== "run.failed") return;
    const child = childPath(path, event.id);
    // A child that never began was refused, which hangs on the options of who did.
    if (folded === undefined && event.type === "run.failed") return;
    let wanted: unknown;
    if (folded !== undefined && next?.type === "settle" && next.child === child) {
      const state = folded.replay.state as RunState<unknown>;
      const end = childEndOf(folded.reasoner as AnyReasoner, state, folded.replay.ledger.memory);
      // A hook, which no fold calls, refused what the child came to.
      const isRefused = event.type === "run.failed" && event.error.code === "redaction.refused";
      wanted = isRefused ? event : toJson({ ...settlementOf(event.id, end), at: time });
    }
    this.#compare(at, "event", [event, wanted], () =>
      underived(number, child, "did not come to what its parent is told"),
    );
  }

  /** Compares what stands in a line with what follows. */
  #compare(
    at: TreeEvent,
    path: string,
    [recorded, derived]: readonly [recorded: unknown, derived: unknown],
    error: () => ReckonerError,
  ): void {
    const isSame = derived !== undefined && (this.#isRedacted || sameJson(recorded, derived));
    if (isSame) return;
    if (this.isStrict) throw error();
    const found = firstDifference(recorded as Json, (derived ?? null) as Json, path);
    if (found !== undefined) this.#options.tell?.(at, found);
  }
}

/**
 * Returns a child's prepared input with the deps that were recorded: those of its definition are in no fingerprint,
 * and may be another day's. Deps that its parent gave count.
 */
function withDepsOf(recorded: Json, prepared: Json, asked: Json): Json {
  if (!isJsonObject(recorded) || !isJsonObject(prepared) || !isJsonObject(recorded.deps)) {
    return prepared;
  }
  const ownDeps = isJsonObject(asked) && isJsonObject(asked.deps) ? asked.deps : {};
  return { ...prepared, deps: { ...recorded.deps, ...ownDeps } };
}

/** The parts of a child's beginning that only follow. */
function beginning(at: number, input: Json, budget: Budget | undefined): object {
  return { at, input, ...(budget === undefined ? {} : { budget }) };
}

export function usageOfFolded({ replay }: Pick<FoldedChild, "replay">): Usage {
  return usageOf(replay.state as RunState<unknown>, replay.ledger.memory.usage);
}

/** Returns the error of a child that began under other code than is at hand. */
export function otherChild(
  path: Path,
  reasoner: AnyReasoner | undefined,
  recorded: Configuration,
): ReckonerError {
  const why =
    reasoner === undefined
      ? "its parent has no such child"
      : `of ${reasoner.id}: ${differenceOf(recorded, configurationOf(reasoner))}`;
  return new ReckonerError(
    "journal.configuration",
    `The child run ${path} began under another configuration ${why}. Pass the code that wrote it.`,
    { place: path },
  );
}

const sameJson = (a: unknown, b: unknown) => canonical(a as Json) === canonical(b as Json);

/** Something that only follows from other lines, and does not. */
function underived(number: number, path: Path, what: string): ReckonerError {
  return new ReckonerError(
    "journal.diverged",
    `The child run ${path} ${what}; go on with the code that wrote the journal.`,
    { place: `line ${number}` },
  );
}
