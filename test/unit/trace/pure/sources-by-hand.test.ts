// Sources of lines that were written by hand: which record a block or an argument is a copy of, and which
// only looks like one.
import { describe, expect, it } from "vitest";
import type { Line } from "../../../../src/core/journal/index.js";
import type { Json } from "../../../../src/core/kernel/values/index.js";
import { callSources, requestSources } from "../../../../src/trace/pure/index.js";
import { callsIn, decidedInput } from "../../../../src/trace/pure/sources/answered-calls.js";
import { MIN_TEXT, RecordIndex } from "../../../../src/trace/pure/sources/record-index.js";
import { blocksOf, requestIn } from "../../../../src/trace/pure/sources/recorded-request.js";
import { leavesOf } from "../../../../src/trace/pure/sources/walk-json.js";
import { refusal } from "../../../support/thrown.js";

const header = (input: unknown = "go", runId = "r") => ({ type: "header", runId, input });
const at = (seq: number, event: object, more: object = {}) => ({
  seq,
  event: { at: seq, ...event },
  ...more,
});
const lines = (...own: readonly object[]) => own as unknown as readonly Line[];
const call = (toolName: string, input: unknown, toolCallId = "c") => ({
  type: "tool-call",
  toolCallId,
  toolName,
  input,
});
const answer = (id: string, ...content: object[]) => ({ type: "llm.succeeded", id, content });
const asks = (id: string, more: object) => ({ do: [{ type: "llm", id, ...more }] });
const user = (content: unknown) => ({ role: "user", content: content as Json });
const text = (words: string) => ({ type: "text", text: words });
const result = (toolName: string, output: object, toolCallId = "c") => ({
  role: "tool",
  content: [{ type: "tool-result", toolCallId, toolName, output }],
});

describe("the ends of a value", () => {
  it("have their paths, in order", () => {
    expect(leavesOf({ a: [1, { b: null }, []], c: {}, d: "x" })).toEqual([
      { path: "$.a[0]", value: 1 },
      { path: "$.a[1].b", value: null },
      { path: "$.d", value: "x" },
    ]);
    expect(leavesOf("x")).toEqual([{ path: "$", value: "x" }]);
  });
});

describe("records", () => {
  const long = (i: number) => `${i}`.repeat(MIN_TEXT);

  it("are the input and what events tell, up to an event, and not their form", () => {
    const given = lines(
      at(0, { type: "start", said: "before the header" }),
      header({ task: "go" }),
      at(1, { type: "message", content: [text("hi")] }),
      at(2, { type: "tool.succeeded", id: "t", output: "out", attempts: 7, usage: "u" }),
      at(3, { type: "tool.succeeded", id: "u", output: "late" }),
    );
    const records = new RecordIndex(given, 2);
    const places = (value: unknown) =>
      records
        .equalTo(value as never)
        .map(({ place: { eventId, seq, path } }) => `${eventId} ${seq} ${path}`);
    expect(places("go")).toEqual(["r#@0 undefined $.input.task"]);
    expect(places({ task: "go" })).toEqual(["r#@0 undefined $.input"]);
    expect(places("hi")).toEqual(["r#@1 1 $.event.content[0].text"]);
    expect(places(text("hi"))).toEqual(["r#@1 1 $.event.content[0]"]);
    expect(places("out")).toEqual(["r#t 2 $.event.output"]);
    for (const none of ["late", "before the header", 7, "u", "t", "message"]) {
      expect(places(none)).toEqual([]);
    }
    expect(new RecordIndex(given).equalTo("late")).toHaveLength(1);
  });

  it("within a text are the long ones, the longest first, and none that is within another", () => {
    const records = new RecordIndex(
      lines(
        header(long(1).slice(1)),
        at(0, { type: "message", content: [long(1), 5, long(2), `${long(2)}${long(3)}`] }),
      ),
    );
    const within = (of: string) => records.within(of).map(({ value }) => value);
    expect(within(`${long(1)} ${long(2)}${long(3)}`)).toEqual([`${long(2)}${long(3)}`, long(1)]);
    expect(within(`${long(2)} ${long(1)}`)).toEqual([long(1), long(2)]);
    expect(within(long(1).slice(1))).toEqual([]);
    expect(within("5")).toEqual([]);
  });
});

describe("calls", () => {
  it("are those of all answers, counted by what the agent carries out, with what settled them", () => {
    const own = lines(
      header("go", "old"),
      at(0, { type: "start" }),
      header("go", "r"),
      at(
        1,
        answer(
          "llm/4/1",
          text("x"),
          { ...call("web", 1), providerExecuted: true },
          call("a", { x: 1 }, "c1"),
          { type: "tool-call", toolCallId: "c2", toolName: "b" },
        ),
      ),
      at(2, { type: "llm.succeeded", id: "llm/5", content: "none" }),
      at(3, { type: "tool.succeeded", id: "tool/4/1", output: 5 }),
    );
    const earlier = [lines(header("go", "e"), at(0, answer("llm/0", call("z", null))))];
    const all = callsIn({ lines: own, earlier });
    expect(all).toEqual([
      {
        eventId: "e#tool/0/0",
        directive: "tool/0/0",
        answerId: "e#llm/0",
        seq: 0,
        toolCallId: "c",
        toolName: "z",
        input: null,
        own: false,
      },
      {
        eventId: "r#tool/4/0",
        directive: "tool/4/0",
        answerId: "r#llm/4/1",
        seq: 1,
        toolCallId: "c1",
        toolName: "a",
        input: { x: 1 },
        own: true,
      },
      {
        eventId: "r#tool/4/1",
        directive: "tool/4/1",
        answerId: "r#llm/4/1",
        seq: 1,
        toolCallId: "c2",
        toolName: "b",
        input: null,
        own: true,
        settled: {
          seq: 3,
          runId: "r",
          event: { type: "tool.succeeded", at: 3, id: "tool/4/1", output: 5 },
        },
      },
    ]);
    expect(callsIn({ lines: own })).toEqual(all.slice(1));
  });

  it("have a person's arguments where there are some", () => {
    const decided = (id: string, more: object) => ({ type: "approval.decided", id, ...more });
    const own = lines(
      header(),
      at(0, { type: "other", id: "approval/0/0", input: "no" }),
      at(1, decided("approval/0/1", { input: "another's" })),
      at(2, decided("approval/0/0", { input: { a: 1 } })),
      at(3, decided("approval/1/tool/1", {})),
    );
    expect(decidedInput(own, "tool/0/0")).toEqual({
      place: { eventId: "r#approval/0/0", runId: "r", seq: 2, path: "$.event.input" },
      value: { a: 1 },
    });
    expect(decidedInput(own, "tool/1/tool/1")).toBeUndefined();
    expect(decidedInput(own, "tool/7/0")).toBeUndefined();
  });

  it("have those of the last decision, where the person was asked anew", () => {
    const decided = (id: string, more: object) => ({ type: "approval.decided", id, ...more });
    const own = lines(
      header(),
      at(1, decided("approval/0/1", { input: "first" })),
      at(2, decided("approval/0/1/1", { input: "second" })),
      at(3, decided("approval/0/10", { input: "another's" })),
      at(4, decided("approval/0/2", { input: "first" })),
      at(5, decided("approval/0/2/1", {})),
    );
    expect(decidedInput(own, "tool/0/1")).toEqual({
      place: { eventId: "r#approval/0/1/1", runId: "r", seq: 2, path: "$.event.input" },
      value: "second",
    });
    expect(decidedInput(own, "tool/0/2")).toBeUndefined();
  });
});

describe("a request", () => {
  const of = (...own: object[]) => requestIn({ lines: lines(header(), ...own) }, "llm/0");

  it("is what its line records, by value", () => {
    const found = of(
      at(0, { type: "start" }, { do: [{ type: "tool", id: "llm/0" }] }),
      at(
        1,
        { type: "x" },
        {
          do: [
            { type: "llm", id: "llm/9", system: "no" },
            {
              type: "llm",
              id: "llm/0",
              system: "s",
              messages: [user("a")],
              tools: [{ name: "t" }],
            },
          ],
        },
      ),
    );
    expect(found).toEqual({
      line: expect.objectContaining({ seq: 1 }),
      system: "s",
      messages: [user("a")],
      absent: 0,
      tools: [{ name: "t" }],
    });
    expect(of(at(0, { type: "x" }, asks("llm/0", { tools: "none" })))).toMatchObject({
      system: undefined,
      messages: [],
      absent: 0,
      tools: [],
    });
    expect(of(at(0, { type: "x" }, asks("llm/0", { messages: { a: 1 } })))).toMatchObject({
      messages: [],
      absent: 0,
    });
    expect(refusal(() => of(at(0, { type: "x" })))).toMatchObject({
      code: "trace.missing",
      place: "llm/0",
    });
  });

  it("of which a part is elsewhere says how much of it", () => {
    const items = (list: string, after: string | undefined, ...add: unknown[]) => ({
      list,
      ...(after === undefined ? {} : { after }),
      add,
    });
    const asked = (messages: string, ...stored: object[]) => {
      const found = of(at(0, { type: "x" }, { items: stored, ...asks("llm/0", { messages }) }));
      return [found.absent, found.messages];
    };
    expect(asked("@3#c", items("@3#c", "@2#b", "three"))).toEqual([2, ["three"]]);
    expect(asked("@3#c", items("@2#b", "@1#a", "two"), items("@3#c", "@2#b", "three"))).toEqual([
      1,
      ["two", "three"],
    ]);
    expect(asked("@2#b", items("@1#a", undefined, "one"), items("@2#b", "@1#a", "two"))).toEqual([
      0,
      ["one", "two"],
    ]);
    expect(asked("@4#d")).toEqual([4, []]);
    const whole = { messages: "@4#d" };
    expect(
      requestSources(
        { lines: lines(header(), at(0, { type: "x" }, asks("llm/0", whole))) },
        "llm/0",
      ),
    ).toEqual([
      {
        path: "messages[0..3]",
        value: null,
        sources: [{ kind: "untraced", why: expect.stringContaining("which was not given") }],
      },
    ]);
  });

  it("goes on from the transcript of the run before it", () => {
    const earlier = [
      lines(header("hello", "e"), at(0, { type: "start" }), at(1, answer("llm/0", text("yes")))),
    ];
    const known = requestIn(
      {
        earlier,
        lines: lines(
          header(),
          at(
            0,
            { type: "x" },
            {
              items: [{ list: "@3#c", after: "@2#b", add: ["three"] }],
              ...asks("llm/0", { messages: "@3#c" }),
            },
          ),
        ),
      },
      "llm/0",
    );
    // Another head than the derived one: it is not taken for it.
    expect([known.absent, known.messages]).toEqual([2, ["three"]]);
  });

  it("has a block for each part of a message, or its text", () => {
    expect(blocksOf(user("a"), "m[0]")).toEqual([
      { path: "m[0].content", role: "user", value: "a" },
    ]);
    expect(blocksOf(user([text("a"), 5]), "m[0]")).toEqual([
      { path: "m[0].content[0]", role: "user", value: text("a") },
      { path: "m[0].content[1]", role: "user", value: 5 },
    ]);
    expect(blocksOf({ role: 5 }, "m")).toEqual([{ path: "m.content", value: null }]);
    expect(blocksOf("x", "m")).toEqual([{ path: "m", value: "x" }]);
  });
});

describe("the blocks of a request", () => {
  const MADE = { kind: "untraced", why: expect.stringContaining("the reasoner made it") };
  const seen = (request: object, ...own: object[]) =>
    requestSources(
      {
        lines: lines(
          header("the very first word"),
          ...own,
          at(9, { type: "x" }, asks("llm/1", request)),
          at(10, { type: "message", content: "said too late" }),
        ),
      },
      "llm/1",
    );
  const sources = (request: object, ...own: object[]) =>
    seen(request, ...own).map((each) => each.sources);
  const copy = (eventId: string, seq: number, path: string) => ({
    kind: "copy",
    eventId,
    runId: "r",
    seq,
    path,
  });

  it("are its system, messages and tools", () => {
    expect(
      seen({ system: "the very first word", messages: [user("x")], tools: [{ name: "t" }] }),
    ).toEqual([
      {
        path: "system",
        value: "the very first word",
        sources: [{ kind: "copy", eventId: "r#@0", runId: "r", path: "$.input" }],
      },
      { path: "messages[0].content", role: "user", value: "x", sources: [MADE] },
      { path: "tools[0]", value: { name: "t" }, sources: [MADE] },
    ]);
  });

  it("are copies of values and of texts, and none of what came later", () => {
    const said = at(1, { type: "message", content: ["hi", text("there")] });
    const of = (value: unknown) => sources({ messages: [user([value])] }, said)[0];
    expect(of("hi")).toEqual([copy("r#@1", 1, "$.event.content[0]")]);
    expect(of(text("hi"))).toEqual([copy("r#@1", 1, "$.event.content[0]")]);
    expect(of(text("there"))).toEqual([copy("r#@1", 1, "$.event.content[1]")]);
    expect(of({ type: "file", text: "hi" })).toEqual([MADE]);
    expect(of({ type: "text", text: 5 })).toEqual([MADE]);
    expect(of("said too late")).toEqual([MADE]);
    const holds = of({ type: "file", parts: ["so: the very", "the very first word, you said", 5] });
    expect(holds).toEqual([
      {
        kind: "holds",
        eventId: "r#@0",
        runId: "r",
        path: "$.input",
        text: "the very first word",
      },
    ]);
    expect(sources({ system: { a: ["hi"] } }, said)[0]).toEqual([MADE]);
  });

  it("name at most five texts that they hold", () => {
    const texts = Array.from({ length: 6 }, (_, i) => `${i}`.repeat(MIN_TEXT));
    const said = at(1, { type: "message", content: texts });
    expect(sources({ system: texts.join(" ") }, said)[0]).toHaveLength(5);
  });

  it("with equal texts are of one record after the other, and of the last one from then on", () => {
    const said = (seq: number) => at(seq, { type: "message", content: "again" });
    const again = user("again");
    expect(sources({ messages: [again, again, again] }, said(1), said(2)).flat()).toEqual([
      copy("r#@1", 1, "$.event.content"),
      copy("r#@2", 2, "$.event.content"),
      copy("r#@2", 2, "$.event.content"),
    ]);
  });

  describe("that are results", () => {
    const asked = at(1, answer("llm/0", call("look", 1)));
    const told = (output: object, ...own: object[]) =>
      sources({ messages: [result("look", output)] }, asked, ...own)[0];
    const settled = (more: object) => at(2, { id: "tool/0/0", ...more });

    it("are copies of what settled the call", () => {
      expect(
        told({ type: "json", value: [1] }, settled({ type: "tool.succeeded", output: [1] })),
      ).toEqual([copy("r#tool/0/0", 2, "$.event.output")]);
      expect(
        told({ value: "c" }, settled({ type: "tool.succeeded", output: "o", content: "c" })),
      ).toEqual([copy("r#tool/0/0", 2, "$.event.content")]);
    });

    it("hold the message of its failure", () => {
      const failed = (message: unknown) => settled({ type: "tool.failed", error: { message } });
      expect(told({ value: "It failed: no." }, failed("no"))).toEqual([
        {
          kind: "holds",
          eventId: "r#tool/0/0",
          runId: "r",
          seq: 2,
          path: "$.event.error.message",
          text: "no",
        },
      ]);
      for (const message of ["other", "", 5, undefined]) {
        expect(told({ value: "It failed: no." }, failed(message))).toEqual([MADE]);
      }
      expect(told({ value: "x" }, settled({ type: "tool.failed", error: "x" }))).toEqual([
        copy("r#tool/0/0", 2, "$.event.error"),
      ]);
      expect(told({}, settled({ type: "tool.failed", error: 5 }))).toEqual([MADE]);
    });

    it("were made by the call where nothing settled it, and are none of another tool's", () => {
      expect(told({ value: "x" })).toEqual([
        { kind: "computed", eventId: "r#tool/0/0", toolName: "look" },
      ]);
      expect(sources({ messages: [result("other", { value: "x" })] }, asked)[0]).toEqual([MADE]);
      expect(sources({ messages: [result("look", { value: "x" }, "d")] }, asked)[0]).toEqual([
        MADE,
      ]);
    });

    it("are of the last call with their id, with whatever number behind it", () => {
      const twice = at(1, answer("llm/0", call("look", 1), call("look", 2)));
      const of = (id: string) =>
        sources({ messages: [result("look", { value: 1 }, id)] }, twice)[0]?.[0];
      expect(of("c")).toMatchObject({ kind: "computed", eventId: "r#tool/0/1" });
      expect(of("c_2")).toMatchObject({ kind: "computed", eventId: "r#tool/0/1" });
      expect(of("c_x")).toEqual(MADE);
      expect(of("c_2x")).toEqual(MADE);
    });

    it("are of the calls of the answer before them, and of no later one", () => {
      const first = at(1, answer("llm/0", text("A"), call("look", 1)));
      const second = at(2, answer("llm/5", text("B"), call("look", 2)));
      const shown = (words: string) => ({ role: "assistant", content: [text(words)] });
      const read = result("look", { value: 1 });
      const found = sources({ messages: [shown("A"), read, shown("B"), read] }, first, second);
      expect(found.map(([each]) => (each as { eventId: string }).eventId)).toEqual([
        "r#llm/0",
        "r#tool/0/0",
        "r#llm/5",
        "r#tool/5/0",
      ]);
      // A user's word that looks like an answer is none.
      const asUser = sources({ messages: [user([text("A")]), read] }, first, second);
      expect(asUser[1]).toMatchObject([{ eventId: "r#tool/5/0" }]);
      const later = at(11, answer("llm/7", call("look", 1)));
      const all = [header(), at(9, { type: "x" }, asks("llm/1", { messages: [read] })), later];
      expect(requestSources({ lines: lines(...all) }, "llm/1")[0]?.sources).toEqual([MADE]);
    });
  });
});

describe("the arguments of a call", () => {
  /** The blocks in which a model has seen an argument that it was shown among these. */
  const seenIn = (argument: unknown, ...shown: unknown[]) => {
    const [found] = callSources(
      {
        lines: lines(
          header(),
          at(0, { type: "start" }, asks("llm/0", { messages: shown.map(user) })),
          at(1, answer("llm/0", call("do", { argument }))),
        ),
      },
      "r#tool/0/0",
    );
    expect(found?.path).toBe("$.argument");
    return found?.seenIn.map(({ path }) => path.replace(/^messages|\.content$/g, ""));
  };

  it.each([
    ["word", ["word", "a word here", "wor", 5], ["[0]", "[1]"]],
    ["two", ["two", "two of them", { a: ["two"] }], ["[0]", "[2]"]],
    [
      42,
      [42, "no 42.", "421", "142", "4.42", "42.5", "$42", "42"],
      ["[0]", "[1]", "[5]", "[6]", "[7]"],
    ],
    [7, [7, "7", "no 7"], ["[0]"]],
    [-12, ["so -12", "12"], ["[0]"]],
    [4.5, ["4.5 of", "4,5"], ["[0]"]],
    [true, [true, "true"], []],
    [null, [null, "null"], []],
    [
      "look",
      [[{ type: "look", toolCallId: "look", toolName: "look" }], [{ type: "x", name: "look" }]],
      ["[1].content[0]"],
    ],
    ["same", Array(7).fill("same"), ["[0]", "[1]", "[2]", "[3]", "[4]"]],
  ])("%j among %j", (argument, shown, found) => {
    expect(seenIn(argument, ...shown)).toEqual(found);
  });

  it("are the model's own where nothing holds them", () => {
    const own = lines(
      header(),
      at(0, { type: "start" }, asks("llm/0", { messages: [user("x")] })),
      at(1, answer("llm/0", call("do", { a: "mine" }))),
      at(2, { type: "approval.decided", id: "approval/0/1", input: { a: "another's" } }),
    );
    expect(callSources({ lines: own }, "tool/0/0")).toEqual([
      {
        path: "$.a",
        value: "mine",
        seenIn: [],
        sources: [{ kind: "untraced", why: expect.stringContaining("the model wrote it") }],
      },
    ]);
    for (const id of ["tool/0/1", "nothing"]) {
      expect(refusal(() => callSources({ lines: own }, id)).code).toBe("trace.missing");
    }
    expect(
      refusal(() => callSources({ lines: lines(header()), earlier: [own] }, "tool/0/0")).code,
    ).toBe("trace.missing");
  });

  it("that a person gave are his, each by its path", () => {
    const own = lines(
      header(),
      at(0, { type: "start" }, asks("llm/0", { messages: [user("his")] })),
      at(1, answer("llm/0", call("do", { a: "mine" }))),
      at(2, { type: "approval.decided", id: "approval/0/0", input: { b: ["his"] } }),
    );
    expect(callSources({ lines: own }, "tool/0/0")).toEqual([
      {
        path: "$.b[0]",
        value: "his",
        seenIn: [],
        sources: [
          {
            kind: "copy",
            eventId: "r#approval/0/0",
            runId: "r",
            seq: 2,
            path: "$.event.input.b[0]",
          },
        ],
      },
    ]);
  });
});
