// What has arrived and is not taken yet: in which order it is taken, and what it will lead to.
import { describe, expect, it } from "vitest";
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
  const inbox = new Inbox({
    step: (...given: Parameters<typeof walker.step>) => {
      steps += 1;
      return walker.step(...given);
    },
  });
  for (const event of events) inbox.push(event);
  return { inbox, steps: () => steps };
}

describe("an inbox", () => {
  it("foresees the state behind all that has arrived, each event once", () => {
    const { inbox, steps } = inboxWith(next, next);
    expect(inbox.ahead(state, 5)).toMatchObject({ value: "c", at: 5 });
    inbox.push(back);
    expect(inbox.ahead(state, 6)).toMatchObject({ value: "b", at: 6 });
    expect(steps()).toBe(3);
    expect(inbox.events).toEqual([next, next, back]);
  });

  it("foresees nothing of what was taken", () => {
    const { inbox } = inboxWith(next);
    inbox.ahead(state, 0);
    expect(inbox.take()).toEqual([next]);
    expect(inbox.events).toEqual([]);
    expect(inbox.ahead(state, 0)).toBe(state);
    inbox.push(next);
    expect(inbox.ahead(state, 0).value).toBe("b");
  });

  it("has what is put back before what has arrived since, and foresees it in that order", () => {
    const { inbox } = inboxWith(next, next);
    const [, second] = inbox.take();
    inbox.push(back);
    expect(inbox.ahead(state, 0).value).toBe("a");
    inbox.putBack([second as { readonly type: string }, next]);
    expect(inbox.events).toEqual([next, next, back]);
    expect(inbox.ahead(state, 0).value).toBe("b");
  });

  it("that is dropped takes nothing of it back: it still says what it would have led to", () => {
    const { inbox } = inboxWith(next);
    inbox.ahead(state, 0);
    inbox.drop();
    expect(inbox.events).toEqual([]);
    expect(inbox.ahead(state, 0).value).toBe("b");
  });
});
