// What a tree of runs has recorded, run by run: each event with what the machine made of it, and the
// marks between them. The one file of the oracle that knows how a journal is laid out; of its lines it
// takes the events and the marks, and computes states and directives anew.
import type { Directive, RunEvent, RunState, Step } from "reckoner";
import type { Disk } from "./disk.js";
import type { AnyReasoner } from "./scenario.js";

/** An event, its step, and which of the step's directives began with it. */
export interface Stepped {
  readonly event: RunEvent;
  readonly step: Step<unknown>;
  readonly before: RunState<unknown> | undefined;
  readonly starts: readonly number[];
}

/** A mark between two events: its directive, and what is said of it. */
export interface Marked {
  readonly mark: { readonly id: string; readonly [part: string]: unknown };
}

/** One run of a tree. */
export interface RecordedRun {
  /** The ids of the `run` directives that lead to it, joined by `:`; "" is the root's. */
  readonly path: string;
  readonly runId: string;
  readonly records: readonly (Stepped | Marked)[];
}

interface HeaderLine {
  readonly runId: string;
  readonly at: number;
  readonly input: unknown;
  readonly seed?: string;
  readonly budget?: object;
}

/** A line, as far as it is read here. */
interface ReadLine {
  readonly run?: string;
  readonly begin?: { readonly input: unknown; readonly budget?: object };
  readonly event?: RunEvent;
  readonly [part: string]: unknown;
}

/** The runs of a tree: the root, and the children of each in the order in which they were asked for. */
export function readTree(root: AnyReasoner, disk: Disk): readonly RecordedRun[] {
  const runs: RecordedRun[] = [];
  const [first, ...all] = disk.lines.map((line): ReadLine => JSON.parse(line));
  if (first === undefined) return runs;
  const { runId, seed } = first as unknown as HeaderLine;
  const read = (reasoner: AnyReasoner, path: string, header: HeaderLine) => {
    const lines = all.filter(({ run = "" }) => run === path);
    const records = recordsOf(reasoner, header, lines);
    runs.push({ path, runId: header.runId, records });
    for (const each of records) {
      for (const directive of "step" in each ? each.step.directives : []) {
        if (directive.type !== "run") continue;
        const child = path === "" ? directive.id : `${path}:${directive.id}`;
        const begun = all.find(({ run, begin }) => run === child && begin !== undefined);
        if (begun?.begin === undefined) continue;
        read(childOf(reasoner, directive.reasoner), child, {
          ...begun.begin,
          runId: `${runId}:${child}`,
          at: begun.event?.at as number,
          ...(seed === undefined ? {} : { seed: `${seed}:${child}` }),
        });
      }
    }
  };
  read(root, "", first as unknown as HeaderLine);
  return runs;
}

function childOf(parent: AnyReasoner, name: string): AnyReasoner {
  return parent.children[name] as unknown as AnyReasoner;
}

function recordsOf(
  reasoner: AnyReasoner,
  { runId, at, input, seed, budget }: HeaderLine,
  lines: readonly { readonly [part: string]: unknown }[],
): readonly (Stepped | Marked)[] {
  const records: (Stepped | Marked)[] = [];
  let state: RunState<unknown> | undefined;
  for (const line of lines) {
    if (line.mark !== undefined) records.push({ mark: line.mark as Marked["mark"] });
    if (line.event === undefined) continue;
    const event = line.event as RunEvent;
    const before = state;
    const origin = { at, runId, prepared: true, ...(seed && { seed }), ...(budget && { budget }) };
    const step =
      before === undefined
        ? reasoner.start(input as never, origin)
        : reasoner.step(before, event as never);
    state = step.state;
    records.push({ event, step, before, starts: (line.starts as number[] | undefined) ?? [] });
  }
  return records;
}

/** The id of a directive, with its type where the id does not begin with it. */
export function nameOf(directive: Directive): string {
  const { type } = directive;
  if (type === "cancel") return `-${directive.target}`;
  if (type === "notify") return `~${directive.topic}`;
  return directive.id.startsWith(`${type}/`) ? directive.id : `${type}:${directive.id}`;
}
