// A journal's writing end by itself: where lines go, and what is told of a failure.
import { describe, expect, it } from "vitest";
import { LineLog, type LogOrigin, utf8Length } from "../../../../src/core/driver/index.js";
import {
  append,
  emptyList,
  type Json,
  type List,
  listHead,
  listOf,
  ReckonerError,
} from "../../../../src/core/kernel/values/index.js";
import { JournalSession } from "../../../../src/runtime/journals/session.js";
import type {
  JournalPort,
  JournalPosition,
  JournalWriter,
} from "../../../../src/runtime/ports/ports.js";
import { obedient } from "../../../support/recorded.js";
import { rejection } from "../../../support/thrown.js";
import { gate } from "../../../support/watched-journal.js";

const header = {
  reasoner: { id: obedient.id, version: obedient.version },
  fingerprint: obedient.fingerprint,
  runId: "r",
  at: 0,
  input: "é",
};
const begun = (input: unknown = "é") => obedient.start(input, { at: 0, runId: "r" });
const started = { type: "start", at: 0 } as const;

type Of<Name extends "header" | "event" | "mark" | "inherit"> = Parameters<LineLog[Name]>;

/** A session whose lines a log encodes, as a run's loop writes them. */
class Written {
  readonly #log: LineLog;
  readonly #session: JournalSession;
  constructor(log: LineLog, session: JournalSession) {
    this.#log = log;
    this.#session = session;
  }
  header(...of: Of<"header">) {
    const hash = this.#log.header(...of);
    this.#session.add(this.#log.take());
    return hash;
  }
  event(...of: Of<"event">) {
    this.#log.event(...of);
    this.#session.add(this.#log.take());
  }
  mark(...of: Of<"mark">) {
    this.#log.mark(...of);
    this.#session.add(this.#log.take());
  }
  inherit(...of: Of<"inherit">) {
    this.#log.inherit(...of);
  }
  flush() {
    return this.#session.flush();
  }
}

/** A session that writes to nothing but a log. */
function made(origin?: Partial<LogOrigin>) {
  const texts: string[] = [];
  const asked: JournalPosition[] = [];
  let append: JournalWriter["append"] = () => {};
  const writer: JournalWriter = {
    append(lines, expected) {
      asked.push(expected);
      texts.push(...lines);
      return append(lines, expected);
    },
    close: async () => {},
  };
  const port = { name: "a test" } as unknown as JournalPort;
  const session = new Written(new LineLog(origin as LogOrigin), new JournalSession(port, writer));
  const fail = (how: JournalWriter["append"]) => {
    append = how;
  };
  return { session, texts, asked, fail };
}

const bytesOf = (texts: readonly string[]) =>
  texts.reduce((sum, text) => sum + new TextEncoder().encode(text).length + 1, 0);

describe("lines", () => {
  it("go out together, in order, each time from where the last ones ended", async () => {
    const { session, texts, asked } = made();
    const hash = session.header(header);
    session.event(obedient, started, begun(), []);
    expect(session.flush()).toBeUndefined();
    session.mark({ id: "é", attempt: 1 });
    session.mark({ id: "b", attempt: 2 });
    session.flush();
    expect(session.flush()).toBeUndefined();
    expect(texts.map((text) => Object.keys(JSON.parse(text))[0])).toEqual([
      "type",
      "seq",
      "mark",
      "mark",
    ]);
    expect(JSON.parse(texts[0] as string).hash).toBe(hash);
    expect(asked).toEqual([
      { lines: 0, bytes: 0 },
      { lines: 2, bytes: bytesOf(texts.slice(0, 2)) },
    ]);
  });

  it("go on where a journal ended", () => {
    const position = { lines: 7, bytes: 700 };
    const { session, asked } = made({ position });
    session.mark({ id: "a", attempt: 1 });
    session.flush();
    expect(asked).toEqual([position]);
  });

  it("that cannot be written say why, and what follows says the same", async () => {
    const { session, fail } = made();
    const cause = new Error("disk full");
    for (const how of [
      () => {
        throw cause;
      },
      () => Promise.reject(new ReckonerError("journal.conflict", "what follows")),
    ]) {
      fail(how);
      session.mark({ id: "a", attempt: 1 });
      const error = await rejection((async () => session.flush())());
      expect(error).toMatchObject({ code: "journal.write", cause });
      expect(error.message).toBe("The journal a test could not be written: disk full.");
    }
    const other = made();
    const own = new ReckonerError("journal.conflict", "Somebody else wrote.");
    other.fail(() => Promise.reject(own));
    other.session.mark({ id: "a", attempt: 1 });
    expect(await rejection(other.session.flush())).toBe(own);
  });

  it("that went out with somebody else's are no sooner durable, and fail as those do", async () => {
    const { session, fail } = made();
    const held = gate();
    fail(() => held.passed);
    session.mark({ id: "a", attempt: 1 });
    session.flush();
    let durable = false;
    const flushed = session.flush()?.then(() => {
      durable = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(durable).toBe(false);
    held.open();
    await flushed;
    for (const how of [
      () => Promise.reject(new Error("disk full")),
      () => {
        throw new Error("disk full");
      },
    ]) {
      const other = made();
      other.fail(how);
      other.session.mark({ id: "a", attempt: 1 });
      const told = [async () => other.session.flush(), async () => other.session.flush()];
      const errors = told.map((each) => rejection(each()));
      expect(await errors[0]).toMatchObject({ code: "journal.write" });
      expect(await errors[1]).toBe(await errors[0]);
    }
  });

  it.each([
    ["is refused", () => Promise.reject(new Error("not after line 1"))],
    [
      "throws",
      () => {
        throw new Error("not after line 1");
      },
    ],
  ])(
    "of two writes under way the first says why, though the second %s sooner",
    async (_, second) => {
      const { session, fail } = made();
      const held = gate();
      fail(async () => {
        await held.passed;
        throw new Error("disk full");
      });
      session.mark({ id: "a", attempt: 1 });
      const told = [rejection((async () => session.flush())())];
      fail(second);
      session.mark({ id: "b", attempt: 1 });
      told.push(rejection((async () => session.flush())()));
      await new Promise((resolve) => setImmediate(resolve));
      held.open();
      const [first, later] = await Promise.all(told);
      expect(first?.message).toBe("The journal a test could not be written: disk full.");
      expect(later).toBe(first);
    },
  );

  it("are durable at once where the writer is, though it took its time before", async () => {
    const { session, fail } = made();
    for (const how of [async () => {}, () => {}]) {
      fail(how);
      session.mark({ id: "a", attempt: 1 });
      const flushed = session.flush();
      const again = session.flush();
      expect(again).toBe(flushed);
      await flushed;
    }
    session.mark({ id: "a", attempt: 1 });
    expect([session.flush(), session.flush()]).toEqual([undefined, undefined]);
  });

  it("are durable when the writer says so", async () => {
    const { session, fail } = made();
    const held = gate();
    fail(() => held.passed);
    session.mark({ id: "a", attempt: 1 });
    let durable = false;
    const flushed = session.flush()?.then(() => {
      durable = true;
    });
    await Promise.resolve();
    expect(durable).toBe(false);
    held.open();
    await flushed;
    expect(durable).toBe(true);
  });
});

describe("what another journal holds", () => {
  it("is not written again: the Lists of a context", () => {
    const list = listOf([{ role: "user", content: "x".repeat(300) }]) as unknown as List<Json>;
    const added = (inherits: unknown) => {
      const { session, texts } = made();
      session.inherit(inherits);
      session.header(header);
      const { state } = begun();
      const event = { type: "say", at: 1, to: "a", items: [{ more: 1 }] } as never;
      const before = { ...state, context: { ...state.context, a: list } };
      const step = obedient.step(before as never, event);
      session.event(obedient, event, step, []);
      session.flush();
      return texts.map((text) => JSON.parse(text).items?.[0]).filter((each) => each !== undefined);
    };
    const after = `@1#${listHead(list)}`;
    const next = append(list, { more: 1 });
    expect(added({ a: list, b: 5, c: null })).toEqual([
      { list: `@2#${listHead(next)}`, after, add: [{ more: 1 }] },
    ]);
    for (const none of [undefined, null, {}, { a: emptyList() }]) {
      expect(added(none)[0]).toMatchObject({ add: [expect.anything(), { more: 1 }] });
    }
  });
});

describe("the length of a text in UTF-8", () => {
  const texts = ["", "abc", "é", "€", "😀", "\ud800", "a\u007f", "\u0080", `x${"é".repeat(99)}`];

  const lengths = texts.map((text) => new TextEncoder().encode(text).length);

  it("is that of its bytes, by Node's own count", () => {
    expect(texts.map(utf8Length)).toEqual(lengths);
  });
});
