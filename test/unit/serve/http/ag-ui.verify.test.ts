// AG-UI over a host, with its own client: a turn, approvals as interrupts, and a stream that is cut at any event.
import { HttpAgent } from "@ag-ui/client";
import { agent, ModelError, scriptedModel, tool } from "reckoner";
import { host, memoryHostStore } from "reckoner/serve";
import { afterAll, describe, expect, it, vi } from "vitest";
import { Connection, cutHost, quietly } from "../../../support/cut-page.js";
import { isLong } from "../../../support/is-long.js";

// The client says on the console what it makes of a stream that broke.
const quiet = ["error", "warn"].map((name) => vi.spyOn(console, name as "error").mockReturnValue());
afterAll(() => {
  for (const each of quiet) each.mockRestore();
});

type Messages = HttpAgent["messages"];

function client(connection: Connection, messages: Messages = []): HttpAgent {
  return new HttpAgent({
    url: "http://desk.example/ag-ui",
    threadId: "r1",
    initialMessages: messages,
    fetch: async (url, init) => quietly(await connection.fetch(new Request(url, init))),
  });
}

/** Answers all that an agent waits for, as the page of the other protocol does. */
function answers({ pendingInterrupts }: HttpAgent) {
  return pendingInterrupts.map(({ id, reason, toolCallId }) => ({
    interruptId: id,
    status: "resolved" as const,
    payload: reason === "question" ? { row: 7 } : { approve: toolCallId === "call-refund" },
  }));
}

/** @param cut the events that come before the connection breaks */
async function play(cut: number | undefined, reloads: boolean) {
  const own = cutHost();
  const connection = new Connection(own, cut);
  let agent = client(connection);
  agent.addMessage({ id: "m0", role: "user", content: "I want my money back." });
  let broke = 0;
  try {
    for (let n = 0; n < 20; n++) {
      const resume = answers(agent);
      const isOver = await agent.runAgent({ ...(resume.length === 0 ? {} : { resume }) }).then(
        () => agent.pendingInterrupts.length === 0,
        () => {
          broke += 1;
          if (reloads) agent = client(connection);
          return false;
        },
      );
      if (isOver) break;
    }
    const other = client(new Connection(own));
    await other.runAgent();
    return { seen: shownIn(agent), loaded: shownIn(other), events: connection.events, broke };
  } finally {
    await own.drain();
  }
}

/** Reasoning that was taken back is empty. */
const shownIn = ({ messages }: HttpAgent) =>
  (JSON.parse(JSON.stringify(messages)) as { role: string; content?: string }[]).filter(
    ({ role, content }) => role !== "reasoning" || content !== "",
  );

describe("a thread of AG-UI", () => {
  it("is a run: its texts, its calls, what it waits for", async () => {
    const own = cutHost();
    const agent = client(new Connection(own));
    agent.addMessage({ id: "m0", role: "user", content: "I want my money back." });
    const types = new Set<string>();
    agent.subscribe({ onEvent: ({ event }) => void types.add(event.type) });
    await agent.runAgent();
    expect(agent.pendingInterrupts).toMatchObject([
      { reason: "approval", toolCallId: "call-refund", message: "Run the tool refund?" },
      { reason: "approval", toolCallId: "call-pay" },
      { reason: "question", toolCallId: "call-seat", responseSchema: { required: ["row"] } },
    ]);
    expect([...types]).toEqual(
      expect.arrayContaining(["RUN_STARTED", "MESSAGES_SNAPSHOT", "TEXT_MESSAGE_CONTENT"]),
    );
    // Loaded anew: what waits can be answered.
    const again = client(new Connection(own));
    await again.runAgent();
    expect(again.pendingInterrupts).toEqual(agent.pendingInterrupts);
    expect(shownIn(again)).toEqual(shownIn(agent));
    await again.runAgent({ resume: answers(again) });
    expect(again.pendingInterrupts).toEqual([]);
    expect(shownIn(again).map(({ role, content }) => [role, content])).toEqual(
      [
        ["user", "I want my money back."],
        ["reasoning", "I think."],
        ["assistant", "Let me look."],
        ["tool", "fail failed."],
        ["tool", '{"euros":5}'],
        ["tool", "noted"],
        ["assistant", "May I?"],
        ["tool", "refunded"],
        ["tool", "Denied."],
        ["tool", '{"row":7}'],
        ["assistant", "It is done."],
      ].map((each) => expect.arrayContaining(each)),
    );
    await own.drain();
  });

  it("shows the words that the run has, where a known message comes with others", async () => {
    const own = cutHost();
    const agent = client(new Connection(own));
    agent.addMessage({ id: "m0", role: "user", content: "I want my money back." });
    await agent.runAgent();
    const other = client(new Connection(own));
    other.addMessage({ id: "m0", role: "user", content: "I want nothing." });
    await other.runAgent();
    expect(shownIn(other)).toEqual(shownIn(agent));
    await own.drain();
  });

  it("shows an answer as one, where an attempt that failed began with reasoning", async () => {
    const own = host({
      ...{ reasoners: [agent({ name: "desk", conversation: true })], store: memoryHostStore() },
      ...{ retry: { delayMs: 1 }, authorize: () => ({ person: "ann" }) },
      model: {
        name: "words",
        async generate(_request, { onDelta, attempt }) {
          onDelta({ type: attempt === 1 ? "reasoning" : "text", text: "good" });
          await new Promise(setImmediate);
          if (attempt === 1) {
            throw new ModelError({ code: "x", message: "overloaded", transient: true });
          }
          const content = [{ type: "text" as const, text: "good" }];
          return { content, finishReason: "stop", usage: {} };
        },
      },
    });
    const page = client(new Connection(own));
    page.addMessage({ id: "m0", role: "user", content: "Hello." });
    await page.runAgent();
    const other = client(new Connection(own));
    await other.runAgent();
    expect(shownIn(page)).toEqual(shownIn(other));
    expect(shownIn(page).at(-1)).toMatchObject({ role: "assistant", content: "good" });
    await own.drain();
  });

  it("tells the failure of its last turn, also to a page that is loaded anew, beside what waits", async () => {
    const pay = tool({ name: "pay", needsApproval: { blocks: false }, execute: () => "paid" });
    const desk = agent({ name: "desk", conversation: true, tools: [pay] });
    const model = scriptedModel(({ messages }) => {
      const { role, content } = messages.at(-1) as { role: string; content: unknown };
      if (content === "Fail.") throw new ModelError({ code: "x", message: "no such model" });
      return content === "Pay." ? { calls: [{ name: "pay", id: "c1" }] } : `After ${role}.`;
    });
    const own = host({
      ...{ reasoners: [desk], model, store: memoryHostStore() },
      authorize: () => ({ person: "ann" }),
    });
    const say = (page: HttpAgent, id: string, content: string) => {
      page.addMessage({ id, role: "user", content });
      return page.runAgent().then(
        () => undefined,
        () => "failed",
      );
    };
    const errors = async (page: HttpAgent) => {
      const seen: unknown[] = [];
      page.subscribe({
        onRunErrorEvent: ({ event }) => void seen.push(event.message),
        onCustomEvent: ({ event }) => void seen.push([event.name, event.value]),
      });
      await page.runAgent().catch(() => {});
      return seen;
    };
    const page = client(new Connection(own));
    await say(page, "m0", "Fail.");
    expect(await errors(client(new Connection(own)))).toEqual([
      expect.stringContaining("no such model"),
    ]);
    await say(page, "m1", "Pay.");
    expect(await errors(client(new Connection(own)))).toEqual([]);
    // Somewhere else, since a client says nothing while interrupts wait.
    await own.run("r1").message("Fail.", { key: "m2" });
    await expect.poll(async () => (await own.run("r1").row()).failure).toBeDefined();
    const again = client(new Connection(own));
    expect(await errors(again)).toEqual([
      ["reckoner.failed", expect.objectContaining({ message: expect.stringContaining("no such") })],
    ]);
    expect(again.pendingInterrupts).toHaveLength(1);
    await own.drain();
  });

  it("is refused what is none, and an answer that does not fit", async () => {
    const own = cutHost();
    const ask = (body: object) =>
      own.fetch(
        new Request("http://desk.example/ag-ui", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
        }),
      );
    expect((await ask({ threadId: "r1" })).status).toBe(400);
    const messages = [{ id: "m0", role: "user", content: "Hello." }];
    const thread = { threadId: "r1", runId: "1", messages };
    await (await ask(thread)).text();
    const [, , seat] = (await own.run("r1").row()).approvals;
    const entry = { interruptId: seat?.id, status: "resolved", payload: { row: "x" } };
    expect((await ask({ ...thread, resume: [entry] })).status).toBe(409);
    for (const none of [null, "x", {}, { ...entry, interruptId: 1 }, { ...entry, status: "yes" }]) {
      const refused = await ask({ ...thread, resume: [none] });
      expect([refused.status, await refused.text()]).toEqual([
        400,
        expect.stringContaining("interruptId"),
      ]);
    }
    expect((await own.run("r1").row()).approvals).toHaveLength(3);
    await own.drain();
  });

  it.each([
    ["loaded anew", true],
    ["gone on with", false],
  ])("shows the same, wherever it was cut, %s", async (_how, reloads) => {
    const { seen, loaded, events } = await play(undefined, false);
    expect(seen).toEqual(loaded);
    const all = Array.from({ length: events }, (_, cut) => cut);
    // Both ways together make each cut once; `npm run verify -- --long` makes each in both ways.
    const cuts = all.filter((cut) => isLong || (cut % 2 === 0) === reloads);
    while (cuts.length > 0) {
      await Promise.all(
        cuts.splice(0, 12).map(async (cut) => {
          const own = await play(cut, reloads);
          expect(own.broke, `cut behind ${cut} events`).toBe(1);
          expect(own.seen, `cut behind ${cut} events`).toEqual(seen);
          expect(own.loaded, `cut behind ${cut} events`).toEqual(seen);
        }),
      );
    }
  });
});
