/** Prints events as metrics in the Prometheus text format. */

import { checkArguments } from "../../kernel/index.js";
import { EVENTS } from "../argument-shapes.js";
import { groupBy } from "../queries/trace.js";
import type { TraceEvent } from "../trace-event.js";

type Labels = Readonly<Record<string, string>>;

interface Metric {
  readonly name: string;
  readonly type: "counter" | "gauge";
  readonly help: string;
  readonly samples: readonly { readonly labels: Labels; readonly value: number }[];
}

/** Metrics of events: counters by agent and type, tokens, and durations in seconds. */
export function formatPrometheus(events: readonly TraceEvent[]): string {
  checkArguments("formatPrometheus", { events }, { events: EVENTS });
  const calls = events.filter(({ durationMs }) => durationMs !== undefined);
  const timed = (sum: boolean) =>
    samplesBy(
      calls,
      ({ agentId, type }) => ({ agent: agentId, type }),
      ({ durationMs = 0 }) => (sum ? durationMs : 1),
    );
  const tokens = events.flatMap(({ agentId, fields }) =>
    (["prompt", "completion"] as const).flatMap((kind) => {
      const count = Number(fields[`${kind}Tokens`]);
      if (!Number.isFinite(count)) return [];
      return [{ labels: { agent: agentId, model: fields.model ?? "unknown", kind }, count }];
    }),
  );
  const metrics: readonly Metric[] = [
    {
      name: "reckoner_trace_events_total",
      type: "counter",
      help: "Events of traces, by agent, type and how they stand.",
      samples: samplesBy(
        events,
        ({ agentId, type, status }) => ({ agent: agentId, type, status }),
        () => 1,
      ),
    },
    {
      name: "reckoner_tool_calls_total",
      type: "counter",
      help: "Tool calls, by agent, tool and how they stand.",
      samples: samplesBy(
        events.filter(({ type }) => type === "tool_call"),
        ({ agentId, fields, status }) => ({
          agent: agentId,
          tool: fields.toolName ?? "unknown",
          status,
        }),
        () => 1,
      ),
    },
    {
      name: "reckoner_tokens_total",
      type: "counter",
      help: "Tokens of model calls, by agent, model and kind.",
      samples: samplesBy(
        tokens,
        ({ labels }) => labels,
        ({ count }) => count,
      ),
    },
    {
      name: "reckoner_event_duration_seconds_sum",
      type: "counter",
      help: "Seconds that events took, added up, by agent and type.",
      // Added up as whole milliseconds: fractions of seconds would not come out even.
      samples: timed(true).map(({ labels, value }) => ({ labels, value: value / 1000 })),
    },
    {
      name: "reckoner_event_duration_seconds_count",
      type: "counter",
      help: "Events of which it is known how long they took, by agent and type.",
      samples: timed(false),
    },
    {
      name: "reckoner_open_events",
      type: "gauge",
      help: "Events that are not over, by agent and type.",
      samples: samplesBy(
        events,
        ({ agentId, type }) => ({ agent: agentId, type }),
        ({ status }) => (status === "open" ? 1 : 0),
      ),
    },
  ];
  return `${metrics.map(textOf).join("\n")}\n`;
}

function samplesBy<T>(
  items: readonly T[],
  labelsOf: (item: T) => Labels,
  countOf: (item: T) => number,
): Metric["samples"] {
  const groups = groupBy(items, (item) => JSON.stringify(labelsOf(item)));
  return [...groups.values()].map((group) => ({
    labels: labelsOf(group[0] as T),
    value: group.reduce((sum, each) => sum + countOf(each), 0),
  }));
}

function textOf({ name, type, help, samples }: Metric): string {
  const lines = samples.map(({ labels, value }) => {
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
    return `${name}{${pairs.join(",")}} ${value}`;
  });
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines].join("\n");
}

function escaped(text: string): string {
  return text.replace(/[\\"\n]/g, (c) => (c === "\n" ? "\\n" : `\\${c}`));
}
