// The facade, an import and the plug-in of an agent are called from plain JavaScript too: whatever they
// are given, there is a result or an error with a code, in one line, and the graph is as it was.
import { Decisions, decisions, importDecisions, memoryDecisions } from "reckoner/decisions";
import { describe, expect, it } from "vitest";

const trap = new Proxy(
  {},
  {
    get: () => {
      throw new Error("trap");
    },
    ownKeys: () => {
      throw new Error("trap");
    },
  },
);
const odd: readonly (readonly [string, unknown])[] = [
  ["undefined", undefined],
  ["null", null],
  ["a number", 5],
  ["NaN", Number.NaN],
  ["a text", "x"],
  ["a list", []],
  ["a list of null", [null]],
  ["a function", () => 1],
  ["a symbol", Symbol("x")],
  ["a bigint", 10n],
  ["a Date", new Date(0)],
  ["a Map", new Map()],
  ["a trap", trap],
  [
    "what has no text",
    {
      toString: () => {
        throw new Error("none");
      },
    },
  ],
  ["__proto__", JSON.parse('{"__proto__":{"x":1}}')],
];

async function graphOfOne() {
  const graph = new Decisions(memoryDecisions());
  await graph.addNode({ id: "a", type: "goal", label: "A" });
  return graph;
}

/** The code of what is thrown; undefined where there is a result. */
async function codeOf(act: () => unknown): Promise<string | undefined> {
  try {
    await act();
    return undefined;
  } catch (thrown) {
    expect(thrown).toMatchObject({ name: "ReckonerError", code: expect.any(String) });
    expect((thrown as Error).message).not.toContain("\n");
    return (thrown as { code: string }).code;
  }
}

describe("what would be passed over", () => {
  it.each<[string, (graph: Decisions) => unknown]>([
    ["idempotencykey", (graph) => graph.write([], { idempotencykey: "k" } as never)],
    ["idempotencykey", (graph) => graph.deleteNode("a", { idempotencykey: "k" } as never)],
    ["scop", () => new Decisions(memoryDecisions(), { scop: "x" } as never)],
    ["scopd", () => memoryDecisions({ scopd: true } as never)],
    ["buget", (graph) => graph.context({ buget: 100 } as never)],
    ["What is asked beside", (graph) => graph.recentDecisions(1 as never)],
    ["What is asked beside", (graph) => graph.nodes({}, "newest" as never)],
  ])("is refused: %s", async (what, act) => {
    const graph = await graphOfOne();
    const refused = await Promise.resolve()
      .then(() => act(graph))
      .catch((thrown: unknown) => thrown);
    expect(refused).toMatchObject({
      code: "option.invalid",
      message: expect.stringContaining(what),
    });
    expect((await graph.stats()).seq).toBe(1);
  });

  it("of a query is the store's to refuse", async () => {
    const graph = await graphOfOne();
    expect(await codeOf(() => graph.recentDecisions({ limt: 1 } as never))).toBe("decisions.query");
  });
});

describe.each(odd)("%s", (_name, given) => {
  const any = given as never;

  it("as what is written is refused, and nothing is", async () => {
    const graph = await graphOfOne();
    for (const write of [
      () => graph.write(any),
      () => graph.write([any]),
      () => graph.addNode(any),
      () => graph.addEdge(any),
      () => graph.updateNode("a", any),
      () => importDecisions(graph, any),
      () => importDecisions(graph, [any]),
    ]) {
      const code = await codeOf(write);
      expect(code).toMatch(/^(decisions|json|option)\./);
      expect((await graph.stats()).seq).toBe(1);
    }
  });

  it("as a query is refused", async () => {
    const graph = await graphOfOne();
    expect(await codeOf(() => graph.query(any))).toMatch(/^(decisions\.query|json\.refused)$/);
  });

  it("as an option has a result or a code", async () => {
    const graph = await graphOfOne();
    await codeOf(() => graph.context({ budget: any }));
    await codeOf(() => graph.addNode({ type: "goal", label: "x" }, any));
    await codeOf(() => graph.addNode({ type: "goal", label: "x" }, { idempotencyKey: any }));
    await codeOf(() => decisions(any));
    await codeOf(() => decisions({ store: any }));
    await codeOf(() => new Decisions(memoryDecisions(), any));
    await codeOf(() => new Decisions(memoryDecisions(), { now: any }));
    expect(await codeOf(() => new Decisions(any))).toBe("option.invalid");
  });
});
