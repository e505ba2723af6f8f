/**
 * Makes sure that a machine's functions are synchronous. That shows only when they are called:
 * XState treats a guard's promise as `true` and an assign's as no change, and its rejection would
 * go unnoticed.
 */
import type { AnyStateMachine, AnyStateNode } from "xstate";
import { hiddenField } from "../values/hidden.js";
import { isUnawaited } from "../values/thenable.js";
import { AnsweredLater, EffectUsed, PartThrew } from "./fault.js";
import { nodesOf, type Transition, transitionsOf } from "./nodes.js";
import { returnsWholeContext } from "./whole-context.js";

type Answers = (...args: never[]) => unknown;
type Loose = { readonly [part: string]: unknown };

const checked = /* @__PURE__ */ hiddenField<true>();
let noted: AnsweredLater | undefined;

/**
 * Takes a step through XState, which wraps what a guard throws: if a promise was the reason, the
 * original fault is thrown. A nested step resets it.
 * @throws AnsweredLater
 */
export function hearing<T>(take: () => T): T {
  noted = undefined;
  try {
    return take();
  } catch (thrown) {
    throw noted ?? thrown;
  }
}

/** Forgets the fault of a nested step that failed. */
export function forgetNoted(): void {
  noted = undefined;
}

/**
 * Calls a function that a machine's own calls, so that a fault names it.
 * @param part the function, as a fault names it
 * @throws PartThrew, AnsweredLater
 */
export function callPart<T>(part: string, work: () => T): T {
  let answer: T;
  try {
    answer = work();
  } catch (cause) {
    throw new PartThrew(part, cause);
  }
  if (isUnawaited(answer)) throw new AnsweredLater(part);
  return answer;
}

/** A function that throws where the given one answers with a promise. Its name stays. */
export function answering<T>(given: T, part: string): T {
  if (typeof given !== "function" || isChecked(given) || returnsWholeContext(given)) return given;
  const ask = given as unknown as Answers;
  const { name } = given;
  const sound = (...args: never[]): unknown => {
    const answer = ask(...args);
    if (answer === true || answer === false || !isUnawaited(answer)) return answer;
    noted = new AnsweredLater(part);
    throw noted;
  };
  return keep(sound, name) as unknown as T;
}

/** Has all functions of a machine of the kernel's own answer at once. */
export function answerAtOnce(own: AnyStateMachine): void {
  const { actions, guards, delays } = own.implementations as unknown as Record<string, Loose>;
  Object.assign(own.implementations, {
    actions: mapped(actions, (action, name) => soundAction(action, ` ${name}`)),
    guards: mapped(guards, (guard, name) => soundGuard(guard, ` ${name}`)),
    delays: mapped(delays, (delay, name) => answering(delay, `delay ${name}`)),
  });
  const { config } = own as { config: Loose };
  Object.assign(own, { config: { ...config, context: answering(config.context, "context") } });
  for (const node of nodesOf(own.root as AnyStateNode)) soundNode(node);
}

function soundNode(node: AnyStateNode): void {
  const actions = (all: readonly unknown[]) => all.map((each) => soundAction(each));
  Object.assign(node, {
    entry: actions(node.entry),
    exit: actions(node.exit),
    output: answering(node.output, "output"),
  });
  Object.assign(node.initial, { actions: actions(node.initial.actions) });
  for (const transition of transitionsOf(node)) {
    const sound: Partial<Record<keyof Transition, unknown>> = {
      actions: actions(transition.actions),
      guard: soundGuard(transition.guard),
    };
    Object.assign(transition, sound);
  }
}

function soundGuard(guard: unknown, named: string = ""): unknown {
  if (typeof guard === "object" && guard !== null) return soundParams(guard, "guard");
  if (typeof guard !== "function" || isChecked(guard)) return guard;
  const { check, guards } = guard as unknown as Loose;
  if (check === undefined) return answering(guard, `guard${named || nameOf(guard)}`);
  if (!Array.isArray(guards)) return guard;
  return copyOf(guard, { guards: guards.map((each) => soundGuard(each)) });
}

function soundAction(action: unknown, named: string = ""): unknown {
  if (typeof action === "object" && action !== null) {
    return soundParams(action, String((action as Loose).type));
  }
  if (typeof action !== "function" || isChecked(action)) return action;
  const { type, assignment, event, collect } = action as unknown as Loose;
  if (type === "xstate.assign")
    return copyOf(action, { assignment: soundAssign(assignment, named) });
  if (type === "xstate.raise" && typeof event === "function") {
    return copyOf(action, { event: answering(event, "raise") });
  }
  if (type === "xstate.enqueueActions" && typeof collect === "function") {
    return copyOf(action, { collect: soundCollect(collect as never, `enqueueActions${named}`) });
  }
  return action;
}

function soundAssign(assignment: unknown, named: string): unknown {
  if (typeof assignment === "function") {
    return answering(assignment, `assign${named || nameOf(assignment)}`);
  }
  return mapped(assignment as Loose, (each, key) => answering(each, `assign${named} of ${key}`));
}

/** What `enqueueActions` gives to its function. */
interface Enqueuing {
  readonly enqueue: ((action: unknown) => void) & Loose;
  readonly check: (guard: unknown) => boolean;
}

/** What is enqueued and checked on the way is looked at as it comes. */
function soundCollect(
  collect: (args: Enqueuing, params: unknown) => unknown,
  part: string,
): (args: Enqueuing, params: unknown) => unknown {
  const ask = answering(collect, part);
  return (args, params) => {
    const enqueue = (action: unknown) => args.enqueue(soundAction(action));
    const { assign, raise } = args.enqueue as unknown as Record<string, Answers>;
    const sound = Object.assign(enqueue, args.enqueue, {
      assign: (assignment: never) => assign?.(soundAssign(assignment, "") as never),
      raise: (event: never, ...more: never[]) => raise?.(answering(event, "raise"), ...more),
      // XState would look for the actor first, and there is none.
      sendTo: () => {
        throw new EffectUsed("sendTo");
      },
    });
    const check = (guard: unknown) => args.check(soundGuard(guard));
    return ask({ ...args, enqueue: sound as never, check }, params);
  };
}

function soundParams(action: object, part: string): object {
  const { params } = action as Loose;
  return typeof params === "function" ? { ...action, params: answering(params, part) } : action;
}

/** A guard or an action of XState's creators, with other parts. */
function copyOf(made: object, parts: object): object {
  const copy = () => {
    throw new Error("XState's own, which is never called");
  };
  return keep(Object.assign(copy, made, parts), (made as { readonly name: string }).name);
}

function keep<T extends object>(sound: T, name: string): T {
  return answersAtOnce(Object.defineProperty(sound, "name", { value: name }));
}

function isChecked(given: object): boolean {
  return checked.get(given) !== undefined;
}

/** Marks what needs no further look. */
export function answersAtOnce<T extends object>(sound: T): T {
  checked.set(sound, true);
  return sound;
}

function nameOf({ name }: { readonly name: string }): string {
  return name === "" || name === "guard" ? "" : ` ${name}`;
}

function mapped(parts: Loose = {}, change: (part: unknown, key: string) => unknown): Loose {
  return Object.fromEntries(Object.entries(parts).map(([key, part]) => [key, change(part, key)]));
}
