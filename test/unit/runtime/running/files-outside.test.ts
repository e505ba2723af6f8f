// Files of runs: large parts leave their bytes outside, a model is given them, and what is missing is refused.
import {
  agent,
  type BlobPort,
  type ModelPort,
  type ModelRequest,
  memoryJournal,
  resume,
  run,
  tool,
  type UserPart,
  withContent,
} from "reckoner";
import { memoryBlobs } from "reckoner/serve";
import { sqliteJournals } from "reckoner/sqlite";
import { describe, expect, it } from "vitest";
import { openSqlite } from "../../../support/journal-databases.js";
import { textIn } from "../../../support/journal-text.js";
import { rejection } from "../../../support/thrown.js";

const KIB = 1024;

/** A PNG of 640 by 258 pixels by its header, with so many bytes. */
function png(size: number): string {
  const bytes = Buffer.alloc(size, 7);
  bytes.set([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);
  bytes.writeUInt32BE(640, 16);
  bytes.writeUInt32BE(258, 20);
  return bytes.toString("base64");
}

const LARGE = png(100 * KIB);
const SMALL = png(64 * KIB);
const image = (data: string): UserPart => ({ type: "file", data, mediaType: "image/png" });

/** A model that says `Hello.`, and what it was asked. */
function listening(calls: readonly string[] = []) {
  const asked: ModelRequest[] = [];
  const model: ModelPort = {
    name: "listening",
    async generate(request) {
      asked.push(request);
      const name = calls[asked.length - 1];
      return {
        content: (name === undefined
          ? [{ type: "text", text: "Hello." }]
          : [
              { type: "tool-call", toolCallId: `c${asked.length}`, toolName: name, input: {} },
            ]) as never,
        finishReason: name === undefined ? "stop" : "tool-calls",
        usage: { inputTokens: 1, outputTokens: 1 },
      };
    },
  };
  const filesOf = (n: number) =>
    (asked[n]?.messages ?? []).flatMap(({ content }) =>
      typeof content === "string"
        ? []
        : (content as readonly { type: string }[]).filter(({ type }) => type === "file"),
    );
  return { model, asked, filesOf };
}

const talker = agent({ name: "talker", conversation: true });

describe("a run with a store of files", () => {
  it("leaves a part over 64 KiB outside, with its measures, and its model is given it", async () => {
    const journal = memoryJournal("run");
    const blobs = memoryBlobs();
    const { model, filesOf } = listening();
    const parts = [image(LARGE), image(SMALL)];
    await run(talker, { prompt: parts }, { model, journal, blobs });
    const text = await textIn(journal);
    expect(text).not.toContain(LARGE);
    expect(text).toContain(SMALL);
    const [, part] = /(\{[^{}]*"blob"[^{}]*\{[^{}]*\}[^{}]*\})/.exec(text) ?? [];
    const { blob, ...rest } = JSON.parse(part ?? "{}");
    expect(rest).toEqual({
      ...{ type: "file", mediaType: "image/png", size: 100 * KIB },
      measures: { width: 640, height: 258 },
    });
    expect(Buffer.from((await blobs.read(journal, blob)) ?? []).toString("base64")).toBe(LARGE);
    expect(filesOf(0)).toEqual(parts);

    // The same file again is kept once; a resumed run is given it as well.
    const again = { type: "image", image: `data:image/png;base64,${LARGE}` } as const;
    await resume(talker, journal, { model, blobs, messages: [[again]] });
    expect(filesOf(1)).toEqual([...parts, image(LARGE)]);
    const [, said] = /"type":"message"(.*)/.exec(await textIn(journal)) ?? [];
    expect(said).toContain(`"blob":"${blob}"`);
    await blobs.release(journal);
    expect(await blobs.read(journal, blob)).toBeUndefined();
  });

  it("keeps the files of what is said while it runs before any line names them", async () => {
    const journal = memoryJournal("run");
    const seen: string[] = [];
    const own = memoryBlobs();
    const blobs: BlobPort = {
      ...own,
      async keep(of, id, bytes) {
        await new Promise(setImmediate);
        seen.push((await textIn(journal)).includes(id) ? "too late" : "in time");
        await own.keep(of, id, bytes);
      },
    };
    const { model, asked, filesOf } = listening();
    const live = run(talker, { prompt: "Hello." }, { model, journal, blobs });
    live.message([image(LARGE)]);
    await live;
    expect(seen).toEqual(["in time"]);
    expect(await textIn(journal)).toContain('"blob"');
    if (asked.length === 1) await resume(talker, journal, { model, blobs });
    expect(filesOf(asked.length - 1)).toEqual([image(LARGE)]);
  });

  it("leaves the files of results outside, and a tool's error loses none", async () => {
    const look = tool({
      name: "look",
      execute: () => withContent("seen", [{ type: "file", data: LARGE, mediaType: "image/png" }]),
    });
    const journal = memoryJournal("run");
    const blobs = memoryBlobs();
    const { model, asked } = listening(["look"]);
    const looker = agent({ name: "looker", tools: [look] });
    await run(looker, "Look.", { model, journal, blobs });
    expect(await textIn(journal)).not.toContain(LARGE);
    expect(JSON.stringify(asked[1]?.messages)).toContain(LARGE);

    // Where they cannot be kept, they stay in the result: the tool ran.
    const full: BlobPort = {
      ...memoryBlobs(),
      keep: async () => {
        throw new Error("full");
      },
    };
    const second = memoryJournal("second");
    await run(looker, "Look.", { model: listening(["look"]).model, journal: second, blobs: full });
    expect(await textIn(second)).toContain(LARGE);
  });

  it("refuses what names a file that is not there, with its place, and writes nothing", async () => {
    const missing = { type: "file", blob: "none", mediaType: "image/png", size: 9 } as const;
    const journal = memoryJournal("run");
    const blobs = memoryBlobs();
    const { model } = listening();
    const prompt = [{ type: "text", text: "See." }, missing] as const;
    expect(await rejection(run(talker, { prompt }, { model, journal, blobs }))).toMatchObject({
      code: "blob.missing",
      place: "input.prompt[1]",
    });
    expect(await rejection(textIn(journal))).toMatchObject({ code: "journal.missing" });
    await run(talker, { prompt: "Hello." }, { model, journal, blobs });
    const before = await textIn(journal);
    expect(
      await rejection(resume(talker, journal, { model, blobs, messages: [[missing]] })),
    ).toMatchObject({ code: "blob.missing", place: "resume.messages[0][0]" });
    expect(await textIn(journal)).toBe(before);
  });

  it("fails a call whose file is gone, once, with its place; one that cannot be read is tried again", async () => {
    const once = agent({ name: "once" });
    const journal = memoryJournal("run");
    let fault: "gone" | "down" = "gone";
    let reads = 0;
    const own = memoryBlobs();
    const blobs: BlobPort = {
      ...own,
      async read(of, id) {
        reads += 1;
        if (fault === "gone") return undefined;
        if (reads === 1) throw new Error("down");
        return own.read(of, id);
      },
    };
    const given = { retry: { delayMs: 0 }, blobs };
    const { model } = listening();
    const gone = await run(once, { prompt: [image(LARGE)] }, { model, journal, ...given });
    expect(gone).toMatchObject({ status: "failed", error: { code: "blob.missing" } });
    expect((gone as { error: { message: string } }).error.message).toContain(
      "messages[0].content[0]",
    );
    expect(reads).toBe(1);
    fault = "down";
    reads = 0;
    const well = await run(
      once,
      { prompt: [image(LARGE)] },
      { model, journal: memoryJournal("other"), ...given },
    );
    expect([well.status, reads]).toEqual(["done", 2]);
  });
});

describe("files in tables", () => {
  it("go with the last run that names them, in the transaction of its removal", async () => {
    const database = openSqlite("libsql");
    const store = sqliteJournals(database);
    const { model } = listening();
    const count = () => database.prepare("SELECT id, holders FROM reckoner_blobs").all();
    const once = agent({ name: "once" });
    for (const id of ["a", "b"]) {
      const journal = store.journal(id);
      await run(once, { prompt: [image(LARGE)] }, { model, journal, blobs: store.blobs });
    }
    expect(count()).toMatchObject([{ holders: 2 }]);
    expect(await store.prune({ ids: ["a"], dryRun: true })).toMatchObject({ removed: ["a"] });
    expect(count()).toMatchObject([{ holders: 2 }]);
    await store.prune({ ids: ["a"] });
    expect(count()).toMatchObject([{ holders: 1 }]);
    // A removal that does not come about leaves what it holds.
    database.exec(
      "CREATE TRIGGER stays BEFORE DELETE ON reckoner_blobs BEGIN SELECT RAISE(ABORT, 'no'); END",
    );
    await expect(store.prune({ ids: ["b"] })).rejects.toThrow("no");
    expect(await textIn(store.journal("b"))).toContain("blob");
    expect(count()).toMatchObject([{ holders: 1 }]);
    database.exec("DROP TRIGGER stays");
    await store.forget();
    expect(count()).toEqual([]);
    expect(database.prepare("SELECT * FROM reckoner_blob_holds").all()).toEqual([]);
  });
});
