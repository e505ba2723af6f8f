import { request } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { type ApiCall, listen } from "../../../../src/cli/studio/listen.js";
import { ReckonerError } from "../../../../src/core/kernel/values/index.js";

const files = new Map([["", { type: "text/html; charset=utf-8", text: "<p>the page</p>" }]]);

/** Says of each answer in pieces that ended whether its client had gone. */
const left: boolean[] = [];

async function aStudio(calls: ApiCall[] = []) {
  const studio = await listen(files, async (call) => {
    calls.push(call);
    if (call.path === "missing") throw new ReckonerError("journal.missing", "It is not there.");
    if (call.path === "pieces") return { type: "text/plain", pieces: pieces(call) };
    return { json: { told: call.body ?? null } };
  });
  onTestFinished(() => studio.close());
  return studio;
}

async function* pieces({ query, signal }: ApiCall) {
  try {
    if (query.has("many")) for (let i = 0; i < 64; i++) yield "x".repeat(1_000_000);
    if (query.has("endless")) for (;;) yield "x".repeat(1_000_000);
  } finally {
    left.push(signal.aborted);
  }
  if (query.has("refuse")) throw new ReckonerError("journal.chain", "Line 2 was changed.");
  yield "one ";
  yield "two";
}

interface Answer {
  readonly status: number | undefined;
  readonly headers: Record<string, unknown>;
  readonly text: string;
}

/** A request with any headers: fetch would not send another Host. */
function ask(url: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (each: string) => {
        text += each;
      });
      response.on("end", () =>
        resolve({ status: response.statusCode, headers: response.headers, text }),
      );
    });
    sent.on("error", reject).end();
  });
}

describe("the studio's server", () => {
  it("listens on the loopback address, under a token that nobody guesses", async () => {
    const [one, other] = [await aStudio(), await aStudio()];
    expect(one.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{32}\/$/);
    expect(new URL(one.url).pathname).not.toBe(new URL(other.url).pathname);
    expect((await ask(one.url)).text).toBe("<p>the page</p>");
  });

  it("answers nobody without the token", async () => {
    const { url } = await aStudio();
    const { origin, pathname } = new URL(url);
    for (const path of [
      "/",
      "/api/runs",
      `${pathname.slice(0, -2)}x/`,
      "/%2e%2e/",
      `//${pathname}`,
    ]) {
      expect((await ask(`${origin}${path}`)).status, path).toBe(404);
    }
  });

  it("answers in its own name alone, and no page of another site", async () => {
    const calls: ApiCall[] = [];
    const { url } = await aStudio(calls);
    const own = new URL(url).host;
    const asked = async (headers: Record<string, string>) =>
      (await ask(`${url}api/runs`, headers)).status;
    expect(await asked({ host: "evil.example" })).toBe(403);
    expect(await asked({ host: `evil.example:${new URL(url).port}` })).toBe(403);
    expect(await asked({ origin: "http://evil.example" })).toBe(403);
    expect(await asked({ origin: "null" })).toBe(403);
    expect(await asked({ origin: `https://${own}` })).toBe(403);
    expect(await asked({ "sec-fetch-site": "cross-site" })).toBe(403);
    expect(calls).toEqual([]);
    expect(await asked({ origin: `http://${own}` })).toBe(200);
    expect(await asked({ host: own.replace("127.0.0.1", "localhost") })).toBe(200);
  });

  it("sends a policy that admits no code but its own, and keeps nothing", async () => {
    const { url } = await aStudio();
    for (const path of ["", "api/runs", "nothing"]) {
      const { headers } = await ask(`${url}${path}`);
      const policy = String(headers["content-security-policy"]);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain("unsafe");
      expect(headers["x-content-type-options"]).toBe("nosniff");
      expect(headers["referrer-policy"]).toBe("no-referrer");
      expect(headers["cache-control"]).toBe("no-store");
    }
  });

  it("takes JSON alone, and not without end", async () => {
    const { url } = await aStudio();
    const post = (body: string, type: string) =>
      fetch(`${url}api/x`, { method: "POST", body, headers: { "content-type": type } });
    expect(await (await post('{"a":1}', "application/json")).json()).toEqual({ told: { a: 1 } });
    expect((await post("a=1", "application/x-www-form-urlencoded")).status).toBe(415);
    expect((await post("{", "application/json")).status).toBe(400);
  });

  it("says with its status why it refuses, also where an answer comes in pieces", async () => {
    const { url } = await aStudio();
    expect(await ask(`${url}api/missing`)).toMatchObject({
      status: 404,
      text: '{"error":{"code":"journal.missing","message":"It is not there."}}',
    });
    expect(await ask(`${url}api/pieces`)).toMatchObject({ status: 200, text: "one two" });
    expect((await ask(`${url}api/pieces?refuse=1`)).status).toBe(422);
  });

  it("waits for a slow reader without a listener more each time", async () => {
    const { url } = await aStudio();
    const warned: Error[] = [];
    const warn = (warning: Error) => void warned.push(warning);
    process.on("warning", warn);
    onTestFinished(() => void process.off("warning", warn));
    const response = await fetch(`${url}api/pieces?many=1`);
    let size = 0;
    for await (const piece of response.body as AsyncIterable<Uint8Array>) size += piece.length;
    expect(size).toBe(64_000_000 + "one two".length);
    await new Promise((go) => setImmediate(go));
    expect(warned).toEqual([]);
  });

  it("reads on for nobody who has gone", async () => {
    const { url } = await aStudio();
    left.length = 0;
    const gone = new AbortController();
    const response = await fetch(`${url}api/pieces?endless=1`, { signal: gone.signal });
    await response.body?.getReader().read();
    gone.abort();
    while (left.length === 0) await new Promise((go) => setImmediate(go));
    expect(left).toEqual([true]);
  });
});
