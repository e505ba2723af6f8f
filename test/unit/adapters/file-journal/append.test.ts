// What an append does to the bytes of the file: whole lines in one write and one sync, a torn rest
// cut and nothing else ever.

import { appendFileSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { nodeCalls } from "../../../../src/adapters/file-journal/file-calls.js";
import { fileJournal } from "../../../../src/adapters/file-journal/index.js";
import { textIn } from "../../../support/journal-text.js";
import { bytesOf, endOf, place, refusal, START } from "./place.js";

/** Counts the writes and syncs of a journal. */
function counting() {
  const counted = { write: 0, fdatasync: 0, pread: 0, ftruncate: 0 };
  const calls = {
    pread(fd: number, into: Uint8Array, at: number) {
      counted.pread += 1;
      return nodeCalls.pread(fd, into, at);
    },
    ftruncate(fd: number, bytes: number) {
      counted.ftruncate += 1;
      nodeCalls.ftruncate(fd, bytes);
    },
    write(fd: number, data: Uint8Array) {
      counted.write += 1;
      return nodeCalls.write(fd, data);
    },
    fdatasync(fd: number) {
      counted.fdatasync += 1;
      return nodeCalls.fdatasync(fd);
    },
  };
  return { counted, calls };
}

describe("an append", () => {
  it("writes its lines in one write and one sync", async () => {
    const path = await place();
    const { counted, calls } = counting();
    const writer = await fileJournal(path, { calls }).open("create");
    await writer.append(["one", "two", "three"], START);
    expect(counted).toMatchObject({ write: 1, fdatasync: 1 });
    expect(bytesOf(path)).toBe("one\ntwo\nthree\n");
    await writer.close();
  });

  it("looks at what is there once, and cuts nothing where nothing is torn", async () => {
    const path = await place();
    writeFileSync(path, "one\n");
    const { counted, calls } = counting();
    const writer = await fileJournal(path, { calls }).open("append");
    await writer.append(["two"], endOf("one\n"));
    await writer.append(["three"], endOf("one\ntwo\n"));
    await writer.append(["four"], endOf("one\ntwo\nthree\n"));
    expect(counted).toEqual({ write: 3, fdatasync: 3, pread: 1, ftruncate: 0 });
    await writer.close();
  });

  it("shares one write and one sync with those that were asked for beside it", async () => {
    const path = await place();
    const { counted, calls } = counting();
    const writer = await fileJournal(path, { calls }).open("create");
    const text = Array.from({ length: 100 }, (_, i) => `line ${i}\n`);
    await Promise.all(
      text.map((line, i) => writer.append([line.trim()], endOf(text.slice(0, i).join("")))),
    );
    expect(counted).toMatchObject({ write: 1, fdatasync: 1 });
    expect(bytesOf(path)).toBe(text.join(""));
    await writer.close();
  });

  it("waits with what is asked for during a sync, and writes it in one", async () => {
    const path = await place();
    const written: string[] = [];
    const syncs: (() => void)[] = [];
    const writer = await fileJournal(path, {
      calls: {
        write(fd, data) {
          written.push(Buffer.from(data).toString());
          return nodeCalls.write(fd, data);
        },
        fdatasync: () => new Promise((resolve) => syncs.push(resolve)),
      },
    }).open("create");
    const first = writer.append(["a"], START);
    while (syncs.length === 0) await Promise.resolve();
    let durable = false;
    const rest = Promise.all([
      writer.append(["b"], endOf("a\n")),
      writer.append(["c"], endOf("a\nb\n")),
    ]);
    void rest.then(() => {
      durable = true;
    });
    expect(written).toEqual(["a\n"]);
    syncs.shift()?.();
    await first;
    while (syncs.length === 0) await Promise.resolve();
    expect(written).toEqual(["a\n", "b\nc\n"]);
    expect(durable).toBe(false);
    syncs.shift()?.();
    await rest;
    await writer.close();
  });

  it("of no lines changes nothing", async () => {
    const path = await place();
    const writer = await fileJournal(path).open("create");
    await writer.append([], START);
    await writer.append(["a"], START);
    await writer.append([], endOf("a\n"));
    expect(bytesOf(path)).toBe("a\n");
    await writer.close();
  });
});

describe("a torn last line", () => {
  const whole = '{"n":1}\n{"n":2}\n';
  const torn = '{"n":3,"text":"Gr\u00c3';

  it("is left alone by open, read and close, and cut by an append", async () => {
    const path = await place();
    writeFileSync(path, whole + torn, "latin1");
    const journal = fileJournal(path);
    expect((await textIn(journal)).slice(0, whole.length)).toBe(whole);
    expect(bytesOf(path)).toBe(whole + torn);
    const writer = await journal.open("append");
    expect(bytesOf(path)).toBe(whole + torn);
    await textIn(journal, endOf(whole).bytes);
    expect(bytesOf(path)).toBe(whole + torn);
    await (await writer).close();
    expect(bytesOf(path)).toBe(whole + torn);

    const next = await journal.open("append");
    await next.append(['{"n":3}'], endOf(whole));
    await next.close();
    expect(bytesOf(path)).toBe(`${whole}{"n":3}\n`);
  });

  it("is cut where it is all there is", async () => {
    const path = await place();
    writeFileSync(path, '{"type":"hea');
    const writer = await fileJournal(path).open("append");
    await writer.append(["whole"], START);
    await writer.close();
    expect(bytesOf(path)).toBe("whole\n");
  });

  it("is cut however long it is, and searched for a newline to its end", async () => {
    const path = await place();
    const long = "x".repeat(200_000);
    writeFileSync(path, `a\n${long}\n`);
    const journal = fileJournal(path);
    const writer = await journal.open("append");
    expect(await refusal(writer.append(["b"], endOf("a\n")))).toContain("journal.conflict");
    writeFileSync(path, `a\n${long}`);
    await writer.append(["b"], endOf("a\n"));
    await writer.close();
    expect(bytesOf(path)).toBe("a\nb\n");
  });

  it("is not cut where the writer believes in a place within a line", async () => {
    const path = await place();
    writeFileSync(path, "a\nbbbb");
    const writer = await fileJournal(path).open("append");
    for (const bytes of [1, 3, 6]) {
      expect(await refusal(writer.append(["c"], { lines: 1, bytes }))).toContain(
        "journal.conflict",
      );
    }
    await writer.close();
    expect(bytesOf(path)).toBe("a\nbbbb");
  });
});

describe("another writer's bytes", () => {
  it("are a conflict that names the file and how to go on, and are kept", async () => {
    const path = await place();
    const writer = await fileJournal(path).open("create");
    await writer.append(["mine"], START);
    appendFileSync(path, "theirs\n");
    expect(await refusal(writer.append(["mine too"], endOf("mine\n")))).toBe(
      `journal.conflict: The journal ${path} does not end at byte 5, where this writer left it, but at 12: another writer appended to it. Resume the run from the journal as it is now.`,
    );
    expect(bytesOf(path)).toBe("mine\ntheirs\n");
    await writer.close();
  });

  it("are missed as well: a file that was cut is a conflict", async () => {
    const path = await place();
    const writer = await fileJournal(path).open("create");
    await writer.append(["one", "two"], START);
    writeFileSync(path, "one\n");
    expect(await refusal(writer.append(["three"], endOf("one\ntwo\n")))).toContain(
      "but at 4: it was cut or replaced",
    );
    expect(bytesOf(path)).toBe("one\n");
    await writer.close();
  });

  it("refuse what was queued behind the conflict too", async () => {
    const path = await place();
    const writer = await fileJournal(path).open("create");
    await writer.append(["a"], START);
    appendFileSync(path, "x\n");
    const refusals = await Promise.all([
      refusal(writer.append(["b"], endOf("a\n"))),
      refusal(writer.append(["c"], endOf("a\nb\n\n"))),
    ]);
    expect(refusals.map((each) => each.slice(0, 16))).toEqual([
      "journal.conflict",
      "journal.conflict",
    ]);
    expect(bytesOf(path)).toBe("a\nx\n");
    await writer.close();
  });
});

it("one that follows from what is there is taken beside one that does not", async () => {
  const path = await place();
  const writer = await fileJournal(path).open("create");
  const [first, second, third] = [
    writer.append(["a"], START),
    refusal(writer.append(["b"], endOf("a\nb\n"))),
    writer.append(["c"], endOf("a\n")),
  ];
  await Promise.all([first, third]);
  expect(await second).toContain("does not end at byte 4, where this writer left it, but at 2");
  expect(bytesOf(path)).toBe("a\nc\n");
  await expect(writer.append(["d"], START)).rejects.toMatchObject({ place: path });
  await writer.close();
});

it("reads what is torn however few bytes a call gives, and proves nothing by what it cannot read", async () => {
  const path = await place();
  writeFileSync(path, "aa\nbbb");
  let gives = 1;
  const calls = {
    pread: (fd: number, into: Uint8Array, at: number) =>
      nodeCalls.pread(fd, into.subarray(0, gives), at),
  };
  const writer = await fileJournal(path, { calls }).open("append");
  gives = 0;
  expect(await refusal(writer.append(["c"], endOf("aa\n")))).toContain(
    "only 0 of 1 bytes could be read",
  );
  expect(bytesOf(path)).toBe("aa\nbbb");
  gives = 1;
  await writer.append(["c"], endOf("aa\n"));
  expect(bytesOf(path)).toBe("aa\nc\n");
  await writer.close();
  writeFileSync(path, "aa\nbb\nb");
  const again = await fileJournal(path, { calls }).open("append");
  expect(await refusal(again.append(["c"], endOf("aa\n")))).toContain("journal.conflict");
  await again.close();
});

it("a file that was removed is not written on", async () => {
  const path = await place();
  const writer = await fileJournal(path).open("create");
  await writer.append(["a"], START);
  rmSync(path);
  expect(await refusal(writer.append(["b"], endOf("a\n")))).toBe(
    `journal.write: The journal ${path} could not be written: the file was removed.`,
  );
  await writer.close();
});

it("a file is written on where the file system counts no names", async () => {
  const path = await place();
  const calls = {
    fstat: (fd: number) => Object.assign(nodeCalls.fstat(fd), { nlink: 0 }),
  };
  const writer = await fileJournal(path, { calls }).open("create");
  await writer.append(["a"], START);
  await writer.append(["b"], endOf("a\n"));
  await writer.close();
  expect(bytesOf(path)).toBe("a\nb\n");
});

it("of a writer that was closed is refused, and closing twice is closing once", async () => {
  const path = await place();
  const writer = await fileJournal(path).open("create");
  await writer.append(["a"], START);
  await Promise.all([writer.close(), writer.close()]);
  await writer.close();
  expect(await refusal(writer.append(["b"], endOf("a\n")))).toMatch(
    /^journal\.write: .*: the writer was closed\.$/,
  );
  expect(bytesOf(path)).toBe("a\n");
});
