// What a page sends while its host is away is sent again, and what a host refuses is told.
import { agent, scriptedModel } from "reckoner";
import { refusalIn, sendAgain } from "reckoner/page";
import { host, memoryHostStore } from "reckoner/serve";
import { describe, expect, it } from "vitest";
import { majors, openPage } from "../../../support/page-chat.js";

const away = () => Promise.reject(new TypeError("fetch failed"));

/** Is away so many times, each in another way, and then is the host. */
function flaky(own: typeof fetch, times: number) {
  const seen = { asked: 0 };
  const send = (async (input, init) => {
    seen.asked += 1;
    if (seen.asked > times) return own(input, init);
    return seen.asked % 2 === 1 ? away() : new Response("away", { status: 503 });
  }) as typeof fetch;
  return { seen, send };
}

describe.each(Object.entries(majors))("a page with the AI SDK %s", (_major, ai) => {
  it("says what nobody heard again, once", async () => {
    const own = host({
      ...{ reasoners: [agent({ name: "desk", conversation: true })], store: memoryHostStore() },
      ...{ model: scriptedModel(["Hello."]), authorize: () => ({}) },
    });
    const { seen, send } = flaky(((request: Request) => own.fetch(request)) as never, 4);
    const fetchAgain = sendAgain({ fetch: send, delayMs: 0 });
    const page = openPage(ai, own, { id: "r1", fetch: (request) => fetchAgain(request) });
    await page.sendMessage({ text: "Hi." });
    expect(page.error).toBeUndefined();
    expect(seen.asked).toBe(5);
    expect(page.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
    await own.drain();
  });

  it("asks for another answer once, though it never heard that it was taken", async () => {
    let asked = 0;
    const model = scriptedModel(() => `Answer ${++asked}.`);
    const own = host({
      ...{ reasoners: [agent({ name: "desk", conversation: true })], store: memoryHostStore() },
      ...{ model, authorize: () => ({}) },
    });
    let isCut = false;
    const cut = (async (input, init) => {
      const answer = await own.fetch(new Request(input, init));
      if (!isCut) return answer;
      isCut = false;
      await answer.body?.cancel();
      return away();
    }) as typeof fetch;
    const fetchAgain = sendAgain({ fetch: cut, delayMs: 0 });
    const page = openPage(ai, own, { id: "r1", fetch: (request) => fetchAgain(request) });
    await page.sendMessage({ text: "Hi." });
    isCut = true;
    await page.regenerate();
    expect(isCut).toBe(false);
    expect(page.lastMessage?.parts).toMatchObject([{}, { text: "Answer 2." }]);
    expect(asked).toBe(2);
    await own.drain();
  });

  it("is told why a host takes nothing of it, and does not repeat that", async () => {
    const own = host({
      ...{ reasoners: [agent({ name: "desk" })], store: memoryHostStore() },
      ...{ model: scriptedModel([]), authorize: () => undefined },
    });
    const { seen, send } = flaky(((request: Request) => own.fetch(request)) as never, 0);
    const fetchAgain = sendAgain({ fetch: send, delayMs: 0 });
    const page = openPage(ai, own, { id: "r1", fetch: (request) => fetchAgain(request) });
    await page.sendMessage({ text: "Hi." });
    expect(refusalIn(page.error)).toMatchObject({ code: "host.unauthorized" });
    expect(seen.asked).toBe(1);
    await own.drain();
  });
});

it("ends with its signal, before and while it waits", async () => {
  const stop = new AbortController();
  const { seen, send } = flaky(away as never, 3);
  const again = sendAgain({ fetch: send, delayMs: 1_000_000 });
  const asked = again("http://x", { signal: stop.signal });
  await expect.poll(() => seen.asked).toBe(1);
  stop.abort(new Error("stopped"));
  await expect(asked).rejects.toThrow("stopped");
  expect(seen.asked).toBe(1);
});

it.each([undefined, "no JSON", "null", '"x"', '{"code":5}', '{"error":null}'])(
  "%s is no refusal",
  (message) => {
    expect(refusalIn(message === undefined ? undefined : new Error(message))).toBeUndefined();
  },
);

it("a refusal is an answer, or an error", () => {
  const fault = { code: "run.ended", message: "It has ended." };
  expect(refusalIn(new Error(JSON.stringify({ outcome: "refused", ...fault })))).toEqual(fault);
  expect(refusalIn(new Error(JSON.stringify({ error: fault })))).toEqual(fault);
});
