// Observers that throw, at once or later: the others are told of each failure by its code, nobody misses
// anything for it, and no promise fails unheard.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { agent, agentCallbacks, tool } from "../../../../src/index.js";
import {
  type Observation,
  type Observer,
  run,
  scriptedModel,
} from "../../../../src/runtime/index.js";
import { settle } from "../../../support/watched-journal.js";

const unheard: unknown[] = [];
const note = (thrown: unknown) => unheard.push(thrown);
beforeAll(() => void process.on("unhandledRejection", note));
afterAll(() => void process.off("unhandledRejection", note));

const one = agent({
  name: "a",
  tools: [tool({ name: "t", execute: () => 1 }), tool({ name: "u", execute: () => 2 })],
});
const model = () => scriptedModel([{ calls: [{ name: "t" }, { name: "u" }] }, { text: "Done." }]);

/** Drives the agent; what each of the last observers and an iterator has seen. */
async function lived(observers: readonly Observer[], by = model()) {
  const seen: Observation[] = [];
  const iterated: Observation[] = [];
  const last: Observer = (each) => void seen.push(each);
  const live = run(one, "go", { model: by, observers: [...observers, last] });
  for await (const each of live) iterated.push(each);
  const end = await live;
  await settle();
  expect(unheard.splice(0)).toEqual([]);
  return { end, seen, iterated };
}

const threwIn = (seen: readonly Observation[]) =>
  seen.flatMap((each) =>
    each.type === "notice" && each.code === "observer.threw" ? [each.message] : [],
  );
const othersIn = (seen: readonly Observation[]) =>
  seen.filter((each) => !(each.type === "notice" && each.code === "observer.threw"));

describe("an observer that throws", () => {
  it.each([
    [
      "at once",
      ({ type }: Observation) => {
        throw new Error(`no ${type}`);
      },
    ],
    ["later", async ({ type }: Observation) => Promise.reject(new Error(`no ${type}`))],
  ] as const)("%s, on whatever it sees, is told of each time to the others", async (_when, bad) => {
    const { end, seen, iterated } = await lived([bad as Observer]);
    expect(end.status).toBe("done");
    const all = othersIn(seen).map(({ type }) => `Observer 0 threw on ${type}: no ${type}`);
    expect(all).toContain("Observer 0 threw on delta: no delta");
    expect([...threwIn(seen)].sort()).toEqual([...all].sort());
    expect(othersIn(iterated)).toEqual(othersIn(seen));
  });

  it("beside another one: each is told of to those who do not throw, and there is an end to it", async () => {
    const first = ({ type }: Observation) => {
      throw new Error(`1 ${type}`);
    };
    const second = ({ type }: Observation) => {
      throw new Error(`2 ${type}`);
    };
    const { seen, iterated } = await lived([first, second]);
    const ends = othersIn(seen).filter(({ type }) => type === "step");
    const of = (list: readonly string[], by: number) =>
      list.filter((each) => each === `Observer ${by} threw on step: ${by + 1} step`).length;
    for (const by of [0, 1]) expect(of(threwIn(seen), by)).toBe(ends.length);
    // What one throws on being told of the other is told to whoever iterates, and to nobody else.
    expect(threwIn(iterated)).toContain("Observer 1 threw on notice: 2 notice");
    expect(threwIn(seen).some((each) => each.includes("threw on notice"))).toBe(false);
  });

  it("repeats no credentials", async () => {
    const bad = () => {
      throw new Error("with Bearer sk-abcdefghijklmnopqrstuvwxyz0123456789");
    };
    const { seen } = await lived([bad]);
    expect(JSON.stringify(threwIn(seen))).not.toContain("abcdefghijklmnop");
  });
});

describe("a callback that throws", () => {
  const names = [
    "onAgentStart",
    "onLlmNewDelta",
    "onLlmNewMessage",
    "onToolCall",
    "onToolResponse",
    "onAgentComplete",
  ] as const;

  it.each([
    ["at once", false],
    ["later", true],
  ])(
    "%s keeps none of the others from being called, each as often as it is due",
    async (_w, later) => {
      const counts = async (bad: string | undefined) => {
        const called = Object.fromEntries(names.map((name) => [name, 0]));
        const callbacks = Object.fromEntries(
          names.map((name) => [
            name,
            () => {
              called[name] = (called[name] ?? 0) + 1;
              if (name !== bad) return undefined;
              if (later) return Promise.reject(new Error(`${name} failed`));
              throw new Error(`${name} failed`);
            },
          ]),
        );
        const { seen } = await lived([agentCallbacks(callbacks)]);
        return { called, threw: threwIn(seen).join(" ").split(`${bad} failed`).length - 1 };
      };
      const { called } = await counts(undefined);
      expect(called).toMatchObject({ onToolCall: 2, onToolResponse: 2, onAgentComplete: 1 });
      for (const name of names) {
        expect(await counts(name)).toEqual({ called, threw: called[name] });
      }
    },
  );

  it("that is onError is told of like any other", async () => {
    const failing = scriptedModel([{ error: { message: "no model" } }]);
    for (const onError of [
      () => {
        throw new Error("onError failed");
      },
      async () => {
        throw new Error("onError failed");
      },
    ]) {
      const { end, seen, iterated } = await lived([agentCallbacks({ onError })], failing);
      expect(end.status).toBe("failed");
      for (const list of [seen, iterated]) {
        expect(threwIn(list)).toEqual(["Observer 0 threw on step: onError failed"]);
      }
    }
  });

  it("in the redaction hook's sight is redacted, and one that fails on it ends the run", async () => {
    const bad = () => {
      throw new Error("secret");
    };
    const live = run(one, "go", {
      model: model(),
      observers: [bad],
      redact: (value) => {
        if (value.type === "notice") throw new Error("no notices");
        return value;
      },
    });
    await expect(live).rejects.toMatchObject({ code: "redaction.refused" });
  });
});

it("who begins to iterate on hearing of a piece is told of it once", async () => {
  const texts: string[] = [];
  let reading: Promise<void> | undefined;
  const live = run(one, "go", {
    model: scriptedModel(["hello"]),
    observers: [
      (each) => {
        if (each.type !== "delta" || reading !== undefined) return;
        reading = (async () => {
          for await (const seen of live) if (seen.type === "delta") texts.push(seen.delta.text);
        })();
      },
    ],
  });
  await live;
  await reading;
  expect(texts).toEqual(["hello"]);
});
