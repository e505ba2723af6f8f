// Texts that a redaction hook seals: the state and the journal hold them sealed, and whoever is called sees them open.
import { describe, expect, it } from "vitest";
import { agent, tool } from "../../../../src/index.js";
import {
  headerOf,
  memoryJournal,
  replay,
  run,
  scriptedModel,
} from "../../../../src/runtime/index.js";
import { textIn } from "../../../support/journal-text.js";

const seal = (text: string) => `sealed:${Buffer.from(text).toString("base64")}`;
const unseal = (text: string) => Buffer.from(text.slice(7), "base64").toString();
/** Seals every text in what is redacted that names Ada. */
function sealAll(value: unknown): unknown {
  if (typeof value === "string") return value.includes("Ada") ? seal(value) : value;
  if (Array.isArray(value)) return value.map(sealAll);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, sealAll(each)]));
}

describe("a sealed text", () => {
  it("is opened for the model and the tool, and stands nowhere open", async () => {
    const seen: unknown[] = [];
    const greet = tool({
      name: "greet",
      execute: (input) => {
        seen.push(input);
        return "Greeted Ada.";
      },
    });
    const answers = scriptedModel([{ calls: [{ name: "greet", input: { who: ["Ada"] } }] }, "Ok."]);
    const model: typeof answers = {
      ...answers,
      generate(request, call) {
        seen.push(request.messages.map(({ content }) => JSON.stringify(content)).join("\n"));
        return answers.generate(request, call);
      },
    };
    const journal = memoryJournal();
    const clerk = agent({ name: "clerk", tools: [greet] });
    const options = { redact: sealAll, unseal, keyId: "k1" };
    const end = await run(clerk, "I am Ada.", { model, journal, ...options });
    expect(end.status).toBe("done");
    expect(seen[0]).toContain("I am Ada.");
    expect(seen[1]).toEqual({ who: ["Ada"] });
    expect(seen[2]).toContain("Greeted Ada.");
    const text = await textIn(journal);
    expect(text).not.toContain("Ada");
    expect(text).toContain(seal("I am Ada."));
    expect(JSON.stringify(end.context)).not.toContain("Ada");
    expect((await headerOf(journal)).keyId).toBe("k1");
    expect((await replay(clerk, journal)).status).toBe("identical");
  });

  it("that cannot be opened fails its attempt, once, with the reason", async () => {
    const end = await run(agent({ name: "a" }), "I am Ada.", {
      model: scriptedModel(["Never asked."]),
      redact: sealAll,
      unseal: () => Promise.reject(new Error("The key is gone.")),
    });
    expect(end).toMatchObject({ status: "failed", error: { message: "The key is gone." } });
    const odd = await run(agent({ name: "a" }), "I am Ada.", {
      model: scriptedModel(["Never asked."]),
      redact: sealAll,
      unseal: () => 1 as never,
    });
    expect(odd).toMatchObject({ error: { message: "unseal did not return a text" } });
  });
});
