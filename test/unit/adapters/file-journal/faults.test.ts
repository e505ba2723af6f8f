// A disk that is full or broken: the append says so, and leaves the file as it was.
import { describe, expect, it } from "vitest";
import { type FileCalls, nodeCalls } from "../../../../src/adapters/file-journal/file-calls.js";
import { fileJournal } from "../../../../src/adapters/file-journal/index.js";
import { bytesOf, endOf, place, refusal, START } from "./place.js";

const systemError = (code: string, what: string): Error =>
  Object.assign(new Error(`${code}: ${what}`), { code });
const FULL = systemError("ENOSPC", "no space left on device, write");
const BROKEN = systemError("EIO", "i/o error, fdatasync");

/** A journal with one line, whose next calls can be made to fail. */
async function withOneLine() {
  const path = await place();
  const faults: Partial<FileCalls> = {};
  const writer = await fileJournal(path, {
    calls: {
      fstat: (fd) => (faults.fstat ?? nodeCalls.fstat)(fd),
      write: (fd, data) => (faults.write ?? nodeCalls.write)(fd, data),
      pread: (fd, into, at) => (faults.pread ?? nodeCalls.pread)(fd, into, at),
      ftruncate: (fd, bytes) => (faults.ftruncate ?? nodeCalls.ftruncate)(fd, bytes),
      fdatasync: (fd) => (faults.fdatasync ?? nodeCalls.fdatasync)(fd),
    },
  }).open("create");
  await writer.append(["one"], START);
  return { path, faults, writer };
}

const fails = (error: Error) => () => {
  throw error;
};

describe("a full disk", () => {
  it("refuses the append with the reason; a retry is clean", async () => {
    const { path, faults, writer } = await withOneLine();
    faults.write = fails(FULL);
    expect(await refusal(writer.append(["two"], endOf("one\n")))).toBe(
      `journal.write: The journal ${path} could not be written: ENOSPC: no space left on device, write; nothing of it is in the file, so it can be tried again.`,
    );
    expect(bytesOf(path)).toBe("one\n");
    delete faults.write;
    await writer.append(["two"], endOf("one\n"));
    await writer.close();
    expect(bytesOf(path)).toBe("one\ntwo\n");
  });

  it("that takes a part of the lines has it cut back, whole lines too", async () => {
    const { path, faults, writer } = await withOneLine();
    faults.write = (fd, data) => nodeCalls.write(fd, data.subarray(0, 6));
    expect(await refusal(writer.append(["two", "three"], endOf("one\n")))).toContain(
      "only 6 of 10 bytes could be written; nothing of it is in the file",
    );
    expect(bytesOf(path)).toBe("one\n");
    delete faults.write;
    await writer.append(["two", "three"], endOf("one\n"));
    await writer.close();
    expect(bytesOf(path)).toBe("one\ntwo\nthree\n");
  });

  it("where the part cannot be cut back is cut by the next append", async () => {
    const { path, faults, writer } = await withOneLine();
    faults.write = (fd, data) => nodeCalls.write(fd, data.subarray(0, 6));
    faults.ftruncate = fails(BROKEN);
    expect(await refusal(writer.append(["two", "three"], endOf("one\n")))).toContain(
      "a part of it may be in the file",
    );
    expect(bytesOf(path)).toBe("one\ntwo\nth");
    delete faults.write;
    // Still not to be cut: the retry fails as well, and is no conflict.
    expect(await refusal(writer.append(["two"], endOf("one\n")))).toContain("journal.write");
    delete faults.ftruncate;
    await writer.append(["TWO"], endOf("one\n"));
    await writer.close();
    expect(bytesOf(path)).toBe("one\nTWO\n");
  });

  it("never has another writer's bytes cut back", async () => {
    const { path, faults, writer } = await withOneLine();
    faults.write = (fd, data) => {
      nodeCalls.write(fd, Buffer.from("a longer line of somebody else\n"));
      return nodeCalls.write(fd, data.subarray(0, 2));
    };
    expect(await refusal(writer.append(["two"], endOf("one\n")))).toContain(
      "a part of it may be in the file",
    );
    expect(bytesOf(path)).toBe("one\na longer line of somebody else\ntw");
    delete faults.write;
    expect(await refusal(writer.append(["two"], endOf("one\n")))).toContain("journal.conflict");
    await writer.close();
    expect(bytesOf(path)).toBe("one\na longer line of somebody else\ntw");
  });
});

describe("a broken disk", () => {
  it("that fails to sync has the lines cut back, since nobody knows what is on it", async () => {
    const { path, faults, writer } = await withOneLine();
    faults.fdatasync = () => Promise.reject(BROKEN);
    expect(await refusal(writer.append(["two"], endOf("one\n")))).toContain(
      "EIO: i/o error, fdatasync; nothing of it is in the file",
    );
    expect(bytesOf(path)).toBe("one\n");
    delete faults.fdatasync;
    await writer.append(["two"], endOf("one\n"));
    await writer.close();
    expect(bytesOf(path)).toBe("one\ntwo\n");
  });

  it("that keeps all of the lines, and can neither sync nor cut them, has them cut by the next append", async () => {
    const { path, faults, writer } = await withOneLine();
    faults.fdatasync = () => Promise.reject(BROKEN);
    faults.ftruncate = fails(BROKEN);
    await expect(writer.append(["two"], endOf("one\n"))).rejects.toMatchObject({
      code: "journal.write",
      place: path,
    });
    expect(bytesOf(path)).toBe("one\ntwo\n");
    delete faults.fdatasync;
    delete faults.ftruncate;
    await writer.append(["TWO"], endOf("one\n"));
    await writer.close();
    expect(bytesOf(path)).toBe("one\nTWO\n");
  });

  it("refuses what was queued behind the failure, and takes it when it is tried again", async () => {
    const { path, faults, writer } = await withOneLine();
    let fail: (error: Error) => void = () => {};
    let syncing = false;
    faults.fdatasync = () =>
      new Promise((_, reject) => {
        syncing = true;
        fail = reject;
      });
    const first = refusal(writer.append(["two"], endOf("one\n")));
    while (!syncing) await Promise.resolve();
    const second = refusal(writer.append(["three"], endOf("one\ntwo\n")));
    fail(BROKEN);
    expect(await first).toContain("journal.write");
    expect(await second).toContain("journal.write");
    expect(bytesOf(path)).toBe("one\n");
    delete faults.fdatasync;
    await Promise.all([
      writer.append(["two"], endOf("one\n")),
      writer.append(["three"], endOf("one\ntwo\n")),
    ]);
    await writer.close();
    expect(bytesOf(path)).toBe("one\ntwo\nthree\n");
  });

  it("that cannot even be looked at refuses with a journal's error", async () => {
    const { path, faults, writer } = await withOneLine();
    faults.fstat = fails(BROKEN);
    expect(await refusal(writer.append(["two"], endOf("one\n")))).toContain("journal.write");
    delete faults.fstat;
    await writer.close();
    expect(bytesOf(path)).toBe("one\n");
  });
});
