// A page: the AI SDK's own chat over a host, in each of its majors, without a browser.
import * as ai6 from "ai";
import * as ai7 from "ai-7";
import type { Host } from "reckoner/serve";

/** The majors, as far as these tests use them. */
export const majors: { readonly [name: string]: typeof ai6 } = {
  "6": ai6,
  "7": ai7 as unknown as typeof ai6,
};

export type PageMessage = ai6.UIMessage;

/** A page of a run. */
export interface Page extends ai6.AbstractChat<PageMessage> {}

/** Options of a page. */
export interface PageOptions {
  readonly id: string;
  readonly messages?: readonly PageMessage[];
  /** Answers the requests of the page, instead of the host itself. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** Sends answers to approvals and questions by itself. */
  readonly sends?: boolean;
  readonly onData?: (part: unknown) => void;
  /** As the hook of the SDK's major 6 does: of the transport only its two methods reach the chat. */
  readonly wraps?: boolean;
}

/** Opens a page. */
export function openPage(ai: typeof ai6, host: Pick<Host, "fetch">, options: PageOptions): Page {
  const { id, messages = [], fetch = host.fetch, sends = true, onData, wraps = false } = options;
  const state = {
    status: "ready" as ai6.ChatStatus,
    error: undefined as Error | undefined,
    messages: [...messages],
    pushMessage(message: PageMessage) {
      state.messages = [...state.messages, message];
    },
    popMessage() {
      state.messages = state.messages.slice(0, -1);
    },
    replaceMessage(index: number, message: PageMessage) {
      state.messages = state.messages.with(index, structuredClone(message));
    },
    snapshot: <T>(value: T): T => structuredClone(value),
  };
  let count = 0;
  class Chat extends ai.AbstractChat<PageMessage> {}
  const complete = ({ messages: all }: { messages: PageMessage[] }) =>
    ai.lastAssistantMessageIsCompleteWithApprovalResponses({ messages: all }) ||
    ai.lastAssistantMessageIsCompleteWithToolCalls({ messages: all });
  const transport = new ai.DefaultChatTransport<PageMessage>({
    api: "http://desk.example/chat",
    fetch: ((url: string, init: RequestInit) => fetch(new Request(url, init))) as never,
  });
  const wrapped = {
    sendMessages: (given: never) => transport.sendMessages(given),
    reconnectToStream: (given: never) => transport.reconnectToStream(given),
  };
  return new Chat({
    id,
    state: state as never,
    generateId: () => `${id}-m${messages.length + count++}`,
    transport: (wraps ? wrapped : transport) as never,
    ...(sends ? { sendAutomaticallyWhen: complete } : {}),
    ...(onData === undefined ? {} : { onData: onData as never }),
  });
}

/** The messages that a page loads at first. */
export async function loadMessages(
  { fetch }: Pick<Host, "fetch">,
  id: string,
): Promise<PageMessage[]> {
  const response = await fetch(new Request(`http://desk.example/chat/${id}`));
  const { messages } = (await response.json()) as { messages: PageMessage[] };
  return messages;
}
