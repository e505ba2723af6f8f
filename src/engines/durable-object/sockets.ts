/**
 * Sends the lines of a run to the WebSockets that watch it. Each gets the lines that it has not had, also
 * after the Durable Object of the run has slept.
 */
import type { LinesPage } from "../../serve/for-adapters.js";
import type { ObjectSocket, ObjectState } from "./platform-types.js";

/** The place of a socket: it survives the sleep of its object. */
interface Place {
  readonly journal?: string;
  readonly from: number;
}

/** See the banner. */
export class Sockets {
  readonly #state: ObjectState;
  readonly #page: (from: number) => Promise<LinesPage>;
  #casting: Promise<void> = Promise.resolve();

  constructor(state: ObjectState, page: (from: number) => Promise<LinesPage>) {
    this.#state = state;
    this.#page = page;
  }

  /** Answers a request for a socket. @param from the number of the first line that is wanted */
  open(from: number): Response {
    const { WebSocketPair } = globalThis as unknown as {
      readonly WebSocketPair: new () => { readonly 0: never; readonly 1: ObjectSocket };
    };
    const { 0: theirs, 1: ours } = new WebSocketPair();
    this.#state.acceptWebSocket(ours as never);
    ours.serializeAttachment({ from } satisfies Place);
    this.cast();
    return new Response(null, { status: 101, webSocket: theirs } as ResponseInit);
  }

  /** Sends each socket the lines that it has not seen. */
  cast(): void {
    this.#casting = this.#casting.then(() => this.#castAll()).catch(() => {});
  }

  async #castAll(): Promise<void> {
    for (const socket of this.#state.getWebSockets()) await this.#send(socket).catch(() => {});
  }

  async #send(socket: ObjectSocket): Promise<void> {
    let { journal, from } = socket.deserializeAttachment() as Place;
    for (;;) {
      const page = await this.#page(from);
      if (journal !== undefined && journal !== page.journal) {
        socket.send(JSON.stringify({ type: "rewound", journal: page.journal }));
        journal = page.journal;
        from = 0;
        continue;
      }
      journal = page.journal;
      for (const text of page.lines) {
        socket.send(JSON.stringify({ type: "line", number: from, text }));
        from += 1;
      }
      socket.serializeAttachment({ journal, from } satisfies Place);
      if (page.ended) return socket.close(1000, "the run has ended");
      if (page.lines.length === 0) return;
    }
  }

  /** Shows all sockets a piece of an answer. */
  show(delta: unknown): void {
    const text = JSON.stringify({ type: "delta", delta });
    for (const socket of this.#state.getWebSockets()) {
      try {
        socket.send(text);
      } catch {
        // It was closed meanwhile.
      }
    }
  }
}
