// Opening a run with its children: which of them are found, whose journals are taken, and what an
// upgrade of all of them leaves.
import { describe, expect, it } from "vitest";
import { type AnyReasoner, childNamed } from "../../../../src/core/driver/index.js";
import type { HeaderLine } from "../../../../src/core/journal/index.js";
import { hashOf, pairKey, type RunDirective } from "../../../../src/core/kernel/index.js";
import { agent, agentTool } from "../../../../src/index.js";
import { childrenNamed, inputDigest } from "../../../../src/runtime/children/named-children.js";
import {
  checkChild,
  closeRun,
  type OpenRun,
  openRun,
  writeUpgrades,
} from "../../../../src/runtime/children/open-run.js";
import {
  type JournalPort,
  resume,
  run,
  scriptedModel,
  virtualClock,
} from "../../../../src/runtime/index.js";
import { childRunId } from "../../../../src/runtime/journals/child-journal.js";
import { textJournal } from "../../../../src/testing/index.js";
import {
  approvalIn,
  calls,
  familyOf,
  lineOf,
  type Member,
  worker,
} from "../../../support/family.js";
import { refusal, rejection } from "../../../support/thrown.js";

const CHILD = "tool/0/0/0";
const GRANDCHILD = `${CHILD} ${CHILD}`;
const pay = () => worker([], "pay", { needsApproval: true });
const family = (more: Partial<Member> = {}) => familyOf({ ...lineOf(2, [pay()]), ...more });

/** The journals of a tree of three that rests; with `cancelled` of one that was cancelled. */
async function texts(
  cancelled = false,
  { parent, model }: ReturnType<typeof familyOf> = family(),
): Promise<Map<string, string>> {
  const journal = textJournal("");
  await run(parent, "gö", { model, journal, runId: "r" });
  if (cancelled) {
    const live = resume(parent, journal, { model });
    live.cancel("enough");
    await live;
  }
  return new Map(journal.texts);
}

const whole = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");
/** A journal up to a line that holds a text. */
function upTo(all: Map<string, string>, path: string, part: string): void {
  const lines = (all.get(path) ?? "").split("\n").slice(0, -1);
  const at = lines.findIndex((line) => line.includes(part));
  expect(at).toBeGreaterThan(0);
  all.set(path, whole(lines.slice(0, at)));
}

/** A port that says which children were asked for, and what is open. */
function watched(all: ReadonlyMap<string, string>) {
  const asked: string[] = [];
  const open = new Set<string>();
  const at = (port: JournalPort, path: string): JournalPort => ({
    ...port,
    read: (from) => port.read(from),
    child(id) {
      const inner = path === "" ? id : `${path} ${id}`;
      asked.push(inner);
      return at(port.child?.(id) as JournalPort, inner);
    },
    async open(mode) {
      const writer = await port.open(mode);
      open.add(path);
      return {
        ...writer,
        append: (lines, expected) => writer.append(lines, expected),
        async close() {
          open.delete(path);
          await writer.close();
        },
      };
    },
  });
  const port = textJournal(all);
  return { journal: at(port, ""), port, asked, open };
}

/** A tree by its names, with what each knows of those below it. */
const shapeOf = ({ reasoner, children, orphans }: OpenRun): object => ({
  id: reasoner.id,
  ...(children.size === 0 ? {} : { children: mapped(children) }),
  ...(orphans.size === 0 ? {} : { orphans: mapped(orphans) }),
});
const mapped = (runs: ReadonlyMap<string, OpenRun>) =>
  Object.fromEntries([...runs].map(([id, each]) => [id, shapeOf(each)]));
const as = (parent: unknown) => parent as AnyReasoner;

describe("a run that is opened", () => {
  it("has its children open, and theirs, and closes all of them", async () => {
    const { parent } = family();
    const { journal, asked, open } = watched(await texts());
    const opened = await openRun([as(parent)], journal, {});
    expect(shapeOf(opened)).toEqual({
      id: "level0",
      children: { [CHILD]: { id: "level1", children: { [CHILD]: { id: "level2" } } } },
    });
    // What is outstanding and no child has no journal of its own.
    expect(asked).toEqual([CHILD, GRANDCHILD]);
    expect([...open]).toEqual(["", CHILD, GRANDCHILD]);
    await closeRun(opened);
    expect([...open]).toEqual([]);
  });

  it("says of what it cannot close, and closes the others", async () => {
    const { parent } = family();
    const { journal, open } = watched(await texts());
    const opened = await openRun([as(parent)], journal, {});
    const stuck = (each: OpenRun): OpenRun => ({
      ...each,
      writer: { ...each.writer, close: () => Promise.reject(new Error("stuck")) },
    });
    opened.children.set(CHILD, stuck(opened.children.get(CHILD) as OpenRun));
    const failures = await closeRun(stuck(opened));
    expect(failures.map(({ code, message }) => `${code}: ${message}`)).toEqual([
      `journal.write: The journal text ${CHILD} could not be closed, and nothing that was written is lost: stuck.`,
      "journal.write: The journal text could not be closed, and nothing that was written is lost: stuck.",
    ]);
    expect([...open]).toEqual(["", CHILD]);
  });

  it("has none that has not begun, and one of which only the journal is there", async () => {
    const { parent } = family();
    const before = await texts();
    upTo(before, "", '"child":"begun"');
    const unmarked = await openRun([as(parent)], textJournal(before), {});
    expect(shapeOf(unmarked)).toMatchObject({ children: { [CHILD]: { id: "level1" } } });
    const without = new Map([["", before.get("") as string]]);
    expect(shapeOf(await openRun([as(parent)], textJournal(without), {}))).toEqual({
      id: "level0",
    });
    const { child: _none, ...childless } = textJournal(without);
    expect(shapeOf(await openRun([as(parent)], childless, {}))).toEqual({ id: "level0" });
  });

  it("is refused where one that has begun is not there, and says where it lay", async () => {
    const { parent } = family();
    const without = new Map([["", (await texts()).get("") as string]]);
    const refused = async (port: JournalPort) => rejection(openRun([as(parent)], port, {}));
    const { journal, open } = watched(without);
    expect(await refused(journal)).toMatchObject({
      code: "journal.child",
      place: CHILD,
      message: `The child run ${CHILD} has begun, and its journal text ${CHILD} is not there; put it back beside text, where it lay.`,
    });
    expect([...open]).toEqual([]);
    const { child: _none, ...childless } = textJournal(without);
    expect((await refused(childless)).message).toContain("its journal  is not there");
  });

  it("is found by its root's reasoner, and by its own, wherever it is in the tree", async () => {
    const { parent, model } = family();
    const own = parent.children.level1?.children.level2 as AnyReasoner;
    const id = approvalIn([CHILD], "approval/0/0");
    for (const code of [as(parent), own]) {
      const root = textJournal(await texts());
      const opened = await openRun([code], root.child(CHILD).child(CHILD), {});
      expect(shapeOf(opened)).toEqual({ id: "level2" });
      await closeRun(opened);
    }
    const child = textJournal(await texts()).child(CHILD);
    const end = await resume(parent, child, { model, approvals: { [id]: { approve: true } } });
    expect(end).toMatchObject({ status: "done", output: "1 done" });
  });

  it("leaves out a child that no reasoner has any more", async () => {
    const { parent } = family();
    const { parent: bare } = familyOf({ name: "level0", says: [] });
    const other = { ...as(parent), children: bare.children } as AnyReasoner;
    const opened = await openRun([other], textJournal(await texts()), {});
    expect(shapeOf(opened)).toEqual({ id: "level0" });
  });
});

describe("a child that was cancelled and has not ended", () => {
  const orphaned = async () => {
    const all = await texts(true);
    // Its parent's end was written first; the child's own, and the mark of it, are lost.
    upTo(all, "", '"child":"ended"');
    upTo(all, CHILD, '"type":"cancel"');
    upTo(all, GRANDCHILD, '"type":"cancel"');
    return all;
  };

  it("is opened to be brought to its end", async () => {
    const { parent } = family();
    const opened = await openRun([as(parent)], textJournal(await orphaned()), {});
    expect(shapeOf(opened)).toEqual({
      id: "level0",
      orphans: { [CHILD]: { id: "level1", children: { [CHILD]: { id: "level2" } } } },
    });
  });

  it("is nobody where nothing of it is left, or it is another's, or has no code", async () => {
    const { parent } = family();
    const of = async (change: (all: Map<string, string>) => void, code = as(parent)) => {
      const all = await orphaned();
      change(all);
      const { journal, open } = watched(all);
      const opened = await openRun([code], journal, {});
      expect([...open]).toEqual([""]);
      return shapeOf(opened);
    };
    const nobody = { id: "level0" };
    expect(await of((all) => all.delete(CHILD))).toEqual(nobody);
    const another = familyOf(lineOf(2, [pay()]));
    const other = textJournal("");
    const clock = virtualClock(5);
    await run(another.parent, "gö", { model: another.model, journal: other, runId: "r", clock });
    const text = other.texts.get(CHILD) as string;
    // The same run, begun another time: its header has another hash.
    expect(await of((all) => all.set(CHILD, text))).toEqual(nobody);
    const { parent: bare } = familyOf({ name: "level0", says: [] });
    expect(await of(() => {}, { ...as(parent), children: bare.children })).toEqual(nobody);
    const { child: _none, ...childless } = textJournal(await orphaned());
    expect(shapeOf(await openRun([as(parent)], childless, {}))).toEqual(nobody);
  });
});

describe("an upgrade of a tree", () => {
  it("is written whole, the children's lines first, and says where each journal ends", async () => {
    const now = family({ is: { system: "näw" } });
    const { parent } = family();
    const both = [as(now.parent), as(parent)];
    const { journal, port } = watched(await texts());
    const opened = await openRun(both, journal, { upgradeAt: 9e12 });
    expect(opened.loaded).toMatchObject({ atUpgrade: false, upgrade: { at: 9e12 } });
    await writeUpgrades(opened);
    const { position, atUpgrade, upgrade } = opened.loaded;
    expect([atUpgrade, upgrade]).toEqual([true, undefined]);
    expect(position).toEqual({
      lines: port.text.split("\n").length - 1,
      bytes: new TextEncoder().encode(port.text).length,
    });
    expect(port.text.trimEnd().split("\n").at(-1)).toMatch(/^\{"upgrade"/);
    // Of what has the configuration already nothing is written.
    const before = new Map(port.texts);
    const loaded = opened.loaded;
    await writeUpgrades(opened);
    expect([port.texts, opened.loaded]).toEqual([before, loaded]);
  });

  it.each([false, true])("is of a child, not of one below it of the same name", async (ended) => {
    const leaf = agent({ name: "same", tools: [pay()] });
    const of = (system: string) => {
      const child = agent({ name: "same", system, tools: [agentTool(leaf, { name: "same" })] });
      return agent({ name: "root", tools: [agentTool(child, { name: "same" })] });
    };
    const model = scriptedModel(({ tools = [] }) =>
      tools.some(({ name }) => name === "pay") ? { calls: [{ name: "pay" }] } : calls("same"),
    );
    const all = await texts(ended, { parent: of("before"), model });
    if (ended) {
      upTo(all, "", '"child":"ended"');
      upTo(all, CHILD, '"type":"cancel"');
    }
    const now = as(of("now"));
    const reasoners = [now, as(of("before"))];
    const opened = await openRun(reasoners, textJournal(all), { upgradeAt: 9e12 });
    const found = (ended ? opened.orphans : opened.children).get(CHILD);
    expect(found?.reasoner.fingerprint).toBe(now.children.same?.fingerprint);
  });

  it("finds a child under the name that it had before", async () => {
    const { parent } = family();
    const { parent: bare } = familyOf({ name: "level0", says: [] });
    const now = { ...as(parent), children: bare.children, fingerprint: "now" } as AnyReasoner;
    const all = await texts();
    // Without an upgrade, only its own children are anybody.
    const opened = await openRun([now, as(parent)], textJournal(all), { upgradeAt: 9e12 });
    expect(Object.keys(shapeOf(opened))).toContain("children");
  });
});

describe("whose journal it is", () => {
  const parent = { runId: "r", hash: "h" };
  const directive = {
    type: "run",
    id: "d",
    reasoner: "child",
    input: { a: "hush" },
  } as RunDirective;
  const own = {
    runId: "r",
    hash: "h",
    id: "d",
    input: inputDigest(directive, {}),
    path: ["child"],
  };
  const header = (more: object = {}, runId = childRunId("r", "d")) =>
    ({ type: "header", runId, parent: { ...own, ...more } }) as unknown as HeaderLine;
  const port = { name: "j" } as JournalPort;
  const check = (of: HeaderLine, mayBe = true) =>
    checkChild(port, of, parent, directive, {}, mayBe);
  const said = (of: HeaderLine, mayBe?: boolean) => {
    const { code, place, message } = refusal(() => check(of, mayBe));
    expect([code, place]).toEqual(["journal.child", "d"]);
    return message.replace(
      /^The journal j, where the child run d of run r would be, (.*)\. Move it away, or run in another place\.$/,
      "$1",
    );
  };

  it("is its parent's and its directive's, by every name that it has", () => {
    check(header());
    const another = `is that of run ${pairKey("r", "d")}`;
    expect(said(header({ runId: "s" }))).toBe(another);
    expect(said(header({ id: "e" }))).toBe(another);
    expect(said(header({}, "x"))).toBe("is that of run x");
    expect(said({ ...header(), parent: undefined } as never)).toBe(another);
    expect(said(header({ hash: "g" }))).toBe("belongs to another run with that id");
    expect(said(header(), false)).toBe("belongs to another run with that id");
    expect(said(header({ input: "i" }))).toBe("began with another input");
  });

  it("is known by the input that its parent gave it, redacted", () => {
    const redact = (value: object) => JSON.parse(JSON.stringify(value).replace("hush", "***"));
    expect(inputDigest(directive, { redact })).toBe(hashOf({ a: "***" }));
    expect(inputDigest(directive, {})).toBe(hashOf({ a: "hush" }));
  });
});

describe("children by their names", () => {
  const [one, two] = [{ id: "one" }, { id: "two" }] as unknown as [AnyReasoner, AnyReasoner];

  it("are what a reasoner has, and nothing that every object has", () => {
    expect(childNamed({ children: { a: one } }, "a")).toBe(one);
    expect([
      childNamed({ children: { a: one } }, "b"),
      childNamed({ children: {} }, "toString"),
    ]).toEqual([undefined, undefined]);
    const versions = [{ children: { a: one } }, { children: {} }, { children: { a: two } }];
    expect(childrenNamed(versions as never, "a")).toEqual([one, two]);
    expect(childrenNamed(versions as never, "constructor")).toEqual([]);
  });
});
