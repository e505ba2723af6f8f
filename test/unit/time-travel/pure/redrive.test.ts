// A recorded run driven once more by hand: which answer goes to which request, when, and what is said of
// those that nobody answers.
import { describe, expect, it } from "vitest";
import { Redrive } from "../../../../src/time-travel/pure/index.js";
import { Recording } from "../../../support/recorded.js";
import { runRecord } from "../../../support/run-record.js";
import { issue, smallReasoner, timer } from "../../../support/small-machine.js";

const tool = (id: string, input: unknown = id, more: object = {}) => ({
  type: "tool",
  id,
  name: "n",
  input,
  ...more,
});
const cancel = (target: string) => ({ type: "cancel", target });
const told = (id: string, output: unknown = id, more: object = {}) => ({
  type: "tool.succeeded",
  id,
  output,
  ...more,
});
const asks = (...directives: readonly object[]) => ({ type: "do", directives });

/** The record of a run to which these things happened. */
function recordOf(...events: readonly { readonly type: string }[]) {
  const recording = new Recording();
  for (const each of events) recording.step(each as never);
  return runRecord(recording.lines);
}

/** A machine that issues these at its start, and upon events. */
function candidate(start: readonly object[], on: Record<string, readonly object[]> = {}) {
  return smallReasoner({
    initial: "a",
    states: {
      a: {
        entry: issue(...start),
        on: {
          ...Object.fromEntries(
            Object.entries(on).map(([type, directives]) => [
              type,
              { actions: issue(...directives) },
            ]),
          ),
          end: "b",
        },
      },
      b: { type: "final" },
    },
  });
}

function driven(
  reasoner: ReturnType<typeof candidate>,
  record: ReturnType<typeof recordOf>,
  ignore?: readonly string[],
) {
  const redrive = new Redrive(reasoner, record, undefined, ignore && { ignore });
  redrive.run();
  const asked = redrive.asked.map(({ effect, support, recorded, seq }) =>
    [effect.id, support, recorded ?? "-", seq].join(" "),
  );
  return { redrive, asked, open: redrive.open.map(({ id }) => id), state: redrive.state };
}

describe("a request", () => {
  it("is given the answer to one of its content, by whichever id, at the time it had", () => {
    const record = recordOf(asks(tool("x", 1), tool("y", 2)), told("y"), told("x"));
    const { asked, state } = driven(candidate([tool("p", 2), tool("q", 1)]), record);
    expect(asked).toEqual(["p reused y 0", "q reused x 0"]);
    expect([state.seq, state.at]).toEqual([3, 3]);
  });

  it("is told from one with another input, name or part, and as many as are named may differ", () => {
    const llm = (id: string, more: object) => ({ type: "llm", id, messages: [], ...more });
    const answer = { type: "llm.succeeded", id: "x", content: [], finishReason: "stop", usage: {} };
    const record = recordOf(asks(llm("x", { system: "s", toolChoice: "auto" })), answer);
    const of = (more: object, ignore?: readonly string[]) =>
      driven(candidate([llm("p", more)]), record, ignore).asked;
    expect(of({ toolChoice: "auto", system: "s" })).toEqual(["p reused x 0"]);
    expect(of({ system: "t", toolChoice: "auto" })).toEqual(["p new - 0"]);
    expect(of({ system: "s" })).toEqual(["p new - 0"]);
    expect(of({ system: "t", toolChoice: "auto" }, ["system"])).toEqual(["p reused x 0"]);
    expect(of({ toolChoice: "auto" }, ["system"])).toEqual(["p reused x 0"]);
    expect(of({ system: "t" }, ["system"])).toEqual(["p new - 0"]);
    const tools = recordOf(asks(tool("x", 1)), told("x"));
    expect(driven(candidate([tool("p", 2)]), tools).asked).toEqual(["p new - 0"]);
    expect(driven(candidate([{ ...tool("p", 1), name: "m" }]), tools).asked).toEqual(["p new - 0"]);
    const read = { type: "read", id: "p", store: "n", query: 1 };
    expect(driven(candidate([read]), tools).asked).toEqual(["p new - 0"]);
  });

  it("is given each answer once, one that was answered before one that was not", () => {
    const same = (id: string) => tool(id, 1);
    const record = recordOf(asks(same("x")), asks(same("y")), told("y"));
    expect(driven(candidate([same("p")]), record).asked).toEqual(["p reused y 0"]);
    const all = driven(candidate([same("p"), same("q"), same("r")]), record);
    expect(all.asked).toEqual(["p reused y 0", "q open x 0", "r new - 0"]);
    expect(all.open).toEqual(["r"]);
  });

  it("of large values is known by its reference", () => {
    const large = { text: "x".repeat(500) };
    const record = recordOf(asks(tool("x", large)), told("x"));
    expect(driven(candidate([tool("p", { text: "x".repeat(500) })]), record).asked).toEqual([
      "p reused x 0",
    ]);
    expect(driven(candidate([tool("p", { text: "y".repeat(500) })]), record).asked).toEqual([
      "p new - 0",
    ]);
  });

  it("that is a timer is not among what is asked for, and is not waited for", () => {
    const record = recordOf({ type: "go" });
    const { asked, open, state } = driven(candidate([timer("t", 5)]), record);
    expect([asked, open, state.seq]).toEqual([[], [], 1]);
    const fired = recordOf(asks(timer("t", 5)), { type: "timer.fired", id: "t" } as never);
    expect(driven(candidate([timer("u", 5)]), fired).state.at).toBe(2);
  });
});

describe("a request that is cancelled", () => {
  it("while nobody has answered it was cancelled, whether somebody had asked it before or not", () => {
    const record = recordOf(asks(tool("x", 1)), asks(tool("y", 2)), told("y"));
    // The answer to the second lets go of the others.
    const { asked, open, redrive } = driven(
      candidate([tool("p", 1), tool("q", 2), tool("r", 3)], {
        "tool.succeeded": [cancel("p"), cancel("r")],
      }),
      record,
    );
    expect(asked).toEqual(["p cancelled x 0", "q reused y 0", "r cancelled - 0"]);
    expect(open).toEqual([]);
    expect(redrive.state.status).toBe("active");
  });

  it("before its answer came is given none", () => {
    const record = recordOf(asks(tool("x", 1), tool("y", 2)), told("y"), told("x"));
    const { asked, state } = driven(
      candidate([tool("p", 1), tool("q", 2)], { "tool.succeeded": [cancel("p")] }),
      record,
    );
    expect([asked, state.seq]).toEqual([["p reused x 0", "q reused y 0"], 2]);
  });

  it("when the run ends is no longer waited for", () => {
    const record = recordOf(asks(tool("x", 1)), { type: "end" });
    const { asked, state } = driven(candidate([tool("p", 1)]), record);
    expect(state.status).toBe("done");
    expect(asked).toEqual(["p cancelled x 0"]);
  });
});

describe("what came from outside", () => {
  const taken = (record: ReturnType<typeof recordOf>, start: readonly object[]) => {
    const seen: string[] = [];
    const reasoner = candidate(start);
    const noting = {
      ...reasoner,
      step: (...given: Parameters<typeof reasoner.step>) => {
        const [, event] = given;
        seen.push(`${event.type} ${"id" in event ? event.id : ""} ${event.at}`);
        return reasoner.step(...given);
      },
    };
    driven(noting as never, record);
    return seen;
  };

  it("comes where it came, between the answers", () => {
    const record = recordOf(
      { type: "first" },
      asks(tool("x", 1), tool("y", 2)),
      told("x"),
      { type: "second" },
      told("y"),
      { type: "third" },
    );
    expect(taken(record, [tool("p", 1), tool("q", 2)])).toEqual([
      "first  1",
      "do  2",
      "tool.succeeded p 3",
      "second  4",
      "tool.succeeded q 5",
      "third  6",
    ]);
  });

  it("waits for what is new: whoever spoke had heard the answer", () => {
    const record = recordOf({ type: "first" }, asks(tool("x", 1)), told("x"));
    expect(taken(record, [tool("p", 9), tool("q", 1)])).toEqual(["tool.succeeded q 3"]);
    expect(taken(record, [tool("q", 1)])).toEqual(["first  1", "do  2", "tool.succeeded q 3"]);
  });

  it("goes on when that is answered, and time does not go back", () => {
    const record = recordOf({ type: "first" }, { type: "end" }, { type: "late" });
    const { redrive, open } = driven(candidate([tool("p", 9)]), record);
    expect(open).toEqual(["p"]);
    redrive.answer({ ...told("p"), at: 50 } as never);
    expect(redrive.state.at).toBe(50);
    expect([redrive.open, redrive.asked[0]?.support]).toEqual([[], "live"]);
    redrive.run();
    // At its end it takes nothing any more.
    expect([redrive.state.status, redrive.state.at, redrive.state.seq]).toEqual(["done", 50, 3]);
    redrive.answer({ ...told("nobody"), at: 60 } as never);
    expect(redrive.asked).toHaveLength(1);
  });
});
