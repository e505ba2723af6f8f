// A statechart as a picture: what stands in it, and what it says of guards and actions.
import { agent } from "reckoner";
import { chartPicture, toJson, toMermaid, toSvg } from "reckoner/pictures";
import { plans, thoughts } from "reckoner/thoughts";
import { describe, expect, it } from "vitest";
import { and, assign, createMachine, not, or, raise, stateIn } from "xstate";
import { checkMermaid, checkSvg } from "./support.js";

const order = createMachine({
  id: "order",
  initial: "draft",
  on: { cancel: ".cancelled", note: { actions: assign({ note: "x" }) } },
  states: {
    draft: {
      entry: "greet",
      on: { submit: [{ guard: "hasItems", target: "checking", actions: "reserve" }, "draft"] },
    },
    checking: {
      type: "parallel",
      onDone: "done",
      states: {
        payment: {
          initial: "asking",
          states: { asking: { on: { paid: "paid" } }, paid: { type: "final" } },
        },
        stock: { initial: "found", states: { found: { type: "final" } } },
      },
    },
    done: { type: "final" },
    broken: { type: "final", tags: ["failed"] },
    cancelled: { type: "final", tags: ["cancelled"] },
  },
});

/** The labels of a machine's edges between two of its states. */
function labelsOf(machine: Parameters<typeof chartPicture>[0], from: string, to: string) {
  const edges = chartPicture(machine).edges.filter((edge) => edge.from === from && edge.to === to);
  return edges.flatMap(({ labels = [] }) => labels);
}

const never = () => false;

describe("a chart", () => {
  it("has states in states, regions, guards, actions, beginnings and ends", () => {
    expect(toMermaid(chartPicture(order))).toMatchInlineSnapshot(`
      "---
      title: "order"
      ---
      flowchart TD
        n0(["in any state<br/>note / change note"])
        n1(("●"))
        n2("draft<br/>entry / greet")
        n8[["done"]]
        n9[["broken"]]
        n10[["cancelled"]]
        subgraph g0["checking (side by side)"]
          subgraph g1["payment"]
            n3(("●"))
            n4("asking")
            n5[["paid"]]
          end
          subgraph g2["stock"]
            n6(("●"))
            n7[["found"]]
          end
        end
        n1 --> n2
        n0 -->|"cancel"| n10
        n2 -->|"submit [hasItems] / reserve"| g0
        n2 -->|"submit [else]"| n2
        g0 -->|"done"| n8
        n3 --> n4
        n4 -->|"paid"| n5
        n6 --> n7
        classDef look0 fill:#eaecef,stroke:#a8b0b8,color:#6a737d
        class n0,n10 look0
        classDef look1 fill:#f6f8fa,stroke:#6e7781,color:#1f2328
        class n1,n2,n3,n4,n6 look1
        classDef look2 fill:#daf3df,stroke:#2a7d3b,color:#0f3d1a
        class n5,n7,n8 look2
        classDef look3 fill:#fde2e1,stroke:#c0362c,color:#5c120d
        class n9 look3
        classDef look4 fill:none,stroke:#6e7781
        class g0 look4
        classDef look5 fill:none,stroke:#6e7781,stroke-dasharray:6 4
        class g1,g2 look5
      "
    `);
  });

  it("says in its model what each thing is", () => {
    const { groups, nodes } = chartPicture(order);
    expect(groups.map(({ label, parent, line }) => [label, parent, line])).toEqual([
      ["checking (side by side)", undefined, "solid"],
      ["payment", "order.checking", "dashed"],
      ["stock", "order.checking", "dashed"],
    ]);
    const ends = nodes.filter(({ shape }) => shape === "double");
    expect(ends.map(({ label, tone }) => [label, tone])).toEqual([
      ["paid", "green"],
      ["found", "green"],
      ["done", "green"],
      ["broken", "red"],
      ["cancelled", "grey"],
    ]);
    expect(nodes.filter(({ shape }) => shape === "dot").map(({ group }) => group)).toEqual([
      undefined,
      "order.checking.payment",
      "order.checking.stock",
    ]);
  });

  it("shows where a run is", () => {
    const active = { checking: { payment: "asking", stock: "found" } };
    const { nodes, groups } = chartPicture(order, { active });
    const here = nodes.filter(({ borderTone }) => borderTone === "blue");
    expect(here.map(({ id }) => id)).toEqual([
      "order.checking.payment.asking",
      "order.checking.stock.found",
    ]);
    expect(groups.every(({ tone }) => tone === "blue")).toBe(true);
    const odd = chartPicture(order, { active: { toString: "x", __proto__: "y" } as never });
    expect(odd.nodes.some(({ borderTone }) => borderTone === "blue")).toBe(false);
  });

  it("is drawn with everything in its box", () => {
    const svg = toSvg(chartPicture(order, { title: "An order" }));
    checkSvg(svg);
    expect(svg).toContain(">An order</text>");
    for (const text of ["checking (side by side)", "submit [hasItems] / reserve", "in any state"]) {
      expect(svg).toContain(`>${text}</text>`);
    }
    expect(svg).toContain(">final: failed</text>");
    expect(svg).not.toContain(">where it was last</text>");
  });
});

describe("names in a chart", () => {
  it("are those of guards, combined ones too", () => {
    const machine = createMachine({
      id: "m",
      initial: "a",
      states: {
        a: {
          on: {
            one: { guard: "isOpen", target: "b" },
            two: { guard: and(["isOpen", not("isLate"), or(["isRich", "isKnown"])]), target: "b" },
            three: { guard: stateIn("#m.b"), target: "b" },
            four: { guard: { type: "isAbove", params: { limit: 3 } }, target: "b" },
            five: { guard: never, target: "b" },
          },
        },
        b: {},
      },
    });
    expect(labelsOf(machine, "m.a", "m.b")).toEqual([
      "one [isOpen]",
      "two [isOpen and not isLate and (isRich or isKnown)]",
      "three [in #m.b]",
      'four [isAbove {"limit":3}]',
      "five [never]",
    ]);
  });

  it("are counted where closures have none, and never their source", () => {
    const machine = createMachine({
      id: "m",
      initial: "a",
      states: {
        a: {
          always: [
            { guard: () => false, target: "b" },
            { guard: () => false, target: "c" },
            { target: "d" },
          ],
          on: { go: { guard: () => true, target: "b", actions: () => {} } },
        },
        b: {},
        c: {},
        d: {},
      },
    });
    expect(labelsOf(machine, "m.a", "m.b")).toEqual(["go [condition] / action", "[condition 1]"]);
    expect(labelsOf(machine, "m.a", "m.c")).toEqual(["[condition 2]"]);
    expect(labelsOf(machine, "m.a", "m.d")).toEqual(["[else]"]);
    expect(toJson(chartPicture(machine))).not.toMatch(/function|=>/);
  });

  it("are those of actions: changes by their function or fields, issues by their directives", () => {
    const receive = () => ({ n: 1 });
    const askModel = () => [];
    const machine = createMachine({
      id: "m",
      initial: "a",
      states: {
        a: {
          on: {
            go: {
              target: "b",
              actions: [
                "named",
                assign(receive),
                assign({ n: 1, m: 2 }),
                assign(() => ({})),
                { type: "issue", params: askModel },
                { type: "issue", params: [{ type: "llm" }, { type: "timer" }] },
                { type: "issue", params: () => [] },
                raise({ type: "again" }),
              ],
            },
          },
        },
        b: {},
      },
    });
    expect(labelsOf(machine, "m.a", "m.b")).toEqual([
      "go / named, receive, change n and m, change, issue askModel, issue llm and timer, issue, raise again",
    ]);
  });

  it("say of time, of actors and of what is ignored what a person says", () => {
    const machine = createMachine({
      id: "m",
      initial: "a",
      states: {
        a: { after: { 5000: "b" }, on: { noise: {}, "*": "b" }, exit: "tidy", tags: ["busy"] },
        b: {
          invoke: [
            { src: "courier", onDone: "c" },
            { src: "payer", id: "courier", onError: "c" },
          ],
          on: { back: "c.last" },
        },
        c: { initial: "d", states: { d: {}, last: { type: "history", history: "deep" } } },
      },
    });
    expect(labelsOf(machine, "m.a", "m.b")).toEqual(["any event", "after 5000 ms"]);
    const { nodes } = chartPicture(machine);
    const detailsOf = (id: string) => nodes.find((node) => node.id === id)?.details;
    expect(detailsOf("m.a")).toEqual(["noise is taken", "exit / tidy", "tags busy"]);
    expect(detailsOf("m.b")).toEqual(["does courier", "does payer"]);
    expect(nodes.find(({ id }) => id === "m.c.last")).toMatchObject({
      shape: "history",
      label: "H*",
    });
    expect(labelsOf(machine, "m.b", "m.c")).toEqual(["done", "error courier"]);
  });
});

describe("the reasoners of the house", () => {
  const thinker = thoughts({ policy: plans.io({}) });
  it.each([
    ["agent", agent({ name: "helper" })],
    ["thoughts", thinker],
  ])("%s is drawn with every state of its machine", (_name, reasoner) => {
    const picture = chartPicture(reasoner);
    const states = Object.keys(reasoner.machine.states);
    expect(picture.nodes.map(({ label }) => label)).toEqual(expect.arrayContaining(states));
    const svg = toSvg(picture);
    checkSvg(svg);
    for (const state of states) expect(svg).toContain(`>${state}</text>`);
    checkMermaid(toMermaid(picture));
    expect(toJson(picture)).not.toMatch(/function|=>/);
  });
});

describe("the ids of states", () => {
  const pictured = (config: object) => {
    const { nodes, edges, groups } = chartPicture(createMachine({ id: "m", ...config }) as never);
    return { nodes, edges, groups, ids: [...nodes, ...groups].map(({ id }) => id) };
  };

  it("may be a user's own: what is handled in any state of a group is drawn all the same", () => {
    const of = (own: object) =>
      pictured({
        initial: "g",
        states: {
          g: {
            ...own,
            initial: "a",
            on: { RESET: ".b" },
            states: { a: { id: "x" }, b: { id: "y" } },
          },
        },
      });
    const labels = ({ nodes }: ReturnType<typeof of>) => nodes.map(({ label }) => label);
    expect(labels(of({ id: "own" }))).toEqual(labels(of({})));
    expect(of({ id: "own" }).edges).toContainEqual(
      expect.objectContaining({ from: "own·any", to: "y", labels: ["RESET"] }),
    );
  });

  it("are each one's own, where keys have points and ids are those of what stands for others", () => {
    const { ids, edges } = pictured({
      initial: "a",
      states: {
        a: { initial: "b", states: { b: {} }, on: { IN: ".b", OUT: "a.b" } },
        "a.b": { id: "m.a·any" },
        a·initial: {},
      },
    });
    expect(new Set(ids).size).toBe(ids.length);
    expect(edges.every(({ from, to }) => ids.includes(from) && ids.includes(to))).toBe(true);

    const two = pictured({
      initial: "a",
      states: { a: { initial: "b", states: { b: {} } }, "a.b": { on: { BACK: "a" } } },
    });
    expect(two.ids).toEqual(["m·initial", "m.a·initial", "m.a.b…", "m.a.b", "m.a"]);
    expect(two.edges).toContainEqual(
      expect.objectContaining({ from: "m.a.b", to: "m.a", labels: ["BACK"] }),
    );
  });
});

describe("a chart that is large", () => {
  it("closes its inner states", () => {
    const inner = (n: number) => ({
      initial: "s0",
      states: Object.fromEntries(Array.from({ length: n }, (_, i) => [`s${i}`, {}])),
    });
    const machine = createMachine({
      id: "m",
      initial: "g0",
      states: Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`g${i}`, inner(30)])),
    });
    const mermaid = toMermaid(chartPicture(machine));
    checkMermaid(mermaid);
    expect(mermaid).toContain('"g7<br/>31 inside"');
    expect(mermaid).not.toContain("subgraph");
    checkSvg(toSvg(chartPicture(machine)));
  });

  it("may be deep", () => {
    let config: object = { initial: "a", states: { a: {} } };
    for (let i = 0; i < 60; i++) config = { initial: "a", states: { a: config } };
    const picture = chartPicture(createMachine({ id: "m", ...config }));
    expect(picture.groups).toHaveLength(60);
    checkSvg(toSvg(picture));
    checkMermaid(toMermaid(picture));
  });
});
