// Networks that break a stream at any byte, inside of a letter or of a line, and a proxy that holds it back: the page
// shows in the end what one shows that was never cut.
import { request as ask, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate } from "node:timers/promises";
import { HttpAgent } from "@ag-ui/client";
import { agent, type ModelPort, tool } from "reckoner";
import { shown } from "reckoner/page";
import { type Host, host, memoryHostStore } from "reckoner/serve";
import { afterAll, describe, expect, it, vi } from "vitest";
import { quietly } from "../../../support/cut-page.js";
import { isLong } from "../../../support/is-long.js";
import { loadMessages, majors, openPage, type PageMessage } from "../../../support/page-chat.js";

/** However busy the machine is. */
const LATE = { timeout: 120_000 };
const ai = majors["7"] as (typeof majors)[string];
const quiet = ["error", "warn"].map((name) => vi.spyOn(console, name as "error").mockReturnValue());
const hosts: Host[] = [];
afterAll(async () => {
  for (const each of quiet) each.mockRestore();
  await Promise.all(hosts.map((each) => each.drain()));
});

const look = tool({ name: "look", execute: () => ({ 料金: "5 €" }) });
const desk = agent({ name: "desk", conversation: true, tools: [look] });
/** Lets the model go on in the middle of the input of its second turn's call. */
const hold = { resolve: () => {} };
const model: ModelPort = {
  name: "letters",
  async generate({ messages }, { onDelta }) {
    const input = { für: "🫖" };
    const call = { type: "tool-call", toolCallId: "call-1", toolName: "look", input } as const;
    const isFirst = messages.at(-1)?.role === "user";
    const text = isFirst ? "Natürlich… 🫖 " : "Fünf €, 料金.";
    const tell = async (delta: Parameters<typeof onDelta>[0]) => {
      onDelta(delta);
      for (let turn = 0; turn < 5; turn++) await setImmediate();
    };
    for (const letters of text.match(/.{1,5}/gu) ?? []) await tell({ type: "text", text: letters });
    if (isFirst) {
      const [toolCallId, toolName] = ["call-1", "look"];
      await tell({ type: "tool-input", text: '{"für":', toolCallId, toolName });
      if (messages.length > 2)
        await new Promise<void>((done) => Object.assign(hold, { resolve: done }));
      await tell({ type: "tool-input", text: '"🫖"}', toolCallId, toolName });
    }
    const content = [{ type: "text", text } as const, ...(isFirst ? [call] : [])];
    return { content, finishReason: "stop", usage: {} };
  },
};
function made(): Host {
  const authorize = () => ({ person: "ann" });
  const own = host({ reasoners: [desk], model, store: memoryHostStore(), authorize });
  hosts.push(own);
  return own;
}

/** A response that breaks behind so many of its bytes. */
function cutAt(whole: Uint8Array, bytes: number, type: string): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(whole.slice(0, bytes));
    },
    pull: (controller) => controller.error(new TypeError("network error")),
  });
  return new Response(body, { headers: { "content-type": type } });
}

const recorded = async (response: Response) => new Uint8Array(await response.arrayBuffer());
const TYPE = "text/event-stream; charset=utf-8";

/** All cuts are made by `npm run verify -- --long`; else every fourth, and each within a character. */
const cutsOf = (bytes: Uint8Array): readonly number[] =>
  [...bytes.keys()].filter((cut) => isLong || cut % 4 === 0 || (bytes[cut] ?? 0) >= 0x80);

describe("a stream that is cut at any byte", () => {
  it("of the AI SDK's chat: resumed, it shows the same", async () => {
    const own = made();
    let first = new Uint8Array();
    const recording = openPage(ai, own, {
      id: "r1",
      fetch: async (request) => {
        first = await recorded(await own.fetch(request));
        return new Response(first.slice(), { headers: { "content-type": TYPE } });
      },
    });
    await recording.sendMessage({ text: "Hé?" });
    const again = await recorded(await own.fetch(new Request("http://x/chat/r1/stream")));
    const loaded = (await loadMessages(own, "r1")).map((each) => shown(each));
    expect(new TextDecoder().decode(first)).toContain("tool-input-delta");
    const user = recording.messages[0] as PageMessage;
    for (const cut of cutsOf(first)) {
      const answers = [
        () => cutAt(first, cut, TYPE),
        () => new Response(again.slice(), { headers: { "content-type": TYPE } }),
      ];
      const fetch = async () => (answers.shift() as () => Response)();
      const page = openPage(ai, own, { id: "r1", fetch, sends: false });
      await page.sendMessage({ ...user } as never);
      await page.resumeStream();
      const seen = JSON.parse(JSON.stringify(page.messages.slice(1).map((each) => shown(each))));
      expect(seen, `cut behind ${cut} bytes`).toEqual(loaded.slice(1));
    }
  });

  it("of AG-UI: asked again, it shows the same", async () => {
    const own = made();
    const request = () => ({ url: "http://x/ag-ui", threadId: "r1" });
    let bytes = new Uint8Array();
    const over = (fetch: (asked: Request) => Promise<Response>, messages: HttpAgent["messages"]) =>
      new HttpAgent({
        ...{ ...request(), initialMessages: messages },
        fetch: (url, init) => fetch(new Request(url, init)),
      });
    const said: HttpAgent["messages"] = [{ id: "m0", role: "user", content: "Hé?" }];
    const first = over(async (asked) => {
      bytes = await recorded(await own.fetch(asked));
      return new Response(bytes.slice(), { headers: { "content-type": TYPE } });
    }, said);
    await first.runAgent();
    const whole = JSON.parse(JSON.stringify(first.messages));
    let again = new Uint8Array();
    await over(async (asked) => {
      again = await recorded(await own.fetch(asked));
      return new Response(again.slice(), { headers: { "content-type": TYPE } });
    }, said).runAgent();
    for (const cut of cutsOf(bytes)) {
      let asked = 0;
      const agent = over(async () => {
        asked += 1;
        if (asked === 1) return quietly(cutAt(bytes, cut, TYPE));
        return new Response(again.slice(), { headers: { "content-type": TYPE } });
      }, said);
      await agent.runAgent().catch(() => {});
      await agent.runAgent();
      const seen = JSON.parse(JSON.stringify(agent.messages));
      expect(seen, `cut behind ${cut} bytes`).toEqual(whole);
    }
  });
});

/** A proxy that hands a response on in blocks of 4 kB, when it is told that its time is over, and at its end. */
async function holdingProxy(to: string) {
  const seen = { headers: {} as Record<string, unknown>, held: "" };
  const flushes = new Set<() => void>();
  const server = createServer((incoming, outgoing) => {
    const { method, headers } = incoming;
    const sent = ask(new URL(incoming.url ?? "/", to), { method, headers }, (response) => {
      Object.assign(seen, { headers: response.headers });
      outgoing.writeHead(response.statusCode ?? 500, response.headers);
      let held: Buffer[] = [];
      const flush = () => {
        outgoing.write(Buffer.concat(held));
        held = [];
        seen.held = "";
      };
      flushes.add(flush);
      response.on("data", (block: Buffer) => {
        held.push(block);
        seen.held = Buffer.concat(held).toString();
        if (seen.held.length > 4_096) flush();
      });
      response.on("end", () => {
        flushes.delete(flush);
        seen.held = "";
        outgoing.end(Buffer.concat(held));
      });
    });
    incoming.pipe(sent);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const timeIsOver = () => {
    for (const flush of flushes) flush();
  };
  return { url, seen, timeIsOver, close: () => server.closeAllConnections() ?? server.close() };
}

it("a proxy that holds a stream back is told not to; where it does, the page catches up and loses nothing", async () => {
  const own = made();
  const { url, close } = await own.listen();
  const proxy = await holdingProxy(url);
  const over = (request: Request) =>
    fetch(new Request(request.url.replace("http://desk.example", proxy.url), request));
  const page = openPage(ai, own, { id: "r1", fetch: over });
  await page.sendMessage({ text: "Hé?" });
  expect(proxy.seen.headers).toMatchObject({
    "cache-control": "no-store, no-transform",
    "x-accel-buffering": "no",
    "content-type": TYPE,
  });
  // The second turn stops in the middle of an input: what came is in the proxy, and the page has nothing of it.
  const sent = page.sendMessage({ text: "Et?" });
  await expect.poll(() => proxy.seen.held, LATE).toContain("tool-input-delta");
  expect(page.lastMessage?.role).toBe("user");
  proxy.timeIsOver();
  await expect.poll(() => JSON.stringify(page.lastMessage), LATE).toContain("🫖 ");
  expect(JSON.stringify(page.lastMessage)).toContain("input-streaming");
  // A comment is held back as well, and changes nothing.
  await expect.poll(() => proxy.seen.held, LATE).toContain(":\n\n");
  hold.resolve();
  await sent;
  expect(page.error).toBeUndefined();
  const seen = JSON.parse(JSON.stringify(page.messages.map((each) => shown(each))));
  expect(seen).toEqual((await loadMessages(own, "r1")).map((each) => shown(each)));
  await proxy.close();
  await close();
});
