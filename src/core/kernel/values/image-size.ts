/** Reads an image's size in pixels from the first bytes of its base64 text; nothing else is decoded. */

/** Width and height in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** The bytes behind base64 text, each read where it stands. */
class Bytes {
  readonly #text: string;

  constructor(text: string) {
    // A data URL has its base64 behind the comma.
    this.#text = text.startsWith("data:") ? text.slice(text.indexOf(",") + 1) : text;
  }

  get length(): number {
    return Math.floor((this.#text.length * 3) / 4);
  }

  at(place: number): number {
    const digit = Math.floor((place * 4) / 3);
    const of = (i: number) => DIGITS.indexOf(this.#text.charAt(i));
    // Each digit has six bits; of the twelve of two digits the byte begins at bit 0, 2 or 4.
    return (((of(digit) << 6) | of(digit + 1)) >> (4 - ((place * 8) % 6))) & 255;
  }

  /** An unsigned number of some bytes, the highest first. */
  big(place: number, count: number): number {
    let value = 0;
    for (let i = 0; i < count; i++) value = value * 256 + this.at(place + i);
    return value;
  }

  /** An unsigned number of some bytes, the lowest first. */
  little(place: number, count: number): number {
    let value = 0;
    for (let i = count - 1; i >= 0; i--) value = value * 256 + this.at(place + i);
    return value;
  }
}

/** The size of a PNG, GIF, JPEG or WebP image; `undefined` for anything else, a URL say. */
export function imageSize(base64: string): ImageSize | undefined {
  const bytes = new Bytes(base64);
  const size = sizeIn(bytes);
  return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined;
}

function sizeIn(bytes: Bytes): ImageSize | undefined {
  switch (bytes.big(0, 4)) {
    case 0x89504e47:
      return { width: bytes.big(16, 4), height: bytes.big(20, 4) };
    case 0x47494638:
      return { width: bytes.little(6, 2), height: bytes.little(8, 2) };
    case 0x52494646:
      return webpSize(bytes);
    default:
      return bytes.big(0, 2) === 0xffd8 ? jpegSize(bytes) : undefined;
  }
}

/** Reads a JPEG's segments up to the one that begins its frame. */
function jpegSize(bytes: Bytes): ImageSize | undefined {
  for (let at = 2; at + 9 < bytes.length && bytes.at(at) === 0xff; ) {
    const marker = bytes.at(at + 1);
    // Tables and arithmetic coding have markers among those of frames.
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: bytes.big(at + 7, 2), height: bytes.big(at + 5, 2) };
    at += 2 + bytes.big(at + 2, 2);
  }
  return undefined;
}

/** Reads the size in the first chunk of a WebP image, of each of its three kinds. */
function webpSize(bytes: Bytes): ImageSize | undefined {
  switch (bytes.big(12, 4)) {
    case 0x56503858:
      return { width: 1 + bytes.little(24, 3), height: 1 + bytes.little(27, 3) };
    case 0x56503820:
      return { width: bytes.little(26, 2) & 0x3fff, height: bytes.little(28, 2) & 0x3fff };
    case 0x5650384c: {
      const sizes = bytes.little(21, 4);
      return { width: 1 + (sizes & 0x3fff), height: 1 + ((sizes >>> 14) & 0x3fff) };
    }
    default:
      return undefined;
  }
}
