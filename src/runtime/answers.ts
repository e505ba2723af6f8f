/** What the caller of `resume` says to the run: checked before anything runs. */
import {
  type Decision,
  parseEvent,
  type Reasoner,
  ReckonerError,
  type RunState,
} from "../core/kernel/index.js";
import type { Incoming } from "./interpreter.js";
import { runEnded } from "./live-run.js";
import { loadRun } from "./load.js";
import type { ResumeOptions } from "./options.js";
import type { JournalPort } from "./ports.js";

/** What the run itself is told, and what its children are. */
export interface Answers {
  readonly events: readonly Incoming[];
  /** Decisions by the ids of `run` directives, then by the ids of the children's approvals. */
  readonly inChildren: ReadonlyMap<string, Record<string, Decision>>;
}

/**
 * Checks decisions and messages against what the run, and its children, wait for.
 * @throws ReckonerError `approval.stale`, `run.ended`, `json.refused`
 */
export async function checkAnswers(
  reasoner: Reasoner<never, unknown, never>,
  port: JournalPort,
  state: RunState<unknown> | undefined,
  { decisions = {}, messages = [] }: ResumeOptions,
): Promise<Answers> {
  const ended = state !== undefined && state.status !== "active";
  const events: Incoming[] = [];
  const inChildren = new Map<string, Record<string, Decision>>();
  for (const [id, decision] of Object.entries(decisions)) {
    const event = parseEvent({ ...decision, type: "approval.decided", id, at: 0 });
    const child = await waitsFor(reasoner, port, state, id);
    if (child === undefined) events.push(event as unknown as Incoming);
    else inChildren.set(child.id, { ...inChildren.get(child.id), [child.inner]: decision });
  }
  if (ended && messages.length > 0) throw runEnded();
  for (const content of messages) events.push({ type: "message", content } as Incoming);
  return { events, inChildren };
}

/** The child in which an approval waits, or `undefined` where it is the run's own. */
async function waitsFor(
  reasoner: Reasoner<never, unknown, never>,
  port: JournalPort,
  state: RunState<unknown> | undefined,
  id: string,
): Promise<{ readonly id: string; readonly inner: string } | undefined> {
  const outstanding = state?.outstanding ?? [];
  if (outstanding.some((each) => each.type === "approval" && each.id === id)) return undefined;
  for (const each of outstanding) {
    if (each.type !== "run" || !id.startsWith(`${each.id}/`)) continue;
    const child = reasoner.children[each.reasoner];
    const childPort = port.child?.(each.id);
    if (child === undefined || childPort === undefined) continue;
    const inner = id.slice(each.id.length + 1);
    const loaded = await loadRun(child, childPort);
    await waitsFor(child, childPort, loaded.state, inner);
    return { id: each.id, inner };
  }
  const ended = state !== undefined && state.status !== "active";
  const why = ended ? "the run has ended" : "it was decided before, or never asked for";
  throw new ReckonerError(
    "approval.stale",
    `No approval ${JSON.stringify(id)} is waiting: ${why}. Nothing was run.`,
    { place: id },
  );
}
