/**
 * Types of a page's messages, derived from an agent's type, for `useChat` of the AI SDK. They import nothing of
 * it.
 */

/** Something with the types of its calls: an agent. */
interface WithCalls {
  readonly calls?:
    | { readonly name: string; readonly input: unknown; readonly output: unknown }
    | undefined;
}

type CallsIn<Agent extends WithCalls> = NonNullable<Agent["calls"]>;

/**
 * The tools of an agent as the AI SDK's messages have them:
 * `UIMessage<unknown, PageData, PageTools<typeof desk>>`.
 */
export type PageTools<Agent extends WithCalls> = {
  [Name in CallsIn<Agent>["name"]]: {
    input: Extract<CallsIn<Agent>, { readonly name: Name }>["input"];
    output: Extract<CallsIn<Agent>, { readonly name: Name }>["output"];
  };
};

/** The data parts of a page's messages. */
export type PageData = {
  /** From here on the message is told anew from its beginning; `shown` leaves out what stands before. */
  "reckoner-again": Record<string, never>;
  /** The texts of an attempt that failed, by their ids; `shown` leaves out both. */
  "reckoner-withdrawn": { ids: string[] };
  /** The model is down since then (in milliseconds since 1970), and is asked again and again; `shown` leaves out one that is over. */
  "reckoner-waiting": { code: string; message: string; since: number; isOver: boolean };
  /** The progress of a tool, in its own words. */
  "reckoner-progress": { toolCallId: string; data: unknown };
  /** A call of an earlier message has come to something. */
  "reckoner-late": { toolCallId: string; type: "output" | "error" | "denied" };
  /** The turn failed. */
  "reckoner-failed": { code: string; message: string };
};
