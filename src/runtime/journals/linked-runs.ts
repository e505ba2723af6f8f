/**
 * Loads the runs to which a header links: the one that a fork was cut from, and the one that a run
 * continues.
 */
import type { FoldedTree } from "../../core/driver/index.js";
import {
  firstConfiguration,
  type HeaderLine,
  isOf,
  type RunLink,
} from "../../core/journal/index.js";
import type { Reasoner } from "../../core/kernel/machine/index.js";
import { isReckonerError } from "../../core/kernel/values/index.js";
import type { JournalPort } from "../ports/ports.js";
import {
  cutNotFound,
  followLink,
  linkNotFound,
  type ReadHeader,
  readLinked,
  type Trail,
} from "./history.js";
import type { Lenient, LoadedRun, LoadOptions, LoadRun } from "./loaded-run.js";
import type { ReasonerVersions } from "./reasoners-of.js";

/** The reason why the state of a linked run is unknown. */
const WHY_NOT: { readonly [code: string]: string | undefined } = {
  "journal.diverged": "the present code reaches other states than it recorded",
  "journal.configuration": "its events were taken by code that was not given",
};
const NO_SNAPSHOT =
  "and no snapshot is kept of where it was; resume it once with the code that wrote it";

/** What a run begins with. */
export interface Beginning {
  /** The context of the run that it goes on from. */
  readonly from: unknown;
  /** Of a fork the runs that it shares. */
  readonly tree?: FoldedTree;
}

/** How a link is followed. */
interface Following extends Pick<LoadOptions, "redact"> {
  readonly lenient: Lenient;
  readonly trail: Trail;
  readonly until: number;
}

/** Follows the links of headers. Loading a run may follow one, and following one loads a run. */
export class LinkedRuns {
  readonly #load: LoadRun;

  constructor(load: LoadRun) {
    this.#load = load;
  }

  /**
   * What a run begins with: its header, or for a fork, the state at its cut, or at the last event that
   * is wanted, where it shares that.
   * @param own the reasoner of its first segment, where it is at hand
   * @throws ReckonerError `journal.link`, and what loading the other run throws
   */
  async beginningOf<Input, Output, Context>(
    own: Reasoner<Input, Output, Context> | undefined,
    reasoners: readonly Reasoner<Input, Output, Context>[],
    port: JournalPort,
    { header, hash }: ReadHeader,
    options: Following,
  ): Promise<Beginning> {
    if (header.fork === undefined) {
      const following = { hash, trail: options.trail };
      const from =
        own === undefined ? undefined : await this.contextOf(reasoners, port, header, following);
      return { from };
    }
    const { tree } = await this.#cutOf(reasoners, port, { header, hash }, options);
    tree.fork(header);
    return { from: undefined, tree };
  }

  /**
   * The run that a fork was cut from, as it was at the cut, or at the last event that is wanted.
   * @throws ReckonerError `journal.link`, and what loading it throws
   */
  async #cutOf<Input, Output, Context>(
    reasoners: ReasonerVersions<Input, Output, Context>,
    port: JournalPort,
    { header, hash }: ReadHeader,
    options: Following,
  ): Promise<LoadedRun<Context>> {
    const fork = header.fork as RunLink;
    const { lenient, until, redact } = options;
    const other = followLink(port, fork, hash, options.trail);
    const isShared = until < fork.seq;
    const last = isShared ? { until } : { until: fork.seq, untilHash: fork.hash };
    const loaded = await readLinked(port, other.port, () =>
      this.#load(reasoners, other.port, {
        ...last,
        trail: other.trail,
        lenient,
        redact,
        shared: true,
      }),
    );
    const { place } = loaded;
    const isCut = isShared || (place?.seq === fork.seq && place.hash === fork.hash);
    if (!isCut || loaded.header.runId !== fork.runId) throw cutNotFound(other.port, fork);
    return loaded;
  }

  /**
   * The context that a header's link leads to, or `undefined` where it has none.
   * @throws ReckonerError `journal.link`
   */
  async contextOf<Input, Output, Context>(
    reasoners: ReasonerVersions<Input, Output, Context>,
    port: JournalPort,
    { from }: Pick<HeaderLine, "from">,
    { hash = "", trail = new Set() }: { readonly hash?: string; readonly trail?: Trail } = {},
  ): Promise<unknown> {
    if (from === undefined) return undefined;
    const other = followLink(port, from, hash, trail);
    // It may have gone on since; what it was at the time has to be in it as it was.
    const options = { until: from.seq, untilHash: from.hash, trail: other.trail };
    const { state, place } = await readLinked(port, other.port, () =>
      this.recorded(reasoners, other.port, options),
    );
    if (place?.seq !== from.seq || place.hash !== from.hash || state === undefined)
      throw cutNotFound(other.port, from);
    return state.context;
  }

  /**
   * The same for code that may be another than the run began with: what it cannot tell stays unknown,
   * and an upgrade may say how the run goes on.
   * @throws ReckonerError `journal.link` where the run began with it
   */
  async contextOrUndefined<Input, Output, Context>(
    reasoner: Reasoner<Input, Output, Context>,
    port: JournalPort,
    header: HeaderLine,
    following: { readonly hash?: string; readonly trail?: Trail } = {},
  ): Promise<unknown> {
    try {
      return await this.contextOf(reasoner, port, header, following);
    } catch (thrown) {
      if (isOf(firstConfiguration(header), reasoner)) throw thrown;
      return undefined;
    }
  }

  /**
   * A run as it was recorded, for another one to go on from: the code may have changed since, as long
   * as it comes to the same states.
   * @throws ReckonerError `journal.link` where it does not, or folds nothing of it, and what loading it throws
   */
  async recorded<Input, Output, Context>(
    reasoners: ReasonerVersions<Input, Output, Context>,
    port: JournalPort,
    options: Pick<LoadOptions, "until" | "untilHash" | "trail"> = {},
  ): Promise<LoadedRun<Context>> {
    try {
      return await this.#load(reasoners, port, { ...options, lenient: "requests" });
    } catch (thrown) {
      const why = isReckonerError(thrown) ? WHY_NOT[thrown.code] : undefined;
      if (why === undefined) throw thrown;
      throw linkNotFound(port.name, `${why}, ${NO_SNAPSHOT}`, thrown);
    }
  }
}
