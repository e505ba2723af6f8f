// Ports that say what they lack are looked at before a run takes an event: no decision is used up.
import { createOpenAI } from "@ai-sdk/openai";
import { afterEach, describe, expect, it, vi } from "vitest";
import { aiSdk } from "../../../../src/adapters/ai-sdk/index.js";
import { agent, memoryJournal, resume, run, scriptedModel, tool } from "../../../../src/index.js";
import { textJournal } from "../../../../src/testing/index.js";
import { rejection } from "../../../support/thrown.js";

const pay = tool({ name: "pay", needsApproval: true, execute: () => "paid" });
const clerk = agent({ name: "clerk", tools: [pay] });
const good = () => scriptedModel([{ calls: [{ name: "pay" }] }, "It is paid."]);
const lacking = { ...scriptedModel(["never"]), name: "m", ready: () => "there is no key." };
const approvals = { "approval/0/0": { approve: true } };

describe("a run whose port is not ready", () => {
  it("does not begin, and leaves no journal", async () => {
    const journal = textJournal("");
    const { code, message } = await rejection(run(clerk, "Pay.", { model: lacking, journal }));
    expect([code, journal.text]).toEqual(["port.notReady", ""]);
    expect(message).toContain("m is not ready: there is no key. Nothing was taken or written");
  });

  it("is resumed only when it is: the decision is not used up, and nothing is written", async () => {
    const journal = textJournal("");
    await run(clerk, "Pay.", { model: good(), journal });
    const before = journal.text;
    const store = { name: "s", read: async () => null, write: async () => null };
    const stores = { s: { ...store, ready: () => Promise.reject(new Error("no disk")) } };
    const refused = await rejection(resume(clerk, journal, { model: lacking, stores, approvals }));
    expect(refused.message).toContain("there is no key. s is not ready: no disk.");
    expect(journal.text).toBe(before);
    const ready = { ...good(), ready: async () => undefined };
    const end = await resume(clerk, journal, {
      model: { one: ready },
      stores: { store },
      approvals,
    });
    expect(end).toMatchObject({ status: "done", output: "It is paid." });
    // One that has ended asks for nothing any more.
    expect(await resume(clerk, journal, { model: lacking })).toMatchObject({ status: "done" });
  });
});

describe("a model of the AI SDK", () => {
  afterEach(() => void vi.unstubAllEnvs());

  it.each(["chat", "responses"] as const)("lacks a key that is not set (%s)", async (api) => {
    vi.stubEnv("OPENAI_API_KEY", undefined);
    const model = aiSdk(createOpenAI({})[api]("gpt-4o"));
    const journal = memoryJournal();
    const { code, message } = await rejection(run(clerk, "Pay.", { model, journal }));
    expect([code, message]).toEqual(["port.notReady", expect.stringContaining("OPENAI_API_KEY")]);
    vi.stubEnv("OPENAI_API_KEY", "k");
    expect(await model.ready?.()).toBeUndefined();
  });

  it("of a provider that shows nothing of itself is ready", async () => {
    const own = { specificationVersion: "v3", provider: "own", modelId: "m", supportedUrls: {} };
    const model = (config?: object) =>
      aiSdk({ ...own, ...(config && { config }), doGenerate: async () => ({}) } as never);
    expect(await model().ready?.()).toBeUndefined();
    const offline = () => Promise.reject(new Error("offline"));
    expect(await model({ headers: offline }).ready?.()).toBeUndefined();
  });
});
