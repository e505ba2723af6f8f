// The picture of docs/concepts.md: how a run goes round.
import type { Picture } from "../../src/pictures/index.js";

const thin = { line: "solid", tone: "grey" } as const;

export const concepts: Picture = {
  kind: "chart",
  title: "How a run goes round",
  nodes: [
    {
      id: "event",
      label: "event",
      details: ["a message, an answer, a time"],
      shape: "round",
      tone: "plain",
    },
    {
      id: "step",
      label: "step(state, event)",
      details: ["pure: no clock, no I/O"],
      shape: "box",
      tone: "blue",
      border: "thick",
    },
    {
      id: "state",
      label: "the next state",
      details: ["plain JSON"],
      shape: "round",
      tone: "plain",
    },
    {
      id: "directives",
      label: "directives",
      details: ["effects as plain data"],
      shape: "round",
      tone: "plain",
    },
    {
      id: "journal",
      label: "journal",
      details: ["a line: event, directives,", "hash of the state"],
      shape: "double",
      tone: "amber",
    },
    {
      id: "interpreter",
      label: "interpreter",
      details: ["run, resume"],
      shape: "box",
      tone: "green",
      border: "thick",
    },
    {
      id: "world",
      label: "the world",
      details: ["models, tools, people, stores, clocks"],
      shape: "hexagon",
      tone: "grey",
    },
  ],
  edges: [
    { from: "event", to: "step", ...thin },
    { from: "step", to: "state", ...thin },
    { from: "step", to: "directives", ...thin },
    { from: "state", to: "journal", ...thin },
    { from: "directives", to: "journal", ...thin },
    { from: "journal", to: "interpreter", labels: ["on the disk first"], ...thin },
    { from: "interpreter", to: "world", labels: ["carries out"], ...thin },
    {
      from: "world",
      to: "event",
      labels: ["settles"],
      target: "above",
      line: "dashed",
      tone: "grey",
    },
    { from: "state", to: "step", target: "above", line: "dashed", tone: "grey" },
  ],
  groups: [],
  rows: [],
  legend: [],
  notes: [],
};
