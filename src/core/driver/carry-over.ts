/**
 * Carries the state of a run over to another configuration of its reasoner, and makes the `upgrade` that
 * its journal records. Used by `resume` with `upgrade`, and to check that a journal could be upgraded.
 */
import {
  type Configuration,
  configurationOf,
  differenceOf,
  type HeaderLine,
  type UpgradeLine,
} from "../journal/index.js";
import { type Reasoner, type RunState, upgradeRefused } from "../kernel/machine/index.js";

/** A run that may go on under another configuration. */
export interface Carried<Context> {
  readonly header: HeaderLine;
  /** Its present one. */
  readonly configuration: Configuration;
  /** Absent where it has not begun. */
  readonly state: RunState<Context> | undefined;
}

/** A run under another configuration. */
export interface CarriedRun<Context> {
  readonly state: RunState<Context> | undefined;
  readonly upgrade: UpgradeLine["upgrade"];
}

/**
 * Carries a run over to a reasoner.
 * @param now the host's clock; a run's time never goes back
 * @throws ReckonerError `upgrade.refused` where its state cannot be carried over, or it has left this configuration
 */
export function carriedOver<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  { header, configuration, state }: Carried<Context>,
  now: number,
): CarriedRun<Context> {
  const to = configurationOf(reasoner);
  const left = [...(configuration.left ?? []), configuration.fingerprint];
  if (left.includes(to.fingerprint)) {
    throw upgradeRefused(
      `it has left this configuration for a later one (${differenceOf(configuration, to)}), and an upgrade does not lead back; in a rolling deploy the later code goes on with it, and to go back on purpose raise the reasoner's version`,
    );
  }
  if (configuration.version > to.version) {
    throw upgradeRefused(
      `the run is of version ${configuration.version} and the present code of version ${to.version}; an upgrade does not lead back`,
    );
  }
  const at = Math.max(now, state?.at ?? header.at);
  const { input, budget } = header;
  const over = { at, differs: differs(configuration, to), input, budget };
  const migrated = state === undefined ? undefined : reasoner.migrate(state, over);
  return { state: migrated, upgrade: { at, from: configuration, to: { ...to, left } } };
}

/** Tells which parts of a configuration are others than they were. */
export function differs(from: Configuration, to: Configuration): (part: string) => boolean {
  return (part) => from.configuration?.[part] !== to.configuration?.[part];
}
