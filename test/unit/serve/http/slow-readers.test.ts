// Readers that do not read hold a bounded number of characters together: counted, by the streams' own ledger.
import { agent, scriptedModel, tool, virtualClock } from "reckoner";
import { host, memoryHostStore } from "reckoner/serve";
import { expect, it } from "vitest";
import { PageReader } from "../../../../src/serve/http/page-reader.js";
import { SlowReaders } from "../../../../src/serve/http/slow-readers.js";
import { eventStream } from "../../../../src/serve/http/stream.js";
import { LINES_LENGTH } from "../../../../src/serve/store.js";

const text = (length: number) => ({
  next: async () => ({ done: false as const, value: "x".repeat(length) }),
});

/** Opens streams of long texts, of which each reader reads once. */
async function opened(slow: SlowReaders, many: number, length: number) {
  let stopped = 0;
  const readers = [];
  for (let n = 0; n < many; n++) {
    const stop = () => {
      stopped += 1;
    };
    const source = { texts: text(length), held: () => 1_000, stop };
    const reader = eventStream(source, { clock: virtualClock(0), slow }).getReader();
    await reader.read();
    readers.push(reader);
  }
  return { readers, stopped: () => stopped };
}

it("hold no more than the bound: who waits the longest is cut off", async () => {
  const slow = new SlowReaders(1_000_000);
  const { readers, stopped } = await opened(slow, 120, 165_536);
  // Each holds the 100 000 characters behind its first chunk, and what it was read from.
  expect(slow.length).toBeLessThanOrEqual(1_000_000);
  expect(slow.length).toBeGreaterThan(800_000);
  expect(stopped()).toBe(120 - 9);
  await expect(readers[0]?.read()).rejects.toThrow("did not read");
  expect((await readers.at(-1)?.read())?.value).toHaveLength(64 * 1024);
  for (const reader of readers) await reader.cancel().catch(() => {});
  expect(slow.length).toBe(0);
});

it("who reads is not cut off, however much one alone holds", async () => {
  const slow = new SlowReaders(1_000);
  const { readers, stopped } = await opened(slow, 1, 1_000_000);
  let length = 64 * 1024;
  while (length < 1_000_000) length += (await readers[0]?.read())?.value?.length ?? 0;
  expect(length).toBe(1_000_000);
  expect(stopped()).toBe(0);
});

it("a letter of two halves is in one chunk", async () => {
  const value = `${"x".repeat(64 * 1024 - 1)}\u{1F600}.`;
  const texts = { next: async () => ({ done: false as const, value }) };
  const source = { texts, held: () => 0, stop: () => {} };
  const parts = { clock: virtualClock(0), slow: new SlowReaders() };
  const reader = eventStream(source, parts).getReader();
  const [one, two] = [await reader.read(), await reader.read()];
  const decoder = new TextDecoder("utf-8", { fatal: true });
  expect(decoder.decode(one.value) + decoder.decode(two.value)).toBe(value);
});

it("a page of lines, and a reader of the newest message, hold little at any length of the run", async () => {
  const big = tool({ name: "big", execute: () => "x".repeat(50_000) });
  const model = scriptedModel(({ messages }) =>
    messages.at(-1)?.role === "user" ? { calls: [{ name: "big" }] } : "y".repeat(10_000),
  );
  const desk = agent({ name: "desk", conversation: true, tools: [big] });
  const clock = virtualClock(0);
  const own = host({ reasoners: [desk], model, store: memoryHostStore() });
  const run = own.run("r1");
  await run.start({ input: { messages: [] } });
  for (let turn = 0; turn < 20; turn++) {
    await run.message("Hello.");
    await expect.poll(async () => (await run.row()).status, { interval: 2 }).toBe("ready");
  }
  let [from, most, all] = [0, 0, 0];
  for (;;) {
    const { lines } = await run.lines(from);
    if (lines.length === 0) break;
    from += lines.length;
    const length = lines.join("").length;
    all += length;
    most = Math.max(most, length - (lines.at(-1)?.length ?? 0));
  }
  expect(all).toBeGreaterThan(4 * LINES_LENGTH);
  expect(most).toBeLessThan(LINES_LENGTH);
  const reader = new PageReader({ run: () => run } as never, "r1", clock);
  const events = JSON.stringify(await reader.read());
  reader.close();
  expect(events.length).toBeLessThan(70_000);
  await own.drain();
});
