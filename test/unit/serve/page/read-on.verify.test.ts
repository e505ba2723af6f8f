// A request of a chat reads on behind the lines that those before it have read: as many at any length of the run.
// What it shows is what a page shows that reads all of it.
import { agent, scriptedModel, systemClock, tool } from "reckoner";
import { shown } from "reckoner/page";
import { type Host, host, memoryHostStore } from "reckoner/serve";
import { afterAll, describe, expect, it } from "vitest";
import { PageReader } from "../../../../src/serve/http/page-reader.js";
import { ReadRuns } from "../../../../src/serve/http/read-runs.js";
import { loadMessages, majors, openPage, type Page } from "../../../support/page-chat.js";
import { storeWith } from "../../../support/serve.js";

const ai = majors["7"] as (typeof majors)[string];
const ask = tool({ name: "ask", needsApproval: true, execute: () => "done" });
const desk = agent({ name: "desk", conversation: true, tools: [ask] });
const model = scriptedModel(({ messages }) => {
  const last = messages.at(-1);
  if (last?.role === "tool") return "It is done.";
  return String(last?.content).startsWith("Ask") ? { calls: [{ name: "ask" }] } : "I see.";
});
const hosts: Host[] = [];
afterAll(() => Promise.all(hosts.map((each) => each.drain())));

/** A host whose pages' lines are counted while it is asked to. */
function counted(store = memoryHostStore()) {
  const read = { lines: 0 };
  const counting = storeWith(store, {
    lines: async (...given) => {
      const lines = await store.lines(...given);
      read.lines += lines.length;
      return lines;
    },
  });
  const made = () => {
    const authorize = (request: Request) => ({
      tenant: request.headers.get("x-tenant") ?? undefined,
    });
    const own = host({ reasoners: [desk], model, store: counting, authorize });
    hosts.push(own);
    return own;
  };
  return { read, made };
}

/** What a page shows, and what one shows that loads all of it from another host. */
async function both(page: Page, other: Host) {
  const loaded = (await loadMessages(other, page.id)).map((each) => shown(each));
  const seen = page.messages.map((each) => shown(each));
  return { seen: JSON.parse(JSON.stringify(seen)), loaded };
}

describe("a request of a chat", () => {
  it("reads as many lines for a message behind 10 turns as behind 150", async () => {
    const { read, made } = counted();
    const own = made();
    const lines: number[] = [];
    for (let turn = 1; turn <= 152; turn++) {
      const before = read.lines;
      await sent(own, said(`Message ${turn}.`));
      lines.push(read.lines - before);
    }
    expect(lines[150]).toBe(lines[10]);
    expect(lines[150]).toBeLessThan(10);
    // Loaded anew it reads all once, and then it goes on.
    const again = openPage(ai, own, { id: "r1", messages: await loadMessages(own, "r1") });
    const before = read.lines;
    await again.sendMessage({ text: "And?" });
    expect(read.lines - before).toBe(lines[10]);
    const { seen, loaded } = await both(again, made());
    expect(seen).toHaveLength(2 * 153);
    expect(seen).toEqual(loaded);
  });

  it("shows the same as one that reads all, through approvals, edits and reloads", async () => {
    const { made } = counted();
    const [own, other] = [made(), made()];
    const page = openPage(ai, own, { id: "r1" });
    const check = async () => {
      expect(page.error).toBeUndefined();
      const { seen, loaded } = await both(page, other);
      expect(seen).toEqual(loaded);
    };
    for (const text of ["One.", "Ask one.", "Two.", "Ask two.", "Three."]) {
      await page.sendMessage({ text });
      const [approval] = (await own.run("r1").row()).approvals;
      if (approval !== undefined) {
        await page.addToolApprovalResponse({ id: approval.id, approved: text === "Ask two." });
        await expect.poll(() => JSON.stringify(page.lastMessage?.parts)).toContain("It is done.");
        await expect.poll(() => page.status).toBe("ready");
      }
      await check();
    }
    const [, , second] = page.messages;
    await page.sendMessage({ text: "Instead.", messageId: second?.id as string });
    await check();
    await page.sendMessage({ text: "And on." });
    await page.regenerate();
    await check();
    // At the other host, which has read an earlier part of it.
    const elsewhere = openPage(ai, other, { id: "r1", messages: await loadMessages(other, "r1") });
    await elsewhere.sendMessage({ text: "From elsewhere." });
    await page.resumeStream();
    await page.sendMessage({ text: "Back again." });
    expect(page.lastMessage?.parts.at(-1)).toMatchObject({ text: "I see." });
  });

  it("that was sent again streams the answer that it had, however old", async () => {
    const { made } = counted();
    const own = made();
    const page = openPage(ai, own, { id: "r1" });
    for (const text of ["One.", "Two.", "Three."]) await page.sendMessage({ text });
    const text = await sent(own, { id: "r1", messages: page.messages.slice(0, 1) });
    expect(text).toContain('"messageId":"answer-1"');
    expect(text).toContain("I see.");
  });

  it("goes on in nobody else's run", async () => {
    const { made } = counted();
    const own = made();
    await sent(own, said("Mine."), { "x-tenant": "acme" });
    const theirs = await sent(own, said("Theirs."), { "x-tenant": "other" });
    expect(theirs).toContain('"messageId":"answer-1"');
    const headers = { "x-tenant": "none" };
    const nobody = await own.fetch(new Request("http://x/chat/r1", { headers }));
    expect(nobody.status).toBe(404);
  });

  it("does not go on in a run that was begun anew under the same id", async () => {
    const kept = new ReadRuns();
    const eventsOf = async (text: string) => {
      const own = counted().made();
      await sent(own, said(text));
      const reader = new PageReader({ ...runsOf(own), kept }, "r1", systemClock);
      const events = await reader.read();
      reader.leave();
      return events.filter(({ type }) => type === "user");
    };
    expect(await eventsOf("One.")).toMatchObject([{ id: "One." }]);
    expect(await eventsOf("Two.")).toMatchObject([{ id: "Two." }]);
  });
});

const runsOf = (own: Host) => ({
  run: (id: string) => own.run(id),
  list: () => own.list(),
  watch: (id: string) => own.watch(id),
  unpark: (id: string) => own.unpark(id),
});

const said = (text: string) => ({
  id: "r1",
  messages: [{ id: text, role: "user", parts: [{ type: "text", text }] }],
});

async function sent(own: Host, body: object, headers: Record<string, string> = {}) {
  const response = await own.fetch(
    new Request("http://desk.example/chat", {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    }),
  );
  return response.text();
}
