// Every way out of a run: what a hook removes, and what errors repeat of credentials, is on none of them.
import { describe, expect, it } from "vitest";
import {
  type Agent,
  agent,
  agentTool,
  ModelError,
  ToolError,
  tool,
} from "../../../../src/index.js";
import {
  type JournalPort,
  type ModelPort,
  memoryJournal,
  type Observation,
  type Redactable,
  type RunOptions,
  replay,
  resume,
  run,
  scriptedModel,
  virtualClock,
} from "../../../../src/runtime/index.js";
import { textIn } from "../../../support/journal-text.js";
import { rejection } from "../../../support/thrown.js";

const KEY = "sk-proj-4711-very-secret-key";
const echoed = `401: Authorization: Bearer ${KEY} was refused; x-api-key: "${KEY}"`;

/** Fails once in passing and once for good, and repeats the request's headers both times. */
function echoing(text: string): ModelPort {
  let asked = 0;
  return {
    name: "echo",
    async generate(request, call) {
      asked += 1;
      if (asked === 1) throw new ModelError({ code: "429", message: text, transient: true });
      if (asked === 2) return scriptedModel([{ calls: [{ name: "t" }] }]).generate(request, call);
      const detail = { headers: { authorization: `Bearer ${text}`, "x-api-key": text } };
      throw new ModelError({ code: "401", message: text, detail });
    },
  };
}

function failing(text: string): Agent {
  const fails = () => {
    throw new Error(text);
  };
  return agent({
    name: "a",
    tools: [tool({ name: "t", jsonSchema: {}, needsApproval: true, retries: 1, execute: fails })],
  }) as Agent;
}

/** All that a run showed and left behind, as one text. */
async function allOf(
  one: Agent,
  input: unknown,
  options: RunOptions,
): Promise<{ readonly seen: readonly Observation[]; readonly text: string }> {
  const journal = memoryJournal();
  const clock = virtualClock();
  const seen: Observation[] = [];
  const live = run(one, input as never, { ...options, journal, clock });
  for await (const each of live) {
    seen.push(each);
    if (each.type === "retry" && each.delayMs > 0) setImmediate(() => clock.jump());
  }
  const { journal: _port, ...end } = await live;
  return {
    seen,
    text: JSON.stringify([seen, end, await textIn(journal), await snapshotsOf(journal)]),
  };
}

async function snapshotsOf({ snapshots }: JournalPort): Promise<readonly unknown[]> {
  const kept = (await snapshots?.list()) ?? [];
  return Promise.all(kept.map(({ seq }) => snapshots?.read(seq)));
}

const kinds = (seen: readonly Observation[]) =>
  new Set(seen.map((each) => (each.type === "notice" ? each.code : each.type)));

describe("credentials that an error repeats", () => {
  const options = (): RunOptions => ({
    model: echoing(echoed),
    approve: () => ({ approve: true }),
    observers: [
      () => {
        throw new Error(echoed);
      },
    ],
  });

  it("are in no observation, no byte and no end", async () => {
    const { seen, text } = await allOf(failing(echoed), "go", options());
    expect([...kinds(seen)]).toEqual(expect.arrayContaining(["retry", "observer.threw", "step"]));
    expect(seen.filter(({ type }) => type === "retry")).toHaveLength(2);
    expect(text).toContain("[masked]");
    expect(text).not.toContain(KEY);
  });

  it("nor where an approver fails", async () => {
    const approve = () => {
      throw new Error(echoed);
    };
    const { text } = await allOf(failing("no"), "go", { ...options(), approve });
    expect(text).toContain("The approver failed: 401");
    expect(text).not.toContain(KEY);
  });

  it("nor in the parts that a failure brings along, but for what is not a string", async () => {
    const image = { type: "image", image: KEY } as const;
    const fails = tool({
      name: "t",
      jsonSchema: {},
      execute: () => {
        throw new ToolError("no", [{ type: "text", text: echoed }, image]);
      },
    });
    const model = () => scriptedModel([{ calls: [{ name: "t" }] }, "Done."]);
    const told = async (more: RunOptions) =>
      (
        await allOf(agent({ name: "a", tools: [fails] }) as Agent, "go", {
          model: model(),
          ...more,
        })
      ).text;
    const text = await told({});
    expect(text).toContain("[masked]");
    expect(text).not.toContain(`Bearer ${KEY}`);
    expect(text).toContain(JSON.stringify(KEY).slice(1, -1));
    expect(await told({ maskCredentials: false })).toContain(`Bearer ${KEY}`);
  });

  it.each<[string, RunOptions]>([
    [
      "a journal",
      { journal: { ...memoryJournal(), open: () => Promise.reject(new Error(echoed)) } },
    ],
    [
      "a clock",
      {
        clock: {
          ...virtualClock(),
          now: () => {
            throw new Error(echoed);
          },
        },
      },
    ],
  ])("nor in what the caller is told of %s that fails", async (_what, options) => {
    const model = scriptedModel(["Done."]);
    const told = await rejection(run(agent({ name: "a" }), "go", { model, ...options }));
    expect(told.message).toContain("401: Authorization: [masked]");
    expect(told.message).not.toContain(KEY);
  });

  it("are left where the caller says so", async () => {
    const { text } = await allOf(failing(echoed), "go", { ...options(), maskCredentials: false });
    expect(text).toContain(KEY);
    expect(text).not.toContain("[masked]");
  });
});

describe("what a redaction hook removes", () => {
  const WORD = "4711-4712";
  const hide = (value: Redactable) => JSON.parse(JSON.stringify(value).replaceAll(WORD, "***"));

  it("of errors, retries, notices, approvals that are edited, and snapshots", async () => {
    const { seen, text } = await allOf(failing(`no ${WORD}`), `go ${WORD}`, {
      model: echoing(`said ${WORD}`),
      approve: () => ({ approve: true, input: { edited: WORD } }),
      redact: hide,
      observers: [
        () => {
          throw new Error(`saw ${WORD}`);
        },
      ],
    });
    expect([...kinds(seen)]).toEqual(expect.arrayContaining(["retry", "observer.threw", "step"]));
    for (const each of ["no ***", "go ***", "said ***", "saw ***"]) expect(text).toContain(each);
    expect(text).toContain('{\\"edited\\":\\"***\\"}');
    expect(text).not.toContain(WORD);
  });

  it("of child runs: their input, their events, their errors, their output", async () => {
    const child = agent({
      name: "child",
      tools: [
        tool({
          name: "t",
          jsonSchema: {},
          execute: () => {
            throw new Error(`no ${WORD}`);
          },
        }),
      ],
    });
    const parent = agent({ name: "parent", tools: [agentTool(child as Agent, { name: "child" })] });
    const model: ModelPort = {
      name: "both",
      async generate(request, call) {
        const first = request.messages.length === 1;
        const isChild = request.tools?.[0]?.name === "t";
        const turn = isChild
          ? first
            ? { calls: [{ name: "t" }] }
            : `child says ${WORD}`
          : first
            ? { calls: [{ name: "child", input: { prompt: `ask ${WORD}` } }] }
            : `parent says ${WORD}`;
        return scriptedModel(() => turn).generate(request, call);
      },
    };
    const journal = memoryJournal();
    const seen: Observation[] = [];
    const live = run(parent as Agent, "go", { model, journal, redact: hide });
    for await (const each of live) seen.push(each);
    const { journal: _port, ...end } = await live;
    const text = JSON.stringify([seen, end, await textIn(journal), await snapshotsOf(journal)]);
    expect(seen.some(({ type }) => type === "child")).toBe(true);
    for (const each of ["no ***", "ask ***", "child says ***", "parent says ***"]) {
      expect(text).toContain(each);
    }
    expect(text).not.toContain(WORD);
    expect((await replay(parent as Agent, journal)).status).toBe("identical");
  });

  it("of what is said to a resumed run, and of what it is told itself", async () => {
    const journal = memoryJournal();
    const talk = agent({ name: "talk", conversation: true }) as Agent;
    const model = scriptedModel(["one", "two"]);
    await run(talk, "go", { model, journal, redact: hide });
    const seen: Observation[] = [];
    const live = resume(talk, journal, { model, messages: [`and ${WORD}`], redact: hide });
    for await (const each of live) seen.push(each);
    const { journal: _port, ...end } = await live;
    expect(JSON.stringify([seen, end, await textIn(journal)])).not.toContain(WORD);
  });

  it("is not asked in vain: a hook that fails on a notice or a retry stops the process", async () => {
    for (const type of ["notice", "retry"]) {
      const clock = virtualClock();
      const journal = memoryJournal();
      const live = run(failing("no"), { prompt: "go", deps: { password: "x" } } as never, {
        model: echoing("said"),
        approve: () => ({ approve: true }),
        clock,
        journal,
        redact: (value) => {
          if (value.type === type) throw new Error(`not this ${type}`);
          return value;
        },
        observers: [
          (each) => {
            if (each.type === "step") setImmediate(() => clock.jump());
          },
        ],
      });
      await expect(Promise.resolve(live)).rejects.toThrow(`not this ${type}`);
    }
    const wrong = run(failing("no"), { prompt: "go", deps: { password: "x" } } as never, {
      model: echoing("said"),
      redact: (value) => (value.type === "notice" ? { type: "other" } : value),
    });
    expect((await rejection(wrong)).code).toBe("redaction.refused");
  });
});
