// A host over HTTP: each verb by its route, who makes a request, bodies that are none, streams that are read slowly.
import { request as ask } from "node:http";
import { setImmediate } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { agent, scriptedModel, tool, virtualClock } from "../../../src/index.js";
import { routes } from "../../../src/serve/http/routes.js";
import { SlowReaders } from "../../../src/serve/http/slow-readers.js";
import { eventStream, lineEvents } from "../../../src/serve/http/stream.js";
import { type Host, type HostRunsOptions, host, memoryHostStore } from "../../../src/serve.js";
import { rejection } from "../../support/thrown.js";

const pay = tool({ name: "pay", needsApproval: true, execute: () => "paid" });
const desk = agent({ name: "desk", conversation: true, tools: [pay] });
const model = scriptedModel(({ messages }) => {
  const { role, content } = messages.at(-1) as { role: string; content: unknown };
  if (role === "tool") return "It is paid.";
  return content === "Pay." ? { calls: [{ name: "pay" }] } : `You said ${JSON.stringify(content)}.`;
});

const hosts: Host[] = [];
afterAll(() => Promise.all(hosts.map((each) => each.drain())));

function made(more: Partial<HostRunsOptions> = {}): Host {
  const own = host({
    ...{ reasoners: [desk], model, store: memoryHostStore() },
    authorize: (request) => {
      const person = request.headers.get("x-person") ?? undefined;
      const tenant = request.headers.get("x-tenant") ?? undefined;
      return request.headers.has("x-nobody") ? undefined : { person, tenant, role: "clerk" };
    },
    ...more,
  });
  hosts.push(own);
  return own;
}

interface Told {
  readonly status: number;
  readonly body: { readonly [part: string]: never };
}

/** Asks, and reads the answer as JSON. */
async function told(
  own: Host,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Told> {
  const type = body === undefined ? {} : { "content-type": "application/json" };
  const response = await own.fetch(
    new Request(`http://desk.example${path}`, {
      method,
      headers: { ...type, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );
  return { status: response.status, body: (await response.json()) as Told["body"] };
}

/** Reads a stream of events until one of its texts is there. */
async function streamed(response: Response, until: string): Promise<string> {
  const reader = (response.body as ReadableStream<Uint8Array>)
    .pipeThrough(new TextDecoderStream() as never)
    .getReader() as ReadableStreamDefaultReader<string>;
  let text = "";
  while (!text.includes(until)) {
    const { done, value } = await reader.read();
    if (done) break;
    text += value;
  }
  await reader.cancel();
  return text;
}

const lines = (own: Host, id: string, headers: Record<string, string> = {}) =>
  own.fetch(
    new Request(`http://desk.example/runs/${id}/lines`, {
      headers: { accept: "text/event-stream", ...headers },
    }),
  );

describe("a run over HTTP", () => {
  it("is begun once, is told things, decides by whoever asks, and is listed", async () => {
    const own = made();
    const input = { prompt: "Pay." };
    const by = { "x-person": "ann" };
    const first = await told(own, "PUT", "/runs/r1", { input, tags: ["vip"] }, by);
    expect(first).toMatchObject({ status: 200, body: { outcome: "taken" } });
    expect((await told(own, "PUT", "/runs/r1", { input, tags: ["vip"] }, by)).status).toBe(200);
    expect(await told(own, "PUT", "/runs/r1", { input: { prompt: "x" } })).toMatchObject({
      status: 409,
      body: { outcome: "refused", code: "run.exists" },
    });
    await streamed(await lines(own, "r1"), '"approval"');
    const { body: row } = await told(own, "GET", "/runs/r1");
    expect(row).toMatchObject({ status: "waiting", person: "ann", tags: ["vip"] });
    const [approval] = row.approvals as unknown as { id: string; of: string }[];
    const decision = { approval: approval?.id, approve: true, of: approval?.of };
    const key = { ...by, "idempotency-key": "d1" };
    const decided = await told(own, "POST", "/runs/r1/decisions", decision, key);
    expect(decided).toMatchObject({ status: 200, body: { outcome: "taken", key: "d1" } });
    expect(await told(own, "GET", "/runs/r1/answers/d1")).toEqual(decided);
    const text = await streamed(await lines(own, "r1"), "It is paid.");
    expect(text).toContain('"by":"ann"');
    expect(text).toMatch(/^id: 0\nevent: line\ndata: \{"type":"header"/);
    // Who was cut off goes on behind the last line that it has.
    const rest = await streamed(await lines(own, "r1", { "last-event-id": "2" }), "It is paid.");
    expect(rest).toMatch(/^id: 3\n/);
    expect(await told(own, "GET", "/runs?tag=vip&limit=1&status=ready")).toMatchObject({
      status: 200,
      body: { runs: [{ id: "r1" }] },
    });
    const { body: page } = await told(own, "GET", "/runs/r1/lines?from=1");
    expect(page).toMatchObject({ from: 1 });
  });

  it("refuses something else under a key, and gives nobody the answer of another", async () => {
    const own = made();
    const ann = { "x-person": "ann" };
    const begin = (prompt: string) =>
      told(own, "PUT", "/runs/r1", { input: { prompt } }, { ...ann, "idempotency-key": "s" });
    const first = await begin("Hi.");
    expect(first).toMatchObject({ status: 200, body: { outcome: "taken" } });
    expect(await begin("Hi.")).toEqual(first);
    const taken = { status: 409, body: { outcome: "refused", code: "event.key" } };
    expect(await begin("Ho.")).toMatchObject(taken);
    const say = (content: string, by: Record<string, string>) =>
      told(own, "POST", "/runs/r1/messages", { content }, { ...by, "idempotency-key": "m" });
    const said = await say("Yes.", ann);
    expect(said.status).toBe(200);
    expect(await say("No.", ann)).toMatchObject(taken);
    expect(await say("Yes.", { "x-person": "bob" })).toMatchObject(taken);
    expect(await say("Yes.", ann)).toEqual(said);
    expect(await told(own, "GET", "/runs/r1/answers/m")).toEqual(said);
  });

  it("is told by each verb that a host has", async () => {
    const own = made();
    await told(own, "PUT", "/runs/r2", { input: { prompt: "Hi." } });
    const said = await told(own, "POST", "/runs/r2/messages", { content: "Pay." });
    expect(said.body).toMatchObject({ outcome: "taken" });
    await streamed(await lines(own, "r2"), '"approval"');
    const queued = { "idempotency-key": "m1" };
    await told(own, "POST", "/runs/r2/messages", { content: "wait" }, queued);
    const change = (body: object) => told(own, "PATCH", "/runs/r2/messages/m1", body);
    expect((await change({ type: "edited", content: "waits" })).status).toBe(200);
    expect((await change({ type: "moved", to: 0 })).status).toBe(200);
    expect((await change({ type: "removed" })).status).toBe(200);
    expect(await change({ type: "removed" })).toMatchObject({
      status: 409,
      body: { code: "message.taken" },
    });
    expect((await told(own, "POST", "/runs/r2/interrupt", { reason: "enough" })).status).toBe(200);
    const edited = await told(own, "POST", "/runs/r2/edit", { event: 2, content: "Hello." });
    expect(edited.body).toMatchObject({ outcome: "taken" });
    await streamed(await lines(own, "r2"), "Hello.");
    const forged = { type: "tool.succeeded", id: "tool/0/0", output: 1 };
    expect((await told(own, "POST", "/runs/r2/events", forged)).status).toBeGreaterThanOrEqual(400);
    expect((await told(own, "POST", "/runs/r2/unpark")).status).toBe(200);
    expect((await told(own, "POST", "/runs/r2/cancel", { reason: "over" })).status).toBe(200);
    expect((await told(own, "GET", "/runs/r2")).body.status).toBe("cancelled");
    expect(await told(own, "POST", "/runs/r2/messages", { content: "x" })).toMatchObject({
      status: 409,
      body: { code: "run.ended" },
    });
    expect(await streamed(await lines(own, "r2"), "never")).toContain("cancelled");
  });

  it("is of one tenant: no id leads to another's", async () => {
    const own = made();
    await told(own, "PUT", "/runs/r3", { input: { prompt: "Hi." } }, { "x-tenant": "acme" });
    for (const path of ["/runs/r3", "/runs/r3/lines"]) {
      expect((await told(own, "GET", path)).body).toMatchObject({ error: { code: "run.missing" } });
      expect((await told(own, "GET", path, undefined, { "x-tenant": "acme" })).status).toBe(200);
    }
    expect((await lines(own, "r3")).status).toBe(404);
    expect((await told(own, "GET", "/runs")).body.runs).toEqual([]);
  });

  it("has its money in its row, where its agent knows prices", async () => {
    const prices = { [model.name as string]: { inputPerMillion: 1_000, outputPerMillion: 10_000 } };
    const priced = agent({ name: "priced", conversation: true, prices });
    const own = made({ reasoners: [priced] });
    await told(own, "PUT", "/runs/r5", { input: { prompt: "Hi." } });
    await streamed(await lines(own, "r5"), "You said");
    const { cost, usage } = (await told(own, "GET", "/runs/r5")).body as never as {
      cost: number;
      usage: { inputTokens: number; outputTokens: number };
    };
    expect(cost).toBeGreaterThan(0);
    expect(cost).toBeCloseTo(usage.inputTokens / 1_000 + usage.outputTokens / 100, 9);
    const free = made();
    await told(free, "PUT", "/runs/r5", { input: { prompt: "Hi." } });
    expect((await told(free, "GET", "/runs/r5")).body).not.toHaveProperty("cost");
  });

  it("stands under a path of one's own", async () => {
    const own = made({ path: "/api/v1" });
    expect((await told(own, "GET", "/api/v1/runs")).status).toBe(200);
    expect((await told(own, "GET", "/runs")).body).toMatchObject({ error: { code: "host.route" } });
    expect(() => made({ path: "api/" })).toThrow("path");
  });
});

describe("whoever makes a request", () => {
  it("is asked for by authorize: nobody gets 401, and its own response is given as it is", async () => {
    const nobody = await told(made(), "GET", "/runs", undefined, { "x-nobody": "1" });
    expect(nobody).toMatchObject({ status: 401, body: { error: { code: "host.unauthorized" } } });
    const elsewhere = made({ authorize: () => Response.json({ to: "login" }, { status: 418 }) });
    expect(await told(elsewhere, "GET", "/runs")).toEqual({ status: 418, body: { to: "login" } });
    const broken = made({ authorize: () => Promise.reject(new Error("no database")) });
    await expect(told(broken, "GET", "/runs")).rejects.toThrow("no database");
  });

  it("cannot be served where the host does not know how to ask", async () => {
    const { fetch } = made({ authorize: undefined });
    expect(await rejection(fetch(new Request("http://x/runs")))).toMatchObject({
      code: "option.invalid",
      place: "authorize",
    });
  });
});

describe("a request that is none", () => {
  it.each([
    ["GET", "/", undefined, 404, "host.route"],
    ["GET", "/runs/a/b/c", undefined, 404, "host.route"],
    ["GET", "/runs/%ff", undefined, 404, "host.route"],
    ["DELETE", "/runs/r", undefined, 405, "host.route"],
    ["GET", "/runs/none", undefined, 404, "run.missing"],
    ["GET", "/runs/none/answers/k", undefined, 404, "run.missing"],
    ["POST", "/runs/none/messages", { content: "x" }, 404, "run.missing"],
    ["GET", "/runs?limit=x", undefined, 400, "option.invalid"],
    ["GET", "/runs?status=odd", undefined, 400, "option.invalid"],
    ["GET", "/runs/none/lines?from=-1", undefined, 400, "event.invalid"],
    ["PUT", "/runs/r", { inputs: 1 }, 400, "option.invalid"],
    ["PUT", "/runs/r", [1], 400, "event.invalid"],
    ["PUT", `/runs/${"x".repeat(300)}`, {}, 400, "option.invalid"],
    ["POST", "/runs/r/messages", { content: 5 }, 400, "event.invalid"],
    ["PUT", "/runs/r", { tags: "vip" }, 400, "option.invalid"],
    ["PUT", "/runs/r", { input: { prompt: 5 } }, 400, "agent.invalid"],
    ["PUT", "/runs/r", {}, 400, "agent.invalid"],
    ["PATCH", "/runs/r/messages/m", { type: "odd" }, 400, "option.invalid"],
    ["PATCH", "/runs/r/messages/m", {}, 400, "option.invalid"],
    ["PATCH", "/runs/r/messages/m", { type: "removed", content: "x" }, 400, "option.invalid"],
    [
      "POST",
      "/chat",
      { id: "c", messages: [{ id: "m", role: "user", parts: [{ type: "text", text: 4 }] }] },
      400,
      "event.invalid",
    ],
    [
      "POST",
      "/ag-ui",
      {
        threadId: "c",
        runId: "1",
        messages: [{ id: "m", role: "user", content: [{ type: "a" }] }],
      },
      400,
      "event.invalid",
    ],
    [
      "POST",
      "/chat",
      { id: "c", messages: [{ id: "m", role: "user", parts: [null] }] },
      400,
      "event.invalid",
    ],
    ["POST", "/runs/r/decisions", { approval: "a" }, 400, "event.invalid"],
  ])("%s %s with %j is told so", async (method, path, body, status, code) => {
    const answer = await told(made(), method, path, body);
    const fault = answer.body.error ?? answer.body;
    expect([answer.status, (fault as unknown as { code: string }).code]).toEqual([status, code]);
  });

  it("is told the place, and begins no run", async () => {
    const own = made();
    const { body } = await told(own, "PUT", "/runs/r", { input: { prompt: [{ type: "odd" }] } });
    expect((body as never as { message: string }).message).toContain("input.prompt[0].type");
    expect((await told(own, "GET", "/runs/r")).status).toBe(404);
    expect((await told(own, "PUT", "/runs/r", { input: "Hi." })).status).toBe(200);
  });

  it("has a body that is no JSON, or is sent as something else", async () => {
    const own = made();
    const sent = (body: string, type: string) =>
      own.fetch(
        new Request("http://x/runs/r", {
          ...{ method: "PUT", body },
          headers: { "content-type": type },
        }),
      );
    expect((await sent("{", "application/json")).status).toBe(400);
    const form = await sent("{}", "text/plain");
    expect([form.status, await form.text()]).toEqual([
      400,
      expect.stringContaining("application/json"),
    ]);
  });

  it("has a body without end: no more of it is read than may be", async () => {
    let pulled = 0;
    const chunk = new Uint8Array(1024 * 1024).fill(32);
    const body = new ReadableStream(
      {
        pull(controller) {
          pulled += 1;
          controller.enqueue(chunk);
        },
      },
      { highWaterMark: 0 },
    );
    const request = new Request("http://x/runs/r", {
      ...{ method: "PUT", body, duplex: "half" },
      headers: { "content-type": "application/json" },
    } as RequestInit);
    const response = await made().fetch(request);
    expect(response.status).toBe(413);
    expect(pulled).toBeLessThan(64);
  });
});

describe("a stream of lines", () => {
  /** A watch of lines without end, which counts those that were asked for. */
  function endless() {
    const asked = { lines: 0, stopped: false };
    const seen: AsyncIterator<never> = {
      next: async () => {
        const value = { type: "line", number: asked.lines, text: "{}" } as never;
        asked.lines += 1;
        return { done: false, value };
      },
    };
    return { asked, seen, stop: () => void Object.assign(asked, { stopped: true }) };
  }

  it("is read as fast as its reader, and ends with it", async () => {
    const { asked, seen, stop } = endless();
    const texts = lineEvents({ [Symbol.asyncIterator]: () => seen });
    const parts = { clock: virtualClock(0), slow: new SlowReaders() };
    const stream = eventStream({ texts, held: () => 0, stop }, parts);
    const reader = stream.getReader();
    expect(asked.lines).toBe(0);
    await reader.read();
    await reader.read();
    expect(asked.lines).toBe(2);
    await reader.cancel();
    expect(asked).toEqual({ lines: 2, stopped: true });
  });

  it("says that it lives where nothing happens", async () => {
    const clock = virtualClock(0);
    const silent: AsyncIterator<string> = { next: () => new Promise(() => {}) };
    const source = { texts: silent, held: () => 0, stop: () => {} };
    const reader = eventStream(source, { clock, slow: new SlowReaders() }).getReader();
    const first = reader.read();
    await setImmediate();
    // Bun closes what says nothing for ten.
    await clock.advance(5_000);
    expect(new TextDecoder().decode((await first).value)).toBe(":\n\n");
  });
});

describe("a host that listens", () => {
  const get = (url: string, headers: Record<string, string> = {}) =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      const sent = ask(url, { headers }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (piece: string) => {
          text += piece;
        });
        response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
      });
      sent.on("error", reject).end();
    });

  it("without authorize is this machine's alone, and says so", async () => {
    const own = made({ authorize: undefined });
    expect(await rejection(own.listen({ hostname: "0.0.0.0" }))).toMatchObject({
      code: "option.invalid",
    });
    const warned: Error[] = [];
    const heard = (warning: Error) => warned.push(warning);
    process.on("warning", heard);
    const { url, close } = await own.listen();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const { port } = new URL(url);
    expect((await get(`${url}/runs`)).status).toBe(200);
    expect((await get(`${url}/runs`, { origin: `http://localhost:${port}` })).status).toBe(200);
    for (const headers of [
      { host: "evil.example" },
      { host: "127.0.0.1:1" },
      // What a proxy says is not believed.
      {
        host: "evil.example",
        "x-forwarded-host": `127.0.0.1:${port}`,
        "x-forwarded-for": "127.0.0.1",
      },
      { origin: "http://evil.example" },
      { origin: "null" },
    ]) {
      expect((await get(`${url}/runs`, headers as never)).status).toBe(403);
    }
    const forwarded = { "x-forwarded-host": "evil.example", forwarded: "host=evil.example" };
    expect((await get(`${url}/runs`, forwarded)).status).toBe(200);
    process.off("warning", heard);
    expect(warned.map(({ message }) => message).join()).toContain("asks nobody who they are");
    await close();
  });

  it("says nothing of a request that breaks off in the middle of its body", async () => {
    const warned: Error[] = [];
    const heard = (warning: Error) => warned.push(warning);
    process.on("warning", heard);
    let heardOf = () => {};
    const isAsked = new Promise<void>((resolve) => {
      heardOf = resolve;
    });
    const own = made({
      authorize: () => {
        heardOf();
        return {};
      },
    });
    const { url, close } = await own.listen();
    const headers = { "content-type": "application/json", "content-length": "100" };
    const sent = ask(`${url}/runs/r1`, { method: "PUT", headers });
    const isGone = new Promise((resolve) => sent.once("close", resolve));
    sent.on("error", () => {});
    sent.write('{"input"');
    await isAsked;
    sent.destroy();
    await isGone;
    // Whatever the server makes of it, it has made before it answers the next one.
    expect((await get(`${url}/runs`)).status).toBe(200);
    await close();
    for (let n = 0; n < 5; n++) await setImmediate();
    process.off("warning", heard);
    expect(warned).toEqual([]);
  });

  it("takes bodies, streams lines, and answers 500 for what is thrown", async () => {
    const own = made();
    const { url, close } = await own.listen({ port: 0 });
    const body = JSON.stringify({ input: { prompt: "Hi." } });
    const headers = { "content-type": "application/json" };
    expect((await fetch(`${url}/runs/r9`, { method: "PUT", headers, body })).status).toBe(200);
    for (const path of ["//", "//example.com/runs"]) {
      expect((await fetch(`${url}${path}`)).status).toBe(404);
    }
    const accept = { accept: "text/event-stream" };
    expect(
      await streamed(await fetch(`${url}/runs/r9/lines`, { headers: accept }), "You said"),
    ).toContain("id: 0");
    const cookies = new Headers([
      ["set-cookie", "a=1"],
      ["set-cookie", "b=2"],
    ]);
    const serve = () => new Response("page", { headers: cookies });
    const page = await own.listen({ serve });
    expect((await fetch(page.url)).headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    await page.close();
    await close();
    const broken = made({ authorize: () => Promise.reject(new Error("no database")) });
    const warned: Error[] = [];
    const heard = (warning: Error) => warned.push(warning);
    process.on("warning", heard);
    const listening = await broken.listen();
    expect(await get(`${listening.url}/runs`)).toEqual({ status: 500, text: "" });
    process.off("warning", heard);
    expect(warned.map(({ message }) => message)).toContain("no database");
    await listening.close();
  });
});

it("the guide names each status that is answered", async () => {
  const { readFileSync } = await import("node:fs");
  const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
  const page = read("docs/guide/http.md");
  const http = ["fetch", "status", "chat", "ag-ui"].map((name) => `http/${name}.ts`);
  const files = [...http, "server/index.ts"];
  const answered = files.flatMap((file) => read(`src/serve/${file}`).match(/\b[245]\d\d\b/g) ?? []);
  expect(answered.length).toBeGreaterThan(10);
  expect([...new Set(answered)].filter((status) => !page.includes(status))).toEqual([]);
});

it("the guide lists each route", async () => {
  const { readFileSync } = await import("node:fs");
  const page = readFileSync(new URL("../../../docs/guide/http.md", import.meta.url), "utf8");
  const listed = [...page.matchAll(/^\| `(\w+) (\S+)` +\|/gm)].map(
    ([, method, path]) => `${method} ${path}`,
  );
  expect(listed).toEqual(routes.map(({ method, path }) => `${method} ${path}`));
});
