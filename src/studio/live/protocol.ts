/** The types of the JSON that the studio's server and its page exchange: requests and answers. */
import type { StateChange } from "../../core/journal/index.js";
import type { Json } from "../../core/kernel/values/index.js";
import type { ApprovalDecision } from "../../core/kernel/vocabulary/index.js";
import type { CandidateReport, PriceBook, RunItem, UnreadItem } from "../model/index.js";

/** A studio: its journals, and the things that its server may do. */
export interface About {
  /** For people: the folder, the journal, the store, the host. */
  readonly name: string;
  readonly kind: "journal" | "folder" | "store" | "host" | "file";
  /** The journal, where it is one alone: the page opens it at once. */
  readonly only?: string;
  /** True when code was given, so that "otherwise" and whole states can be computed. */
  readonly code: boolean;
  /** The reason why that code cannot be loaded. */
  readonly fault?: string;
  /** The model that "otherwise" may ask, by its name; absent where there is none. */
  readonly model?: string;
  /** The prices of the code's reasoners; none where there is no code. */
  readonly prices: PriceBook;
  /** The door for decisions at a card: the host's own; `here`, where the run then goes on in the studio's process. */
  readonly decides: "host" | "here" | "no";
}

/** The runs, as they are. */
export interface Listed {
  readonly runs: readonly RunItem[];
  readonly unread: readonly UnreadItem[];
  /** The number of journals that were not read yet: the next answer has more. */
  readonly pending?: number;
}

/** A request for what would have happened otherwise. */
export interface Otherwise {
  readonly journal: string;
  /** Answers in place of those that were, by the ids of what they settle. */
  readonly set?: { readonly [id: string]: Json };
  /** Tokens that answers of the model may cost; none is asked where it is absent. */
  readonly budget?: number;
}

/** The run that would have been otherwise. */
export interface OtherwiseAnswer {
  readonly report: CandidateReport;
  /** The answers that were set, by the ids of what they settle. */
  readonly set: { readonly [id: string]: Json };
  /** The command that makes a run of it that can be resumed. */
  readonly command: string;
}

/** A state of a run, computed by code or kept as a snapshot. */
export interface StateAnswer {
  /** The event after which it is. */
  readonly seq: number;
  readonly context: Json;
  readonly by: "code" | "snapshot";
  /** Of a run of thoughts: its graph as the context has it, and which thoughts are better. */
  readonly thoughts?: {
    readonly graph: Json;
    readonly better: string;
    readonly best: string | null;
  };
  /** Of the root's own event, where code tells: all that it changed. */
  readonly changes?: readonly StateChange[];
}

/** Differences of one kind in many journals. */
export interface DifferenceGroup {
  /** In words: "`refund` is denied (\"too much\"), was run". */
  readonly what: string;
  /** The journals that have it, each with the event of the first difference. */
  readonly journals: readonly { readonly name: string; readonly seq: number }[];
  /** At how many events in all. */
  readonly places: number;
  /** The first few pairs of values that differ. */
  readonly values: readonly { readonly recorded?: Json; readonly computed?: Json }[];
  /** Of calls: what their arguments range over, such as "amount 42 to 98". */
  readonly inputs?: readonly string[];
}

/** The progress of a check of many journals, and its findings. */
export interface Checked {
  readonly done: number;
  readonly of: number;
  readonly replay: readonly DifferenceGroup[];
  readonly redrive: readonly DifferenceGroup[];
  readonly refused: readonly UnreadItem[];
}

/** A decision at a card. */
export interface Decide extends Omit<ApprovalDecision, "of" | "by"> {
  readonly journal: string;
  readonly approval: string;
}

/** An error, as an answer holds it. */
export interface Refused {
  readonly error: { readonly code: string; readonly message: string };
}

/** Everything that a page without a server has. */
export interface Embedded {
  readonly about: About;
  readonly listed: Listed;
  /** The texts of journals, by their names. */
  readonly journals: { readonly [name: string]: string };
  /** The names to which links lead: by the journal's name and the link's word. */
  readonly links: { readonly [name: string]: { readonly [word: string]: string } };
  /** Kept states, by the journal's name. */
  readonly states: { readonly [name: string]: readonly StateAnswer[] };
}
