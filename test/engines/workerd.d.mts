// The types of workerd.mjs, for tests.
import type { DurableRuns } from "reckoner/durable-object";

export class Workerd {
  static start(
    folder: string,
    bindings?: { readonly OUTSIDE?: string; readonly AT?: number; readonly TURNS?: number },
  ): Promise<Workerd>;
  readonly runs: DurableRuns;
  start(): Promise<void>;
  kill(): Promise<void>;
  stop(): Promise<void>;
}
