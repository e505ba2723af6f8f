// What definitions and values are refused for, word for word; and what is counted of a call.
import { describe, expect, it } from "vitest";
import { ANYTHING, misfit } from "../../../../../src/core/kernel/shapes.js";
import {
  inOneLine,
  isReckonerError,
  ReckonerError,
} from "../../../../../src/core/kernel/values/index.js";
import { directiveFault } from "../../../../../src/core/kernel/vocabulary/directive.js";
import {
  ANSWER,
  checkDefinition,
  contentOfThrown,
  messageFault,
  pairKey,
  partFault,
  ToolError,
  textOf,
  toolContentFault,
  unescapeId,
} from "../../../../../src/core/kernel/vocabulary/index.js";
import { providerToolId } from "../../../../../src/core/kernel/vocabulary/tool-name.js";
import { spentByCall } from "../../../../../src/core/kernel/vocabulary/usage.js";

it("a message is cut where it quotes what has no end, and says how much is missing", () => {
  const long = "x".repeat(300_000);
  const refused = new ReckonerError("option.invalid", `${long} is none`, {
    details: [{ place: "a", message: long }],
  });
  expect(refused.message).toMatch(/^x+ \[cut: \d+ more characters\]$/);
  expect(refused.message.length).toBeLessThan(20_000);
  expect(refused.details[0]?.message.length).toBeLessThan(20_000);
});

describe("a definition", () => {
  it.each([
    [undefined, "nothing"],
    [null, "nothing"],
    ["x", "a string"],
    [() => {}, "a function"],
    [[], "a list"],
  ])("that is %s is refused as what it is", (given, named) => {
    expect(() => checkDefinition("agent.invalid", "agent", given)).toThrow(
      `agent takes an object that defines it, not ${named}.`,
    );
  });

  it("is told of the first part that it has not, but where it is of a class", () => {
    const parts = { name: ANYTHING, tools: ANYTHING };
    expect(partFault({ name: 1, tool: 2 }, parts)).toBe(
      "tool is not a part of it; name, tools are",
    );
    expect(partFault({ name: 1 }, parts)).toBeUndefined();
    expect(partFault(Object.assign(Object.create(null), { x: 1 }), parts)).toContain("x is no");
    expect(partFault(new Error("of a class"), parts)).toBeUndefined();
  });
});

describe("an error", () => {
  it("has a cause where there is one, and no field for it where there is none", () => {
    const cause = new Error("why");
    expect(new ReckonerError("json.refused", "no", { cause }).cause).toBe(cause);
    expect("cause" in new ReckonerError("json.refused", "no")).toBe(false);
    expect("cause" in new ReckonerError("json.refused", "no", {})).toBe(false);
  });

  it.each([
    ["a cursor that goes up over a line", "a\x1b[1A\x1b[2Kb", "a\\x1b[1A\\x1b[2Kb"],
    ["a window's title", "\x1b]0;x\x07", "\\x1b]0;x\\x07"],
    ["an override of direction", "txt.\u202egpj", "txt.\\u{202e}gpj"],
    ["a tag", "\u{e0041}", "\\u{e0041}"],
    ["lines", "a\n  b\r\n\n\tc\u2028d\u2029e\x85f\n", "a b c d e f"],
    ["a line written over", "pay 5\rpay 500", "pay 5\\x0dpay 500"],
    ["blanks around one line", " a ", " a "],
    ["what people write", "Grüße, 你好\tשלום 👩‍👩‍👧", "Grüße, 你好\tשלום 👩‍👩‍👧"],
  ])("is one line, of which nothing is hidden: %s", (_what, said, seen) => {
    const details = [{ place: "here", message: said }];
    const error = new ReckonerError("json.refused", said, { details, place: said });
    expect(error.message).toBe(seen);
    expect(error.details).toEqual([{ place: "here", message: seen }]);
    // For programs: an id is what it is.
    expect(error.place).toBe(said);
    expect(inOneLine(error.message)).toBe(error.message);
  });

  it("is made in a time that its length sets, whatever it quotes", () => {
    const spaces = " ".repeat(2_000_000);
    expect(inOneLine(`a${spaces}b`)).toBe(`a${spaces}b`);
    expect(inOneLine(`a\n${"\n ".repeat(500_000)}b`)).toBe("a b");
  });

  it("is known for what it is, also among what throws at each look", () => {
    const { proxy, revoke } = Proxy.revocable(new ReckonerError("json.refused", "no"), {});
    expect(isReckonerError(proxy)).toBe(true);
    revoke();
    const others = [proxy, new Error("no"), { name: "ReckonerError", code: "json.refused" }];
    expect(others.map(isReckonerError)).toEqual([false, false, false]);
  });

  it("of a tool brings its parts along, where they are well-formed", () => {
    const content = [{ type: "text", text: "log" }] as const;
    expect(contentOfThrown(new ToolError("no", content))).toEqual(content);
    expect(new ToolError("no").content).toEqual([]);
    expect(contentOfThrown(new ToolError("no", [{ type: "text" }] as never))).toEqual([]);
    for (const other of [new Error("no"), null, undefined, "text", { content }]) {
      expect(contentOfThrown(other)).toEqual([]);
    }
    const hostile = new Proxy(
      {},
      {
        has: () => {
          throw new Error("no");
        },
      },
    );
    expect(contentOfThrown(hostile)).toEqual([]);
  });
});

describe("a file by its id", () => {
  const blob = { type: "file", blob: "b", mediaType: "a/b", size: 3 };

  it("may stand in what a user says, and not in what a model answers", () => {
    expect(messageFault({ role: "user", content: [blob] })).toBeUndefined();
    expect(messageFault({ role: "user", content: [{ ...blob, size: "3" }] })).toContain(
      "content[0].size must be a whole number, 0 or more; it is a string",
    );
    expect(misfit([{ ...blob, data: "" }], ANSWER)).toContain(
      "[0].blob must be left out; a model's file",
    );
  });
});

describe("parts of a result", () => {
  it.each<[unknown, string | undefined]>([
    [[{ type: "text", text: "x" }], undefined],
    [[{ type: "custom", providerOptions: {} }], undefined],
    ["x", "content must be a list, each an object; it is a string"],
    [["x"], "content[0] must be an object; it is a string"],
    [[{ type: "image" }], "content[0].image is missing"],
    [[{ type: "custom" }], "content[0].providerOptions is missing"],
    [[{ type: "file", blob: "b", mediaType: "a/b", size: 3 }], undefined],
    [[{ type: "file", blob: "b", mediaType: "a/b", size: 3, measures: { pages: 2 } }], undefined],
    [
      [{ type: "file", blob: "", mediaType: "a/b", size: 3 }],
      "content[0].blob must be a string, not empty",
    ],
    [
      [{ type: "file", blob: "b", data: "x", mediaType: "a/b", size: 3 }],
      "content[0].data must be left out, since blob says where the content lies",
    ],
    [[{ type: "file", blob: "b", size: 3 }], "content[0].mediaType is missing"],
    [
      [{ type: "file", blob: "b", mediaType: "a/b", size: 1.5 }],
      "content[0].size must be a whole number",
    ],
    [
      [{ type: "file", blob: "b", mediaType: "a/b", size: 3, measures: [] }],
      "content[0].measures must be an object; it is a list",
    ],
    [
      [{ type: "file", blob: "b", mediaType: "a/b", size: 3, measures: { pages: -1 } }],
      "content[0].measures.pages must be a number, 0 or more; it is -1",
    ],
    [[{ type: "toString" }], "content[0].type must be"],
    [[{ type: ["text"], text: "x" }], "content[0].type must be"],
    [[{ type: 5 }], 'content[0].type must be "text", "image", "file" or "custom"; it is 5'],
    [[{}], "it is undefined"],
  ])("%j: %s", (value, fault) => {
    const said = toolContentFault(value as never);
    if (fault === undefined) expect(said).toBeUndefined();
    else expect(said).toContain(fault);
  });
});

describe("a provider's tool", () => {
  it.each(["openai.web_search", "a.b.c"])("is known by %s", (id) => {
    expect(providerToolId("search", { id })).toEqual({ id, args: {} });
  });
  it.each([
    "web_search",
    "openai.",
    ".search",
    "open ai.search",
    "a\nopenai.x",
    "openai.web search",
  ])("is not known by %j", (id) =>
    expect(() => providerToolId("search", { id })).toThrow("needs the provider's id"),
  );
});

describe("pairs", () => {
  it.each([
    ["a", "b"],
    ["", ""],
    ["a:b", "%3a"],
    ["%", "c:%25"],
  ])("of %j and %j are two texts again", (a, b) =>
    expect(pairKey(a, b).split(":").map(unescapeId)).toEqual([a, b]),
  );
});

describe("a call", () => {
  it.each<[object, number]>([
    [{}, 1],
    [{ content: [] }, 1],
    [{ attempts: 0 }, 0],
    [{ attempts: 0, content: [] }, 1],
    [{ attempts: 3 }, 3],
    [{ attempts: 1, usage: { requests: 2 } }, 2],
    [{ attempts: 2, usage: { requests: 1 } }, 2],
    [{ usage: { requests: 0 } }, 0],
    [{ usage: { requests: 0 }, content: [] }, 1],
  ])("%j was asked %i times", (call, requests) => {
    expect(spentByCall(call as never).requests).toBe(requests);
  });
});

describe("a message", () => {
  it("that is not there has no text", () => expect(textOf(undefined)).toBe(""));
});

describe("a directive", () => {
  it.each([null, [], "x", 1])("whose schema should be an object is none with %j", (settings) => {
    const llm = { type: "llm", id: "llm/0", messages: [] };
    expect(directiveFault({ ...llm, settings: {} } as never)).toBeUndefined();
    expect(directiveFault({ ...llm, settings } as never)).toContain("settings");
  });
});
