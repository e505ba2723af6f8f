/**
 * Migrates a run's state to another configuration of its reasoner: applies the reasoner's `migrations`
 * and `adopt`, and checks that the state and the outstanding directives still exist. A state that cannot
 * be migrated is refused, with the reason.
 */
import type { AnyStateMachine, AnyStateNode } from "xstate";
import { canonical } from "../values/canonical.js";
import { isReckonerError, messageOf, ReckonerError } from "../values/errors.js";
import { asJson, type Json } from "../values/json.js";
import { toArray } from "../values/list.js";
import { sealJson } from "../values/seal.js";
import { tableValues } from "../values/table.js";
import { atOnce, specialFunction } from "../values/thenable.js";
import type { Effect, TimerDirective } from "../vocabulary/directive.js";
import type { Budget } from "../vocabulary/prices.js";
import {
  misfit,
  OBJECT,
  optionsOf,
  recordOf,
  type Shape,
  SOMETHING,
  TEXTS,
} from "../vocabulary/shapes.js";
import type { ToolRegistry } from "../vocabulary/tool.js";
import { type Afters, pathOfTimer, pathText, timesStarted } from "./after.js";
import { HistoryLost } from "./history-json.js";
import { addId, hasId, type IssuedIds } from "./issued-ids.js";
import { addOwed, dropOwed, type Owed } from "./outstanding.js";
import type { History, Path, Position } from "./path.js";
import { Refusals } from "./refusals.js";
import type { RunState, StateValue } from "./state.js";
import { sealedState } from "./state-fault.js";
import { statesOf } from "./state-value.js";

/** The parts of a state that a migration may change. */
export interface MigratedState<Context = { readonly [field: string]: Json }> {
  /** The statechart's value. */
  readonly value: StateValue;
  readonly context: Context;
  /** The memory of history states: ids of states, by their own ids. Left out, it stays as it is. */
  readonly history?: History;
}

/** A method, so that a migration may say what it knows of the context that it is given. */
interface Migrates {
  migrate(
    state: MigratedState,
  ): Pick<MigratedState, "value" | "history"> & { readonly context: unknown };
}

const PARTS = optionsOf(
  { value: SOMETHING, context: OBJECT, history: recordOf(TEXTS) },
  "value",
  "context",
);
const MIGRATED: Shape = [PARTS[0], "{ value, context }", PARTS[2]];

/**
 * States of an older version as ones of a newer: by the version that each leads to, from the one
 * before it that has a migration. Pure and synchronous.
 * @example
 * migrations: { 2: ({ value, context }) => ({ value, context: { ...context, tries: 0 } }) }
 */
export type Migrations = {
  /** The migration that leads to this version. */
  readonly [version: number]: Migrates["migrate"];
};

/** The other facts that are known where a state is carried over. */
export interface CarriedOver {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Returns true when a part of the configuration is another than it was: `system`, `tools.search`. */
  differs(part: string): boolean;
  /** The run's input. */
  readonly input: Json;
  /** The part of its parent's budget that the run may spend. */
  readonly budget: Budget | undefined;
}

/** The parts of a reasoner that a migration needs. */
export interface MigratingReasoner<Context> {
  readonly id: string;
  readonly version: number;
  readonly machine: AnyStateMachine;
  readonly path: Path;
  readonly afters: Afters;
  readonly tools: ToolRegistry;
  readonly children: object;
  readonly migrations: Migrations;
  readonly adopt: ((context: Context, over: CarriedOver) => Context) | undefined;
}

/** @throws ReckonerError `machine.invalid` with everything that is wrong with migrations */
export function checkMigrations(id: string, version: number, migrations: Migrations): void {
  const refusals = new Refusals();
  const place = `${id}.migrations`;
  if (typeof migrations !== "object" || migrations === null || Array.isArray(migrations)) {
    refusals.add(place, "must be an object of functions, by the version that each leads to");
    refusals.throwAny("machine.invalid");
  }
  for (const [key, migration] of Object.entries(migrations)) {
    const to = Number(key);
    if (!Number.isSafeInteger(to) || String(to) !== key || to < 1) {
      refusals.add(
        `${place}.${key}`,
        "is named by no version; versions are whole numbers from 1 on",
      );
    } else if (to > version) {
      refusals.add(`${place}.${key}`, `leads beyond version ${version}; raise the version`);
    }
    if (typeof migration !== "function") refusals.add(`${place}.${key}`, "must be a function");
    else if (specialFunction(migration) !== undefined) {
      refusals.add(`${place}.${key}`, "must be a plain function: a migration is synchronous");
    }
  }
  refusals.throwAny("machine.invalid");
}

/**
 * A state as one of this reasoner's configuration.
 * @throws ReckonerError `upgrade.refused` with what cannot be carried over, and why
 */
export function migrateState<Context>(
  of: MigratingReasoner<Context>,
  oldState: RunState,
  over: CarriedOver,
): RunState<Context> {
  const { id, version } = of;
  const state = sealedState(oldState, (why, cause) =>
    upgradeRefused(`its state cannot be read: ${why}`, cause),
  );
  if (state.reasoner !== id)
    throw upgradeRefused(`the run is of ${state.reasoner}, and this is ${id}`);
  if (state.version > version) {
    throw upgradeRefused(
      `the run is of version ${state.version} and the present code of version ${version}; an upgrade does not lead back`,
    );
  }
  // A run that failed at its start has no state and no context to migrate.
  const carried = state.value === "" ? {} : migrated(of, state);
  const base = { ...state, version, ...carried } as RunState<Context>;
  if (state.status !== "active") return Object.freeze(base);
  const active = activeStates(of, base);
  checkOwed(of, state.outstanding, over.differs);
  const { outstanding, issued } = carryTimers(of, state, active, over.at);
  const adopted = adopt(of, base.context, over);
  return Object.freeze({ ...base, context: adopted, outstanding, issued });
}

function adopt<Context>(
  { adopt, id }: MigratingReasoner<Context>,
  context: Context,
  over: CarriedOver,
): Context {
  if (adopt === undefined) return context;
  try {
    return sealJson<Context>(adopt(context, over), "$.context");
  } catch (thrown) {
    if (isReckonerError(thrown) && thrown.code === "upgrade.refused") throw thrown;
    throw upgradeRefused(`${id} does not take its context on: ${messageOf(thrown)}`, thrown);
  }
}

function migrated<Context>(
  { id, version, migrations }: MigratingReasoner<Context>,
  state: RunState,
): MigratedState<unknown> {
  const { value, context, history } = state;
  let at: MigratedState<unknown> = { value, context, ...(history && { history }) };
  const steps = Object.keys(migrations).map(Number);
  // An object has small numbers as its names in their order, and none beyond 32 bits: a date, say.
  for (const to of steps.sort((a, b) => a - b)) {
    if (to <= state.version || to > version) continue;
    const migration = migrations[to] as Migrates["migrate"];
    const once = () => takeMigrated(atOnce("It", migration(at as MigratedState)), at);
    try {
      const next = once();
      // Called twice: a migration that is not deterministic would make a journal that cannot be
      // replayed.
      if (canonical(asJson(next)) !== canonical(asJson(once()))) {
        throw new Error("it is not pure: the same state gives another result");
      }
      at = next;
    } catch (thrown) {
      throw upgradeRefused(
        `${id}.migrations.${to}: ${messageOf(thrown).replace(/\.$/, "")}`,
        thrown,
      );
    }
  }
  return at;
}

/** Takes a migration's answer, as far as it is a state. */
function takeMigrated(answer: unknown, before: MigratedState<unknown>): MigratedState<unknown> {
  const fault = misfit(answer, MIGRATED, "what it returns");
  if (fault !== undefined) throw new Error(fault);
  const { value, context, history = before.history } = answer as MigratedState<unknown>;
  return {
    value: sealJson<StateValue>(value, "$.value"),
    context: sealJson<Json>(context, "$.context"),
    ...(history && { history: sealJson<History>(history, "$.history") }),
  };
}

/** The states in which a run is, as the machine at hand has them. */
function activeStates<Context>(
  { path, machine }: MigratingReasoner<Context>,
  { value, context, history }: RunState<Context>,
): ReadonlySet<AnyStateNode> {
  const name = canonical(value as Json);
  let restored: Position;
  try {
    restored = path.restore(value, context, history);
  } catch (thrown) {
    const what =
      thrown instanceof HistoryLost
        ? `${messageOf(thrown)}; declare a migration that returns the history without it`
        : `there is no state ${name}; declare a migration that leads to one that is there`;
    throw upgradeRefused(what, thrown);
  }
  if (canonical(restored.value as Json) !== name) {
    throw upgradeRefused(
      `the state ${name} is not whole; declare a migration that leads to one that is`,
    );
  }
  if (restored.status === "done") {
    throw upgradeRefused(
      `the state ${name} is an end, which no event would come to; lead to a state that goes on to it`,
    );
  }
  return statesOf(machine.root, value);
}

function checkOwed<Context>(
  { id, tools, children }: MigratingReasoner<Context>,
  outstanding: Owed,
  differs: CarriedOver["differs"],
): void {
  for (const each of tableValues(outstanding)) {
    const why = whyNotOwed(each, tools, children, differs);
    if (why !== undefined) throw upgradeRefused(`${each.id} is outstanding, and ${id} has ${why}`);
  }
}

/** A directive that was not there before either settles as it would have. */
function whyNotOwed(
  effect: Effect,
  tools: ToolRegistry,
  children: object,
  differs: CarriedOver["differs"],
): string | undefined {
  if (effect.type === "tool") {
    const tool = Object.hasOwn(tools, effect.name) ? tools[effect.name] : undefined;
    const goesOn = tool === undefined ? !differs(`tools.${effect.name}`) : tool.kind === "execute";
    return goesOn ? undefined : `no tool ${effect.name} that executes`;
  }
  if (effect.type !== "run" || !differs(`children.${effect.reasoner}`)) return undefined;
  return Object.hasOwn(children, effect.reasoner) ? undefined : `no reasoner ${effect.reasoner}`;
}

/**
 * The timers of `after`: those of states that the run is not in any more, or that have none, are
 * gone; those that it would have started begin now.
 */
function carryTimers<Context>(
  { afters, machine }: MigratingReasoner<Context>,
  state: RunState,
  active: ReadonlySet<AnyStateNode>,
  at: number,
): { readonly outstanding: Owed; readonly issued: IssuedIds } {
  let { outstanding, issued } = state;
  const { delays } = machine.implementations;
  const wanted = new Map<string, { readonly delay: unknown; readonly stays: boolean }>();
  const was = new Set(pathsIn(state.value));
  for (const { after, path } of active) {
    const stays = was.has(pathText(path));
    for (const { delay, eventType } of after) {
      wanted.set(afters.names.get(eventType) as string, { delay, stays });
    }
  }
  for (const { id, type } of tableValues(outstanding)) {
    if (type !== "timer" || wanted.delete(id.slice(0, id.lastIndexOf("/")))) continue;
    // Of a state that the run was in; any other is a directive of the machine's own.
    const path = pathOfTimer(id);
    if (path !== undefined && was.has(path)) outstanding = dropOwed(outstanding, id);
  }
  for (const [name, { delay, stays }] of wanted) {
    const times = timesStarted(name, issued);
    // A timer that has fired without an effect is not started again in the same state.
    if (stays && times > 0 && !hasId(issued, goneId(name, times))) continue;
    const named: unknown = typeof delay === "string" ? delays[delay] : delay;
    if (typeof named !== "number") {
      throw upgradeRefused(`${name} would have to begin, and its delay is only known in a step`);
    }
    const timer: TimerDirective = { type: "timer", id: `${name}/${times}`, until: at + named };
    outstanding = addOwed(outstanding, Object.freeze(timer));
    issued = addId(issued, timer.id);
  }
  return { outstanding, issued: withGone(afters, issued) };
}

/**
 * Marks the timers that a version does not have: where a later one has them again, the run may have
 * come to their states without them, and they begin with its upgrade.
 */
function withGone(afters: Afters, issued: IssuedIds): IssuedIds {
  let marked = issued;
  for (const id of toArray(issued)) {
    if (pathOfTimer(id) === undefined || afters.eventOf(id) !== undefined) continue;
    const name = id.slice(0, id.lastIndexOf("/"));
    const gone = goneId(name, timesStarted(name, issued));
    if (!hasId(marked, gone)) marked = addId(marked, gone);
  }
  return marked;
}

/** Says among the ids that a version did not have a timer, of which there had been so many. */
const goneId = (name: string, times: number): string => `${name}/${times - 1}/gone`;

/** The paths of the active states in a value, as ids have them; the machine itself with none. */
function pathsIn(value: StateValue | undefined, above: readonly string[] = []): string[] {
  const below: readonly (readonly [string, StateValue | undefined])[] =
    typeof value === "string" ? [[value, undefined]] : Object.entries(value ?? {});
  const inside = below.flatMap(([key, each]) => pathsIn(each, [...above, key]));
  return [pathText(above), ...inside];
}

/** Makes the error of a run that cannot be carried over; it stays as it was. */
export function upgradeRefused(what: string, cause?: unknown): ReckonerError {
  return new ReckonerError(
    "upgrade.refused",
    `The run cannot be upgraded: ${what}. It was left as it is, for the code that wrote it.`,
    cause === undefined ? {} : { cause },
  );
}
