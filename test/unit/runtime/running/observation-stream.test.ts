/** The stream behind `for await`: in order, for one reader or several calls at once. */
import { describe, expect, test } from "vitest";
import { type Observation, ObservationStream } from "../../../../src/runtime/ports/observation.js";

const notice = (message: string): Observation => ({ type: "notice", code: "late", message });

describe("the stream of observations", () => {
  test("gives each of several calls that wait its own", async () => {
    const stream = new ObservationStream();
    const asked = [stream.next(), stream.next(), stream.next()];
    stream.push(notice("a"));
    stream.push(notice("b"));
    stream.end();
    expect(await Promise.all(asked)).toEqual([
      { done: false, value: notice("a") },
      { done: false, value: notice("b") },
      { done: true, value: undefined },
    ]);
  });

  test("gives what came before the end, then the failure once, then the end", async () => {
    const stream = new ObservationStream();
    stream.push(notice("a"));
    stream.end({ thrown: new Error("broken") });
    expect(await stream.next()).toEqual({ done: false, value: notice("a") });
    await expect(stream.next()).rejects.toThrow("broken");
    expect(await stream.next()).toEqual({ done: true, value: undefined });
  });

  test("is over when its reader leaves", async () => {
    const stream = new ObservationStream();
    stream.push(notice("a"));
    expect(await stream.return()).toEqual({ done: true, value: undefined });
    stream.push(notice("b"));
    expect(await stream.next()).toEqual({ done: true, value: undefined });
  });
});
