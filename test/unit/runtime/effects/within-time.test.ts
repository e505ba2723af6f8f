// An attempt under its time limit: how it ends, and that nothing of it is left behind: no timer, no listener.
import { describe, expect, it } from "vitest";
import { type Arrived, call } from "../../../../src/runtime/effects/attempt.js";
import { withinTime } from "../../../../src/runtime/effects/within-time.js";
import { virtualClock } from "../../../../src/runtime/index.js";
import { LazyAbort } from "../../../../src/runtime/running/lazy-abort.js";

/** What a call came to, as an attempt would report it. */
const reported = (called: unknown) => called as Arrived;

/** An attempt of 100 ms at most, with what happens meanwhile; and what is left behind it. */
async function tried(
  work: (signal: AbortSignal) => unknown,
  meanwhile: "wait" | "stop" | "",
  stop = new LazyAbort(),
) {
  const clock = virtualClock(0);
  const signals: LazyAbort[] = [];
  const outcome = withinTime(clock, 100, stop, (signal) => {
    signals.push(signal);
    return call(signal, () => work(signal.signal), reported);
  });
  const left = () => ({
    sleepers: clock.sleepers,
    listeners: stop.listeners + (signals[0]?.listeners ?? 0),
  });
  const during = left();
  if (meanwhile === "wait") clock.advance(99);
  if (meanwhile === "wait") expect(signals[0]?.aborted).toBe(false);
  if (meanwhile === "wait") clock.advance(1);
  if (meanwhile === "stop") stop.abort("enough");
  const ended = await outcome;
  return { ended, during, after: left(), signal: signals[0]?.signal as AbortSignal };
}

const never = () => new Promise(() => {});
const nothing = { sleepers: 0, listeners: 0 };

describe("an attempt", () => {
  it.each<[string, () => unknown, "wait" | "stop" | "", object]>([
    ["returns", async () => 7, "", { type: "returned", value: 7 }],
    ["throws", () => Promise.reject("no"), "", { type: "threw", thrown: "no" }],
    ["is late", never, "wait", { type: "late" }],
    ["is stopped", never, "stop", { type: "stopped" }],
  ])("that %s later leaves no timer and no listener", async (_what, work, meanwhile, expected) => {
    const { ended, during, after } = await tried(work, meanwhile);
    expect(ended).toEqual(expected);
    expect(during).toEqual({ sleepers: 1, listeners: 2 });
    expect(after).toEqual(nothing);
  });

  it.each<[string, () => unknown, object]>([
    ["returns", () => 7, { type: "returned", value: 7 }],
    [
      "throws",
      () => {
        throw "no";
      },
      { type: "threw", thrown: "no" },
    ],
  ])("that %s at once needs neither", async (_what, work, expected) => {
    const { ended, during, after } = await tried(work, "");
    expect([ended, during, after]).toEqual([expected, nothing, nothing]);
  });

  it("tells its signal why: the time is up, or what stopped it", async () => {
    const late = await tried(never, "wait");
    expect([late.signal.aborted, String(late.signal.reason)]).toEqual([
      true,
      "Error: timed out after 100 ms",
    ]);
    const stopped = await tried(never, "stop");
    expect([stopped.signal.aborted, stopped.signal.reason]).toEqual([true, "enough"]);
    const done = await tried(async () => 1, "");
    expect(done.signal.aborted).toBe(false);
  });

  it("of an effect that is stopped already does not begin", async () => {
    const stop = new LazyAbort();
    stop.abort("before");
    let begun = 0;
    const { ended } = await tried(() => ++begun, "", stop);
    expect([ended, begun]).toEqual([{ type: "stopped" }, 0]);
  });

  it.each<[string, () => unknown]>([
    ["gives", () => 1],
    ["gives later", async () => 1],
    [
      "throws",
      () => {
        throw "no";
      },
    ],
  ])("that stops itself is stopped, whatever it %s", async (_what, then) => {
    const stop = new LazyAbort();
    const { ended, after } = await tried(
      () => {
        stop.abort("within");
        return then();
      },
      "",
      stop,
    );
    expect([ended, after]).toEqual([{ type: "stopped" }, nothing]);
  });
});
