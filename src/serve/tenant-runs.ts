/** `TenantRuns`: the interface to the runs of one tenant: a run by its id, lists, a stream of lines. */
import type { RunHost } from "./run-host.js";
import type { ListOptions, ListPage } from "./store.js";
import type { Seen, WatchOptions } from "./watch.js";

/** The runs of a tenant. */
export interface TenantRuns {
  /** The verbs of a run. @throws ReckonerError `option.invalid` where it can be no id */
  run(id: string): RunHost;
  /** Lists runs by their rows. @throws ReckonerError `option.invalid` */
  list(options?: ListOptions): Promise<ListPage>;
  /**
   * The lines of a run from a number on, and those that are still written, until it ends. It reads as fast as
   * it is asked, and keeps one page.
   * @throws ReckonerError `run.missing`
   */
  watch(id: string, options?: WatchOptions): AsyncIterable<Seen>;
  /** A run that was parked may be tried again. @throws ReckonerError `run.missing` */
  unpark(id: string): Promise<void>;
}
