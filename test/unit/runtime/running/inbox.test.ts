// What has arrived and is not taken yet: in which order it is taken, and what it will lead to.
import { describe, expect, it } from "vitest";
import type { RunEvent } from "../../../../src/core/kernel/index.js";
import { Inbox } from "../../../../src/runtime/running/inbox.js";
import { smallReasoner } from "../../../support/small-machine.js";

const walker = smallReasoner({
  initial: "a",
  states: {
    a: { on: { next: "b" } },
    b: { on: { next: "c", back: "a" } },
    c: { on: { back: "b" } },
  },
});
const { state } = walker.start(null, { at: 0, runId: "r" });
const next = { type: "next" };
const back = { type: "back" };

function inboxWith(...events: { readonly type: string }[]) {
  let steps = 0;
  const clock = { now: 0 };
  const step = (...given: Parameters<typeof walker.step>) => {
    steps += 1;
    return walker.step(...given);
  };
  const inbox = new Inbox({ step }, (event, { at }) => {
    if (event.type === "broken") throw new Error("no event");
    return { ...event, at: Math.max(clock.now, at) } as RunEvent;
  });
  for (const event of events) inbox.push(event);
  return { inbox, clock, steps: () => steps };
}
const types = (inbox: Pick<Inbox<never>, "events">) => inbox.events.map(({ type }) => type);

describe("an inbox", () => {
  it("foresees the state behind all that has arrived, each event once", () => {
    const { inbox, clock, steps } = inboxWith(next, next);
    clock.now = 5;
    expect(inbox.ahead(state)).toMatchObject({ value: "c", at: 5 });
    inbox.push(back);
    clock.now = 6;
    expect(inbox.ahead(state)).toMatchObject({ value: "b", at: 6 });
    expect(steps()).toBe(3);
    // What was looked at is taken as it was seen.
    expect(inbox.events).toEqual([
      { ...next, at: 5 },
      { ...next, at: 5 },
      { ...back, at: 6 },
    ]);
  });

  it("foresees nothing behind what cannot be taken", () => {
    const { inbox } = inboxWith(next, { type: "broken" }, next);
    expect(inbox.ahead(state).value).toBe("b");
    expect(inbox.ahead(state).value).toBe("b");
    expect(types(inbox)).toEqual(["next", "broken", "next"]);
  });

  it("foresees nothing of what was taken", () => {
    const { inbox } = inboxWith(next);
    inbox.ahead(state);
    expect(inbox.take()).toEqual([{ ...next, at: 0 }]);
    expect(inbox.events).toEqual([]);
    expect(inbox.ahead(state)).toBe(state);
    inbox.push(next);
    expect(inbox.ahead(state).value).toBe("b");
  });

  it("has what is put back before what has arrived since, and foresees it in that order", () => {
    const { inbox } = inboxWith(next, next);
    const [, second] = inbox.take();
    inbox.push(back);
    expect(inbox.ahead(state).value).toBe("a");
    inbox.putBack([second as { readonly type: string }, next]);
    expect(types(inbox)).toEqual(["next", "next", "back"]);
    expect(inbox.ahead(state).value).toBe("b");
  });

  it("that is dropped takes nothing of it back: it still says what it would have led to", () => {
    const { inbox } = inboxWith(next);
    inbox.ahead(state);
    inbox.drop();
    expect(inbox.events).toEqual([]);
    expect(inbox.ahead(state).value).toBe("b");
  });
});
