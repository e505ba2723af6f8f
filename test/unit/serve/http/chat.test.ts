// The AI SDK's own chat over a host: what it says and decides, and what it then shows.
import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import {
  agent,
  ModelError,
  type ModelPort,
  scriptedModel,
  tool,
  virtualClock,
} from "../../../../src/index.js";
import { shown } from "../../../../src/page.js";
import {
  type Host,
  type HostRunsOptions,
  host,
  memoryBlobs,
  memoryHostStore,
} from "../../../../src/serve.js";
import { loadMessages, majors, openPage, type PageMessage } from "../../../support/page-chat.js";
import { inTime } from "../../../support/serve.js";

/** Ends the copy that is under way. */
let finishCopy = () => {};

const desk = agent({
  name: "desk",
  conversation: true,
  tools: [
    tool({
      name: "refund",
      inputSchema: z.object({ euros: z.number() }),
      needsApproval: true,
      execute: ({ euros }) => `refunded ${euros}`,
    }),
    tool({ name: "seat", ask: z.object({ row: z.number() }) }),
    tool({
      name: "copy",
      execute: (_input, { progress }) => {
        progress({ percent: 50 });
        return new Promise<string>((resolve) => {
          finishCopy = () => resolve("copied");
        });
      },
    }),
    tool({ name: "note", reduce: () => "noted" }),
    tool({ name: "fail", execute: () => Promise.reject(new Error("a secret")) }),
  ],
});

/** Calls the tools that the last message names, and then says what it has read. */
const deskModel = scriptedModel(({ messages }) => {
  const last = messages.at(-1);
  if (last?.role === "tool") return "That is all.";
  const words = String(last?.content).split(" ");
  const calls = words.flatMap((name) =>
    name === "refund"
      ? [{ name, input: { euros: 5 }, id: `c${messages.length}-${name}` }]
      : ["seat", "note", "fail", "copy"].includes(name)
        ? [{ name, id: `c${messages.length}-${name}` }]
        : [],
  );
  return calls.length === 0 ? `You said ${words.join(" ")}` : { text: "Let me see.", calls };
});

const hosts: Host[] = [];
afterAll(() => Promise.all(hosts.map((each) => each.drain())));

function made(more: Partial<HostRunsOptions> = {}): Host {
  const own = host({
    ...{ reasoners: [desk], model: deskModel, store: memoryHostStore() },
    authorize: () => ({ person: "ann", role: "clerk" }),
    ...more,
  });
  hosts.push(own);
  return own;
}

/** The parts of a message in short. */
const brief = (message: PageMessage | undefined) =>
  shown(message as PageMessage).parts.map((part) => {
    const { type, text, state, output, errorText } = part as { [name: string]: unknown };
    if (type === "step-start") return "step";
    if (type === "text") return text;
    return [String(type).replace("tool-", ""), state, output ?? errorText]
      .filter((each) => each !== undefined)
      .join(" ");
  });

const plain = (messages: readonly PageMessage[]) =>
  JSON.parse(JSON.stringify(messages.map((each) => shown(each))));

describe("a request of a page", () => {
  const ask = async (own: Host, path: string, body: object, more: Record<string, string> = {}) => {
    const request = new Request(`http://desk.example/${path}`, {
      ...{ method: "POST", body: JSON.stringify(body) },
      headers: { "content-type": "application/json", ...more },
    });
    const response = await own.fetch(request);
    return { status: response.status, text: await response.text() };
  };

  it("that is neither yes nor no decides nothing", async () => {
    const own = made();
    await openPage(majors["6"] as never, own, { id: "r1" }).sendMessage({ text: "refund" });
    const [approval] = (await own.run("r1").row()).approvals;
    const messages = await loadMessages(own, "r1");
    for (const approved of ["yes", 1, undefined]) {
      const said = messages.map((message) => ({
        ...message,
        parts: message.parts.map((part) =>
          "approval" in part
            ? { ...part, state: "approval-responded", approval: { id: approval?.id, approved } }
            : part,
        ),
      }));
      const { status, text } = await ask(own, "chat", { id: "r1", messages: said });
      expect([status, text]).toEqual([400, expect.stringContaining("must be true or false")]);
    }
    for (const payload of [{}, { approve: "true" }, "yes", null]) {
      const resume = [{ interruptId: approval?.id, status: "resolved", payload }];
      const input = { threadId: "r1", runId: "x", messages: [], resume };
      const { status, text } = await ask(own, "ag-ui", input);
      expect([status, text]).toEqual([400, expect.stringContaining("must be true or false")]);
    }
    expect((await own.run("r1").row()).approvals).toHaveLength(1);
  });

  it("edits what a run began with, by either door", async () => {
    const own = made();
    await own.run("r1").start({ input: { prompt: "one" } }, { key: "s" });
    await expect.poll(async () => (await own.run("r1").row()).status).toBe("ready");
    const parts = [{ type: "text", text: "two" }];
    const message = { id: "start", role: "user", parts };
    const edit = { id: "r1", trigger: "submit-message", messageId: "start", messages: [message] };
    expect((await ask(own, "chat", edit)).status).toBe(200);
    const texts = async () => (await loadMessages(own, "r1")).flatMap((each) => brief(each));
    expect(await texts()).toEqual(["two", "step", "You said two"]);
    expect((await ask(own, "runs/r1/edit", { event: 0, content: "three" })).status).toBe(200);
    await expect.poll(texts).toEqual(["three", "step", "You said three"]);
  });

  it("with a message that was said is that message, as it was sent and as it is shown", async () => {
    const own = made({ blobs: memoryBlobs() });
    const url = `data:text/plain;base64,${Buffer.from("x".repeat(100_000)).toString("base64")}`;
    const file = { type: "file", mediaType: "text/plain", filename: "a.txt", url };
    const parts = [{ type: "text", text: "Read." }, file];
    const say = (message: object) => ask(own, "chat", { id: "r1", messages: [message] });
    const message = { id: "m1", role: "user", parts };
    const first = await say(message);
    expect(first.status).toBe(200);
    const { events } = await own.run("r1").row();
    const [shownMessage] = await loadMessages(own, "r1");
    expect(JSON.stringify(shownMessage)).toContain('"filename":"a.txt"');
    for (const again of [message, shownMessage as never]) {
      expect((await say(again)).status).toBe(200);
    }
    const other = await say({ ...message, parts: parts.slice(0, 1) });
    expect([other.status, other.text]).toEqual([409, expect.stringContaining("event.key")]);
    expect((await own.run("r1").row()).events).toBe(events);
  });

  it("with an edit that was made is that edit, wherever the message stands by then", async () => {
    const own = made();
    const run = own.run("r1");
    await run.start({ input: { prompt: "copy" } });
    const lines = async () => (await run.lines()).lines;
    await expect.poll(async () => (await lines()).join()).toContain('"type":"start"');
    await run.message("Wait.", { key: "m1", by: "ann", role: "clerk" });
    finishCopy();
    await expect.poll(async () => (await run.row()).status).toBe("ready");
    const seqs = async () =>
      (await lines()).flatMap((line) => {
        const { seq, event } = JSON.parse(line);
        return event?.type === "message" ? [seq] : [];
      });
    const before = await seqs();
    const edit = (text: string, key: string) => {
      const message = { id: "m1", role: "user", parts: [{ type: "text", text }] };
      const body = { id: "r1", trigger: "submit-message", messageId: "m1", messages: [message] };
      return ask(own, "chat", body, { "idempotency-key": key });
    };
    expect((await edit("Go.", "e")).status).toBe(200);
    expect(await seqs()).not.toEqual(before);
    const { journal } = await run.lines();
    expect(await edit("Go.", "e")).toMatchObject({ status: 200, text: expect.any(String) });
    expect((await run.lines()).journal).toBe(journal);
    // Other words under that name are an edit of their own: nothing of them is lost.
    expect((await edit("Stop.", "e")).status).toBe(200);
    expect((await lines()).join()).toContain("Stop.");
  });

  it("that goes on with a message of the agent's which is not there is told so", async () => {
    const own = made();
    const messages = [{ id: "answer-1", role: "assistant", parts: [] }];
    const missing = await ask(own, "chat", { id: "r1", messages });
    expect([missing.status, missing.text]).toEqual([404, expect.stringContaining("run.missing")]);
    await openPage(majors["6"] as never, own, { id: "r1" }).sendMessage({ text: "Hello." });
    expect((await ask(own, "chat", { id: "r1", messages })).status).toBe(200);
    const other = [{ id: "answer-9", role: "assistant", parts: [] }];
    expect((await ask(own, "chat", { id: "r1", messages: other })).status).toBe(409);
  });

  it("for another answer to a message that is not there is a conflict", async () => {
    const messages = [{ id: "m", role: "user", parts: [] }];
    const again = { id: "r1", trigger: "regenerate-message", messages };
    expect(await ask(made(), "chat", again)).toMatchObject({ status: 409 });
  });
});

describe.each(Object.entries(majors))("a page with the AI SDK %s", (_major, ai) => {
  it("begins a run, and goes on with it", async () => {
    const own = made();
    const page = openPage(ai, own, { id: "r1" });
    await page.sendMessage({ text: "Hello." });
    expect(page.error).toBeUndefined();
    expect(page.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect(brief(page.lastMessage)).toEqual(["step", "You said Hello."]);
    await page.sendMessage({ text: "And?" });
    expect(brief(page.lastMessage)).toEqual(["step", "You said And?"]);
    expect((await own.run("r1").row()).person).toBe("ann");
    expect(plain(await loadMessages(own, "r1"))).toEqual(plain(page.messages));
  });

  it("asks for an approval, and runs what is approved", async () => {
    const own = made();
    const page = openPage(ai, own, { id: "r1" });
    await page.sendMessage({ text: "refund" });
    expect(brief(page.lastMessage)).toEqual(["step", "Let me see.", "refund approval-requested"]);
    const [approval] = (await own.run("r1").row()).approvals;
    await page.addToolApprovalResponse({ id: approval?.id as string, approved: true });
    await expect.poll(() => brief(page.lastMessage).at(-1)).toBe("That is all.");
    expect(brief(page.lastMessage)).toEqual([
      ...["step", "Let me see.", "refund output-available refunded 5", "step", "That is all."],
    ]);
    await expect.poll(() => page.status).toBe("ready");
    expect(plain(await loadMessages(own, "r1"))).toEqual(plain(page.messages));
  });

  it("follows what somebody else decides", async () => {
    const own = made();
    const page = openPage(ai, own, { id: "r1" });
    await page.sendMessage({ text: "refund" });
    const follow = await own.fetch(new Request("http://x/chat/r1/stream?follow=true"));
    const followed = follow.text();
    const [approval] = (await own.run("r1").row()).approvals;
    await own.run("r1").decide(approval?.id as string, { approve: true });
    const text = await followed;
    expect(text).toContain("refunded 5");
    expect(text).toMatch(/"finish"\}\n\ndata: \[DONE\]\n\n$/);
  });

  it("is told no with a reason", async () => {
    const own = made();
    const page = openPage(ai, own, { id: "r1" });
    await page.sendMessage({ text: "refund" });
    const [approval] = (await own.run("r1").row()).approvals;
    const id = approval?.id as string;
    await page.addToolApprovalResponse({ id, approved: false, reason: "too much" });
    await expect.poll(() => brief(page.lastMessage).at(-1)).toBe("That is all.");
    expect(brief(page.lastMessage)).toContain("refund output-denied");
    const lines = (await own.run("r1").lines()).lines.join("\n");
    expect(lines).toContain('"reason":"too much","by":"ann"');
    expect(plain(await loadMessages(own, "r1"))).toEqual(plain(page.messages));
  });

  it("answers a typed question as a call of its own, and is refused what does not fit", async () => {
    const own = made();
    const page = openPage(ai, own, { id: "r1" });
    await page.sendMessage({ text: "seat" });
    expect(brief(page.lastMessage)).toEqual(["step", "Let me see.", "seat input-available"]);
    const toolCallId = "c1-seat";
    await page.addToolOutput({ tool: "seat" as never, toolCallId, output: { row: "x" } as never });
    await expect.poll(() => page.status).toBe("error");
    expect(page.error?.message).toContain("approval.input");
    await page.addToolOutput({ tool: "seat" as never, toolCallId, output: { row: 7 } as never });
    await expect.poll(() => brief(page.lastMessage).at(-1)).toBe("That is all.");
    const rows = JSON.stringify(page.lastMessage?.parts);
    expect(rows).toContain('{"row":7}');
    expect(plain(await loadMessages(own, "r1"))).toEqual(plain(page.messages));
  });

  it("shows pure tools, and of a failure no more than the model may read", async () => {
    const own = made();
    const page = openPage(ai, own, { id: "r1" });
    await page.sendMessage({ text: "note fail" });
    expect(brief(page.lastMessage)).toEqual([
      ...["step", "Let me see.", "note output-available noted"],
      ...["fail output-error fail failed.", "step", "That is all."],
    ]);
    expect(plain(await loadMessages(own, "r1"))).toEqual(plain(page.messages));
  });

  it("edits a message, the first one too, and asks for another answer", async () => {
    const own = made();
    const page = openPage(ai, own, { id: "r1" });
    await page.sendMessage({ text: "One." });
    await page.sendMessage({ text: "Two." });
    const [first] = page.messages;
    await page.sendMessage({ text: "Three.", messageId: first?.id as string });
    expect(page.error).toBeUndefined();
    expect(page.messages.map((each) => brief(each).at(-1))).toEqual(["Three.", "You said Three."]);
    expect(page.messages[0]?.id).toBe(first?.id);
    expect(plain(await loadMessages(own, "r1"))).toEqual(plain(page.messages));
    await page.regenerate();
    expect(page.error).toBeUndefined();
    expect(page.messages.map((each) => brief(each).at(-1))).toEqual(["Three.", "You said Three."]);
    expect(plain(await loadMessages(own, "r1"))).toEqual(plain(page.messages));
    await page.sendMessage({ text: "Four." });
    expect(page.messages).toHaveLength(4);
    expect(plain(await loadMessages(own, "r1"))).toEqual(plain(page.messages));
  });

  it("stops a turn, and keeps what was said until then", async () => {
    const own = made({ model: slow() });
    const page = openPage(ai, own, { id: "r1" });
    const sent = page.sendMessage({ text: "Hello." });
    await expect.poll(() => brief(page.lastMessage).at(-1)).toBe("Once upon");
    await own.run("r1").interrupt("enough");
    await sent;
    expect(page.status).toBe("ready");
    expect(brief(page.lastMessage).at(-1)).toContain("Once upon");
    expect(plain(await loadMessages(own, "r1"))).toEqual(plain(page.messages));
  });

  it("goes on after a reload, and after its connection broke", async () => {
    const own = made({ model: twice() });
    const first = openPage(ai, own, { id: "r1" });
    const sent = first.sendMessage({ text: "Hello." });
    await expect.poll(() => brief(first.lastMessage).at(-1)).toBe("Once upon");
    // Another page is opened meanwhile: it is told what streamed in before.
    const messages = await loadMessages(own, "r1");
    const second = openPage(ai, own, { id: "r1", messages });
    const resumed = second.resumeStream();
    await expect.poll(() => brief(second.lastMessage).at(-1)).toBe("Once upon");
    await first.stop();
    goOn();
    await resumed;
    expect(brief(second.lastMessage)).toEqual(["step", "Once upon a time."]);
    await first.resumeStream();
    await sent;
    expect(plain(first.messages)).toEqual(plain(second.messages));
    expect(plain(await loadMessages(own, "r1"))).toEqual(plain(second.messages));
    await second.resumeStream();
    expect(plain(first.messages)).toEqual(plain(second.messages));
    expect((await own.fetch(new Request("http://x/chat/none/stream"))).status).toBe(204);
    expect((await own.fetch(new Request("http://x/chat/none"))).status).toBe(404);
  });

  it("tells an answer to its end where another message is sent meanwhile, in other tabs too", async () => {
    const own = made({ model: twice() });
    const first = openPage(ai, own, { id: "r1" });
    const sent = first.sendMessage({ text: "One." });
    await expect.poll(() => brief(first.lastMessage).at(-1)).toBe("Once upon");
    const second = openPage(ai, own, { id: "r1", messages: await loadMessages(own, "r1") });
    const resumed = second.resumeStream();
    await expect.poll(() => brief(second.lastMessage).at(-1)).toBe("Once upon");
    const sentToo = first.sendMessage({ text: "Two." });
    await expect.poll(async () => (await own.run("r1").row()).queue?.length).toBe(1);
    goOn();
    await expect.poll(() => brief(second.lastMessage)).toEqual(["step", "Once upon a time."]);
    await Promise.all([sent, resumed]);
    await expect.poll(() => brief(first.lastMessage).at(-1)).toBe("Once upon");
    goOn();
    await sentToo;
    expect(first.messages.map((each) => brief(each).at(-1))).toEqual([
      ...["One.", "Once upon a time.", "Two.", "Once upon a time."],
    ]);
    const loaded = plain(await loadMessages(own, "r1"));
    expect(plain(first.messages)).toEqual(loaded);
    expect(plain(second.messages)).toEqual(loaded.slice(0, 2));
  });

  it("takes back the text of an attempt that failed", async () => {
    const own = made({ model: failing(), retry: { delayMs: 1 } });
    const page = openPage(ai, own, { id: "r1" });
    const sent = page.sendMessage({ text: "Hello." });
    await expect.poll(() => brief(page.lastMessage).at(-1)).toBe("I am wr");
    goOn();
    await sent;
    const types = page.lastMessage?.parts.map(({ type }) => type);
    expect(types).toContain("data-reckoner-withdrawn");
    expect(JSON.stringify(page.lastMessage)).toContain("I am wr");
    expect(brief(page.lastMessage)).toEqual(["step", "I am right."]);
    expect(plain(await loadMessages(own, "r1"))).toEqual(plain(page.messages));
  });

  it("is told that a model is down, also loaded anew, and no more once it answers", async () => {
    const clock = virtualClock(0);
    let isUp = false;
    const model: ModelPort = {
      name: "down",
      async generate() {
        if (!isUp) throw new ModelError({ code: "x", message: "overloaded", transient: true });
        return { content: [{ type: "text", text: "Hello." }], finishReason: "stop", usage: {} };
      },
    };
    const own = made({ model, clock, store: memoryHostStore({ clock }) });
    const page = openPage(ai, own, { id: "r1" });
    const sent = page.sendMessage({ text: "Hello." });
    const waits = () => JSON.stringify(shown(page.lastMessage as PageMessage).parts);
    await inTime(clock, expect.poll(waits, { interval: 1 }).toContain("reckoner-waiting"));
    const [part] = shown(page.lastMessage as PageMessage).parts;
    expect(part).toMatchObject({
      type: "data-reckoner-waiting",
      data: { message: expect.stringContaining("overloaded"), isOver: false },
    });
    const loaded = await inTime(clock, loadMessages(own, "r1"));
    expect(loaded.map((each) => brief(each))).toMatchObject([
      ["Hello."],
      [expect.stringContaining("reckoner-waiting")],
    ]);
    isUp = true;
    await inTime(clock, sent);
    expect(brief(page.lastMessage)).toEqual(["step", "Hello."]);
    expect(plain(await inTime(clock, loadMessages(own, "r1")))).toEqual(plain(page.messages));
    await inTime(clock, own.drain());
  });

  it("is told that the run is parked, as whoever reads it by AG-UI is", async () => {
    const clock = virtualClock(1_000_000);
    const store = memoryHostStore({ clock });
    // Its process is gone in the middle of a turn, and no other has its code.
    const hangs: ModelPort = { name: "hangs", generate: () => new Promise(() => {}) };
    const first = made({ model: hangs, clock, store });
    const begun = { input: { messages: [{ role: "user", content: "Hello." }] } };
    await inTime(clock, first.run("r1").start(begun));
    await inTime(clock, first.drain());
    const second = made({ reasoners: [agent({ name: "other" })], clock, store });
    const page = openPage(ai, second, { id: "r1" });
    await inTime(clock, page.resumeStream());
    expect(page.lastMessage?.parts.at(-1)).toMatchObject({
      type: "data-reckoner-failed",
      data: { code: "run.parked", message: expect.stringContaining("run.reasoner") },
    });
    const input = { threadId: "r1", runId: "x", messages: [] };
    const headers = { "content-type": "application/json" };
    const asked = { method: "POST", headers, body: JSON.stringify(input) };
    const read = await inTime(clock, second.fetch(new Request("http://desk.example/ag-ui", asked)));
    const told = await inTime(clock, read.text());
    expect(told).toContain('{"type":"RUN_ERROR","code":"run.parked"');
    await inTime(clock, second.drain());
  });

  it("is told how far a tool is", async () => {
    const own = made();
    const told: unknown[] = [];
    const onData = (part: unknown) => {
      told.push(part);
      finishCopy();
    };
    const page = openPage(ai, own, { id: "r1", onData });
    await page.sendMessage({ text: "copy" });
    expect(told).toMatchObject([
      { type: "data-reckoner-progress", data: { data: { percent: 50 } } },
    ]);
    expect(brief(page.lastMessage)).toContain("copy output-available copied");
    expect((await own.run("r1").lines()).lines.join("\n")).not.toContain("percent");
  });
});

let goOn = () => {};

/** Streams two words, and the rest when it is told to. */
function twice(): ModelPort {
  return {
    name: "twice",
    async generate(_request, { onDelta }) {
      onDelta({ type: "text", text: "Once " });
      onDelta({ type: "text", text: "upon" });
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
      onDelta({ type: "text", text: " a time." });
      const content = [{ type: "text", text: "Once upon a time." }] as const;
      return { content, finishReason: "stop", usage: {} };
    },
  };
}

/** Fails in the middle of its first answer. */
function failing(): ModelPort {
  return {
    name: "failing",
    async generate(_request, { onDelta, attempt }) {
      onDelta({ type: "text", text: attempt === 1 ? "I am wr" : "I am " });
      if (attempt === 1) {
        await new Promise<void>((resolve) => {
          goOn = resolve;
        });
        throw new ModelError({ code: "x", message: "over", transient: true });
      }
      const content = [{ type: "text", text: "I am right." }] as const;
      return { content, finishReason: "stop", usage: {} };
    },
  };
}

/** Streams two words, and waits until it is stopped. */
function slow(): ModelPort {
  return {
    name: "slow",
    generate: (_request, { onDelta, signal }) =>
      new Promise((_resolve, reject) => {
        onDelta({ type: "text", text: "Once " });
        onDelta({ type: "text", text: "upon" });
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      }),
  };
}
