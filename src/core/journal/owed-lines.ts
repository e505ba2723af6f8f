/**
 * Finds, from the lines alone, which directives are outstanding at a line of a run's journal, and what was
 * spent. It needs no code of a reasoner, so that a journal can be forked, compared and inspected anywhere.
 */

import { hasSettled } from "../kernel/machine/index.js";
import { isJsonObject, type Json, type JsonObject } from "../kernel/values/index.js";
import { addUsage, isSettlement, noUsage, type Usage } from "../kernel/vocabulary/index.js";
import { TABLE } from "./content.js";
import { type Line, type Mark, startedIn } from "./line.js";
import { type FailedAttempts, failedWith, spentBy, spentUntil, unpriced } from "./memory.js";
import type { RecordedDirective, RecordedParts } from "./recorded-parts.js";
import { isUnresolved, RecordedValues } from "./recorded-values.js";

/** A directive that expects an answer, as its journal records it. */
export interface OwedLine {
  readonly id: string;
  readonly type: string;
  /** The event upon which it was issued. */
  readonly seq: number;
  /** Its tool, its store, its reasoner, or what an approval is asked for. */
  readonly name: string | undefined;
  readonly asked?: Asked;
  /** Of a timer: it is the deadline of a turn, which nobody waits for. */
  readonly deadline?: true;
  /** Of a timer: its moment, in milliseconds since 1970. */
  readonly until?: number;
  /** The provider's id of the tool call that it carries out or asks about. */
  readonly call?: string;
  /** True if a start mark says that it has begun. */
  readonly begun: boolean;
  /** Its attempts that came to nothing. */
  readonly failed?: FailedAttempts;
}

/** The question of an approval to a person. */
export interface Asked {
  /** The subject of the decision: of a tool call `{ tool, input }`. */
  readonly subject: Json;
  /** When it was asked for, in milliseconds since 1970. */
  readonly since?: number;
  /** The hash of the definition and the arguments, which a decision may name. */
  readonly of?: string;
  /** Of a tool that asks for a value: its JSON Schema. */
  readonly ask?: Json;
}

/** The outstanding directives of an upgrade that was not read to its end. */
interface Carried {
  seq: number;
  readonly cells: OwedCell[];
}

type OwedCell = readonly [id: string, directive: JsonObject & { readonly type: string }];

function cellsIn(outstanding: Json | undefined): readonly OwedCell[] {
  const cells = isJsonObject(outstanding) ? outstanding[TABLE] : undefined;
  const all = (Array.isArray(cells) ? cells : []) as readonly (OwedCell | null)[];
  return all.filter((each) => each !== null);
}

/** The parts by which a directive is named, of which it has one. */
const NAMES = ["name", "store", "reasoner", "title"] as const;

/** The parts of an approval that only a person asks for. */
const OF_A_PERSON: ReadonlySet<string> = new Set(["of", "ask", "subject"]);

const textOf = (value: Json | undefined) => (typeof value === "string" ? value : undefined);

type PartOf = (name: string) => Json | undefined;

/** The name of a directive: its tool, its store, its reasoner, or its title. */
function nameIn(part: PartOf): Json | undefined {
  for (const name of NAMES) {
    const value = part(name);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** The words of a line on a directive: its name, its call, and what it asks of a person. */
function detailsOf(
  type: string,
  part: PartOf,
  at: number,
): Pick<OwedLine, "name" | "call" | "asked" | "deadline" | "until"> {
  const call = textOf(part("toolCallId"));
  const isAsked = type === "approval";
  const [of, ask] = isAsked ? [textOf(part("of")), part("ask")] : [];
  const asked = isAsked ? { subject: part("subject") ?? null, since: at } : undefined;
  return {
    name: textOf(nameIn(part)),
    ...(call === undefined ? {} : { call }),
    ...(type === "timer" && part("deadline") === true ? { deadline: true } : {}),
    ...(type === "timer" && Number.isFinite(part("until"))
      ? { until: part("until") as number }
      : {}),
    ...(asked === undefined
      ? {}
      : {
          asked: {
            ...asked,
            ...(of === undefined ? {} : { of }),
            ...(ask === undefined ? {} : { ask }),
          },
        }),
  };
}

/** What is owed and what was spent, line by line. */
export class OwedLines {
  readonly #owed = new Map<string, OwedLine>();
  #carried: Carried | undefined;
  #spent: Usage = noUsage;

  readonly #values: RecordedValues | RecordedParts;
  #isVague = false;

  /**
   * @param values of all runs of the tree, where it has several; of lines that were skimmed the parts alone, where
   * references stay what they are
   */
  constructor(values: RecordedValues | RecordedParts = RecordedValues.recent()) {
    this.#values = values;
  }

  /**
   * Takes a line in.
   * @returns the directives that it issued, with all their parts
   */
  take(line: Line): readonly RecordedDirective[] {
    this.#upgrade(line);
    const recorded = this.#values.take(line);
    if ("mark" in line) this.#mark(line.mark);
    if (!("event" in line)) return recorded;
    const { event } = line;
    if (isSettlement(event) && hasSettled(line.ignored)) {
      if (this.#owed.delete(event.id)) this.#spend(spentBy(event));
    }
    for (const directive of recorded) {
      const { type, id, parts } = directive;
      if (type === "cancel") {
        const target = this.#owed.get(textOf(this.#wanted(parts.get("target"))) ?? "");
        if (target === undefined) continue;
        if (target.type === "llm" && target.seq < line.seq) {
          this.#spend(spentUntil(event, target.id, target.failed));
        }
        this.#owed.delete(target.id);
      }
      if (id === undefined) continue;
      const part = (name: string) => {
        if (!parts.has(name)) return undefined;
        const node = parts.get(name);
        return OF_A_PERSON.has(name) ? this.#value(node) : this.#wanted(node);
      };
      this.#owed.set(id, {
        id,
        type,
        seq: line.seq,
        ...detailsOf(type, part, event.at),
        begun: false,
      });
    }
    for (const id of startedIn(line)) this.#begin(id);
    if (line.end !== undefined) this.#owed.clear();
    return recorded;
  }

  /** What a directive of the last line is for: its tool, its store, its reasoner, its title. */
  nameOf({ parts }: RecordedDirective): string | undefined {
    const named = NAMES.find((part) => parts.has(part));
    return named === undefined ? undefined : textOf(this.#wanted(parts.get(named)));
  }

  /** With an upgrade timers come and go, and nothing says so but its state, in as many lines as it takes. */
  #upgrade(line: Line): void {
    if (!("parts" in line) || line.parts === undefined) {
      this.#carried = undefined;
      return;
    }
    const { parts } = line;
    const isNew = this.#carried === undefined || "reasoner" in parts;
    const carried = isNew ? { seq: 0, cells: [] } : (this.#carried as Carried);
    this.#carried = carried;
    if (typeof parts.seq === "number") carried.seq = parts.seq;
    carried.cells.push(...cellsIn(parts.outstanding));
    if ("upgrade" in line) this.#carryOver(carried, line.upgrade.at);
  }

  #carryOver({ seq, cells }: Carried, at: number): void {
    const outstanding = new Map(cells);
    for (const id of this.#owed.keys()) if (!outstanding.has(id)) this.#owed.delete(id);
    for (const [id, directive] of outstanding) {
      if (this.#owed.has(id)) continue;
      const details = detailsOf(directive.type, (name) => directive[name], at);
      this.#owed.set(id, { id, type: directive.type, seq, ...details, begun: false });
    }
    this.#carried = undefined;
  }

  #mark(mark: Mark): void {
    if ("interrupt" in mark || "snapshot" in mark) return;
    const owed = this.#owed.get(mark.id);
    if ("failed" in mark) {
      if (owed !== undefined) {
        this.#owed.set(mark.id, { ...owed, failed: failedWith(owed.failed, mark) });
      }
      return;
    }
    this.#begin(mark.id);
  }

  #spend(usage: Partial<Usage> | undefined): void {
    if (usage !== undefined) this.#spent = addUsage(this.#spent, unpriced(usage));
  }

  #begin(id: string): void {
    const owed = this.#owed.get(id);
    if (owed !== undefined) this.#owed.set(id, { ...owed, begun: true });
  }

  #value(node: unknown): Json {
    return node === undefined ? null : this.#values.value(node as string);
  }

  /** The value of a part by which directives are told from each other. */
  #wanted(node: unknown): Json {
    const value = this.#value(node);
    this.#isVague ||= isUnresolved(value);
    return value;
  }

  /** Returns true if a name, a call or a target is not known: of lines that were skimmed the whole would tell. */
  get isVague(): boolean {
    return this.#isVague;
  }

  /** What is owed after the last line, by id. */
  get owed(): ReadonlyMap<string, OwedLine> {
    return this.#owed;
  }

  /**
   * The usage up to the last line, without cost: from the lines it cannot be told whether the
   * machine counts that.
   */
  get spent(): Usage {
    return this.#spent;
  }
}
