// What people meet of a conversation that waits between its messages, in a file: bytes written for a message,
// all files of the run, the processor time of going on, and syncs.
import { fdatasync, fsync, mkdtempSync, readdirSync, rmSync, statSync, writeSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { fileJournal } from "../../dist/adapters/file-journal/index.js";
import { agent, resume, run, scriptedModel, toArray } from "../../dist/index.js";
import { cpuSeconds, figure } from "../figure.mjs";

/** Of the lengths that a support desk sees: a journal of some 4 KiB a message. */
const TEXT = "A customer writes what went wrong, when, and what they did. ".repeat(10);
const ANSWER = "The desk says what it found, and what happens next. ".repeat(24);
const chat = agent({ name: "chat", conversation: { queue: "each" } });
const model = scriptedModel(() => ANSWER);
/** A model's first piece is there when it comes, and not with the question. */
const later = {
  ...model,
  async generate(...given) {
    await new Promise(setImmediate);
    return model.generate(...given);
  },
};

/** A journal, and what was written to its files and how often it was synced. */
function counted(path) {
  const seen = { bytes: 0, syncs: 0 };
  const syncing = (call) => {
    const later = promisify(call);
    return async (fd) => {
      await later(fd);
      seen.syncs += 1;
    };
  };
  const calls = {
    write(fd, data) {
      seen.bytes += data.length;
      return writeSync(fd, data);
    },
    async writeFile(file, text) {
      seen.bytes += Buffer.byteLength(text);
      await writeFile(file, text, { flag: "wx", mode: 0o600 });
    },
    fdatasync: syncing(fdatasync),
    fsync: syncing(fsync),
  };
  return { seen, journal: () => fileJournal(path, { calls }) };
}

const sizeOf = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .reduce((sum, each) => sum + statSync(join(each.parentPath ?? each.path, each.name)).size, 0);

/** Bytes written for a message, and those of its lines, at some messages of a conversation. */
async function messages(folder, upTo) {
  const path = join(folder, "run.jsonl");
  const { seen, journal } = counted(path);
  const first = { bytes: 0 };
  let end = await run(chat, TEXT, { model, journal: journal() });
  const all = [];
  for (let i = 2; i <= upTo; i++) {
    first.bytes = seen.bytes;
    const size = statSync(path).size;
    end = await resume(chat, journal(), { model, messages: [TEXT] });
    all.push({ at: i, written: seen.bytes - first.bytes, lines: statSync(path).size - size });
  }
  const last = Buffer.byteLength(
    JSON.stringify({ ...end.context, messages: toArray(end.context.messages) }),
  );
  return { all, files: sizeOf(folder), needed: statSync(path).size + last };
}

/** The mean of what was written for the messages around one. */
function around(all, at, of) {
  const near = all.filter((each) => Math.abs(each.at - at) <= 4);
  return near.reduce((sum, each) => sum + of(each), 0) / near.length;
}

/** Seconds of processor time to go on with a run of so many events, of the second time. */
async function goingOn(folder, events, rounds) {
  const journal = () => fileJournal(join(folder, `${events}.jsonl`));
  await run(chat, TEXT, { model, journal: journal() });
  for (let left = Math.round(events / 2) - 1; left > 0; left -= 500) {
    const more = Array.from({ length: Math.min(left, 500) }, () => TEXT);
    await resume(chat, journal(), { model, messages: more });
  }
  const spent = [];
  for (let i = 0; i <= rounds; i++) {
    spent.push(await cpuSeconds(() => resume(chat, journal(), { model, messages: [TEXT] })));
  }
  return Math.min(...spent.slice(1));
}

export async function measure({ rounds, longest }) {
  const folder = mkdtempSync(join(tmpdir(), "bench-conversation-"));
  try {
    const late = Math.min(400, longest);
    const { all, files, needed } = await messages(mkdtempSync(join(folder, "m-")), late + 4);
    const written = (at) => around(all, at, (each) => each.written);
    const { seen, journal } = counted(join(folder, "one.jsonl"));
    let first;
    for await (const each of run(agent({ name: "one" }), TEXT, {
      model: later,
      journal: journal(),
    })) {
      if (each.type === "delta") first ??= seen.syncs;
    }
    const few = await goingOn(folder, 300, rounds);
    const many = await goingOn(folder, Math.min(10_000, longest), rounds);
    const kept = { kept: true };
    return [
      figure(
        "message.growth",
        `bytes written for a message, message ${late} against message 10`,
        [written(late) / written(10)],
        { aim: { atMost: 1.5 }, ...kept },
      ),
      figure(
        "message.lines",
        `bytes written for message ${late}, against its own lines`,
        [written(late) / around(all, late, ({ lines }) => lines)],
        { aim: { atMost: 5 }, ...kept },
      ),
      figure(
        "conversation.files",
        "all files of a run, against its journal and its last state",
        [files / needed],
        { aim: { atMost: 1.1 }, ...kept },
      ),
      figure(
        "conversation.resume",
        "processor time of the next message, 10 000 events against 300",
        [many / few],
        { aim: { atMost: 3 } },
      ),
      figure("turn.syncs", "syncs of a durable run of one turn", [seen.syncs], {
        aim: { atMost: 4 },
        ...kept,
      }),
      figure("turn.firstToken", "syncs before the first token of a stream is shown", [first], {
        aim: { atMost: 2 },
        ...kept,
      }),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}
