/**
 * Finds the lines of a journal that a fork shares, and tells if the fork still needs answers from behind them.
 * Databases ask it before they remove the rest of an old run.
 */
import { OwedTree, type RunLink } from "../../core/journal/index.js";
import type { JournalPort, JournalPosition } from "../ports/ports.js";
import { viewOf } from "./view.js";

/**
 * Returns where the lines end that a link leads to; `undefined` where the journal does not hold them.
 * @throws ReckonerError what reading the journal throws
 */
export async function sharedEnd(
  port: JournalPort,
  { hash }: RunLink,
): Promise<JournalPosition | undefined> {
  for await (const lines of viewOf(port).rawLines().batches()) {
    const line = lines.find((each) => each.hash === hash);
    if (line !== undefined) return { lines: line.number, bytes: line.end };
  }
  return undefined;
}

/**
 * Returns true if a fork may still take over an answer that its original got behind the cut: it would do
 * again what was done.
 * @throws ReckonerError what reading the journals throws
 */
export async function stillInherits(port: JournalPort): Promise<boolean> {
  const view = viewOf(port);
  const { fork } = await view.header();
  if (fork === undefined) return false;
  const owed = new OwedTree();
  await view.readTree(owed);
  // A person is asked again, and a timer goes off again.
  return [...owed.owed.values()].some(
    ({ seq, type }) => seq <= fork.seq && type !== "approval" && type !== "timer",
  );
}
