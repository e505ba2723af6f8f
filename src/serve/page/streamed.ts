/**
 * Puts together one answer that streams in, from the pieces that a page has been told, and notices when a piece
 * is missing.
 */
import type { AssistantPart } from "../../core/kernel/vocabulary/index.js";
import type { LiveDelta, PageEvent, StreamedCall, StreamedText, TextKind } from "./page-event.js";

type Piece = Extract<LiveDelta, { readonly key: string }>;

/** See the banner. Ids are of a text's place in the answer, and of the attempt. */
export class StreamedAnswer {
  readonly id: string;
  readonly key: string;
  #n = 0;
  readonly #texts: { readonly kind: TextKind; text: string }[] = [];
  readonly #calls: (Omit<StreamedCall, "text"> & { text: string })[] = [];
  #isLost = false;

  constructor({ id, key }: Pick<Piece, "id" | "key">) {
    this.id = id;
    this.key = key;
  }

  /** True where a piece is missing: whoever has them all is asked for it. */
  get isLost(): boolean {
    return this.#isLost;
  }

  get ids(): readonly string[] {
    return this.#texts.map((_, place) => this.#idOf(place));
  }

  #idOf(place: number): string {
    return `${this.id}/${place}~${this.key}`;
  }

  /** Takes pieces; what is known is passed over, and behind one that is missing nothing is believed. */
  take(delta: Piece): readonly PageEvent[] {
    const before = delta.type === "piece" ? delta.n : 0;
    const after = delta.type === "piece" ? delta.n + 1 : delta.n;
    if (after <= this.#n) return [];
    this.#isLost = before > this.#n;
    if (this.#isLost) return [];
    this.#n = after;
    if (delta.type === "so-far") {
      const { texts, calls = [] } = delta;
      return [...this.#catchUp(texts), ...calls.flatMap((call) => this.#catchUpCall(call))];
    }
    return delta.kind === "input" ? this.#input(delta) : this.#append(delta);
  }

  #input({ call, name, text }: StreamedCall): readonly PageEvent[] {
    const seenCall = this.#calls.find((each) => each.call === call);
    if (seenCall !== undefined) seenCall.text += text;
    else this.#calls.push({ call, name, text });
    // The text before it stays open: more of it may come behind the call.
    return [{ type: "input", call, name, text }];
  }

  #catchUpCall(streamed: StreamedCall): readonly PageEvent[] {
    const seenCall = this.#calls.find(({ call }) => call === streamed.call);
    const text = streamed.text.slice(seenCall?.text.length ?? 0);
    return text === "" ? [] : this.#input({ ...streamed, text });
  }

  #append({ kind, text }: StreamedText): readonly PageEvent[] {
    const last = this.#texts.at(-1);
    if (last?.kind === kind) {
      last.text += text;
      return [{ type: "text", id: this.#idOf(this.#texts.length - 1), kind, text }];
    }
    const ended = this.#endOfLast();
    this.#texts.push({ kind, text });
    return [...ended, { type: "text", id: this.#idOf(this.#texts.length - 1), kind, text }];
  }

  #endOfLast(): readonly PageEvent[] {
    const last = this.#texts.at(-1);
    if (last === undefined) return [];
    return [{ type: "text.end", id: this.#idOf(this.#texts.length - 1), kind: last.kind }];
  }

  #catchUp(texts: readonly StreamedText[]): readonly PageEvent[] {
    return texts.flatMap(({ kind, text }, place) => {
      const seenText = this.#texts[place];
      const rest = seenText === undefined ? text : text.slice(seenText.text.length);
      return rest === "" ? [] : this.#append({ kind, text: rest });
    });
  }

  /** The answer is there: the texts that are shown become its own, where they are its beginning. */
  finish(content: readonly AssistantPart[]): readonly PageEvent[] {
    const texts = textsOf(content);
    const isBeginning = this.#texts.every(({ kind, text }, place) => {
      const own = texts[place];
      const isLast = place === this.#texts.length - 1;
      return own?.kind === kind && (isLast ? own.text.startsWith(text) : own.text === text);
    });
    const calls = content.filter((part) => part.type === "tool-call");
    const areCalls = this.#calls.every(
      ({ call, name }, at) => calls[at]?.toolCallId === call && calls[at]?.toolName === name,
    );
    if (!isBeginning || !areCalls) return [...this.withdraw(), ...wholeTexts(this.id, texts)];
    const last = this.#texts.length - 1;
    return texts.flatMap(({ kind, text }, place): readonly PageEvent[] => {
      if (place < last) return [];
      const id = place === last ? this.#idOf(place) : `${this.id}/${place}`;
      const rest = text.slice(place === last ? this.#texts[place]?.text.length : 0);
      const end: PageEvent = { type: "text.end", id, kind };
      return rest === "" ? [end] : [{ type: "text", id, kind, text: rest }, end];
    });
  }

  /** The attempt came to nothing. */
  withdraw(): readonly PageEvent[] {
    if (this.#texts.length + this.#calls.length === 0) return [];
    const calls = this.#calls.map(({ call }) => call);
    return [...this.#endOfLast(), { type: "withdrawn", ids: this.ids, calls }];
  }
}

/** The events of an answer of which nothing was shown. */
export function wholeAnswer(id: string, content: readonly AssistantPart[]): readonly PageEvent[] {
  return wholeTexts(id, textsOf(content));
}

function wholeTexts(of: string, texts: readonly StreamedText[]): readonly PageEvent[] {
  return texts.flatMap(({ kind, text }, place): readonly PageEvent[] => {
    const id = `${of}/${place}`;
    return [
      { type: "text", id, kind, text },
      { type: "text.end", id, kind },
    ];
  });
}

/** The texts of an answer; what comes in one kind without a break is one text, as it streams in. */
function textsOf(content: readonly AssistantPart[]): readonly StreamedText[] {
  const texts: { readonly kind: TextKind; text: string }[] = [];
  for (const part of content) {
    if (part.type !== "text" && part.type !== "reasoning") continue;
    if (part.text === "") continue;
    const last = texts.at(-1);
    if (last?.kind === part.type) last.text += part.text;
    else texts.push({ kind: part.type, text: part.text });
  }
  return texts;
}
