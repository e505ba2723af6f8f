/**
 * `RunTeller`: describes the observations of a live run (steps, calls, retries) as lines for a person. It must
 * not know where they are printed.
 */
import { parentOf } from "../../core/journal/index.js";
import { printValue } from "../../core/kernel/machine/index.js";
import {
  type ApprovalDecided,
  type Directive,
  isEffect,
  isSettlement,
  type LlmSucceeded,
  type RunEvent,
  textOf,
  toolCallsOf,
} from "../../core/kernel/vocabulary/index.js";
import type { Observation } from "../../runtime/index.js";
import { fitted } from "../terminal/truncate.js";

/** Characters of a value in a line. */
const WIDTH = 100;

/** Names the effects of one run as it goes: their ids alone say little. */
export class RunTeller {
  readonly #labels = new Map<string, string>();

  readonly #children = new Map<string, RunTeller>();

  /** Returns the name of an effect: `tool/0/1 read_file`. */
  label(id: string): string {
    return this.#labels.get(id) ?? id;
  }

  /** Returns the line for an observation; `undefined` where there is nothing to say. */
  tell(observation: Observation): string | undefined {
    // In output that is read line by line, a model's text must not look like an observation.
    return this.#line(observation)?.replace(/\n(?! {2})/g, "\n  ");
  }

  #line(observation: Observation): string | undefined {
    switch (observation.type) {
      case "step": {
        const { event, directives, ignored } = observation;
        const ignoredAs = ignored === undefined ? "" : ` (ignored: ${ignored.reason})`;
        const line = `${this.#event(event)}${ignoredAs}`;
        for (const directive of directives) this.#learn(directive);
        return line;
      }
      case "retry":
        return `${this.label(observation.id)}: attempt ${observation.attempt} in ${observation.delayMs} ms, since ${observation.error.message}`;
      case "notify": {
        const { topic, data } = observation;
        return data === undefined ? topic : `${topic}: ${printValue(data, WIDTH)}`;
      }
      case "notice":
        return `notice: ${observation.message}`;
      case "child": {
        const { runId, observation: inner } = observation;
        const child = this.#children.get(runId) ?? new RunTeller();
        this.#children.set(runId, child);
        const line = child.tell(inner);
        // The last part of a child's run id is the directive that started it.
        return line === undefined ? undefined : `${parentOf(runId)[1]} > ${line}`;
      }
      case "progress":
        return `${this.label(observation.id)}: ${printValue(observation.data, WIDTH)}`;
      case "started":
      case "delta":
        return undefined;
      default:
        throw new Error(`No line for ${JSON.stringify(observation satisfies never)}`);
    }
  }

  #learn(directive: Directive): void {
    if (!isEffect(directive)) return;
    const { id } = directive;
    if (directive.type === "tool") this.#labels.set(id, `${id} ${directive.name}`);
    if (directive.type === "approval") this.#labels.set(id, `${id} ${directive.title}`);
    if (directive.type === "run") this.#labels.set(id, `${id} ${directive.reasoner}`);
  }

  #event(event: RunEvent): string {
    const label = "id" in event && typeof event.id === "string" ? this.label(event.id) : "";
    switch (event.type) {
      case "llm.succeeded":
        return `${label}: ${answerOf(event)}`;
      case "tool.succeeded":
        return `${label}: ${printValue(event.output, WIDTH)}`;
      case "approval.decided":
        return `${label} ${decisionOf(event)}`;
      case "message":
        return `user: ${textOf({ role: "user", content: event.content })}`;
      default: {
        const { error, reason } = event as { error?: { message?: string }; reason?: string };
        const why = error?.message ?? reason;
        const subject = isSettlement(event) ? `${label} ${event.type}` : event.type;
        return why === undefined ? subject : `${subject}: ${why}`;
      }
    }
  }
}

function answerOf({ content }: LlmSucceeded): string {
  const message = { role: "assistant", content } as const;
  const words = textOf(message).trim();
  const calls = toolCallsOf(message).map(
    ({ toolName, input }) => `${toolName} ${printValue(input, WIDTH)}`,
  );
  // Without calls it is most likely the output, which is printed whole in the end.
  const text = calls.length > 0 ? words : fitted(words, WIDTH + 1);
  return [...(text === "" ? [] : [text]), ...calls].join("\n  ") || "(nothing)";
}

function decisionOf({ approve, input, reason, by }: ApprovalDecided): string {
  if (approve) return input === undefined ? "approved" : "approved with other arguments";
  const why = reason ?? (by === "nobody" ? "nobody is here to approve it" : undefined);
  return why === undefined ? "denied" : `denied: ${why}`;
}
