// A machine that does what its events say, and its steps recorded line by line, without a run.
import { type EncodedLine, Ledger, Recorder, WrittenValues } from "../../src/core/journal/index.js";
import { assign, type Reasoner, type RunState } from "../../src/core/kernel/machine/index.js";
import { append, emptyList, type Json, type List } from "../../src/core/kernel/values/index.js";
import { type AnyEvent, type SmallContext, smallReasoner } from "./small-machine.js";

/** Lists by name; `say` adds items to one and asks a model with it, `do` issues directives. */
export const obedient: Reasoner<unknown, unknown, SmallContext> = smallReasoner({
  initial: "a",
  states: {
    a: {
      on: {
        say: {
          actions: [
            assign(({ context, event }: Given) => ({
              [event.to as string]: append(
                (context[event.to as string] ?? emptyList()) as List<unknown>,
                ...((event.items ?? []) as Json[]),
              ),
              count: ((context.count as number) ?? 0) + 1,
            })),
            { type: "issue", params: asks },
          ],
        },
        set: { actions: assign(({ event }: Given) => event.fields as object) },
        give: { actions: { type: "issue", params: gives } },
        many: { actions: { type: "issue", params: manyTools } },
        do: { actions: { type: "issue", params: ({ event }: Given) => event.directives } },
      },
    },
  },
});

interface Given {
  readonly context: SmallContext;
  readonly event: AnyEvent;
}

/** A tool for each large text of the context. */
function gives({ context }: Given): readonly object[] {
  const large = Object.keys(context).filter((key) => key.startsWith("large"));
  return large
    .map((key) => context[key])
    .map((text, i) => ({ type: "tool", id: `give/${i}`, name: "give", input: { text } }));
}

/** So many tools at once, each with a name of its own. */
function manyTools({ event }: Given): readonly object[] {
  return Array.from({ length: event.count as number }, (_, i) => ({
    type: "tool",
    id: `${event.name}/${i}`,
    name: `${i}`.padEnd(60, "n"),
    input: { text: "i".repeat(100), i },
  }));
}

function asks({ context, event }: Given): object {
  const messages = context[event.to as string];
  // A prompt of the machine's own making: no event holds it.
  const system = typeof event.prompt === "number" ? { system: promptOf(event.prompt) } : {};
  return {
    type: "llm",
    id: `llm/${context.count}`,
    messages,
    ...system,
    ...(event.more as object),
  };
}

/** The machine's n-th prompt. */
export function promptOf(n: number): string {
  return `${"a prompt that is longer than what stands in a line itself ".repeat(5)}${n}`;
}

/** Steps and their lines. */
export class Recording {
  readonly texts: string[] = [];
  recorder: Recorder;
  state: RunState<SmallContext>;
  #at = 0;

  constructor(input: unknown = "go") {
    this.recorder = new Recorder();
    const { id, version, fingerprint } = obedient;
    const reasoner = { id, version };
    this.#add([
      this.recorder.header({ reasoner, fingerprint, runId: "r", at: 0, input: input as Json }),
    ]);
    const step = obedient.start(input, { at: 0, runId: "r" });
    this.state = step.state;
    this.#add(this.recorder.event(obedient, { type: "start", at: 0 }, step, []));
  }

  #add(lines: readonly EncodedLine[]): number {
    for (const { text } of lines) this.texts.push(text);
    return lines.reduce((sum, { text }) => sum + text.length + 1, 0);
  }

  /** @returns how many characters its lines have */
  step(event: AnyEvent): number {
    this.#at += 1;
    const full = { ...event, at: this.#at };
    const step = obedient.step(this.state, full as never);
    if (step.thrown !== undefined) throw step.thrown;
    this.state = step.state;
    return this.#add(this.recorder.event(obedient, JSON.parse(JSON.stringify(full)), step, []));
  }

  /** Goes on as another process would that has read all lines. */
  resume(): void {
    const written = new WrittenValues();
    for (const text of this.texts) written.observe(JSON.parse(text), text.length);
    const { memory, previous } = this.recorder;
    const ledger = new Ledger({ state: this.state as RunState, memory });
    this.recorder = new Recorder(ledger, written, previous);
  }

  /** Its last line, as JSON. */
  get last(): { readonly [key: string]: unknown } {
    return JSON.parse(this.texts.at(-1) as string);
  }

  get lines(): readonly never[] {
    return this.texts.map((text) => JSON.parse(text) as never);
  }
}
