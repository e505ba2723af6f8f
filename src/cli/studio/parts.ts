/**
 * Types of what a studio is started with: the journals that it shows, and the config and the model of the
 * command line.
 */
import type { Io } from "../terminal/io.js";
import type { StudioJournals } from "./journals.js";

/** The parts of a studio's server. */
export interface StudioParts {
  readonly io: Io;
  readonly word: string;
  readonly journals: StudioJournals;
  /** The config that the caller named: no other code is run. */
  readonly config?: string | undefined;
  readonly model?: string | undefined;
}
