// A journal's bytes, however they come in: the same lines, each in its place, in bounded memory.
import { describe, expect, it } from "vitest";
import { encodeLine, FORMAT, type MoreLine } from "../../../../src/core/journal/index.js";
import { agent, resume, run, scriptedModel, tool } from "../../../../src/index.js";
import { type JournalPort, memoryJournal } from "../../../../src/runtime/index.js";
import { LineStream } from "../../../../src/runtime/journals/line-stream.js";
import { textJournal } from "../../../../src/testing/index.js";
import { textIn } from "../../../support/journal-text.js";
import { rejection } from "../../../support/thrown.js";

const encoder = new TextEncoder();

/** A port of these pieces; nothing of it can be written. */
function pieces(...all: readonly Uint8Array[]): JournalPort {
  return {
    name: "pieces",
    open: () => Promise.reject(new Error("read only")),
    async *read() {
      yield* all;
    },
  };
}

function cut(bytes: Uint8Array, size: number): Uint8Array[] {
  const all: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) all.push(bytes.slice(at, at + size));
  return all;
}

/** Lines in a chain, with their newlines. */
function chained(...contents: readonly object[]): string {
  let previous = "";
  let all = "";
  for (const content of contents) {
    const { text, hash } = encodeLine(JSON.stringify(content).slice(0, -1), previous);
    previous = hash;
    all += `${text}\n`;
  }
  return all;
}

const header = { type: "header", format: FORMAT, runId: "r", at: 0, input: "é€😀" };
const more = (text: string): MoreLine => ({ more: true, values: { [`#${text.length}`]: text } });
const journal = chained(
  header,
  more("ünï"),
  more("😀".repeat(9)),
  more("x"),
  more("€".repeat(200)),
);

async function read(port: JournalPort) {
  const stream = new LineStream(port);
  const lines: string[] = [];
  const places: number[] = [];
  for await (const batch of stream.batches()) {
    for (const line of batch) {
      lines.push(line.text());
      places.push(line.number, line.start, line.end);
    }
  }
  return { lines, places, torn: stream.torn, position: stream.position };
}

const whole = journal.split("\n").slice(0, -1);
const bytes = encoder.encode(journal);

describe("pieces", () => {
  it.each([1, 2, 3, 5, 7, 64, 1_000])("of %i bytes give the same lines", async (size) => {
    const got = await read(pieces(...cut(bytes, size)));
    expect(got.lines).toEqual(whole);
    expect([got.torn, got.position]).toEqual([0, { lines: 5, bytes: bytes.length }]);
    for (let i = 0; i < got.lines.length; i++) {
      const [number, start, end] = got.places.slice(3 * i) as [number, number, number];
      expect(number).toBe(i + 1);
      expect(new TextDecoder().decode(bytes.slice(start, end))).toBe(`${whole[i]}\n`);
    }
  });

  it("of any lengths, empty ones among them", async () => {
    const some = cut(bytes, 11).flatMap((piece) => [piece, new Uint8Array(0)]);
    expect((await read(pieces(new Uint8Array(0), ...some))).lines).toEqual(whole);
    expect(await read(pieces())).toMatchObject({ lines: [], torn: 0 });
  });

  it("that a port reads into one buffer again and again", async () => {
    const buffer = Buffer.alloc(16);
    const port: JournalPort = {
      ...pieces(),
      async *read() {
        for (const piece of cut(bytes, 16)) {
          buffer.set(piece);
          yield buffer.subarray(0, piece.length);
        }
      },
    };
    expect((await read(port)).lines).toEqual(whole);
  });
});

describe("an end that is torn", () => {
  it("is left out at every byte, and its length is told", async () => {
    const lengths = whole.map((line) => encoder.encode(line).length + 1);
    const begins = lengths.map((_, i) => lengths.slice(0, i).reduce((a, b) => a + b, 0));
    for (let at = 0; at < bytes.length; at++) {
      const kept = begins.filter(
        (_, i) => (begins[i] as number) + (lengths[i] as number) <= at,
      ).length;
      const got = await read(pieces(...cut(bytes.slice(0, at), 50)));
      expect(got.lines).toEqual(whole.slice(0, kept));
      expect(got.torn).toBe(at - (kept === whole.length ? bytes.length : (begins[kept] as number)));
    }
  });

  it("may hold what looks like a line's end: a tool's output with a hash in it", async () => {
    const md5 = "d41d8cd98f00b204e9800998ecf8427e";
    const output = { name: "file", hash: md5 };
    const more = { more: true, values: { "#a": { output, behind: "more" } } };
    const text = chained(header, more);
    const at = text.lastIndexOf(`"${md5}"}`) + md5.length + 4;
    const got = await read(textJournal(text.slice(0, at)));
    expect(got.lines).toHaveLength(1);
    expect(got.torn).toBeGreaterThan(0);
  });

  it("may hold a hundred of them: not each is hashed", async () => {
    const hash = "d41d8cd98f00b204e9800998ecf8427e";
    const lookalikes = Array.from({ length: 100 }, (_, i) => ({ name: i, hash }));
    const text = chained(header, { more: true, values: { "#a": lookalikes, behind: "more" } });
    const got = await read(textJournal(text.slice(0, text.lastIndexOf(`"${hash}"}`) + 36)));
    expect(got.lines).toHaveLength(1);
    expect(got.torn).toBeGreaterThan(0);
  });

  it("is refused where a whole line stands there without its newline, but with something else", async () => {
    for (const behind of ["x", " ", "\r", "\0", '{"more"', "x".repeat(500)]) {
      const { code, place } = await rejection(read(textJournal(journal.slice(0, -1) + behind)));
      expect([code, place]).toEqual(["journal.format", "line 5"]);
    }
    expect((await read(textJournal(journal.slice(0, -1)))).lines).toHaveLength(4);
    // However long the line is.
    const long = chained(header, more("x".repeat(9_000)));
    const { code, place } = await rejection(read(textJournal(`${long.slice(0, -1)}x`)));
    expect([code, place]).toEqual(["journal.format", "line 2"]);
  });
});

describe("bytes that are none of a journal's", () => {
  it("no UTF-8 is refused with the line, though its hash is right", async () => {
    const { digestOf } = await import("../../../../src/core/kernel/values/hash.js");
    const first = encoder.encode(chained(header));
    const open = Uint8Array.of(...encoder.encode('{"more":"'), 0xff, 0xc3, ...encoder.encode('"'));
    const key = encoder.encode(',"hash":"');
    const before = first.slice(first.length - 3 - 32);
    const hash = digestOf(Uint8Array.of(...before, ...open, ...key));
    const line = Uint8Array.of(...open, ...key, ...encoder.encode(`${hash}"}\n`));
    const { code, place } = await rejection(read(pieces(first, line)));
    expect([code, place]).toEqual(["journal.format", "line 2"]);
  });

  it("a line without a hash is refused as what is no journal's, however long it is", async () => {
    for (const text of ["{}", '"}', `{"text":"${"x".repeat(99)}"}`]) {
      const { code, place } = await rejection(read(textJournal(`${text}\n`)));
      expect([code, place]).toEqual(["journal.format", "line 1"]);
    }
  });

  it("a text of one line that is not a header's beginning is refused, and not called empty", async () => {
    for (const text of ['{"a":1}', `[${whole.join(",")}]`, "notes", " ", `\uFEFF${whole[0]}`]) {
      const { code, place } = await rejection(read(textJournal(text)));
      expect([code, place]).toEqual(["journal.format", "line 1"]);
    }
    // What a power failure leaves of a header.
    for (const text of ["\0\0\0", '{"type\0\0\0', `${whole[0]?.slice(0, 30)}\0`]) {
      expect(await read(textJournal(text))).toMatchObject({ lines: [], torn: text.length });
    }
  });

  it.each([
    ["a byte order mark", `\uFEFF${journal}`, "Line 1 begins with a byte order mark"],
    ["CRLF", journal.replaceAll("\n", "\r\n"), "Line 1 ends in CRLF where it ended in LF"],
  ])("what an editor makes of a text is named: %s", async (_, text, words) => {
    const error = await rejection(read(pieces(encoder.encode(text))));
    expect(error).toMatchObject({
      code: "journal.format",
      message: expect.stringContaining(words),
    });
  });

  it("a byte that is another, anywhere, is refused with the line", async () => {
    const ends = whole.map(
      (_, i) => encoder.encode(`${whole.slice(0, i + 1).join("\n")}\n`).length,
    );
    for (let at = 0; at < bytes.length; at += 5) {
      const other = bytes.slice();
      other[at] = (other[at] as number) ^ 1;
      const { code, place } = await rejection(read(pieces(...cut(other, 100))));
      expect(["journal.chain", "journal.format"]).toContain(code);
      // A newline that comes or goes moves the line's end.
      const line = 1 + ends.findIndex((end) => at < end);
      expect(place).toBe(`line ${line}`);
    }
  });

  it("lines that never end are refused before they fill the memory", async () => {
    let given = 0;
    const port: JournalPort = {
      ...pieces(),
      async *read() {
        const piece = new Uint8Array(8 * 1024 * 1024).fill(120);
        for (; given < 100; given++) yield piece;
      },
    };
    expect((await rejection(read(port))).code).toBe("journal.hostile");
    expect(given).toBeLessThan(8);
  });
});

describe("a long journal", () => {
  it("is read piece by piece: what was read is not held", async () => {
    const text = "y".repeat(100_000);
    let total = 0;
    let previous = "";
    async function* lines() {
      for (let i = 0; total < 30 * 1024 * 1024; i++) {
        const content = i === 0 ? header : more(text);
        const line = encodeLine(JSON.stringify(content).slice(0, -1), previous);
        previous = line.hash;
        total += line.text.length + 1;
        yield encoder.encode(`${line.text}\n`);
      }
    }
    const stream = new LineStream({ ...pieces(), read: lines });
    let most = 0;
    let count = 0;
    for await (const batch of stream.batches()) {
      count += batch.length;
      most = Math.max(most, stream.torn);
    }
    expect(count).toBeGreaterThan(300);
    expect(stream.position.lines).toBe(count);
    // What is left in the buffer between two pieces.
    expect(most).toBe(0);
  });
});

describe("damage before a snapshot", () => {
  it("is refused by a resume, and nothing is appended", async () => {
    const asks = tool({
      name: "asks",
      jsonSchema: {},
      needsApproval: true,
      execute: () => "asked",
    });
    const one = agent({ name: "a", tools: [asks] });
    const model = scriptedModel([{ text: "Let me ask.", calls: [{ name: "asks" }] }, "done"]);
    const made = memoryJournal();
    expect((await run(one, "go on, please", { model, journal: made })).status).toBe("waiting");
    expect(await made.snapshots?.list()).toHaveLength(1);
    const good = await textIn(made);
    const approvals = { "approval/0/0": { approve: true } };
    const from = (text: string) => {
      const damaged = textJournal(text);
      return {
        damaged,
        port: { ...damaged, ...(made.snapshots && { snapshots: made.snapshots }) },
      };
    };
    for (let at = 0; at < good.length; at += 37) {
      const text = `${good.slice(0, at)}${good[at] === "~" ? "!" : "~"}${good.slice(at + 1)}`;
      const { damaged, port } = from(text);
      const { code } = await rejection(resume(one, port, { model, approvals }));
      expect(code).toMatch(/^journal\.(chain|format)$/);
      expect(damaged.text).toBe(text);
    }
    const { port } = from(good);
    expect(await resume(one, port, { model, approvals })).toMatchObject({ status: "done" });
  });
});

it("goes on only behind the line that it stood at: another of the same length is refused", async () => {
  const of = (runId: string) => chained({ ...header, runId }, more("x"), more("y"));
  const positionIn = (text: string) => {
    const bytes = encoder.encode(text).indexOf(10) + 1;
    return { lines: 1, bytes, hash: text.slice(0, text.indexOf("\n")).slice(-34, -2) };
  };
  const readOn = async (text: string, from: ReturnType<typeof positionIn>) => {
    const port = {
      ...pieces(),
      async *read(at = 0) {
        yield encoder.encode(text).slice(at);
      },
    };
    let lines = 0;
    for await (const batch of new LineStream(port, from).batches()) lines += batch.length;
    return lines;
  };
  expect(of("r").length).toBe(of("s").length);
  expect(await readOn(of("r"), positionIn(of("r")))).toBe(2);
  const refused = { code: "journal.chain", place: "line 1" };
  expect(await rejection(readOn(of("s"), positionIn(of("r"))))).toMatchObject(refused);
  // Neither does it where that line has no end any more.
  const first = of("r").slice(0, of("r").indexOf("\n"));
  expect(await rejection(readOn(`${first} `, positionIn(of("r"))))).toMatchObject(refused);
});
