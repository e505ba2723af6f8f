// Hashes: SHA-256 over canonical JSON (RFC 8785).
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  canonical,
  hashOf,
  type Json,
  toJson,
} from "../../../../../src/core/kernel/values/index.js";
import * as node from "../../../../../src/platform/node.js";
import * as portable from "../../../../../src/platform/portable.js";

const nodeSha256 = (text: string) => createHash("sha256").update(text, "utf8").digest("base64url");

describe("canonical JSON", () => {
  // Some vectors of RFC 8785, appendix B: property-tests/canonical.test.ts compares all kinds of numbers.
  const numbers: readonly (readonly [string, string])[] = [
    ["8000000000000000", "0"],
    ["0000000000000001", "5e-324"],
    ["44b52d02c7e14af6", "1e+23"],
    ["3eb0c6f7a0b5ed8d", "0.000001"],
  ];
  for (const [bits, text] of numbers) {
    it(`the number ${bits} is ${text}`, () => {
      const view = new DataView(new ArrayBuffer(8));
      view.setBigUint64(0, BigInt(`0x${bits}`));
      expect(canonical(view.getFloat64(0))).toBe(text);
    });
  }

  it("sorts keys by their UTF-16 units, as RFC 8785 section 3.2.3 shows", () => {
    const value = {
      "\u20ac": "Euro Sign",
      "\r": "Carriage Return",
      "\ufb33": "Hebrew Letter Dalet With Dagesh",
      "1": "One",
      "\ud83d\ude00": "Emoji: Grinning Face",
      "\u0080": "Control",
      "\u00f6": "Latin Small Letter O With Diaeresis",
    };
    expect(Object.values(JSON.parse(canonical(value)) as object)).toHaveLength(7);
    const order = [...canonical(value).matchAll(/:"([^"]*)"/g)].map((match) => match[1]);
    expect(order).toEqual([
      "Carriage Return",
      "One",
      "Control",
      "Latin Small Letter O With Diaeresis",
      "Euro Sign",
      "Emoji: Grinning Face",
      "Hebrew Letter Dalet With Dagesh",
    ]);
  });

  it("escapes what must be escaped and nothing else", () => {
    expect(canonical('€$\u000f\nA\'B"\\\\"/')).toBe('"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"');
  });

  it("has no space in it and keeps the order of arrays", () => {
    expect(canonical({ b: [3, 1, 2], a: { d: null, c: true } })).toBe(
      '{"a":{"c":true,"d":null},"b":[3,1,2]}',
    );
  });
});

describe.each([
  ["portable", portable],
  ["Node's", node],
])("SHA-256, %s", (_name, platform) => {
  it("is base64url without padding, of the known digest", () => {
    expect(platform.sha256("abc")).toBe("ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0");
    expect(platform.sha256("")).toBe("47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU");
  });

  it("is the same bytes, for texts of every length and kind, and for their bytes", () => {
    const texts = ["é", "\u{1F600}", "\uD800", "\u0000", "line\u2028", "a".repeat(1_000_000)];
    for (let length = 0; length < 130; length++) texts.push("x€".repeat(length).slice(0, length));
    for (const text of texts) {
      expect(platform.sha256(text)).toBe(nodeSha256(text));
      expect(platform.sha256(new TextEncoder().encode(text))).toBe(nodeSha256(text));
    }
  });
});

describe("the hash of a value", () => {
  it("is that of its canonical text", () => {
    const value: Json = { b: [1, "é"], a: null };
    expect(hashOf(value)).toBe(nodeSha256('{"a":null,"b":[1,"é"]}').slice(0, 32));
    expect(hashOf("x")).toBe(nodeSha256('"x"').slice(0, 32));
    expect(hashOf(toJson(value))).toBe(hashOf(value));
  });

  it("follows an object that still can change", () => {
    const value = { a: 1 };
    const before = hashOf(value);
    value.a = 2;
    expect(hashOf(value)).not.toBe(before);
  });
});
