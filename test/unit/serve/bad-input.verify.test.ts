// A body of 100 MB and a reader that does not read take no room at a host that listens, and neighbours go on meanwhile.
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { host, memoryHostStore } from "reckoner/serve";
import { describe, expect, it } from "vitest";
import { desk, deskModel, storeWith } from "../../support/serve.js";

const HELLO = { input: { prompt: "Hello." } };
const MB = 1_000_000;

describe("over a socket", () => {
  const arrived = (sent: ClientRequest) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      sent.on("response", resolve);
      sent.on("error", reject);
    });

  it("a body of 100 MB is refused before it is read, and neighbours are served meanwhile", async () => {
    const own = host({ reasoners: [desk], model: deskModel, store: memoryHostStore() });
    const served = await own.listen({ port: 0 });
    const { port } = new URL(served.url);
    const options = { port, host: "127.0.0.1", method: "POST", path: "/runs/huge/messages" };
    const headers = { "content-type": "application/json", "content-length": String(100 * MB) };
    const sent = request({ ...options, headers });
    let written = 0;
    let isOver = false;
    const chunk = Buffer.alloc(MB, "x");
    const write = () => {
      while (!isOver && written < 100) {
        written += 1;
        if (!sent.write(chunk)) {
          sent.once("drain", write);
          return;
        }
      }
    };
    const response = arrived(sent).catch(() => undefined);
    sent.on("error", () => {});
    write();
    // A neighbour in the middle of it.
    expect((await own.run("r1").start(HELLO)).outcome).toBe("taken");
    const answer = await fetch(`${served.url}/runs/r1`);
    expect(answer.status).toBe(200);
    const status = (await response)?.statusCode;
    isOver = true;
    sent.destroy();
    // Whoever still writes may be cut off before the answer comes.
    expect([413, undefined]).toContain(status);
    expect(written).toBeLessThan(100);
    await served.close();
    await own.drain();
  });

  it("a reader that does not read is read for no faster than it reads, and neighbours are served", async () => {
    const store = memoryHostStore();
    let pages = 0;
    const counted = storeWith(store, {
      lines: (journal, from) => {
        pages += 1;
        return store.lines(journal, from).then((lines) => lines.slice(0, 1));
      },
    });
    const own = host({ reasoners: [desk], model: deskModel, store: counted });
    const run = own.run("r1");
    await run.start(HELLO);
    const said = "x".repeat(MB);
    for (let n = 0; n < 14; n++) await run.message(said);
    while ((await run.row()).status !== "ready");
    const journal = store.journal({ tenant: "", id: "r1" });
    let total = 0;
    for (let more = 1; more > 0; total += more) more = (await store.lines(journal, total)).length;
    const served = await own.listen({ port: 0 });
    const { port } = new URL(served.url);
    pages = 0;
    const sent = request({
      port,
      host: "127.0.0.1",
      path: "/runs/r1/lines",
      headers: { accept: "text/event-stream" },
    });
    sent.end();
    const response = await arrived(sent);
    response.pause();
    for (let n = 0; n < 30; n++) {
      expect((await fetch(`${served.url}/runs/r1`)).status).toBe(200);
    }
    // The socket's buffers hold some of it, and nobody the rest.
    expect(pages).toBeLessThan(total);
    sent.destroy();
    await served.close();
    await own.drain();
  });
});
