// A stop is heard once, by who still listens, and says why; the platform's signal says the same.
import { expect, it } from "vitest";
import { LazyAbort } from "../../../../src/runtime/ports/lazy-abort.js";

it("a stop calls who listens, once each, and nobody who has taken that back", () => {
  const stop = new LazyAbort();
  const heard: string[] = [];
  const [first] = ["a", "b", "c"].map((name) => stop.onAbort(() => heard.push(name)));
  first?.();
  first?.();
  expect(stop.listeners).toBe(2);
  const { signal } = stop;
  stop.abort("why");
  stop.abort("again");
  expect([heard, stop.listeners, stop.reason]).toEqual([["b", "c"], 0, "why"]);
  expect([signal.aborted, signal.reason]).toEqual([true, "why"]);
  // Who comes too late hears of it at once.
  stop.onAbort(() => heard.push("late"))();
  expect(heard).toEqual(["b", "c", "late"]);
});

it("the platform's signal of what was stopped before anybody asked for one is stopped as well", () => {
  const stop = new LazyAbort();
  stop.abort("why");
  expect([stop.signal.aborted, stop.signal.reason]).toEqual([true, "why"]);
  expect(stop.signal).toBe(stop.signal);
});
