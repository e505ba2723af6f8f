import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  hostAddress,
  hostHeaders,
  hostJournals,
} from "../../../../src/cli/studio/host-journals.js";
import { FollowedTree } from "../../../../src/studio/live/index.js";
import { aHost } from "./host.js";

describe("the runs of a host", () => {
  it("are listed, and read with every byte verified", async () => {
    const { journals } = await aHost();
    const { runs } = await journals.list();
    expect(runs).toMatchObject([
      { journal: "r1", reasoner: "payer", status: "waiting", person: "ada" },
    ]);
    const followed = new FollowedTree(journals.open("r1"));
    await followed.update();
    expect(followed.fault).toBeUndefined();
    expect(followed.tree.root.effects.has("approval/2/0")).toBe(true);
  });

  it("are decided through the host's own door, and followed behind that", async () => {
    const { journals } = await aHost();
    const followed = new FollowedTree(journals.open("r1"));
    await followed.update();
    const before = followed.tree.moments.length;
    await journals.decide?.({
      journal: "r1",
      approval: "approval/2/0",
      approve: false,
      reason: "No.",
    });
    while (followed.tree.root.end === undefined) await followed.update();
    expect(followed.tree.moments.length).toBeGreaterThan(before);
    const decided = followed.tree.root.effects.get("approval/2/0")?.answer?.event;
    expect(decided).toMatchObject({ approve: false, reason: "No.", by: "ada" });
    await expect(
      journals.decide?.({ journal: "r1", approval: "approval/9/9", approve: true }),
    ).rejects.toThrow();
  });

  it("are refused with the host's words, and one that is gone is said to be", async () => {
    const { url, close, journals } = await aHost();
    await expect(hostJournals(url, []).list()).rejects.toMatchObject({ code: "host.unauthorized" });
    await close();
    await expect(journals.list()).rejects.toThrow("does not answer");
  });

  it("are named by an address without a password", () => {
    expect(hostAddress("http://127.0.0.1:3000/api/")).toBe("http://127.0.0.1:3000/api");
    expect(() => hostAddress("http://ada:secret@127.0.0.1")).toThrow("--header NAME=VALUE");
    expect(() => hostAddress("http://ada:secret@127.0.0.1")).not.toThrow("secret");
    expect(hostHeaders(["authorization=Bearer a=b"])).toEqual([["authorization", "Bearer a=b"]]);
    expect(() => hostHeaders(["nothing"])).toThrow("NAME=VALUE");
    for (const value of ["Bearer sec\nret", "s€cret", "\u0000secret"]) {
      expect(() => hostHeaders([`authorization=${value}`])).toThrow("--header authorization has");
      expect(() => hostHeaders([`authorization=${value}`])).not.toThrow(/s€?e?cr?ret|Bearer/);
    }
  });

  it("are no runs where what answers is no host, and rows are listed that can be", async () => {
    const row = {
      id: "__proto__",
      runId: "r",
      reasoner: "payer",
      version: "1",
      status: "done",
      startedAt: 1,
      lastAt: 2,
      events: 3,
      approvals: [],
      timers: 0,
      children: [],
      usage: { totalTokens: 4, requests: 5 },
    };
    let answer = "";
    const server = createServer((_request, response) => void response.end(answer));
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const journals = hostJournals(`http://127.0.0.1:${port}`, []);
    const read = async () => {
      for await (const _ of journals.open("r").read());
    };
    for (const other of ["<html>", "null", "[]", "{}", '{"runs":null}', '{"lines":[1]}']) {
      answer = other;
      for (const ask of [() => journals.list(), read])
        await expect(ask(), other).rejects.toThrow("as no host of reckoner does");
    }
    const bad = { ...row, id: "b", lastAt: null };
    answer = JSON.stringify({ runs: [row, bad, null, { id: "c" }], next: "b" });
    const { runs, unread } = await journals.list();
    expect(new Set(runs.map(({ journal }) => journal))).toEqual(new Set(["__proto__"]));
    expect(unread[0]).toMatchObject({
      journal: "b",
      message: "The host's row: lastAt must be a number; it is null.",
    });
  });
});
