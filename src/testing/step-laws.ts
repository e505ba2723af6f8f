/** The laws of a step (K1 to K6), checked after each step of a simulated run. */

import { hasSettled, owedBy, type Reasoner, type RunState } from "../core/kernel/machine/index.js";
import { type Directive, isEffect, isSettlement } from "../core/kernel/vocabulary/index.js";
import type { History, HistoryStep } from "./checking/world.js";
import { drive } from "./drive.js";
import {
  type Check,
  comparable,
  deepFreeze,
  hold,
  type LawOptions,
  type PropertyLaw,
  propertyLaw,
  type Subject,
  same,
  throughJson,
} from "./property-law.js";

/** The laws that need nothing but steps. */
export function stepLaws<Input, Output, Context>(
  subject: Subject<Input, Output, Context>,
  options: LawOptions<Input>,
): readonly PropertyLaw[] {
  type Judge = (
    history: History<Input, Context>,
    reasoner: Reasoner<Input, Output, Context>,
  ) => void;
  const judged = (name: string, judge: Judge): PropertyLaw => {
    const check: Check<Input, Output, Context> = (reasoner, input, script) =>
      judge(drive(reasoner, input, script, options), reasoner);
    return propertyLaw(name, subject, options, check);
  };
  return [
    judged("a step depends on its arguments alone, and changes neither", isPure),
    judged("a state survives JSON between any two steps", survivesJson),
    judged("an id is issued once in a run", idsAreUnique),
    judged("nothing is issued in the end, or after it, but notify and cancel", endIsTheEnd),
    judged(
      "a settlement leaves outstanding, which holds what was issued and not settled",
      accounts,
    ),
    judged(
      "a stale or repeated settlement changes nothing but the sequence number",
      staleIsNothing,
    ),
    judged("no machine throws, loops, or issues something that is not a directive", noFault),
    judged("a run ends when everything is settled", ({ state }) => ends(state, options)),
  ];
}

function at<Context>({ event, step }: HistoryStep<Context>): string {
  return `event ${step.state.seq} (${event.type})`;
}

function isPure<Input, Output, Context>(
  { input, origin, steps }: History<Input, Context>,
  reasoner: Reasoner<Input, Output, Context>,
): void {
  deepFreeze(input);
  for (const taken of steps) {
    const { before, event, step } = taken;
    const again = () =>
      before === undefined
        ? reasoner.start(input, origin)
        : reasoner.step(deepFreeze(before), deepFreeze(event));
    const was = before === undefined ? undefined : JSON.stringify(before);
    same(comparable(step), comparable(again()), `the first and a second step at ${at(taken)}`);
    same(comparable(step), comparable(again()), `the first and a third step at ${at(taken)}`);
    hold(
      before === undefined || JSON.stringify(before) === was,
      () => `${at(taken)} changed its state`,
    );
  }
}

function survivesJson<Input, Output, Context>(
  { input, origin, steps }: History<Input, Context>,
  reasoner: Reasoner<Input, Output, Context>,
): void {
  let state = reasoner.start(input, origin).state;
  for (const taken of steps.slice(1)) {
    const step = reasoner.step(throughJson(state), throughJson(taken.event));
    same(comparable(taken.step), comparable(step), `the step and one from JSON at ${at(taken)}`);
    state = step.state;
  }
}

function idsAreUnique<Input, Context>({ steps, state }: History<Input, Context>): void {
  const seen = new Set<string>();
  for (const taken of steps) {
    for (const { id } of taken.step.directives.filter(isEffect)) {
      hold(!seen.has(id), () => `${at(taken)} issues ${id} a second time`);
      seen.add(id);
    }
  }
  hold(
    state.fault?.code !== "directive.repeated",
    () => `an id is repeated: ${state.fault?.place}`,
  );
}

function endIsTheEnd<Input, Output, Context>(
  { steps, state }: History<Input, Context>,
  reasoner: Reasoner<Input, Output, Context>,
): void {
  for (const taken of steps) {
    const { before, step } = taken;
    if (step.state.status === "active") continue;
    const over = before !== undefined && before.status !== "active";
    const late = step.directives.filter(
      (each) => over || (each.type !== "notify" && each.type !== "cancel"),
    );
    hold(late.length === 0, () => `${at(taken)} issues ${late.map(nameOf)} when the run is over`);
    hold(owedBy(step.state).length === 0, () => `something is outstanding after ${at(taken)}`);
    if (over) same(before, step.state, `the ended state and the state after ${at(taken)}`);
  }
  hold(
    state.fault?.code !== "directive.afterEnd",
    () => `an effect in the end: ${state.fault?.place}`,
  );
  if (state.status === "active") return;
  const after = reasoner.step(state, { type: "message", content: "late", at: state.at });
  same(after.directives, [], "nothing, and what an ended run issues");
  same(after.state, state, "an ended state and the state after one more message");
}

const nameOf = (directive: Directive) =>
  "id" in directive ? `${directive.type} ${directive.id}` : directive.type;

function accounts<Input, Context>({ steps }: History<Input, Context>): void {
  for (const taken of steps) {
    const { before, event, step } = taken;
    if (before !== undefined && before.status !== "active") continue;
    const owed = new Set(before && owedBy(before).map(({ id }) => id));
    if (isSettlement(event) && hasSettled(step.ignored?.reason)) owed.delete(event.id);
    for (const directive of step.directives) {
      if (isEffect(directive)) owed.add(directive.id);
      else if (directive.type === "cancel") owed.delete(directive.target);
    }
    const outstanding = owedBy(step.state).map(({ id }) => id);
    same([...owed], outstanding, `what ${at(taken)} leaves to settle, and what is outstanding`);
    // A decision that the machine refuses leaves its approval owed.
    if (isSettlement(event) && step.ignored?.reason !== "refused") {
      const { id } = event;
      const answered =
        before && owedBy(before).some((each) => each.id === id && isAnswer(event, each));
      hold(
        answered !== true || !outstanding.includes(id),
        () => `${id} is outstanding after ${at(taken)}`,
      );
    }
  }
}

const isAnswer = (event: { readonly type: string }, directive: Directive) =>
  event.type.startsWith(`${directive.type}.`);

function staleIsNothing<Input, Output, Context>(
  { steps }: History<Input, Context>,
  reasoner: Reasoner<Input, Output, Context>,
): void {
  for (const taken of steps) {
    const { before, event, step } = taken;
    if (!isSettlement(event) || before === undefined) continue;
    const expected = owedBy(before).some((each) => each.id === event.id && isAnswer(event, each));
    if (!expected) isNothing(before, taken);
    // Once more, right after it was taken.
    if (step.state.status === "active") {
      const again = reasoner.step(step.state, event);
      const reason = step.ignored?.reason === "refused" ? "refused" : "stale";
      isNothing(step.state, { before: step.state, event, step: again }, reason);
    }
  }
}

function isNothing<Context>(
  before: RunState<Context>,
  taken: HistoryStep<Context>,
  reason: "stale" | "refused" = "stale",
): void {
  const { event, step } = taken;
  if (before.status !== "active") return;
  same(step.directives, [], `nothing, and what the stale ${at(taken)} issues`);
  const expected = { ...before, seq: before.seq + 1, at: event.at };
  same(expected, step.state, `the state before and after the stale ${at(taken)}`);
  same(step.ignored?.reason, reason, `why ${at(taken)} is ignored`);
}

function noFault<Input, Context>({ steps }: History<Input, Context>): void {
  for (const taken of steps) {
    const { fault } = taken.step.state;
    hold(fault === undefined, () => {
      const thrown = taken.step.thrown === undefined ? "" : `: ${String(taken.step.thrown)}`;
      return `${at(taken)} ends the run with ${fault?.code} at ${fault?.place}${thrown}`;
    });
  }
}

function ends<Input>(state: RunState<unknown>, options: LawOptions<Input>): void {
  if (state.status !== "active") return;
  const outstanding = owedBy(state);
  hold(outstanding.length === 0, () => {
    const bound = options.bound ?? 200;
    return `the run has not ended ${bound} steps after its script; owed is ${outstanding.map(nameOf)}`;
  });
  hold(
    options.waits?.(state) === true,
    () => `the run waits in ${JSON.stringify(state.value)} with nothing outstanding`,
  );
}
