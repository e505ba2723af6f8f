// Runs in the Durable Objects of workerd obey the laws of the verbs, have the bytes of a file, stream by sockets,
// and go on when the process is killed: no tool is executed twice, as the world outside counts.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run, virtualClock } from "reckoner";
import { runHostLaws } from "reckoner/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { linesOf, searches, searching } from "./searching.js";
import { isOver, until } from "./until.js";
import { Workerd } from "./workerd.mjs";

const AT = Date.UTC(2026, 0, 31);
const folder = mkdtempSync(join(tmpdir(), "workerd-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a run in an object of workerd", () => {
  let workerd: Workerd;
  beforeAll(async () => {
    workerd = await Workerd.start(join(folder, "laws"));
  });
  afterAll(() => workerd.stop());

  let count = 0;
  const make = () => {
    count += 1;
    const verbs = workerd.runs.run(`law-${count}`);
    const start: typeof verbs.start = (run, sender) =>
      verbs.start({ ...run, reasoner: "desk" }, sender);
    return { ...verbs, start };
  };
  for (const law of runHostLaws(make, until)) it(law.name, law.check);

  it("streams its lines by a socket, and closes it at the end", async () => {
    const verbs = workerd.runs.run("watched");
    await verbs.start({ reasoner: "searching", input: "Look." });
    const request = new Request("https://run/watched?from=1", {
      headers: { upgrade: "websocket" },
    });
    const { webSocket } = (await workerd.runs.events("watched", request)) as never as {
      readonly webSocket: WebSocket & { accept(): void };
    };
    const seen: string[] = [];
    const closed = new Promise<void>((resolve) => {
      webSocket.addEventListener("message", ({ data }) => {
        const { type, text } = JSON.parse(data as string);
        if (type === "line") seen.push(text);
      });
      webSocket.addEventListener("close", () => resolve());
    });
    webSocket.accept();
    await closed;
    expect(seen).toEqual((await linesOf(verbs)).slice(1));
  });

  it("is missing where nobody has begun it", async () => {
    await expect(workerd.runs.run("nobody").row()).rejects.toMatchObject({ code: "run.missing" });
    const answer = await workerd.runs.events("nobody", new Request("https://run/nobody"));
    expect(answer.status).toBe(404);
  });
});

it("the journal of a run in an object has the bytes of a file", async () => {
  const file = join(folder, "r1.jsonl");
  const clock = Object.assign(virtualClock(AT), { now: () => AT });
  const model = searches(5);
  await run(searching, "Look.", { journal: file, runId: "r1", seed: "s", model, clock });
  const workerd = await Workerd.start(join(folder, "bytes"), { AT });
  const verbs = workerd.runs.run("r1");
  await verbs.start({ reasoner: "searching", input: "Look.", seed: "s" });
  await isOver(verbs);
  const lines = await linesOf(verbs);
  await workerd.stop();
  expect(lines.map((line) => `${line}\n`).join("")).toBe(readFileSync(file, "utf8"));
});

it("runs go on when their process is killed, and no tool is executed twice", async () => {
  const counted = new Map<string, number>();
  // Behind so many executions the world answers nobody, until the process is killed: none of it is over before that.
  let answers = 5;
  const outside = createServer((request, response) => {
    const key = decodeURIComponent((request.url ?? "").slice(1));
    counted.set(key, (counted.get(key) ?? 0) + 1);
    if (counted.size <= answers) response.end("found it");
  });
  await new Promise<void>((done) => outside.listen(0, "127.0.0.1", done));
  const { port } = outside.address() as AddressInfo;
  const workerd = await Workerd.start(join(folder, "kills"), {
    OUTSIDE: `http://127.0.0.1:${port}`,
    TURNS: 10,
  });
  const ids = Array.from({ length: 10 }, (_, n) => `r${n}`);
  const start = (id: string) =>
    workerd.runs.run(id).start({ reasoner: "searching", input: "Look." });
  await Promise.all(ids.map(start));
  for (let kills = 1; kills <= 4; kills++) {
    await until(async () => counted.size > answers);
    answers = kills < 4 ? counted.size + 5 : Number.POSITIVE_INFINITY;
    await workerd.kill();
    await workerd.start();
    await Promise.all(ids.map((id) => workerd.runs.run(id).row()));
  }
  for (const id of ids) await isOver(workerd.runs.run(id));
  await workerd.stop();
  outside.closeAllConnections();
  outside.close();
  expect(counted.size).toBeGreaterThanOrEqual(20);
  expect([...counted.values()].filter((times) => times > 1)).toEqual([]);
});

it("an alarm gives up a tool at its time", async () => {
  const workerd = await Workerd.start(join(folder, "alarms"));
  await workerd.runs.run("r1").start({ reasoner: "hanging", input: "Look." });
  await isOver(workerd.runs.run("r1"));
  expect((await linesOf(workerd.runs.run("r1"))).join("\n")).toContain("tool.unknown");
  await workerd.stop();
});
