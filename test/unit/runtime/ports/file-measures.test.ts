// The measures of files, from the bytes that say them.
import { describe, expect, it } from "vitest";
import { measuresOf } from "../../../../src/runtime/ports/file-measures.js";

const ascii = (text: string) => Buffer.from(text, "latin1");
const big = (...values: readonly number[]) => {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [n, value] of values.entries()) bytes.writeUInt32BE(value, 4 * n);
  return bytes;
};
const little = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const measured = (mediaType: string, ...parts: readonly Uint8Array[]) => {
  const bytes = Buffer.concat(parts);
  return measuresOf(mediaType, bytes, bytes.toString("base64"));
};

const wav = (said: number, data: number) => [
  ...[ascii("RIFF"), little(0), ascii("WAVE")],
  ...[ascii("junk"), little(3), ascii("abc\0")],
  ...[ascii("fmt "), little(16), Buffer.alloc(8), little(8_000), Buffer.alloc(4)],
  ...[ascii("data"), little(said), Buffer.alloc(data)],
];
const box = (name: string, ...parts: readonly Uint8Array[]) => {
  const body = Buffer.concat(parts);
  return Buffer.concat([big(body.length + 8), ascii(name), body]);
};

describe("the measures of a file", () => {
  it("are the pages of a PDF, as the root of its page tree has them", () => {
    const inner = "<< /Type /Pages /Parent 1 0 R /Count 4 /Kids [] >>";
    const root = "<< /Type /Pages /Kids [2 0 R] /Count 12 >>";
    expect(measured("application/pdf", ascii(`%PDF-1.7\n${inner}\n${root}`))).toEqual({
      pages: 12,
    });
    const before = "<< /Count 7 /Kids [2 0 R] /Type /Pages >>";
    expect(measured("application/pdf", ascii(before))).toEqual({ pages: 7 });
    expect(measured("application/pdf", ascii("%PDF-1.7 packed"))).toBeUndefined();
  });

  it("are the seconds of a WAV file, as far as its data go", () => {
    expect(measured("audio/wav", ...wav(20_000, 20_000))).toEqual({ seconds: 2.5 });
    expect(measured("audio/wav", ...wav(0xffffffff, 8_000))).toEqual({ seconds: 1 });
    expect(measured("audio/wav", ascii("RIFF"), little(0), ascii("WAVE"))).toBeUndefined();
  });

  it("are the seconds of an MP4 file, of both versions of its header", () => {
    const short = box("mvhd", big(0, 0, 0, 600, 1_500));
    const long = box("mvhd", big(0x01000000, 0, 0, 0, 0, 1_000, 0, 4_000));
    const file = (header: Uint8Array) => [
      ...[box("ftyp", ascii("isom")), box("free", Buffer.alloc(5))],
      box("moov", box("udta"), header),
    ];
    expect(measured("video/mp4", ...file(short))).toEqual({ seconds: 2.5 });
    expect(measured("audio/mp4", ...file(long))).toEqual({ seconds: 4 });
    expect(measured("video/mp4", ...file(box("mvhd", big(0, 0, 0, 0, 1_500))))).toBeUndefined();
    expect(measured("video/mp4", box("moov", big(2)))).toBeUndefined();
  });

  it("are none where nothing says them", () => {
    expect(measured("audio/mpeg", ascii("ID3"), Buffer.alloc(100))).toBeUndefined();
    expect(measured("image/png", Buffer.alloc(100))).toBeUndefined();
    expect(measured("text/plain", ascii("Hello."))).toBeUndefined();
  });
});
