// Results and errors in parts, from the tool's function to the journal and the model.
import { describe, expect, it } from "vitest";
import { agent, ToolError, toArray, tool, withContent } from "../../../../src/index.js";
import { memoryJournal, replay, run, scriptedModel } from "../../../../src/runtime/index.js";

const png = { type: "image", image: "aGk=", mediaType: "image/png" } as const;

async function comesTo(execute: () => unknown) {
  const looking = agent({ name: "a", tools: [tool({ name: "look", execute })] });
  const journal = memoryJournal();
  const model = scriptedModel([{ calls: [{ name: "look" }] }, "done"]);
  const end = await run(looking, "go", { model, journal });
  expect(end.status).toBe("done");
  expect(await replay(looking, journal)).toMatchObject({ status: "identical" });
  const messages = toArray(end.context.messages);
  const result = messages.find(({ role }) => role === "tool");
  return result?.role === "tool" ? result.content[0]?.output : undefined;
}
const throwing = (content: unknown, message = "it is dark") =>
  comesTo(() => {
    throw new ToolError(message, content as never);
  });
const plain = { type: "error-text", value: "Tool execution failed: it is dark" };

describe("a tool that gives parts", () => {
  it("has the model read them", async () => {
    expect(await comesTo(() => withContent({ id: 7 }, [png]))).toEqual({
      type: "content",
      value: [png],
    });
    expect(await comesTo(async () => withContent(undefined, []))).toEqual({
      type: "content",
      value: [],
    });
  });

  it.each([
    [[{ type: "video", data: "x" }], 'type must be .* it is "video"'],
    [[{ type: "image", image: 5 }], "image must be a string; it is 5"],
    ["text", "content must be a list, each an object"],
    [[{ type: "image", image: "x".repeat(6_000_000) }], "larger than 5 MiB"],
    [[{ type: "text", text: 1n }], "content"],
  ])("says where they are none, or too large, that it ran: %#", async (content, why) => {
    expect(await comesTo(() => withContent("ok", content as never))).toMatchObject({
      type: "content",
      value: [
        { type: "text", text: expect.stringMatching(new RegExp(`^The tool ran\\..*${why}`)) },
      ],
    });
  });
});

describe("a tool that throws parts", () => {
  it("has the model read the error and them", async () => {
    expect(await throwing([png])).toEqual({
      type: "error-content",
      value: [{ type: "text", text: plain.value }, png],
    });
  });

  it.each([
    [[]],
    ["text"],
    [[{ type: "video" }]],
    [[{ type: "image", image: "x".repeat(6_000_000) }]],
    [[{ type: "custom", providerOptions: { a: { f: () => 1 } } }]],
    [undefined],
  ])("fails by its text alone where they are none, or too large: %#", async (content) => {
    expect(await throwing(content)).toEqual(plain);
  });

  it("may be of another copy of the package", async () => {
    const foreign = Object.assign(new Error("it is dark"), { content: [png] });
    Object.defineProperty(foreign, Symbol.for("reckoner.toolError"), { value: true });
    expect(
      await comesTo(() => {
        throw foreign;
      }),
    ).toMatchObject({ type: "error-content" });
  });

  it("may throw what throws in turn", async () => {
    const hostile = new Proxy(new Error("x"), {
      has: () => {
        throw new Error("no");
      },
    });
    expect(
      await comesTo(() => {
        throw hostile;
      }),
    ).toMatchObject({ type: "error-text" });
  });
});
