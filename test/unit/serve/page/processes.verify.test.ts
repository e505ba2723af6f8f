// Pages and runs in different processes: what streams in is seen there, and a process that dies is gone on for.
import { afterAll, expect, it } from "vitest";
import { agent, type ModelPort, systemClock } from "../../../../src/index.js";
import { shown } from "../../../../src/page.js";
import { type Host, type HostStore, host, memoryHostStore } from "../../../../src/serve.js";
import { loadMessages, majors, openPage } from "../../../support/page-chat.js";
import { storeWith } from "../../../support/serve.js";

const desk = agent({ name: "desk", conversation: true });
/** However busy the machine is. */
const LATE = { timeout: 120_000 };
const hosts: Host[] = [];
afterAll(() => Promise.all(hosts.map((each) => each.drain())));

function made(store: HostStore, model: ModelPort, runs = 1_000): Host {
  const own = host({
    ...{ reasoners: [desk], model, store, runs, pollMs: 50 },
    authorize: () => ({ person: "ann" }),
  });
  hosts.push(own);
  return own;
}

/** Says words, and then no more. */
const silent: ModelPort = {
  name: "silent",
  generate(_request, { onDelta }) {
    onDelta({ type: "text", text: "Once upon" });
    return new Promise(() => {});
  },
};

const answering: ModelPort = {
  name: "answering",
  async generate(_request, { onDelta }) {
    onDelta({ type: "text", text: "Here I am." });
    const content = [{ type: "text", text: "Here I am." }] as const;
    return { content, finishReason: "stop", usage: {} };
  },
};

it("shows in one process what streams in in another, and goes on when that dies", async () => {
  const ai = majors["7"] as (typeof majors)[string];
  // Its time is over when it is dead, and not before.
  let later = 0;
  const store = memoryHostStore({ clock: { now: () => systemClock.now() + later } });
  let isDead = false;
  const gone = () => {
    if (isDead) throw new Error("no connection");
  };
  const first = storeWith(store, {
    commit: async (...given) => {
      gone();
      return store.commit(...given);
    },
    renew: async (...given) => {
      gone();
      return store.renew(...given);
    },
    claim: async (...given) => {
      gone();
      return store.claim(...given);
    },
  });
  const dying = made(first, silent);
  await dying.run("r1").start({ input: { messages: [] } });
  const page = openPage(ai, dying, { id: "r1" });
  void page.sendMessage({ text: "Hello." });
  const text = () =>
    page.lastMessage?.parts.map((part) => ("text" in part ? part.text : "")).at(-1);
  await expect.poll(text, LATE).toBe("Once upon");
  const other = made(store, answering);
  const elsewhere = openPage(ai, other, { id: "r1", messages: await loadMessages(other, "r1") });
  const seen = elsewhere.resumeStream();
  const last = () => JSON.stringify(elsewhere.lastMessage);
  await expect.poll(last, LATE).toContain("Once upon");
  isDead = true;
  later = 60_000;
  await seen;
  expect(elsewhere.error).toBeUndefined();
  expect(last()).toContain("data-reckoner-withdrawn");
  const visible = JSON.stringify(elsewhere.messages.map((each) => shown(each)));
  expect(visible).not.toContain("Once upon");
  expect(visible).toContain("Here I am.");
  const loaded = (await loadMessages(other, "r1")).map((each) => shown(each));
  expect(JSON.parse(visible)).toEqual(loaded);
  await page.stop();
});
