// The size of an image, from the bytes that say it in each format.
import { describe, expect, it } from "vitest";
import { imageSize } from "../../../../../src/core/kernel/values/index.js";
import { sized } from "../../../adapters/ai-sdk/families/support.js";

const base64 = (...bytes: readonly number[]) => Buffer.from(bytes).toString("base64");
const ascii = (text: string) => [...Buffer.from(text, "latin1")];
const zeros = (count: number) => Array<number>(count).fill(0);

/** 640 by 258 in each format. */
const images: { readonly [format: string]: string } = {
  png: sized(640, 258).image,
  gif: base64(...ascii("GIF89a"), 0x80, 0x02, 0x02, 0x01, 0, 0),
  "jpeg with metadata and a table before its frame": base64(
    ...[0xff, 0xd8, 0xff, 0xe1, 0x00, 0x06, 1, 2, 3, 4],
    ...[0xff, 0xc4, 0x00, 0x03, 0],
    ...[0xff, 0xc2, 0x00, 0x11, 8, 0x01, 0x02, 0x02, 0x80, 3, 0, 0],
  ),
  "webp, lossy": base64(...ascii("RIFF....WEBPVP8 "), ...zeros(10), ...[0x80, 0x42, 0x02, 0x41]),
  "webp, lossless": base64(
    ...ascii("RIFF....WEBPVP8L"),
    ...zeros(4),
    0x2f,
    // 639 in fourteen bits, then 257 in fourteen.
    ...[0x7f, 0x42, 0x40, 0x00],
  ),
  "webp, extended": base64(
    ...ascii("RIFF....WEBPVP8X"),
    ...zeros(8),
    ...[0x7f, 0x02, 0x00, 0x01, 0x01, 0x00],
  ),
};

describe("an image's size", () => {
  it.each(Object.entries(images))("is read of %s", (_format, image) => {
    expect(imageSize(image)).toEqual({ width: 640, height: 258 });
    expect(imageSize(`data:image/x;base64,${image}`)).toEqual({ width: 640, height: 258 });
  });

  it.each([
    "",
    "https://a.test/iVBORw0KGgo.png",
    "iVBORw0KGgo=",
    base64(0xff, 0xd8, 0xff, 0xda, 0x00, 0x02),
    base64(0xff, 0xd8, ...zeros(40)),
    base64(...ascii("RIFF....WEBPnone"), ...zeros(20)),
    "%%%%%%%%",
  ])("is not known of %j", (image) => expect(imageSize(image)).toBeUndefined());

  it("is found in a time that the segments set, not the length", () => {
    const endless = Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(4_000_000, 0xff)]);
    expect(imageSize(endless.toString("base64"))).toBeUndefined();
  });
});
