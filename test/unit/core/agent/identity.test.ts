// An agent's name is its identity: a journal of one is refused by another.
import { describe, expect, it } from "vitest";
import { isAgent } from "../../../../src/core/agent/index.js";
import { agent, memoryJournal, replay, resume, run, scriptedModel } from "../../../../src/index.js";
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
