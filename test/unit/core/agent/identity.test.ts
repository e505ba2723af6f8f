// An agent's name is its identity: a journal of one is refused by another.
import { describe, expect, it } from "vitest";
import { isAgent } from "../../../../src/core/agent/index.js";
import { type DecisionsConfig, decisions, memoryDecisions } from "../../../../src/decisions.js";
import {
  agent,
  type Json,
  memoryJournal,
  replay,
  resume,
  run,
  scriptedModel,
  tool,
} from "../../../../src/index.js";
import { refusal, rejection } from "../../../support/thrown.js";

const buyer = agent({ name: "buyer", system: "Deal." });
const seller = agent({ name: "seller", system: "Deal." });

async function journalOf() {
  const journal = memoryJournal();
  await run(buyer, "x", { model: scriptedModel(["done"]), journal });
  return journal;
}

describe("two agents of different names", () => {
  it("are two reasoners", () => {
    expect([buyer.id, seller.id]).toEqual(["buyer", "seller"]);
    expect(buyer.fingerprint).not.toBe(seller.fingerprint);
    expect(buyer.start("x", { at: 0, runId: "r" }).state.reasoner).toBe("buyer");
  });

  it("a journal of one is refused by the other, and by its state as well", async () => {
    const journal = await journalOf();
    expect(await replay(buyer, journal)).toMatchObject({ status: "identical" });
    expect((await rejection(replay(seller, journal))).code).toBe("journal.reasoner");
    expect((await rejection(resume(seller, journal))).code).toBe("journal.reasoner");
    const { state } = buyer.start("x", { at: 0, runId: "r" });
    const error = refusal(() => seller.step(state, { type: "cancel", at: 1 }));
    expect(error.code).toBe("state.mismatch");
  });
});

it("what a rejected call comes to is part of the configuration, where it is not the default", () => {
  const print = (more: object) => agent({ name: "buyer", ...more }).fingerprint;
  expect(print({ onRejectedCall: "error" })).toBe(print({}));
  expect(print({ onRejectedCall: "tell" })).not.toBe(print({}));
  expect(buyer.configuration).not.toHaveProperty("onRejectedCall");
});

describe("what the core decides by is part of the configuration, where it is not the default", () => {
  const execute = () => "paid";
  const withTool = (more: object) =>
    agent({ name: "buyer", tools: [tool({ name: "pay", execute, ...more } as never)] });
  const plain = withTool({});

  it.each<[string, object]>([
    ["its kind", { execute: undefined, reduce: execute }],
    ["an approval", { needsApproval: true }],
    ["an approval for some", { needsApproval: () => true }],
    ["whether it runs alone", { sequential: true }],
    ["whether it ends the run", { final: true }],
    ["what comes behind an unknown call", { onUnknown: "continue" }],
    ["how a failure reads", { formatError: () => "no" }],
  ])("of a tool: %s", (_what, more) => {
    const other = withTool(more);
    expect(other.fingerprint).not.toBe(plain.fingerprint);
    const differs = Object.keys(other.configuration).filter(
      (part) => other.configuration[part] !== plain.configuration[part],
    );
    expect(differs).toEqual(["tools.pay"]);
  });

  it("and no more of a tool than that: how it is carried out is the host's", () => {
    const said = { needsApproval: false, sequential: false, final: false, onUnknown: undefined };
    const host = { idempotent: true, retries: 3, timeoutMs: 5, formatError: undefined };
    expect(withTool({ ...said, ...host }).fingerprint).toBe(plain.fingerprint);
  });

  it("which hooks a plug-in has", () => {
    const judged = (hooks: object) =>
      agent({ name: "buyer", system: "Deal.", plugins: [{ name: "judge", ...hooks }] });
    const hook = () => undefined;
    const none = judged({});
    expect(judged({ beforeTool: undefined }).fingerprint).toBe(none.fingerprint);
    const before = judged({ beforeTool: hook });
    expect(before.fingerprint).not.toBe(none.fingerprint);
    expect(before.fingerprint).not.toBe(judged({ afterTool: hook }).fingerprint);
  });

  it("what a plug-in was made with, where it says so", () => {
    const made = (settings?: Json) =>
      agent({ name: "buyer", system: "Deal.", plugins: [{ name: "p", settings }] });
    const none = made();
    expect(none.configuration).not.toHaveProperty(["plugins.p"]);
    const one = made({ limit: 1 });
    const other = made({ limit: 2 });
    expect(new Set([none, one, other].map((each) => each.fingerprint)).size).toBe(3);
    expect(made({ limit: 1 }).fingerprint).toBe(one.fingerprint);
    expect(other.configuration["plugins.p"]).not.toBe(one.configuration["plugins.p"]);
    const wrong = refusal(() => made((() => 1) as never));
    expect(wrong).toMatchObject({ code: "json.refused", place: "plugins.p.settings" });
  });

  it("and of decisions all that they were made with", async () => {
    const tracked = (options: DecisionsConfig) =>
      agent({ name: "buyer", plugins: [decisions({ store: "d", ...options })] });
    const plain = tracked({});
    expect(tracked({ decisionLimit: 5, autoInject: true }).fingerprint).toBe(plain.fingerprint);
    const others: readonly DecisionsConfig[] = [
      { store: undefined },
      { store: "e" },
      { decisionLimit: 6 },
      { autoInject: false },
      { injectStrategy: "every_iteration" },
      { scope: "mine" },
      { budget: 300 },
    ];
    const prints = others.map((options) => tracked(options).fingerprint);
    expect(new Set([plain.fingerprint, ...prints]).size).toBe(1 + others.length);
    const journal = memoryJournal();
    const stores = { d: memoryDecisions() };
    await run(plain, "x", { model: scriptedModel(["done"]), journal, stores });
    expect(await rejection(resume(tracked({ decisionLimit: 6 }), journal))).toMatchObject({
      code: "journal.configuration",
      message: expect.stringContaining("plugins.decisions differs"),
    });
  });

  it("so a run that waits for a person is not carried on unasked under other rules", async () => {
    const asking = withTool({ needsApproval: true });
    const model = scriptedModel([{ calls: [{ name: "pay" }] }, "done"]);
    const journal = memoryJournal();
    await run(asking, "x", { model, journal });
    expect(await rejection(resume(plain, journal, { model }))).toMatchObject({
      code: "journal.configuration",
      message: expect.stringContaining("tools.pay differs"),
    });
    const approvals = { "approval/0/0": { approve: true } };
    const end = await resume([plain, asking], journal, { model, upgrade: true, approvals });
    expect(end).toMatchObject({ status: "done", output: "done" });
    expect(await replay([plain, asking], journal)).toMatchObject({ status: "identical" });
  });
});

describe("an agent's version", () => {
  it("is the user's own number, 1 where he says none", () => {
    expect(buyer.version).toBe(1);
    const second = agent({ name: "buyer", system: "Deal.", version: 2 });
    expect(second.version).toBe(2);
    expect(second.fingerprint).not.toBe(buyer.fingerprint);
  });

  it("of another one is refused", async () => {
    const journal = await journalOf();
    const second = agent({ name: "buyer", system: "Deal.", version: 2 });
    expect((await rejection(resume(second, journal))).code).toBe("journal.configuration");
    const { notices } = await replay(second, journal);
    expect(notices.join()).toContain("version 1 became 2");
  });

  it.each([-1, 1.5, "2", Number.NaN])("%s is none", (version) => {
    const { code } = refusal(() => agent({ name: "a", version: version as number }));
    expect(code).toBe("agent.invalid");
  });

  it("is told apart from other reasoners", () => {
    expect(isAgent(buyer)).toBe(true);
    expect(isAgent({ machine: {} })).toBe(false);
  });
});
