/**
 * Converts calls of `RunHost` (the verbs of one run) to JSON requests for the process that has the run, and
 * back. Requests are checked where they arrive: anybody may have sent them.
 */

import * as shapes from "../../core/kernel/shapes.js";
import {
  isReckonerError,
  type Json,
  ReckonerError,
  toJson,
} from "../../core/kernel/values/index.js";
import { checkArgument, LABEL, systemRandomness } from "../../runtime/for-hosts.js";
import {
  type Answer,
  cancelWord,
  decisionWord,
  editWord,
  eventWord,
  faultOf,
  type HostedRow,
  interruptWord,
  keyOf,
  type LinesPage,
  mailOf,
  messageWord,
  type NewMail,
  queueWord,
  type RunHost,
  type Sender,
  startWord,
  type TenantRuns,
  type Word,
} from "../../serve/for-adapters.js";

/** Something that is asked of whoever has a run. */
export type Asked =
  | ({ readonly type: "say"; readonly verb: string; readonly with: readonly Json[] } & Sender)
  | { readonly type: "answer"; readonly key: string }
  | { readonly type: "row" }
  | { readonly type: "lines"; readonly from: number }
  | { readonly type: "unpark" };

/** An answer on its way back. */
export type Replied =
  | { readonly value: Json }
  | {
      readonly error: { readonly code: string; readonly message: string; readonly place?: string };
    };

const WORDS: { readonly [verb: string]: (args: readonly never[], sender: Named) => Word } = {
  start: ([run]) => startWord(run ?? {}),
  message: ([content], { key }) => messageWord(content as never, key),
  queued: ([id, change]) => queueWord(id as never, change as never),
  edit: ([seq, content]) => editWord(seq as never, content ?? undefined),
  decide: ([id, decision], sender) => decisionWord(id as never, decision as never, sender),
  interrupt: ([reason, graceMs]) => interruptWord(reason ?? undefined, graceMs ?? 0),
  cancel: ([reason]) => cancelWord(reason ?? undefined),
  send: ([event]) => eventWord(event as never),
};

type Named = Sender & { readonly key: string };

/**
 * Returns what is said as it waits for a run.
 * @throws ReckonerError `event.invalid`, `json.refused`, `event.tooLarge`
 */
export function mailIn(request: unknown): NewMail {
  const {
    verb,
    with: args,
    key,
    by,
    role,
  } = (shapes.OBJECT[0](request) ? request : {}) as Partial<Extract<Asked, { type: "say" }>>;
  const make = typeof verb === "string" && Object.hasOwn(WORDS, verb) ? WORDS[verb] : undefined;
  const isText = (text: unknown) => text === undefined || typeof text === "string";
  if (make === undefined || !Array.isArray(args) || !isText(by) || !isText(role)) {
    const message = `A verb is one of ${Object.keys(WORDS).join(", ")}, with a list of its arguments, and by and role are texts.`;
    throw new ReckonerError("event.invalid", message);
  }
  const own = keyOf({ key }, () => {
    throw new ReckonerError("event.invalid", "What is said needs a key.", { place: "key" });
  });
  const word = make(args as never, { key: own, by, role });
  return mailOf(own, word, { by, role });
}

/** Returns what comes back, be it an error. */
export async function replied(work: () => Promise<unknown>): Promise<Replied> {
  try {
    return { value: ((await work()) ?? null) as Json };
  } catch (thrown) {
    const { code, message } = faultOf(thrown);
    const place = isReckonerError(thrown) ? thrown.place : undefined;
    return { error: { code, message, ...(place === undefined ? {} : { place }) } };
  }
}

/** Returns the value of what came back. @throws ReckonerError as it was thrown there */
export function valueIn(reply: Replied): Json {
  if ("value" in reply) return reply.value;
  const { code, message, place } = reply.error;
  throw new ReckonerError(code as never, message, place === undefined ? {} : { place });
}

/**
 * Makes the verbs of a run from a way to whoever has it.
 * @param ask resolves to what comes back
 * @param id makes the key of what has none
 */
export function verbsOf(ask: (asked: Asked) => Promise<Replied>, id: () => string): RunHost {
  const asked = async <T>(what: Asked) => valueIn(await ask(what)) as T;
  const say = (verb: string, args: readonly unknown[], sender: Sender = {}) => {
    const sent = args.map((each) => (each === undefined ? null : toJson(each)));
    const { by, role } = sender;
    const key = keyOf(sender, id);
    const who = shapes.defined({ key, by, role });
    return asked<Answer>({ type: "say", verb, with: sent as readonly Json[], ...who });
  };
  return {
    start: async (run = {}, sender) => say("start", [run], sender),
    message: async (content, sender) => say("message", [content], sender),
    queued: async (of, change, sender) => say("queued", [of, change], sender),
    edit: async (seq, content, sender) => say("edit", [seq, content], sender),
    decide: async (of, decision, sender) => say("decide", [of, decision], sender),
    interrupt: async (reason, graceMs, sender) => say("interrupt", [reason, graceMs], sender),
    cancel: async (reason, sender) => say("cancel", [reason], sender),
    send: async (event, sender) => say("send", [event], sender),
    answer: (key) => asked<Answer>({ type: "answer", key }),
    row: () => asked<HostedRow>({ type: "row" }),
    lines: (from = 0) => asked<LinesPage>({ type: "lines", from }),
  };
}

/** Finds runs by their ids. @param ask resolves to what comes back from whoever has the run */
export function runsBy(
  ask: (id: string, asked: Asked) => Promise<Replied>,
): Pick<TenantRuns, "run" | "unpark"> {
  return {
    run(id) {
      checkArgument("The id of a run", id, LABEL);
      return verbsOf(
        (asked) => ask(id, asked),
        () => systemRandomness.id(),
      );
    },
    async unpark(id) {
      valueIn(await ask(id, { type: "unpark" }));
    },
  };
}
