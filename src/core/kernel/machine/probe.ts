/**
 * Checks the fast paths once at load: a small machine is stepped by the tables, by XState without
 * an actor, and by XState's own `transition()`. A path that differs is not used: the version of
 * XState, or the engine, is not one on which it can rely.
 */
import {
  type AnyStateMachine,
  assign,
  createMachine,
  initialTransition,
  raise,
  transition,
} from "xstate";
import { AfterStarts, AfterStops, type Afters, aftersOf } from "./after.js";
import { compile } from "./compile.js";
import type { Path, Taken } from "./path.js";
import { tablesPath } from "./run-tables.js";
import { xstatePath } from "./xstate-path.js";

/** Which paths do what XState's own `transition()` does. */
export interface Trusted {
  readonly scope: boolean;
  readonly tables: boolean;
  /** Said where one does not. */
  readonly notice?: string;
}

let known: Trusted | undefined;

/** The outcome of the check, which is made once. */
export function trusted(): Trusted {
  known ??= probe((machine, afters) => {
    const scope = xstatePath(machine, afters, "scope");
    const tables = compile(machine, afters);
    return { scope, tables: typeof tables === "string" ? undefined : tablesPath(tables, scope) };
  });
  return known;
}

/** Makes the paths of the small machine. */
type MakePaths = (
  machine: AnyStateMachine,
  afters: Afters,
) => { readonly scope: Path; readonly tables: Path | undefined };

/** Compares paths with XState's own `transition()`. @internal */
export function probe(makePaths: MakePaths): Trusted {
  const machine = smallMachine();
  const expected = JSON.stringify(throughXState(machine));
  const differs = (make: () => Path | undefined): boolean => {
    try {
      const path = make();
      return path === undefined || JSON.stringify(throughPath(path)) !== expected;
    } catch {
      return true;
    }
  };
  const afters = aftersOf(machine);
  const scope = !differs(() => makePaths(machine, afters).scope);
  const tables = !differs(() => makePaths(machine, afters).tables);
  if (scope && tables) return { scope, tables };
  const which = scope ? "compiled tables differ" : "the bare scope differs";
  const notice = `XState is not as expected: ${which} from its transition(), which is used instead; steps are slower. Use the version of xstate that reckoner names.`;
  // Where the scope is not as it was, the tables are made from what may have changed as well.
  return { scope, tables: scope && tables, notice };
}

/** What the machine is told, in this order. */
const EVENTS: readonly { readonly type: string }[] = [
  { type: "go" },
  { type: "back" },
  { type: "go" },
  { type: "inside" },
  { type: "again" },
  { type: "nobody.knows" },
  { type: "deep.down" },
  { type: "xstate.after.5.probe.outer.second" },
  { type: "over" },
];

/** Nested states, actions of every kind, eventless transitions, raised events, a timer, an output. */
function smallMachine(): AnyStateMachine {
  const log = (word: string) =>
    assign({ log: ({ context }) => [...(context as { log: string[] }).log, word] });
  const issue = (topic: string) => ({
    type: "issue",
    params: ({ context }: { context: { log: string[] } }) => ({ topic, seen: context.log.length }),
  });
  const inner = ({ event }: { event: { output?: unknown } }) => event.output;
  const config = {
    id: "probe",
    context: ({ input }: { input: unknown }) => ({ log: [], input }),
    initial: "outer",
    entry: [log("in"), issue("start")],
    exit: log("out"),
    output: ({ context, event }: { context: unknown; event: { output?: unknown } }) => [
      context,
      event.output,
    ],
    on: { "*": { actions: log("any") } },
    states: {
      outer: {
        initial: "first",
        entry: log("outer in"),
        exit: [log("outer out"), issue("left")],
        on: { inside: ".second", again: { target: ".second", reenter: true } },
        onDone: { target: "last", actions: [log("outer done"), assign({ inner }), issue("done")] },
        states: {
          first: { exit: log("first out"), on: { go: { target: "middle", actions: issue("go") } } },
          middle: { always: { target: "second", actions: log("passed") } },
          second: {
            tags: "here",
            entry: [log("second in"), raise({ type: "echo" })],
            after: { 5: { target: "third", actions: issue("late") } },
            on: {
              echo: { actions: [log("echo"), issue("echo")] },
              back: { target: "#probe.outer", reenter: true },
              "deep.*": {
                guard: ({ context }: { context: { log: string[] } }) => context.log.length > 3,
                actions: log("deep"),
              },
            },
          },
          third: {
            on: {
              over: [
                {
                  guard: ({ context }: { context: { log: string[] } }) => context.log.length < 3,
                  target: "first",
                },
                "end",
              ],
            },
          },
          end: { type: "final", output: "inner" },
        },
      },
      last: { type: "final", tags: "over", output: "whole", entry: issue("end") },
    },
  };
  return createMachine(config as never) as unknown as AnyStateMachine;
}

const INPUT = { at: 0 };

function throughPath(path: Path): unknown[] {
  const seen: unknown[] = [];
  const look = ({ position, issued }: Taken) => {
    const { status, value, context, tags, output } = position;
    seen.push([status, value, context, [...tags], output ?? null, issued.map(plain)]);
    return position;
  };
  let position = look(path.start(INPUT));
  for (const event of EVENTS) {
    position = look(path.next(path.withContext(position, position.context), event));
    // From its JSON the next step is the same.
    if (position.status === "active") {
      position = path.restore(position.value, position.context, position.history);
    }
  }
  return seen;
}

function plain(issued: unknown): unknown {
  if (issued instanceof AfterStarts) return [issued.event, issued.delay];
  return issued instanceof AfterStops ? [issued.event] : issued;
}

function throughXState(machine: AnyStateMachine): unknown[] {
  const seen: unknown[] = [];
  type Both = ReturnType<typeof transition<AnyStateMachine>>;
  const look = ([snapshot, actions]: Both) => {
    const { status, value, context, tags, output } = snapshot;
    const told: readonly { readonly type: string; readonly params?: unknown }[] = actions;
    const issued = told.flatMap(({ type, params }) => {
      if (type === "issue") return [params];
      if (type === "xstate.cancel") return [[(params as { sendId: string }).sendId]];
      const { id, delay } = params as { id?: string; delay?: number };
      return delay === undefined ? [] : [[id, delay]];
    });
    seen.push([status, value, context, [...tags], output ?? null, issued]);
    return snapshot;
  };
  let snapshot = look(initialTransition(machine, INPUT as never));
  for (const event of EVENTS) snapshot = look(transition(machine, snapshot, event));
  return seen;
}
