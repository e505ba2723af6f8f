/**
 * The segments of a journal while it is compared with code: each upgrade line begins one, and each
 * is compared with the code of its configuration, if that is given.
 */
import { differs } from "../../core/driver/index.js";
import {
  type Configuration,
  configurationOf,
  differenceOf,
  type HeaderLine,
  type Remembered,
  type UpgradeLine,
} from "../../core/journal/index.js";
import type { Reasoner, RunState } from "../../core/kernel/machine/index.js";
import { codeOf } from "./upgrade.js";

/** Events of one configuration, one after the other, from an upgrade or the beginning on. */
export interface JournalSegment {
  /** Sequence number of the first event. */
  readonly from: number;
  /** How many events there are. */
  readonly events: number;
  readonly version: number;
  readonly fingerprint: string;
  /** Whether the code of this configuration was given; otherwise the segment was not checked. */
  readonly checked: boolean;
}

/** A segment while it is being read. */
interface OpenSegment {
  readonly from: number;
  readonly configuration: Configuration;
  /** Whether the code is that of the configuration, and not only the best that there is. */
  readonly matched: boolean;
  events: number;
  /** Events found identical, before the first that was not. */
  same: number;
}

/** The segments of one journal, opened one by one in their order. */
export class Segments<Input, Output, Context> {
  readonly #all: OpenSegment[] = [];
  #code: Reasoner<Input, Output, Context> | undefined;

  /** Begins a segment. @param reasoners that are at hand, the newest first */
  open(reasoners: readonly Reasoner<Input, Output, Context>[], configuration: Configuration): void {
    const before = this.#all[this.#all.length - 1];
    const from = before === undefined ? 0 : before.from + before.events;
    const own = codeOf(reasoners, configuration, false);
    // Where no upgrade comes any more, the present code is compared all the same.
    const near = codeOf(reasoners, configuration, true);
    this.#code = own ?? near ?? (from === 0 ? reasoners[0] : undefined);
    this.#all.push({ from, configuration, matched: own !== undefined, events: 0, same: 0 });
  }

  /** The code for the last segment: that of its configuration, or the first given. */
  get code(): Reasoner<Input, Output, Context> | undefined {
    return this.#code;
  }

  /**
   * With what the code goes on at the upgrade that began the last segment. Code that is not the
   * segment's own has the run carried over to it, so that what it keeps of its configuration in its
   * state (a prompt, say) is to show.
   * @throws ReckonerError `upgrade.refused`
   */
  carriedOn(
    { input, budget }: HeaderLine,
    { at, to }: UpgradeLine["upgrade"],
    recorded: Remembered | undefined,
  ): Remembered | undefined {
    const code = this.#code;
    if (recorded === undefined || code === undefined || this.last.matched) return recorded;
    const over = { at, differs: differs(to, configurationOf(code)), input, budget };
    return { ...recorded, state: code.migrate(recorded.state, over) as RunState };
  }

  get last(): OpenSegment {
    return this.#all[this.#all.length - 1] as OpenSegment;
  }

  list(): readonly JournalSegment[] {
    return this.#all.map((each) => ({
      from: each.from,
      events: each.events,
      version: each.configuration.version,
      fingerprint: each.configuration.fingerprint,
      checked: each.matched || (each === this.last && this.#code !== undefined),
    }));
  }

  /** How many events were found identical, of the segments that were checked. */
  get identical(): number {
    const checked = this.list();
    return this.#all.reduce((sum, { same }, i) => (checked[i]?.checked ? sum + same : sum), 0);
  }

  /** What was not checked, and by which other code the rest was. */
  notices(): readonly string[] {
    const notices = this.list()
      .filter(({ checked }) => !checked)
      .map(
        ({ from, events, version }) =>
          `Not checked: ${events} events from ${from} on, of version ${version}, whose code was not given.`,
      );
    const { matched, configuration } = this.last;
    if (matched || this.#code === undefined) return notices;
    const how = differenceOf(configuration, configurationOf(this.#code));
    return [...notices, `The reasoner's configuration is not the one that was recorded: ${how}.`];
  }
}
