/** Shows a run in the studio as a conversation, with cards for calls, children and thoughts. */
import { useMemo } from "preact/hooks";
import type { Json } from "../../core/kernel/values/index.js";
import {
  type AnswerEntry,
  type ApprovalCard,
  type CallCard,
  cardsIn,
  conversationOf,
  costOfAnswer,
  countText,
  type EntryRow,
  type EntryRows,
  jsonBeginning,
  moneyText,
  type RecordedTree,
  rowsOf,
  spanText,
  undecided,
} from "../model/index.js";
import { DecideForm } from "./decide-form.js";
import { Fault, Span, Status, Time } from "./parts.js";
import { chooseEvent, openChild } from "./route.js";
import { about, type OpenRun } from "./state.js";
import { brief, briefValue, LongText, Value } from "./text.js";
import type { TimeLineProps } from "./time-line-view.js";
import { Virtual } from "./virtual.js";

/** The place of an entry: its run, and what is chosen. */
export interface Chosen {
  readonly tree: RecordedTree;
  /** The path of the run that is shown. */
  readonly path: string;
  readonly event: string | undefined;
  readonly later: string;
}

/** The rows of a run's conversation, made once as long as no line comes. */
export function conversationRows(run: OpenRun, path: string): EntryRows {
  return run.derived(`conversation ${path}`, (tree) => rowsOf(conversationOf(tree, path)));
}

/** The height of a row about as it is drawn, by its cards: three stand side by side. */
function heightOf(row: EntryRow): number {
  return 70 + 90 * Math.ceil((cardsIn(row) - 1) / 3);
}

/** The entries of a run; those behind the slider are dimmed. */
export function ConversationView({ run, path, event, seq }: TimeLineProps) {
  const { rows, places } = conversationRows(run, path);
  const at = places.get(event ?? "")?.row;
  return (
    <Virtual
      items={rows}
      estimate={heightOf}
      label="Conversation"
      class="conversation"
      at={at}
      keyOf={({ kind, id }) => `${kind} ${id}`}
      row={(entry, i) => (
        <Row
          entry={entry}
          tree={run.tree}
          path={path}
          event={i === at ? event : undefined}
          isLater={entry.seq > seq}
        />
      )}
    />
  );
}

interface RowProps {
  readonly entry: EntryRow;
  readonly tree: RecordedTree;
  readonly path: string;
  readonly event: string | undefined;
  readonly isLater: boolean;
}

/** A row is drawn anew where something of it has changed: a step of the slider draws those that it passes. */
function Row({ entry, tree, path, event, isLater }: RowProps) {
  return useMemo(() => {
    const chosen = { tree, path, event, later: isLater ? " later" : "" };
    return <EntryView entry={entry} chosen={chosen} />;
  }, [entry, tree, path, event, isLater]);
}

function EntryView({ entry, chosen }: { readonly entry: EntryRow; readonly chosen: Chosen }) {
  const { later } = chosen;
  switch (entry.kind) {
    case "input":
      return (
        <article class={`entry input${later}`}>
          <Head
            id={entry.id}
            seq={entry.seq}
            chosen={chosen}
            title={entry.type === "start" ? "input" : entry.type}
          >
            <Time at={entry.at} />
            {entry.ignored !== undefined && <Status status={entry.ignored} />}
          </Head>
          {entry.text === "" ? <Value value={entry.value} /> : <LongText text={entry.text} />}
        </article>
      );
    case "answer":
      return <Answer entry={entry} chosen={chosen} />;
    case "call":
      return (
        <article class={`entry${later}`}>
          <Call card={entry} chosen={chosen} />
        </article>
      );
    case "effect":
      return (
        <article class={`entry${later}`}>
          <div class={`card${chosen.event === entry.id ? " at" : ""}`}>
            <Head
              id={entry.id}
              seq={entry.seq}
              chosen={chosen}
              title={`${entry.type} ${entry.name}`}
            >
              <Status status={entry.status} />
              <Span ms={entry.durationMs} />
            </Head>
            <Line label="asked" value={entry.input} />
            {entry.output !== undefined && <Line label="→" value={entry.output} />}
            {entry.error !== undefined && <Fault text={errorText(entry.error)} />}
            {entry.child !== undefined && <Child path={entry.child} />}
          </div>
        </article>
      );
    case "operation":
      return (
        <article class={`entry${later}`}>
          <h3>
            {brief(entry.name)}{" "}
            <span class="quiet">{countText(entry.of, "answer")} of the model</span>
          </h3>
          <div class="grid">
            {entry.answers.map((answer) => (
              <Answer key={answer.id} entry={answer} chosen={{ ...chosen, later: "" }} />
            ))}
          </div>
        </article>
      );
    case "more":
      return (
        <article class={`entry${later}`}>
          <p class="quiet">
            {entry.from} to {entry.from + entry.calls.length + entry.answers.length - 1} of{" "}
            {entry.of}
          </p>
          <div class="grid">
            {entry.calls.map((card) => (
              <Call key={card.id} card={card} chosen={chosen} />
            ))}
            {entry.answers.map((answer) => (
              <Answer key={answer.id} entry={answer} chosen={{ ...chosen, later: "" }} />
            ))}
          </div>
        </article>
      );
    case "decision":
      return (
        <article class={`entry${later}`}>
          <div class={`card decision${chosen.event === entry.id ? " at" : ""}`}>
            <Head id={entry.id} seq={entry.seq} chosen={chosen} title="decision" />
            <LongText text={entry.description} />
            {entry.reasoning !== "" && <p class="quiet">since {brief(entry.reasoning, 400)}</p>}
          </div>
        </article>
      );
    case "end":
      return (
        <article class={`entry end${later}`}>
          <Head id={entry.id} seq={entry.seq} chosen={chosen} title="end">
            <Status status={entry.status} />
            <Time at={entry.at} />
          </Head>
          {entry.output !== undefined && <Value value={entry.output} />}
          {entry.fault !== undefined && <Fault text={JSON.stringify(entry.fault)} />}
        </article>
      );
    default:
      return <p class="entry turn">— {brief(entry.text)} —</p>;
  }
}

interface HeadProps {
  readonly id: string;
  readonly seq: number;
  readonly chosen: Chosen;
  readonly title: string;
  readonly children?: preact.ComponentChildren;
}

function Head({ id, seq, chosen, title, children }: HeadProps) {
  return (
    <header>
      <button
        type="button"
        class="title"
        aria-pressed={chosen.event === id}
        onClick={() => chooseEvent(id, seq)}
      >
        {brief(title, 90)}
      </button>
      {children}
      <span class="seq">#{seq}</span>
    </header>
  );
}

function Answer({ entry, chosen }: { readonly entry: AnswerEntry; readonly chosen: Chosen }) {
  const { usage } = entry;
  const { later } = chosen;
  const { run, effect } = chosen.tree.effectOf(entry.id) ?? {};
  const prices = about.value?.prices ?? {};
  const cost = costOfAnswer(prices, run?.header?.reasoner.id, effect?.answer?.event);
  const tokens = typeof usage?.totalTokens === "number" ? `${usage.totalTokens} tokens` : "";
  return (
    <article class={`entry answer${later}${chosen.event === entry.id ? " at" : ""}`}>
      <Head
        id={entry.id}
        seq={entry.endSeq ?? entry.seq}
        chosen={chosen}
        title={entry.model ?? "model"}
      >
        {entry.status !== "succeeded" && <Status status={entry.status} />}
        <Span ms={entry.durationMs} />
        {tokens !== "" && <span class="quiet">{tokens}</span>}
        {cost !== undefined && <span class="quiet">costs {moneyText(cost)}</span>}
        {entry.attempts !== undefined && <span class="quiet">{entry.attempts} attempts</span>}
      </Head>
      {entry.reasoning !== "" && (
        <details>
          <summary>reasoning</summary>
          <LongText text={entry.reasoning} />
        </details>
      )}
      {entry.text !== "" && <LongText text={entry.text} />}
      {entry.error !== undefined && <Fault text={errorText(entry.error)} />}
      {entry.calls.length > 0 && (
        <div class={entry.calls.length > 1 ? "grid" : ""}>
          {entry.calls.map((card) => (
            <Call key={card.id} card={card} chosen={chosen} />
          ))}
        </div>
      )}
    </article>
  );
}

function Call({ card, chosen }: { readonly card: CallCard; readonly chosen: Chosen }) {
  const { approval } = card;
  const seq = card.endSeq ?? card.seq;
  const isAt = chosen.event === card.id || chosen.event === approval?.id;
  return (
    <div class={`card call${chosen.event !== undefined && isAt ? " at" : ""}`}>
      <Head id={card.id} seq={seq} chosen={chosen} title={card.name}>
        <Status status={card.status} />
        <Span ms={card.durationMs} />
      </Head>
      <Line label="with" value={card.input} />
      {approval !== undefined && <Approval approval={approval} chosen={chosen} />}
      {card.output !== undefined && <Line label="→" value={card.output} />}
      {card.error !== undefined && <Fault text={errorText(card.error)} />}
      {card.child !== undefined && <Child path={card.child} />}
    </div>
  );
}

interface ApprovalProps {
  readonly approval: ApprovalCard;
  readonly chosen: Chosen;
}

function Approval({ approval, chosen }: ApprovalProps) {
  const { decision, waitedMs = 0 } = approval;
  const by = typeof decision?.by === "string" ? decision.by : "a person";
  const words =
    decision === undefined
      ? undecided(approval.status)
      : `${by} ${decision.approve === true ? "approved" : "rejected"} after ${spanText(waitedMs)}`;
  return (
    <div class="approval">
      <button
        type="button"
        class="link"
        onClick={() => chooseEvent(approval.id, approval.endSeq ?? approval.seq)}
      >
        {brief(words)}
      </button>
      {decision === undefined && approval.status === "open" && (
        <DecideForm approval={approval} path={chosen.path} />
      )}
      {decision?.input !== undefined && <Line label="edited to" value={decision.input} />}
      {typeof decision?.reason === "string" && <p class="quiet">“{brief(decision.reason, 300)}”</p>}
    </div>
  );
}

function Child({ path }: { readonly path: string }) {
  return (
    <button type="button" class="link" onClick={() => openChild(path)}>
      open the child run
    </button>
  );
}

/** A value beside its label: short ones in the line, long ones behind a fold. */
function Line({ label, value }: { readonly label: string; readonly value: Json }) {
  const text = jsonBeginning(value, 201);
  if (text.length <= 200 && !text.includes("\n")) {
    return (
      <p class="line">
        <span class="label">{label}</span> <code dir="auto">{briefValue(value, 220)}</code>
      </p>
    );
  }
  return (
    <details class="line">
      <summary>
        <span class="label">{label}</span> <code dir="auto">{briefValue(value, 100)}</code>
      </summary>
      <Value value={value} />
    </details>
  );
}

function errorText(error: Json): string {
  const { code, message } = error as { readonly code?: string; readonly message?: string };
  return message === undefined ? JSON.stringify(error) : `${message} [${code}]`;
}
