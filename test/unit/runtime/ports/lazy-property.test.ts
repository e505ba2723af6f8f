// A property that is made when somebody asks for it is as good as any other, however it is asked for.
import { describe, expect, it } from "vitest";
import { withLazyProperty } from "../../../../src/runtime/ports/lazy-property.js";

const counted = () => {
  let made = 0;
  const object = withLazyProperty({ attempt: 1 }, "signal", () => {
    made += 1;
    return `made ${made}`;
  });
  return { object, made: () => made };
};

describe("a property that is made when it is asked for", () => {
  it("costs nothing before", () => {
    const { object, made } = counted();
    expect(Object.keys(object)).toEqual(["attempt", "signal"]);
    expect(Object.getOwnPropertyDescriptor(object, "signal")?.enumerable).toBe(true);
    expect(made()).toBe(0);
    expect(object.signal).toBe("made 1");
  });

  it("comes along into a copy, and nothing else does", () => {
    const copy = { ...counted().object };
    expect(copy).toEqual({ attempt: 1, signal: "made 1" });
    expect(Reflect.ownKeys(copy)).toEqual(["attempt", "signal"]);
    expect(JSON.stringify(counted().object)).toBe('{"attempt":1,"signal":"made 1"}');
    const { signal } = counted().object;
    expect(signal).toBe("made 1");
  });

  it("is there through a proxy, and in what inherits from it", () => {
    expect(new Proxy(counted().object, {}).signal).toBe("made 1");
    expect(Object.create(counted().object).signal).toBe("made 1");
    const wrapped = new Proxy(counted().object, {
      get: (target, key, receiver) => Reflect.get(target, key, receiver),
    });
    expect(wrapped.signal).toBe("made 1");
  });

  it("is each object's own", () => {
    const [a, b] = ["a", "b"].map((name) => withLazyProperty({}, "signal", () => name));
    expect([a?.signal, b?.signal]).toEqual(["a", "b"]);
  });
});
