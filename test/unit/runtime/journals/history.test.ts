// A fork with all that it shares: whose lines come in which order, and what is said where a link leads
// nowhere, elsewhere or round in a circle.
import { describe, expect, it } from "vitest";
import { type JournalPort, viewOf } from "../../../../src/runtime/index.js";
import { forged, forgedEvent } from "../../../support/forged.js";
import { linesIn } from "../../../support/journal-text.js";
import { rejection } from "../../../support/thrown.js";

const event = (seq: number, more: object = {}) => forgedEvent(seq, { type: "go" }, more);
const hashOf = async (port: JournalPort, line: number) =>
  ((await linesIn(port))[line] as unknown as { readonly hash: string }).hash;

/** A run of three events, and a fork of it behind its second. */
async function made(more: object = {}) {
  const original = await forged({ runId: "one" }, event(0), event(1), event(2));
  const hash = await hashOf(original, 2);
  const link = { journal: "there", runId: "one", seq: 1, hash, ...more };
  const fork = await forged({ runId: "two", fork: link }, event(2, { value: "w" }));
  const follow = (name: string) => (name === "there" ? original : undefined);
  return { original, fork: { ...fork, name: "fork", follow } as JournalPort };
}

async function read(port: JournalPort) {
  const torn: number[] = [];
  const lines: string[] = [];
  for await (const { line, port: at, runId } of viewOf(port).lines((bytes) => torn.push(bytes))) {
    const what = "event" in line ? `${line.seq}` : "type" in line ? "header" : "mark";
    lines.push(`${at.name} ${runId} ${what}`);
  }
  return { lines, torn };
}
/** A port with bytes behind its last newline. */
const tornAt = (port: JournalPort): JournalPort => ({
  ...port,
  async *read(from) {
    yield* port.read(from);
    yield new TextEncoder().encode("torn");
  },
});
const refused = async (port: JournalPort) => {
  const { code, place, message } = await rejection(read(port));
  expect(code).toBe("journal.link");
  return [
    place,
    message.replace(/^The run to go on from, in (.*), cannot be found: (.*)\.$/, "$1: $2"),
  ];
};

describe("a history", () => {
  it("of what is no fork is read once, and let go of where nobody wants more", async () => {
    const { original } = await made();
    let open = 0;
    let reads = 0;
    const counted: JournalPort = {
      ...original,
      async *read(from) {
        reads += 1;
        open += 1;
        try {
          for await (const bytes of original.read(from)) {
            // A line in two pieces, as a file of many has them.
            yield bytes.slice(0, bytes.length / 2);
            yield bytes.slice(bytes.length / 2);
          }
        } finally {
          open -= 1;
        }
      },
    };
    expect((await read(counted)).lines).toHaveLength(4);
    for await (const { number } of viewOf(counted).lines()) if (number === 1) break;
    expect({ reads, open }).toEqual({ reads: 2, open: 0 });
  });

  it("is what the fork shares, up to the cut, and then its own", async () => {
    const { original, fork } = await made();
    expect(await read(original)).toEqual({
      lines: ["text one header", "text one 0", "text one 1", "text one 2"],
      torn: [],
    });
    const whole = ["text one header", "text one 0", "text one 1", "fork two header", "fork two 2"];
    expect(await read(fork)).toEqual({ lines: whole, torn: [] });
    // What was torn of the original is none of the fork's affair.
    const others = { ...fork, follow: () => tornAt(original) };
    expect(await read(others)).toEqual({ lines: whole, torn: [] });
    expect(await read(tornAt(fork))).toEqual({ lines: whole, torn: [4] });
  });

  it("of a fork of a fork goes back to the first", async () => {
    const { fork } = await made();
    const hash = await hashOf(fork, 1);
    const link = { journal: "fork", runId: "two", seq: 2, hash };
    const last = await forged({ runId: "three", fork: link }, event(3));
    const port = { ...last, name: "last", follow: () => fork } as JournalPort;
    expect((await read(port)).lines).toEqual([
      "text one header",
      "text one 0",
      "text one 1",
      "fork two header",
      "fork two 2",
      "last three header",
      "last three 3",
    ]);
  });

  it("is refused where its link leads nowhere, or elsewhere", async () => {
    const { fork } = await made();
    const { follow: _none, ...blind } = fork;
    const nowhere = ["there", "there: fork does not lead to it"];
    expect(await refused(blind)).toEqual(nowhere);
    expect(await refused({ ...fork, follow: () => undefined })).toEqual(nowhere);
    const other = await made({ runId: "x" });
    expect(await refused(other.fork)).toEqual(["text", "text: it is of run one, not x"]);
    for (const more of [{ hash: "x" }, { seq: 9 }]) {
      const { fork: cut } = await made(more);
      const seq = "seq" in more ? more.seq : 1;
      expect(await refused(cut)).toEqual([
        "text",
        `text: it does not hold event ${seq} of run one`,
      ]);
    }
  });

  it("is refused where its links lead round in a circle", async () => {
    const { fork } = await made({ runId: "two" });
    const round: JournalPort = { ...fork, follow: () => round };
    expect(await refused(round)).toEqual(["fork", "fork: the links form a cycle"]);
  });

  it("of nothing is refused", async () => {
    const { fork } = await made();
    const empty = { ...fork, async *read() {} } as JournalPort;
    expect(await rejection(read(empty))).toMatchObject({ code: "journal.empty", place: "fork" });
  });
});
