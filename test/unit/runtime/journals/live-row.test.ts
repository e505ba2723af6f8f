// The row that a live run gives to its journal with each append is the row that its lines give.
import { expect, it } from "vitest";
import {
  agent,
  agentTool,
  type JournalPort,
  ModelError,
  memoryJournal,
  type RunRow,
  resume,
  run,
  scriptedModel,
  tool,
  virtualClock,
} from "../../../../src/index.js";
import { summaryOf } from "../../../../src/runtime/index.js";
import { textJournal } from "../../../../src/testing/index.js";
import { fork } from "../../../../src/time-travel.js";
import { textIn } from "../../../support/journal-text.js";

/** A journal that keeps an index, which holds the row of each append. */
function indexed(port: JournalPort = memoryJournal()) {
  const rows: (RunRow | undefined)[] = [];
  const ends: number[] = [];
  let keeps = true;
  const journal: JournalPort = {
    ...port,
    async open(mode) {
      const writer = await port.open(mode);
      return {
        row: (keeps ? rows.at(-1) : undefined) ?? null,
        async append(lines, expected, row) {
          await writer.append(lines, expected);
          rows.push(row);
          ends.push(expected.lines + lines.length);
        },
        close: () => writer.close(),
      };
    },
  };
  return {
    journal,
    rows,
    forget() {
      keeps = false;
    },
    /** Compares each row with what the lines up to it say. */
    async check() {
      const lines = (await textIn(port)).split("\n");
      expect(rows.length).toBeGreaterThan(0);
      for (const [n, end] of ends.entries()) {
        const so = textJournal(`${lines.slice(0, end).join("\n")}\n`);
        const { journal: _name, ...folded } = await summaryOf({ ...port, ...so, read: so.read });
        expect(rows[n], `append ${n}`).toEqual(folded);
      }
      return rows.at(-1) as RunRow;
    },
  };
}

const pay = tool({ name: "pay", needsApproval: true, execute: () => "paid" });
const boss = agent({
  name: "boss",
  conversation: true,
  publicDeps: ["user"],
  deps: { user: "Ada" },
  tools: [pay, agentTool(agent({ name: "clerk", tools: [pay] }), { name: "ask" })],
});
const asks = () =>
  scriptedModel((request) => {
    const last = request.messages.at(-1);
    if (last?.role !== "user") return "Done.";
    const isClerk = request.tools?.length === 1;
    return {
      calls: isClerk
        ? [{ name: "pay" }]
        : [{ name: "pay" }, { name: "ask", input: { prompt: "Pay." } }],
    };
  });

it.each(["its last row", "its lines alone"])(
  "of approvals, its child's too, and of a run that is resumed from %s",
  async (from) => {
    const index = indexed();
    const options = { model: asks(), journal: index.journal, tenant: "acme", person: "ada" };
    const waiting = await run(boss, "Pay the bill", { ...options, tags: ["new"] });
    expect(waiting.status).toBe("waiting");
    const row = await index.check();
    expect(row).toMatchObject({
      status: "waiting",
      title: "Pay the bill",
      tenant: "acme",
      person: "ada",
      tags: ["new"],
      data: { user: "Ada" },
    });
    expect(row.approvals.map(({ since }) => typeof since)).toEqual(["number", "number"]);
    if (from === "its lines alone") index.forget();
    for (const { id } of row.approvals) {
      await resume(boss, index.journal, { model: asks(), approvals: { [id]: { approve: true } } });
    }
    expect(await index.check()).toMatchObject({ status: "ready", approvals: [], children: [] });
  },
);

it("of tags that an event has replaced, also behind a fork", async () => {
  const index = indexed();
  const model = () => scriptedModel(["Hello."]);
  await run(boss, "Hello", { model: model(), journal: index.journal, tags: ["new"] });
  const tagged = (tags: unknown) => [{ type: "run.tagged", tags }];
  await resume(boss, index.journal, { model: model(), events: tagged(["seen", "Ä"]) });
  expect(await index.check()).toMatchObject({ tags: ["seen", "Ä"], status: "ready" });
  const { journal } = await fork(index.journal);
  expect(await summaryOf(journal)).toMatchObject({ tags: ["seen", "Ä"] });
  const { journal: before } = await fork(index.journal, { at: 1 });
  expect(await summaryOf(before)).toMatchObject({ tags: ["new"] });
  for (const wrong of [undefined, "new", [1], [""], ["a\nb"], ["x".repeat(201)]]) {
    const refused = resume(boss, index.journal, { model: model(), events: tagged(wrong) });
    await expect(refused).rejects.toMatchObject({ code: "event.invalid" });
  }
});

it("of a turn that failed, until the next", async () => {
  const index = indexed();
  const bad = {
    name: "m",
    generate: async () => {
      throw new ModelError({ code: "x", message: "no", status: 400 });
    },
  };
  await run(boss, "Hello", { model: bad, journal: index.journal });
  expect(await index.check()).toMatchObject({ status: "ready", failure: { message: "no" } });
  await resume(boss, index.journal, { events: [{ type: "run.tagged", tags: ["bad"] }] });
  expect(await index.check()).toMatchObject({ failure: { message: "no" }, tags: ["bad"] });
  await resume(boss, index.journal, { model: scriptedModel(["Hello."]), messages: ["Again"] });
  expect(await index.check()).not.toHaveProperty("failure");
});

it("of a model that is down, and of a run that is cancelled", async () => {
  const index = indexed();
  const clock = virtualClock(1_000);
  const down = {
    name: "m",
    generate: async () => {
      throw new ModelError({ code: "x", message: "busy", status: 503, transient: true });
    },
  };
  await run(boss, "Hello", {
    model: down,
    journal: index.journal,
    clock,
    retry: { attempts: 1 },
    modelDown: "wait" as const,
  });
  expect(await index.check()).toMatchObject({ status: "waiting", modelDown: { message: "busy" } });
  await resume(boss, index.journal, { model: down, clock, events: [{ type: "cancel" }] });
  expect(await index.check()).toMatchObject({ status: "cancelled", approvals: [] });
});

it("is asked of no port that keeps no index", async () => {
  const port = memoryJournal();
  const given: number[] = [];
  const journal: JournalPort = {
    ...port,
    async open(mode) {
      const { append, close } = await port.open(mode);
      return {
        append(...all: [never, never]) {
          given.push(all.filter((each) => each !== undefined).length);
          return append(...all);
        },
        close,
      };
    },
  };
  await run(boss, "Hello", { model: scriptedModel(["Hello."]), journal });
  expect(new Set(given)).toEqual(new Set([2]));
});

it("has labels that are none refused", async () => {
  for (const wrong of [{ tenant: "" }, { person: "a\0" }, { tags: ["a", 7] }, { tags: "a" }]) {
    const refused = async () => run(boss, "Hello", { model: asks(), ...(wrong as object) });
    await expect(refused()).rejects.toMatchObject({ code: "option.invalid" });
  }
});

it("is titled by its first message, where it began without one", async () => {
  const chat = agent({ name: "chat", conversation: true });
  const kept = indexed();
  const model = scriptedModel(["Good morning.", "And to you."]);
  await run(chat, { messages: [] }, { model, journal: kept.journal });
  const said = [{ type: "text", text: "Hello." }] as const;
  await resume(chat, kept.journal, { model, messages: [said] });
  await resume(chat, kept.journal, { model, messages: ["Goodbye."] });
  expect(await kept.check()).toMatchObject({ title: "Hello.", words: "And to you." });
});
