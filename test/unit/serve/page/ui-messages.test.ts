// What a user says on a page comes back as it was said: words, images, files, and files that the host keeps.
import { expect, it } from "vitest";
import { contentOf, contentOfAgUi, UiMessages } from "../../../../src/serve/page/index.js";

it.each([
  ["words", "Hello."],
  ["an image", [{ type: "image", image: "aGk=", mediaType: "image/png" }]],
  ["an image elsewhere", [{ type: "image", image: "https://x/y.png", mediaType: "image/png" }]],
  ["a file", [{ type: "file", data: "aGk=", mediaType: "application/pdf", filename: "a.pdf" }]],
  [
    "a file that the host keeps",
    [
      { type: "text", text: "See:" },
      { type: "file", blob: "b/1", mediaType: "application/pdf", size: 7, measures: { pages: 2 } },
    ],
  ],
])("%s", (_what, content) => {
  const messages = new UiMessages();
  messages.take({ type: "user", id: "m", content: content as never });
  const [message] = messages.messages;
  expect(contentOf(JSON.parse(JSON.stringify(message?.parts)))).toEqual(content);
});

const image = "image/png";
it.each([
  ["text", { type: "text", text: 4 }, "parts[0].text must be a string; it is 4"],
  ["no text", { type: "text" }, "parts[0].text is missing"],
  ["no url", { type: "file", mediaType: image }, "parts[0].url is missing"],
  ["a url that is none", { type: "file", mediaType: image, url: "nope" }, "parts[0].url must be"],
  ["a script", { type: "file", mediaType: image, url: "javascript:alert(1)" }, "parts[0].url"],
  ["a local file", { type: "file", mediaType: image, url: "file:///etc/passwd" }, "parts[0].url"],
  ["no base64", { type: "file", mediaType: image, url: "data:a/b;base64,%" }, "parts[0].url"],
  ["plain data", { type: "file", mediaType: image, url: "data:text/plain,hi" }, "parts[0].url"],
  ["no type", { type: "file", url: "https://x/y", mediaType: 4 }, "parts[0].mediaType must be"],
  ["a kind", { type: "odd" }, "parts[0].type must be"],
  [
    "an address that is made up",
    { type: "file", mediaType: "text/plain", url: "reckoner-blob:x?nonsense" },
    "parts[0].url must be",
  ],
])("%s is refused with its place", (_what, part, words) => {
  expect(() => contentOf([part])).toThrow(words);
});

it("parts of the page's own, and long files, are taken", () => {
  const url = `data:image/png;base64,${"aGk=".slice(0, 3).repeat(4_000_000)}`;
  const parts = [
    { type: "data-mood", data: 1 },
    { type: "file", mediaType: image, url },
  ];
  expect(contentOf(parts)).toMatchObject([{ type: "image", mediaType: image }]);
});

it.each([
  ["text", [{ type: "text", text: 4 }], "content[0].text must be a string; it is 4"],
  ["no content", undefined, "content must be"],
  ["a kind", [{ type: "odd" }], "content[0].type must be"],
  ["no source", [{ type: "image" }], "content[0].source is missing"],
  [
    "a url",
    [{ type: "document", source: { type: "url", value: "file:///x" } }],
    "content[0].source.value must be",
  ],
  [
    "base64",
    [{ type: "image", source: { type: "data", value: "%", mimeType: image } }],
    "content[0].source.value must be base64",
  ],
])("of AG-UI %s is refused with its place", (_what, content, words) => {
  expect(() => contentOfAgUi(content)).toThrow(words);
});

it("of AG-UI images and documents are taken", () => {
  const source = { type: "url", value: "https://x/y" };
  const data = { type: "data", value: "aGk=", mimeType: "application/pdf" };
  const parts = [
    { type: "image", source },
    { type: "document", source: data },
  ];
  expect(contentOfAgUi(parts)).toEqual([
    { type: "image", image: "https://x/y", mediaType: "image/*" },
    { type: "file", data: "aGk=", mediaType: "application/pdf" },
  ]);
});
