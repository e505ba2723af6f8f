/**
 * The stable codes of all errors, and `ReckonerError`. `docs/errors.md` has a section for each
 * code; a test compares the two.
 */
import { cutText } from "./size-limits.js";
import { inOneLine } from "./unseen.js";

/** Each code with one line of what it means. Codes are never renamed and never reused. */
export const errorCodes = {
  "json.refused": "A value that is not JSON was given.",
  "json.reserved": "A value from outside uses a key that is reserved by the kernel.",
  "machine.unsupported": "A machine uses a part of XState with effects, or an undefined name.",
  "machine.invalid": "XState refuses a machine's configuration, or reaches an impossible state.",
  "machine.threw": "A guard, an assign, an issue or the context factory of a machine threw.",
  "machine.async": "A function of a machine returned a promise.",
  "machine.loop": "Eventless transitions did not end.",
  "machine.tooLarge": "A machine issued, or ended with, a value that is too large to be recorded.",
  "directive.invalid": "A machine issued something that is not a directive.",
  "directive.repeated": "A machine issued an id that it had issued before.",
  "directive.afterEnd": "A machine issued an effect in the step that ended the run.",
  "state.mismatch": "A state belongs to another reasoner or another version of it.",
  "event.key": "Something else was said to a run under the same key.",
  "event.tooLarge": "An input, a message, a decision or another event has more than 8 MiB of JSON.",
  "event.invalid": "An event has no type, no time, or a settlement no id.",
  "tool.invalid": "A tool is defined in a way that cannot work.",
  "tool.missing": "A directive names a tool that the reasoner does not have.",
  "tool.threw": "A tool threw an error.",
  "tool.timeout": "A tool did not finish in time.",
  "tool.unknown": "A tool had started and its outcome is not known.",
  "tool.arguments": "Arguments of a tool call do not match the tool's schema.",
  "tool.result": "A tool returned a value that is not JSON.",
  "schema.async": "A schema validates asynchronously; the core is synchronous.",
  "llm.failed": "A model call failed.",
  "llm.tooLong": "A request is too long for the model's context.",
  "llm.rejectedCall": "A provider refused a tool call that the model made.",
  "llm.timeout": "A model call did not finish in time.",
  "port.missing": "A directive needs a port that the interpreter was not given.",
  "services.missing": "A tool needs a service that the run was not given.",
  "port.notReady": "A model or a store lacks something; nothing was taken or written.",
  "port.failed": "A store or another port threw.",
  "approval.stale":
    "A decision names an approval that is not waiting, or is for another definition or arguments.",
  "approval.input": "A decision's arguments or value do not fit what is decided; it stays open.",
  "message.taken": "A message that is to be changed does not wait any more.",
  "conversation.busy": "A conversation is to end in the middle of a turn.",
  "message.repeated": "A message has the id of one that waits.",
  "budget.spent": "A conversation's budget has no room for a further turn.",
  "agent.maxIterations": "The agent called the model `maxIterations` times and had no answer.",
  "agent.tokenBudget": "The agent spent the tokens it was given, and had no answer.",
  "agent.costBudget": "The next model call might cost more than the agent has left of its money.",
  "agent.unpriced": "An agent with a budget of money has no price for its model.",
  "agent.deadline": "The agent did not answer in the time it was given.",
  "agent.output": "The agent's answer does not match the output schema.",
  "agent.emptyAnswer": "The model answered without text and without a call.",
  "agent.truncatedAnswer": "The model's answer was cut off at the limit of its length.",
  "agent.filteredAnswer": "A filter of the provider stopped the model's answer.",
  "agent.faultyAnswer": "The provider ended the model's answer as faulty.",
  "agent.denied": "A hook denied a model request.",
  "agent.invalid": "An agent is defined in a way that cannot work.",
  "thoughts.invalid": "A reasoner of thoughts, or a thought, is defined in a way that cannot work.",
  "thoughts.plan": "A plan's operations do not make a graph that can run.",
  "thoughts.policy": "A policy of thoughts is defined, or decides, in a way that cannot work.",
  "thoughts.missing": "A thought is named that is not in the graph.",
  "thoughts.duplicate": "A thought or an edge is in the graph already.",
  "thoughts.selfLoop": "An edge leads from a thought to itself.",
  "thoughts.nothingLeft": "Every branch of thoughts was dropped; none came to an end.",
  "decisions.invalid": "An operation on a decision graph has an invalid field.",
  "decisions.query": "A query to a decision graph is unknown or invalid.",
  "decisions.scope": "A scope is missing, not expected, or not the same throughout a transaction.",
  "decisions.missing": "A node is named that is not in the decision graph.",
  "decisions.ambiguous": "The beginning of an id fits several nodes.",
  "decisions.duplicate": "A node or an edge with that id is in the decision graph already.",
  "decisions.superseded": "A supersession would be undone, repeated, or made without its edge.",
  "decisions.selfLoop": "A node would supersede itself.",
  "decisions.config": "The settings of the plug-in `decisions` are invalid.",
  "decisions.import": "The lines to import are not an export, or a damaged one.",
  "store.timeout": "A store did not answer a read in time.",
  "store.unknown": "A write had begun, and its outcome is not known.",
  "store.result": "A store returned something that is not JSON, nothing, or too much.",
  "store.key": "An idempotency key was used before, for other operations.",
  "store.config": "A store was opened with invalid options.",
  "store.driver": "The package that a store's database needs is not installed.",
  "store.locked": "Another process holds the store's file or folder.",
  "store.version": "The store's tables were made by a later version of the program.",
  "store.closed": "The store was closed.",
  "blob.missing": "A message names a file that is not where the files of runs lie.",
  "fork.point": "A journal has no such place to fork at, to rewind to or to mark.",
  "fork.answer": "An answer given to a fork does not fit its directive.",
  "fork.exists": "A fork or a checkpoint of that name is there already.",
  "fork.limit": "A journal has the maximal number of forks or checkpoints.",
  "driver.opened": "A fold of lines has opened its driver already.",
  "journal.format": "A line of the journal is not of the journal's format.",
  "journal.chain": "A line of the journal does not follow from the line before it.",
  "journal.hostile":
    "A line of the journal is too long or nested too deep, or carries a forbidden key.",
  "journal.empty": "The journal holds no header.",
  "journal.missing": "There is no journal at that place.",
  "journal.unreadable": "What is at that place cannot be read as a journal.",
  "journal.tenant": "A run is of another tenant than the journal that it is to be written to.",
  "journal.short": "A journal is shorter than something proves that it was.",
  "journal.exists": "There is a journal at that place already.",
  "journal.locked": "Another process is writing the journal.",
  "journal.conflict": "Another writer appended to the journal in between.",
  "journal.write": "The journal could not be written.",
  "journal.reasoner": "The journal was written by another reasoner.",
  "journal.configuration": "The journal was written under another configuration of the reasoner.",
  "journal.diverged": "The reasoner does something else than the journal recorded.",
  "journal.link": "The run that a journal continues, or was forked from, cannot be found.",
  "journal.noPath": "A journal was named by a path, but there is no file system.",
  "handle.refused": "What a port wanted to keep of an attempt was not kept.",
  "settlement.refused":
    "A settlement from outside names nothing that waits for one, or that nobody here carries out.",
  "upgrade.refused": "A run cannot be migrated to the present code.",
  "trace.missing": "A trace holds no such event or run.",
  "trace.ambiguous": "A prefix of an id fits several events of a trace.",
  "trace.query": "A query to a trace is invalid.",
  "trace.unreachable": "The journals or the store behind a trace cannot be read.",
  "redaction.refused": "A redaction hook threw, or returned a wrong value.",
  "hook.failed": "A callback threw, or returned a promise or a wrong value.",
  "option.invalid": "An option or an argument of a call has a wrong type or name.",
  "run.failed": "A child run ended without an output that is JSON.",
  "run.cancelled": "A child run was cancelled.",
  "run.depth": "A child run would be nested too deep.",
  "run.ended": "The run has ended; nothing can be sent to it.",
  "run.notDone": "A run that was asked for its output ended without one.",
  "run.notInterruptible": "The machine has no transition for an interrupt in its present state.",
  "run.missing": "A host has no run of that id, or knows nothing of a key.",
  "run.exists": "A run of that id was started with another input.",
  "run.reasoner": "A host has not the reasoner of a run.",
  "run.parked": "A run failed again and again, and is not tried until somebody says so.",
  "run.forbidden": "The host does not let this person decide that.",
  "host.closed": "The host was drained, and takes nothing any more.",
  "host.limit": "A tenant has reached a limit of the host.",
  "host.unauthorized": "Nobody known makes a request to a host.",
  "host.route": "A request to a host fits none of its routes.",
  "host.exclusion": "The store of a host does not keep two owners of a run apart.",
  "config.invalid": "A configuration file does not export what is needed.",
  "config.outside": "A journal names a configuration outside the working folder.",
  "cli.usage": "A command was called with wrong arguments.",
  "cli.model": "A model cannot be resolved.",
} as const;

/** A stable code; docs/errors.md has them all. */
export type ErrorCode = keyof typeof errorCodes;

/** One of several things that are wrong. */
export interface Detail {
  /** Where, as in {@link ReckonerError.place}. */
  readonly place: string;
  /** The fault, and the way to mend it. */
  readonly message: string;
}

/** The error of a broken invariant, or of a caller's input that is refused. */
export class ReckonerError extends Error {
  readonly code: ErrorCode;
  /** Where: a JSON path, a place in a machine, a line of a journal. */
  readonly place: string | undefined;
  /** Everything that is wrong, where more than one thing was looked for; else empty. */
  readonly details: readonly Detail[];

  /**
   * @param code stable code
   * @param message what is wrong, where, and how to mend it; it is put in one line, with what nobody
   * would see of it written out
   * @param options `place`: where, for programs; `cause`; `details`: each thing that is wrong
   */
  constructor(
    code: ErrorCode,
    message: string,
    options: {
      readonly place?: string | undefined;
      readonly cause?: unknown;
      readonly details?: readonly Detail[] | undefined;
    } = {},
  ) {
    // It may quote what a model, a tool or a forged file said, at any length.
    super(
      inOneLine(cutText(message)),
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.name = "ReckonerError";
    this.code = code;
    this.place = options.place;
    this.details = (options.details ?? []).map((each) => ({
      ...each,
      message: inOneLine(cutText(each.message)),
    }));
  }
}

/**
 * Returns true when a value is a {@link ReckonerError}, also one of another copy of the package; it never
 * throws.
 */
export function isReckonerError(value: unknown): value is ReckonerError {
  try {
    return value instanceof Error && value.name === "ReckonerError" && "code" in value;
  } catch {
    // A proxy may throw at each look.
    return false;
  }
}

/** The message of whatever was thrown; it never throws itself. */
export function messageOf(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message || thrown.name : thrown);
  } catch {
    return "an unknown error";
  }
}
