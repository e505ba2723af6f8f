/**
 * Reads a journal's steps without the reasoner: events, and directives with their values as far as
 * the journal contains them. Of a list only the new items are shown.
 */
import {
  type BeginRecord,
  type DecodedLine,
  type EventLine,
  isEventLine,
  type Line,
  type RecordedDirective,
  RecordedValues,
  startedIn,
  TreeFold,
} from "../../core/journal/index.js";
import type { Json } from "../../core/kernel/values/index.js";

/** A recorded directive, its parts by value. */
export interface ShownDirective {
  readonly type: string;
  /** Absent for what expects no answer. */
  readonly id?: string;
  readonly parts: { readonly [part: string]: Json };
}

/** A recorded step. */
export interface RecordedStep extends Pick<EventLine, "seq" | "event" | "value" | "ignored"> {
  /** The path of the child run that took it; absent for the run itself. */
  readonly run?: string;
  /** Ids of the tools that start at once. */
  readonly starts?: readonly string[];
  readonly directives: readonly ShownDirective[];
  readonly end?: { readonly [part: string]: Json };
  /** The parts of the configuration that differ from this step on, where the run was upgraded before it. */
  readonly upgraded?: string;
}

/** A child's step with what it began with. */
export interface TreeStep extends RecordedStep {
  readonly begin?: BeginRecord;
}

/** Reads the steps of a run and its children, line by line. */
export class TreeSteps {
  readonly #values = RecordedValues.recent();
  readonly #tree = new TreeFold(() => new RecordedSteps(this.#values.ofOtherRun()));

  /** @returns the step of an event's line */
  take(decoded: DecodedLine): TreeStep | undefined {
    const step = this.#tree.take(decoded);
    const { line } = decoded;
    if (step === undefined || !isEventLine(line) || line.run === undefined) return step;
    if (line.end !== undefined) this.#tree.drop(line.run);
    return { ...step, run: line.run, ...(line.begin === undefined ? {} : { begin: line.begin }) };
  }
}

/** Reads the steps of one run, line by line. */
export class RecordedSteps {
  readonly #values: RecordedValues;

  /** @param values what is remembered */
  constructor(values: RecordedValues = RecordedValues.recent()) {
    this.#values = values;
  }

  /** The values behind the references of the lines so far. */
  get values(): RecordedValues {
    return this.#values;
  }

  /** @returns the step of an event's line */
  take(line: Line): RecordedStep | undefined {
    const recorded = this.#values.take(line);
    if (!("event" in line)) return undefined;
    const { seq, event, value, ignored, end } = line;
    const starts = startedIn(line);
    return {
      seq,
      event,
      value,
      ...(ignored === undefined ? {} : { ignored }),
      directives: recorded.map((each) => this.#directive(each)),
      ...(starts.length === 0 ? {} : { starts }),
      ...(end === undefined
        ? {}
        : {
            end: {
              ...(end as unknown as { readonly [part: string]: Json }),
              ...(end.output === undefined ? {} : { output: this.#values.value(end.output) }),
            },
          }),
    };
  }

  #directive({ type, id, parts }: RecordedDirective): ShownDirective {
    const shown = [...parts].map(([name, node]): [string, Json] => {
      const isList = typeof node === "string" && node.startsWith("@");
      if (!isList) return [name, this.#values.value(node)];
      // A list says how long it is, and which items came to those of the list before.
      const size = Number(/^@(\d+)#/.exec(node)?.[1]);
      const grown = this.#values.growth(node);
      return [name, { size, from: size - (grown?.items.length ?? 0), items: grown?.items ?? [] }];
    });
    return { type, ...(id === undefined ? {} : { id }), parts: Object.fromEntries(shown) };
  }
}
