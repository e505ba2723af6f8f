/**
 * Sends pages the answers that models are streaming in a run which this process owns; none of it is recorded.
 * A page that joins later, or has lost a piece, gets all that has streamed so far.
 */
import type { Attempt, Call } from "../core/driver/index.js";
import { ROOT_RUN } from "../core/journal/index.js";
import type { Json } from "../core/kernel/values/index.js";
import type { Delta } from "../runtime/for-hosts.js";
import type { LiveDelta, StreamedCall, StreamedText } from "./page/index.js";

interface Streaming {
  readonly id: string;
  readonly key: string;
  n: number;
  readonly texts: { readonly kind: StreamedText["kind"]; text: string }[];
  readonly calls: (Omit<StreamedCall, "text"> & { text: string })[];
  /** Nothing more is told until the answer is there. */
  isClosed: boolean;
}

/** See the banner. */
export class LiveTexts {
  readonly #epoch: number;
  readonly #tell: (delta: LiveDelta) => void;
  readonly #streaming = new Map<string, Streaming>();

  /** @param epoch of the owner: a later one begins anew */
  constructor(epoch: number, tell: (delta: LiveDelta) => void) {
    this.#epoch = epoch;
    this.#tell = tell;
  }

  /** A piece of an answer has come. Those of child runs are not told. */
  piece({ run, id, attempt }: Attempt, delta: Delta): void {
    const { type: kind, text } = delta;
    if (run !== ROOT_RUN || text === "") return;
    const key = `${this.#epoch}.${attempt}`;
    const found = this.#streaming.get(id);
    const own: Streaming =
      found?.key === key ? found : { id, key, n: 0, texts: [], calls: [], isClosed: false };
    this.#streaming.set(id, own);
    if (own.isClosed) return;
    if (kind === "tool-input") {
      this.#input(own, delta);
      return;
    }
    // Texts stand before calls.
    if (own.calls.length > 0) {
      own.isClosed = true;
      return;
    }
    const last = own.texts.at(-1);
    if (last?.kind === kind) last.text += text;
    else own.texts.push({ kind, text });
    this.#tell({ type: "piece", id, key, n: own.n, kind, text });
    own.n += 1;
  }

  #input(own: Streaming, { text, toolCallId: call, toolName: name }: Delta): void {
    const last = own.calls.at(-1);
    // Calls that are written in turns are told with the answer.
    if (call === undefined || name === undefined || (last?.call !== call && isIn(own, call))) {
      own.isClosed = true;
      return;
    }
    if (last?.call === call) last.text += text;
    else own.calls.push({ call, name, text });
    const { id, key, n } = own;
    this.#tell({ type: "piece", id, key, n, kind: "input", call, name, text });
    own.n += 1;
  }

  /** A tool tells how far it is. */
  progress({ run, id }: Call, data: Json): void {
    if (run === ROOT_RUN) this.#tell({ type: "progress", id, data });
  }

  /** An attempt is over: its answer, if there is one, is in the lines. */
  over({ run, id }: Call): void {
    if (run === ROOT_RUN) this.#streaming.delete(id);
  }

  /** Tells all so far. */
  tellAll(): void {
    for (const { id, key, n, texts, calls } of this.#streaming.values()) {
      if (n > 0) this.#tell(structuredClone({ type: "so-far", id, key, n, texts, calls }));
    }
  }
}

function isIn({ calls }: Streaming, call: string): boolean {
  return calls.some((each) => each.call === call);
}
