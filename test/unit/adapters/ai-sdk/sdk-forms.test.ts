// The forms in which the SDK's tools have schemas, and say to the model what it is to read.
import { describe, expect, it } from "vitest";
import { fromModelOutput } from "../../../../src/adapters/ai-sdk/from-model-output.js";
import { takeSchema } from "../../../../src/adapters/ai-sdk/take-schema.js";

const acme = { acme: { n: 1 } };

describe("what a tool of the SDK says to the model", () => {
  const part = (said: object) => {
    const read = fromModelOutput("out", { type: "content", value: [said] });
    return (read as { content: unknown[] }).content[0];
  };

  it.each<[object, object]>([
    [
      { type: "text", text: "t", providerOptions: acme },
      { type: "text", text: "t", providerOptions: acme },
    ],
    [
      { type: "text", text: "t", providerOptions: null },
      { type: "text", text: "t" },
    ],
    [
      { type: "media", data: "aGk=", mediaType: "image/png" },
      { type: "image", image: "aGk=", mediaType: "image/png" },
    ],
    [
      { type: "media", data: "aGk=", mediaType: "x/image/" },
      { type: "file", data: "aGk=", mediaType: "x/image/" },
    ],
    [
      { type: "image-data", data: "aGk=", mediaType: 5, providerOptions: acme },
      { type: "image", image: "aGk=", providerOptions: acme },
    ],
    [
      { type: "file-data", data: "aGk=", filename: 5, providerOptions: acme },
      { type: "file", data: "aGk=", mediaType: "application/octet-stream", providerOptions: acme },
    ],
    [
      { type: "file", data: new URL("https://a.test/f"), mediaType: "a/b", filename: "f" },
      { type: "file", data: "https://a.test/f", mediaType: "a/b", filename: "f" },
    ],
    [
      { type: "file", data: { type: "text", text: "hi" }, mediaType: "a/b" },
      { type: "file", data: "aGk=", mediaType: "a/b" },
    ],
    [
      { type: "file", data: { type: "url", url: new URL("https://a.test/f") }, mediaType: "a/b" },
      { type: "file", data: "https://a.test/f", mediaType: "a/b" },
    ],
    [{ type: "custom" }, { type: "custom", providerOptions: {} }],
  ])("in a part: %j", (said, read) => {
    expect(part(said)).toStrictEqual(read);
  });

  it.each([[{ type: "file", data: { type: "file-id", id: "f" } }], [{ type: "file" }]])(
    "may be what only its provider knows, and says so: %j",
    (said) => {
      const text = "[not supported: a part of type file that the tool gave to read]";
      expect(part(said)).toEqual({ type: "text", text });
    },
  );

  it("is its own output where it says nothing that is known, and an error where it is one", () => {
    for (const said of [undefined, null, {}, { type: "odd", value: "x" }])
      expect(fromModelOutput({ a: 1 }, said)).toEqual({ a: 1 });
    expect(() => fromModelOutput("out", { type: "error-json", value: { a: 1 } })).toThrow(
      '{"a":1}',
    );
    expect(() => fromModelOutput("out", { type: "execution-denied" })).toThrow("refused to run");
  });
});

describe("a schema of the SDK's own form", () => {
  const json = { type: "object" };
  const standard = { "~standard": { version: 1, vendor: "x", validate: () => ({ value: 1 }) } };
  const taken = (schema: unknown, checking?: object) =>
    takeSchema("look", schema as never, checking as never);

  it("is taken apart, a lazy one too; without a check of its own it is checked as it is told", async () => {
    expect(taken(undefined)).toStrictEqual({});
    expect(taken(standard)).toStrictEqual({ standard });
    expect(taken(() => standard)).toStrictEqual({ standard });
    expect(taken(() => ({ jsonSchema: json }))).toStrictEqual({ json });
    const asked: unknown[] = [];
    const jsonSchema = (schema: unknown) => {
      asked.push(schema);
      return standard;
    };
    expect(taken({ jsonSchema: json }, { jsonSchema })).toStrictEqual({ json, standard });
    expect(asked).toEqual([json]);
    expect(taken(() => ({ jsonSchema: json }), { jsonSchema })).toStrictEqual({ json, standard });
    const checked = taken({ jsonSchema: json, validate: () => "checked" }, { jsonSchema });
    expect(checked).toStrictEqual({ json, check: expect.any(Function) });
    expect(await checked.check?.(1)).toBe("checked");
  });

  it.each([[null], ["text"], [undefined], [Promise.resolve(json)]])(
    "that cannot be shown right away is refused: %#",
    (jsonSchema) => {
      expect(() => taken({ jsonSchema })).toThrow(
        expect.objectContaining({
          code: "tool.invalid",
          message: expect.stringContaining('Tool "look" of the AI SDK describes its input with'),
        }),
      );
    },
  );
});
