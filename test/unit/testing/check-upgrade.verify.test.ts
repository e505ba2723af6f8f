// Checks and searches of runs that go on under later code at any moment: what a migration forgets, and
// where an upgrade is refused, is found as the shortest run, and its journal can be read.
import { replay } from "reckoner";
import { defineReasoner, type Reasoner, setupReasoner } from "reckoner/kernel";
import { check, checkRecordedRun, explore, issues, law, precedes } from "reckoner/testing";
import { describe, expect, it } from "vitest";
import { CARRIED_OVER, textJournal, UPGRADE } from "../../../src/testing/index.js";
import { add, call, done } from "../../support/planted/planted.js";
import { refusal } from "../../support/thrown.js";

// biome-ignore lint/suspicious/noExplicitAny: machines of several shapes stand side by side.
type Any = any;

/** A refund is paid in two halves; from version 2 on the field is called otherwise. */
function refunds(version: number, field: string, migrations: Any = {}): Reasoner<Any, Any, Any> {
  const { createMachine } = setupReasoner<Any, Any, Any>();
  const machine = createMachine({
    context: { [field]: 0, asked: 0 },
    initial: "first",
    states: {
      first: {
        entry: [add({ asked: 1 }), call("refund", "asked")],
        on: { "tool.*": { target: "second", actions: add({ [field]: 50 }) } },
      },
      second: {
        entry: [add({ asked: 1 }), call("refund", "asked")],
        on: { "tool.*": { target: "over", actions: add({ [field]: 50 }) } },
      },
      over: done,
    },
  } as Any);
  return defineReasoner({ id: "refunds", version, machine: machine as Any, migrations });
}

const before = refunds(1, "paid");
const renamed = ({ value, context: { paid, ...others } }: Any) => ({
  value,
  context: { ...others, refunded: paid },
});
const forgotten = ({ value, context: { paid: _paid, ...others } }: Any) => ({
  value,
  context: { ...others, refunded: 0 },
});
const sound = refunds(2, "refunded", { 2: renamed });
const lossy = refunds(2, "refunded", { 2: forgotten });
const late = refunds(2, "refunded", {
  2: ({ value, context }: Any) => {
    if (value === "second") throw new Error("half a refund is nothing that I know");
    return renamed({ value, context });
  },
});

const ended = ({ state }: Any) => state.status === "done";

const whole = law("who is done has been paid a hundred", ({ state }: Any) =>
  state.status === "done" ? (state.context.paid ?? state.context.refunded) === 100 : undefined,
);

it("counts states, transitions and guards of the earlier code alone", () => {
  const reached = (more: object) =>
    explore(before, { input: null, laws: [whole], ...more } as Any).reached;
  const [alone, upgraded] = [reached({}), reached({ upgrade: sound })];
  expect(alone.transitions.some(({ count }) => count > 1)).toBe(true);
  expect(upgraded.transitions).toEqual(alone.transitions);
  expect(upgraded.states).toEqual(alone.states);
});

it("what was recorded under code that is not at hand breaks no law, and is not judged", async () => {
  const laws = [
    law("a refund is asked for first", precedes(issues("tool", "refund"), ended)),
    law("no run is over", (seen: Any) => !ended(seen)),
  ] as Any;
  const upgradedIn = law("upgraded runs end", ({ state, before: was }: Any) =>
    state.status === "done" && was?.context.refunded === 50 ? false : undefined,
  );
  const [found] = explore(before, {
    input: null,
    laws: [upgradedIn],
    upgrade: sound,
  } as Any).counterexamples;
  const journal = textJournal(found?.journal ?? "");
  const all = await checkRecordedRun([sound, before] as Any, laws, journal);
  expect(all.breaches.map(({ law }) => law)).toEqual(["no run is over"]);
  expect(all.laws.map(({ applied }) => applied)).toEqual([1, 3]);

  const part = await checkRecordedRun(sound, laws, journal);
  expect(part.breaches.map(({ law }) => law)).toEqual(["no run is over"]);
  expect(part.laws.map(({ name }) => name)).toEqual(["no run is over"]);
  expect(part.notices).toContain(
    'Not judged: "a refund is asked for first" looks at whole runs, and part of this one was not checked.',
  );
});

describe.each([
  ["random runs", check],
  ["a search of all runs", explore],
] as const)("%s", (_name, find) => {
  const found = (upgrade: Any, more: object = {}) =>
    find(before, { input: null, laws: [whole], upgrade, ...more } as Any);

  it("hold where the migration is sound, and upgrades are among what happened", () => {
    const report = found(sound);
    expect(report.text).not.toMatch(/^Broken/m);
    const counted = report.laws.find(({ name }: Any) => name === CARRIED_OVER);
    expect(counted?.applied).toBeGreaterThan(1);
    expect(find(before, { input: null, laws: [whole] } as Any).ok).toBe(true);
  });

  it("find what a migration forgets, by the shortest run, and leave it as a journal", async () => {
    const [broken] = found(lossy).counterexamples;
    expect(broken?.law).toBe(whole.name);
    expect(broken?.events.map(({ type }: Any) => type.replace(/\..*ed$/, ""))).toEqual([
      "tool",
      UPGRADE,
      "tool",
    ]);
    expect(broken?.text).toContain(UPGRADE);
    const replayed = await replay([lossy, before], textJournal(broken?.journal ?? ""));
    expect([replayed.status, replayed.events]).toEqual(["identical", 3]);
    expect(replayed.segments).toHaveLength(2);
  });

  it("find where an upgrade is refused, with what and why, and go on without it", async () => {
    const report = found(late);
    expect(report.counterexamples.map(({ law: name }: Any) => name)).toEqual([CARRIED_OVER]);
    const [broken] = report.counterexamples;
    expect(broken?.what).toContain("refunds.migrations.2: half a refund is nothing that I know");
    expect(broken?.events).toHaveLength(2);
    const replayed = await replay(before, textJournal(broken?.journal ?? ""));
    expect([replayed.status, replayed.events]).toEqual(["identical", 2]);
    expect(found(late, { without: [CARRIED_OVER] }).ok).toBe(true);
  });

  it.each([
    ["the same version", before],
    ["another reasoner", { ...sound, id: "orders" }],
    ["no reasoner", {}],
  ])("refuse %s as later code", (_what, upgrade) => {
    const { code, message } = refusal(() => found(upgrade));
    expect([code, message]).toEqual([
      "option.invalid",
      "The check: upgrade must be refunds of a version above 1.",
    ]);
  });
});
