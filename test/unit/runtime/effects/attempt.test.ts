// One attempt: how it ends, and that nothing of it is left behind: no timer, no listener.
import { describe, expect, it } from "vitest";
import { MAX_TEXT_LENGTH } from "../../../../src/core/kernel/index.js";
import { attempt, errorOf } from "../../../../src/runtime/effects/attempt.js";
import { ModelError, virtualClock } from "../../../../src/runtime/index.js";
import { LazyAbort } from "../../../../src/runtime/running/lazy-abort.js";

/** An attempt of 100 ms at most, with what happens meanwhile; and what is left behind it. */
async function tried(
  work: (signal: () => AbortSignal) => unknown,
  meanwhile: "wait" | "stop" | "",
) {
  const clock = virtualClock(0);
  const stop = new LazyAbort();
  const signals: AbortSignal[] = [];
  const outcome = attempt(clock, 100, stop, (signal) => {
    signals.push(signal());
    return work(signal);
  });
  const during = { sleepers: clock.sleepers, listeners: stop.listeners };
  if (meanwhile === "wait") clock.advance(99);
  if (meanwhile === "wait") expect(signals[0]?.aborted).toBe(false);
  if (meanwhile === "wait") clock.advance(1);
  if (meanwhile === "stop") stop.abort("enough");
  const ended = await outcome;
  const after = { sleepers: clock.sleepers, listeners: stop.listeners };
  return { ended, during, after, signal: signals[0] as AbortSignal };
}

const never = () => new Promise(() => {});
const nothing = { sleepers: 0, listeners: 0 };

describe("an attempt", () => {
  it.each<[string, () => unknown, "wait" | "stop" | "", object]>([
    ["returns", async () => 7, "", { type: "returned", value: 7 }],
    ["throws", () => Promise.reject("no"), "", { type: "threw", thrown: "no" }],
    ["is late", never, "wait", { type: "timeout" }],
    ["is stopped", never, "stop", { type: "aborted" }],
  ])("that %s later leaves no timer and no listener", async (_what, work, meanwhile, expected) => {
    const { ended, during, after } = await tried(work, meanwhile);
    expect(ended).toEqual(expected);
    expect(during).toEqual({ sleepers: 1, listeners: 1 });
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

  it("gives a signal that is asked for too late as it stands", async () => {
    let later: () => AbortSignal = () => new AbortController().signal;
    const stop = new LazyAbort();
    const outcome = attempt(virtualClock(0), 100, stop, (signal) => {
      later = signal;
      return never();
    });
    stop.abort("enough");
    expect(await outcome).toEqual({ type: "aborted" });
    expect([later().aborted, later().reason]).toEqual([true, "enough"]);
  });

  it("that stops itself is aborted, whatever it gives or throws", () => {
    for (const work of [() => 1, () => Promise.reject("no")]) {
      const stop = new LazyAbort();
      stop.abort("before");
      expect(attempt(virtualClock(0), 100, stop, work)).toEqual({ type: "aborted" });
    }
    const stops = (then: () => unknown) => {
      const stop = new LazyAbort();
      return attempt(virtualClock(0), 100, stop, () => {
        stop.abort("within");
        return then();
      });
    };
    expect(stops(() => 1)).toEqual({ type: "aborted" });
    expect(
      stops(() => {
        throw "no";
      }),
    ).toEqual({ type: "aborted" });
  });
});

describe("what was thrown, as data", () => {
  const thrown = (error: object) =>
    errorOf(new ModelError({ message: "m", ...error } as never), "c");

  it("keeps a code of 160 characters, a text of 16 KiB, and 256 KiB beside them; no more", () => {
    expect(thrown({ code: "x".repeat(160) }).code).toBe("x".repeat(160));
    expect(thrown({ code: "x".repeat(161) }).code).toBe(
      `${"x".repeat(160)} [cut: 1 more characters]`,
    );
    expect(thrown({ message: "m".repeat(MAX_TEXT_LENGTH) }).message).toHaveLength(MAX_TEXT_LENGTH);
    expect(thrown({ message: "m".repeat(MAX_TEXT_LENGTH + 1) }).message).toContain("[cut: 1 more");
    const most = "d".repeat(256 * 1024 - 2);
    expect(thrown({ detail: most }).detail).toBe(most);
    expect(thrown({ detail: `${most}d` })).toEqual({ code: "c", message: "m" });
  });

  it("has the code that it is given where it has none of its own", () => {
    expect(thrown({ code: "" }).code).toBe("c");
    expect(thrown({ code: 5 }).code).toBe("c");
    expect(thrown({ code: "own" }).code).toBe("own");
  });

  it("keeps numbers and truths that are such, false ones too", () => {
    expect(thrown({ status: 0, retryAfterMs: 0, transient: false })).toMatchObject({
      status: 0,
      retryAfterMs: 0,
      transient: false,
    });
    expect(thrown({ status: "429", retryAfterMs: null, transient: "yes" })).toEqual({
      code: "c",
      message: "m",
    });
  });
});
