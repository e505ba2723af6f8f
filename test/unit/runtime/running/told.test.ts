// Words to a live run are promises, before it has begun too: they end when what was said is durable, and reject where
// it is not taken. Nobody has to look at them.
import { describe, expect, it } from "vitest";
import {
  memoryJournal,
  type Observation,
  type Run,
  resume,
  run,
} from "../../../../src/runtime/index.js";
import { eventsIn } from "../../../support/journal-text.js";
import { issue, smallReasoner } from "../../../support/small-machine.js";
import { rejection } from "../../../support/thrown.js";
import { settle, watchedJournal } from "../../../support/watched-journal.js";

const desk = smallReasoner({
  initial: "a",
  states: {
    a: {
      entry: issue(
        { type: "approval", id: "one", title: "x", subject: null },
        { type: "approval", id: "two", title: "x", subject: null },
      ),
      on: { note: {}, message: {}, interrupt: {}, "approval.decided": {}, stop: "over" },
    },
    over: { type: "final" },
  },
});
/** A person who does not answer, so that the run stays in this process. */
const approve = () => new Promise<never>(() => {});
const yes = { approve: true };
const settlement = { type: "tool.succeeded", output: 1, by: "me" } as const;

const ways: readonly (readonly [string, (live: Run) => Promise<void>])[] = [
  ["send", (live) => live.send({ type: "note" })],
  ["message", (live) => live.message("hi")],
  ["decide", (live) => live.decide("one", yes)],
  ["interrupt", (live) => live.interrupt("enough")],
  ["cancel", (live) => live.cancel("enough")],
];
const wrong: readonly (readonly [string, string, (live: Run) => Promise<void>])[] = [
  ["send", "event.invalid", (live) => live.send({ type: "start" })],
  ["message", "event.invalid", (live) => live.message(5 as never)],
  ["decide", "approval.stale", (live) => live.decide("nine", yes)],
  ["settle", "settlement.refused", (live) => live.settle("", "t", settlement)],
  ["interrupt", "event.invalid", (live) => live.interrupt("x", { graceMs: -1 })],
  ["cancel", "event.invalid", (live) => live.cancel(5 as never)],
];

/** A run that has not begun, and one that has. */
const moments = [
  ["that has not begun", async (_live: unknown) => {}],
  ["that has begun", async (_live: unknown) => settle()],
] as const;

describe.each(moments)("a run %s", (_moment, comes) => {
  it.each(ways)("takes what is said by %s, and says when it is durable", async (_way, say) => {
    const journal = watchedJournal();
    const live = run(desk, null, { journal, approve });
    await comes(live);
    await say(live as Run);
    // Beyond the start that every run has.
    expect((await eventsIn(journal)).length).toBe(2);
    await live.cancel();
    await live;
  });

  it.each(wrong)("refuses what is wrong by %s with %s, and goes on", async (_way, code, say) => {
    const seen: Observation[] = [];
    const journal = memoryJournal();
    const observers = [(each: Observation) => void (each.type === "notice" && seen.push(each))];
    const live = run(desk, null, { journal, approve, observers });
    await comes(live);
    // Nobody looks at the first.
    say(live as Run);
    expect(await rejection(say(live as Run))).toMatchObject({ code });
    const told = { type: "notice", code: code === "approval.stale" ? code : "late" };
    expect(seen).toMatchObject([told, told]);
    await live.send({ type: "stop" });
    expect((await live).status).toBe("done");
    expect((await eventsIn(journal)).length).toBe(2);
  });
});

it("words that a run never took, since it did not begin, have its error", async () => {
  const journal = memoryJournal();
  await run(desk, null, { journal });
  const live = run(desk, null, { journal });
  const said = ways.map(([, say]) => rejection(say(live as Run)));
  expect((await rejection(live)).code).toBe("journal.exists");
  expect((await Promise.all(said)).map(({ code }) => code)).toEqual(
    ways.map(() => "journal.exists"),
  );
});

it("words to a resume that is refused for what it was given have its error", async () => {
  const journal = memoryJournal();
  await run(desk, null, { journal });
  const live = resume(desk, journal, { events: [{ type: "stop" }], messages: ["a", "b"] });
  const other = resume(desk, journal, { approvals: { nine: yes } });
  const said = rejection(other.send({ type: "note" }));
  expect((await live).status).toBe("done");
  expect((await rejection(other)).code).toBe((await said).code);
});

it("words that the journal could not keep have its error", async () => {
  const journal = watchedJournal();
  const live = run(desk, null, { journal, approve });
  const failed = rejection(live);
  await settle();
  journal.before = () => {
    throw new Error("disk full");
  };
  expect((await rejection(live.decide("one", yes))).code).toBe("journal.write");
  expect((await failed).code).toBe("journal.write");
});

it("a promise waits for its own lines", async () => {
  const journal = watchedJournal();
  const live = run(desk, null, { journal, approve });
  await settle();
  let write = () => {};
  journal.before = () => new Promise((resolve) => (write = resolve));
  const log: string[] = [];
  const first = live.decide("one", yes).then(() => log.push("first"));
  const second = live.decide("two", yes).then(() => log.push("second"));
  await settle();
  expect(log).toEqual([]);
  write();
  await first;
  write();
  await settle();
  write();
  await second;
  expect(log).toEqual(["first", "second"]);
  journal.before = () => {};
  await live.cancel();
  await live;
});
