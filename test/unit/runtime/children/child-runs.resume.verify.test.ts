// A tree of runs whose process died: resumed from every prefix of every journal, it comes to the same
// end, and nothing that was settled runs again.

import { describe, expect, it } from "vitest";
import { pairKey } from "../../../../src/core/kernel/index.js";
import {
  type Agent,
  type End,
  type JournalPort,
  type ModelPort,
  memoryJournal,
  replay,
  resume,
  run,
  tool,
  type Waiting,
} from "../../../../src/index.js";
import { type TextJournal, textJournal } from "../../../../src/testing/index.js";
import { calls, familyOf, lineOf, type Member, runIdIn, worker } from "../../../support/family.js";
import { textIn } from "../../../support/journal-text.js";
import { rejection } from "../../../support/thrown.js";

const yes = { approve: true } as const;

/** A parent with two children, of which one has a child that asks before it pays. */
function tree(done: string[]) {
  const note = tool({
    name: "note",
    idempotent: true,
    execute: (_input, { idempotencyKey }) => {
      done.push(idempotencyKey);
      return "noted";
    },
  });
  const pay = {
    ...note,
    name: "pay",
    schema: { ...note.schema, name: "pay" },
    needsApproval: true,
  };
  const line: Member = {
    ...lineOf(1, [note, pay]),
    name: "line",
    says: [calls("level1"), "the line is through"],
  };
  const short: Member = {
    name: "short",
    tools: [note],
    says: [{ calls: [{ name: "note" }] }, "short is through"],
  };
  return familyOf({
    name: "parent",
    says: [calls("line", "short"), calls("short"), "all is done"],
    children: [line, short],
  });
}

/** What a run comes to, with everything decided that it waits for. */
async function through(
  { parent, model }: { parent: Agent; model: ModelPort },
  journal: JournalPort,
  first: "run" | "resume" = "resume",
): Promise<End> {
  let end: End =
    first === "run"
      ? await run(parent, "go", { model, journal, runId: "r" })
      : await resume(parent, journal, { model });
  while (end.status === "waiting") {
    const { approvals: asked } = end as Waiting<unknown, unknown>;
    const approvals = Object.fromEntries(asked.map(({ id }) => [id, yes]));
    expect(asked).not.toEqual([]);
    end = await resume(parent, journal, { model, approvals });
  }
  return end;
}

const outcome = ({ status, reason, context }: End) => ({ status, reason, context });

/** The tools that are settled in a tree of journals, by their idempotency keys. */
function settledIn(texts: ReadonlyMap<string, string>): Set<string> {
  const settled = new Set<string>();
  for (const [path, text] of texts) {
    for (const line of text.split("\n").slice(0, -1)) {
      const { event } = JSON.parse(line);
      if (event?.type.startsWith("tool.")) {
        settled.add(
          pairKey(
            runIdIn(
              "r",
              path.split(" ").filter((each) => each),
            ),
            event.id,
          ),
        );
      }
    }
  }
  return settled;
}

async function resumedFrom(texts: ReadonlyMap<string, string>, expected: End, place: string) {
  const done: string[] = [];
  const family = tree(done);
  const journal = textJournal(texts);
  const before = settledIn(texts);
  expect(outcome(await through(family, journal)), place).toEqual(outcome(expected));
  for (const key of done) expect(before.has(key), `${key} again, ${place}`).toBe(false);
  for (const [path, text] of journal.texts) {
    const kept = texts.get(path) ?? "";
    expect(text.startsWith(kept.slice(0, kept.lastIndexOf("\n") + 1)), place).toBe(true);
    const at = path
      .split(" ")
      .reduce<TextJournal>((each, id) => (id ? each.child(id) : each), journal);
    expect((await replay(family.parent, at)).status, place).toBe("identical");
  }
}

/** A port whose appends are seen, with those of its children. */
function seen(port: TextJournal, appended: () => void): JournalPort {
  return {
    ...port,
    child: (id) => seen(port.child(id), appended),
    read: (from) => port.read(from),
    async open(mode) {
      const writer = await port.open(mode);
      return {
        ...writer,
        async append(lines, expected) {
          await writer.append(lines, expected);
          appended();
        },
      };
    },
  };
}

describe("a tree whose process died", () => {
  it("is resumed from every moment of it, each journal torn or not", async () => {
    const moments: Map<string, string>[] = [];
    const journal = textJournal("");
    const end = await through(
      tree([]),
      seen(journal, () => moments.push(new Map(journal.texts))),
      "run",
    );
    expect(end.status).toBe("done");
    expect(moments.length).toBeGreaterThan(20);
    for (const [i, texts] of moments.entries()) {
      await resumedFrom(texts, end, `after append ${i}`);
      // The write after this one was torn, in whatever journal it was.
      const next = moments[i + 1];
      const torn = new Map(texts);
      for (const [path, text] of next ?? []) {
        const kept = texts.get(path) ?? "";
        torn.set(
          path,
          kept + text.slice(kept.length, kept.length + (text.length - kept.length) / 2),
        );
      }
      await resumedFrom(torn, end, `after append ${i}, torn`);
    }
  });

  it("is resumed from every prefix of every journal, the others whole", async () => {
    const journal = textJournal("");
    const end = await through(tree([]), journal, "run");
    const { texts } = journal;
    expect(texts.size).toBe(5);
    for (const [path, text] of texts) {
      const lines = text.split("\n").slice(0, -1);
      // Without its header the parent never began.
      for (let kept = path === "" ? 1 : 0; kept < lines.length; kept++) {
        const cut = lines.slice(0, kept).map((line) => `${line}\n`);
        const place = `${path || "the parent"} after line ${kept} of ${lines.length}`;
        await resumedFrom(new Map(texts).set(path, cut.join("")), end, place);
      }
    }
  });

  it("between a child's end and its parent's line: the child is not run again", async () => {
    const done: string[] = [];
    const { parent, model } = familyOf(lineOf(2, [worker(done)]));
    const journal = textJournal("");
    const end = await run(parent, "go", { model, journal, runId: "r" });
    const lines = journal.text.split("\n");
    const before = lines.findIndex((line) => line.includes('"type":"run.succeeded"'));
    const cut = new Map(journal.texts).set(
      "",
      lines
        .slice(0, before)
        .map((each) => `${each}\n`)
        .join(""),
    );
    const again = textJournal(cut);
    expect(outcome(await resume(parent, again, { model }))).toEqual(outcome(end));
    expect(done).toHaveLength(1);
    expect(new Map(again.texts).set("", "")).toEqual(new Map(journal.texts).set("", ""));
  });

  it("with a child that had started what may not be repeated: it is unknown to the child alone", async () => {
    const done: string[] = [];
    const family = familyOf(lineOf(1, [worker(done)]));
    const journal = textJournal("");
    await run(family.parent, "go", { model: family.model, journal, runId: "r" });
    const child = journal.texts.get("tool/0/0/0")?.split("\n").slice(0, 3).join("\n");
    const parent = journal.text.split("\n").slice(0, 3).join("\n");
    const again = textJournal(
      new Map([
        ["", `${parent}\n`],
        ["tool/0/0/0", `${child}\n`],
      ]),
    );
    expect((await resume(family.parent, again, { model: family.model })).status).toBe("done");
    expect(done).toHaveLength(1);
    expect(again.texts.get("tool/0/0/0")).toContain('"reason":"unknown"');
  });
});

describe("a resume that is refused", () => {
  /** A tree that rests: a child asks, and a sibling of it has a tool to run again. */
  async function resting() {
    const done: string[] = [];
    const journal = textJournal("");
    const family = tree(done);
    await run(family.parent, "go", { model: family.model, journal, runId: "r" });
    done.length = 0;
    return { ...family, done, journal };
  }

  it("where a child has another configuration: with what differs, nothing destroyed", async () => {
    const { journal } = await resting();
    const done: string[] = [];
    const other = tree(done);
    const texts = new Map(journal.texts);
    const changed = {
      ...other.parent,
      children: {
        ...other.parent.children,
        line: familyOf({ ...lineOf(1), name: "line", is: { system: "changed" } }).parent,
      },
    };
    const thrown = await rejection(resume(changed as never, journal, { model: other.model }));
    expect(thrown).toMatchObject({ code: "journal.configuration" });
    expect(thrown).toHaveProperty("message", expect.stringContaining("system differs"));
    expect(journal.texts).toEqual(texts);
    expect(done).toEqual([]);
  });

  it("where a child's journal is broken: with its line, nothing destroyed", async () => {
    const { journal, parent, model, done } = await resting();
    const broken = new Map(journal.texts);
    const path = "tool/0/0/0 tool/0/0/0";
    broken.set(path, (broken.get(path) ?? "").replace("level1, go", "level1, no"));
    const again = textJournal(broken);
    expect(await rejection(resume(parent, again, { model }))).toMatchObject({
      code: "journal.chain",
    });
    expect(again.texts).toEqual(broken);
    expect(done).toEqual([]);
  });

  it("where a child's journal is locked: nothing runs, and all other locks are given back", async () => {
    const { parent, model } = tree([]);
    const journal = memoryJournal();
    await run(parent, "go", { model, journal, runId: "r" });
    const child = journal.child?.("tool/0/0/0")?.child?.("tool/0/0/0");
    const writer = await child?.open("append");
    const before = await textIn(journal);
    const thrown = await rejection(resume(parent, journal, { model }));
    expect(thrown).toMatchObject({ code: "journal.locked" });
    expect(await textIn(journal)).toBe(before);
    await writer?.close();
    expect((await through({ parent, model }, journal)).status).toBe("done");
  });
});
