/**
 * The form on an approval's card in which a person decides, where the studio may pass decisions on; elsewhere
 * it shows the command. It asks once more before a decision is sent.
 */
import { useState } from "preact/hooks";
import { childPath, ROOT_RUN } from "../../core/journal/index.js";
import { isJsonObject, type Json, messageOf } from "../../core/kernel/values/index.js";
import { type ApprovalCard, shellWord } from "../model/index.js";
import { Fault } from "./parts.js";
import { route } from "./route.js";
import { parsedJson } from "./source.js";
import { about, openRun, source } from "./state.js";
import { brief } from "./text.js";

interface DecideProps {
  readonly approval: ApprovalCard;
  /** The path of the run that asks. */
  readonly path: string;
}

/** A decision that was chosen and not given yet. */
type Choice = "approve" | "reject";

/** The part of a form that a person has filled in. */
interface Draft {
  readonly choice?: Choice | undefined;
  readonly text?: string;
  readonly reason?: string;
}

/** A list draws the cards in sight: a form that goes out of it comes back as it was left. */
const drafts = new Map<string, Draft>();

export function DecideForm({ approval, path }: DecideProps) {
  const { directive, subject, ask } = approval;
  const own = isJsonObject(subject) && subject.input !== undefined ? subject.input : null;
  const place = route.value;
  const id = path === ROOT_RUN ? directive : childPath(path, directive);
  const key = place.page === "run" ? `${place.journal} ${id}` : id;
  const [draft, setDraft] = useState<Draft>(drafts.get(key) ?? {});
  const { choice, reason = "" } = draft;
  const { text = ask === undefined ? JSON.stringify(own, null, 1) : "" } = draft;
  const change = (part: Draft) => {
    drafts.set(key, { ...draft, ...part });
    setDraft({ ...draft, ...part });
  };
  const [fault, setFault] = useState("");
  const [isBusy, setBusy] = useState(false);
  if (place.page !== "run") return null;
  const { decides = "no", kind, model } = about.value ?? {};
  if (decides === "no") {
    return (
      <p class="quiet">
        {kind !== "file" && (
          <>
            To decide here, start the studio with <code>--config FILE</code>: the run goes on by its
            code. Or:{" "}
          </>
        )}
        {kind === "file" && "To decide, where the journal is: "}
        <code>{`reckoner resume ${shellWord(place.journal)} --approve ${shellWord(id)}`}</code>
      </p>
    );
  }
  const give = async () => {
    if (isBusy) return;
    setBusy(true);
    setFault("");
    try {
      await source.decide({
        journal: place.journal,
        approval: id,
        ...decisionOf(choice, { text, reason, own, asks: ask !== undefined }),
      });
      change({ choice: undefined });
      await openRun(place.journal).update();
    } catch (thrown) {
      setFault(messageOf(thrown));
    }
    setBusy(false);
  };
  return (
    <form
      class="decide"
      onSubmit={(event) => {
        event.preventDefault();
        void give();
      }}
    >
      <button
        type="button"
        aria-pressed={choice === "approve"}
        onClick={() => change({ choice: "approve" })}
      >
        {ask === undefined ? "Approve…" : "Answer…"}
      </button>{" "}
      <button
        type="button"
        aria-pressed={choice === "reject"}
        onClick={() => change({ choice: "reject" })}
      >
        Reject…
      </button>
      {choice === "approve" && (
        <label>
          {ask === undefined ? "with these arguments" : "with this value, as JSON"}
          <textarea
            rows={4}
            value={text}
            spellcheck={false}
            onInput={(event) => change({ text: event.currentTarget.value })}
          />
        </label>
      )}
      {choice === "reject" && (
        <label>
          for this reason, which the model reads
          <input
            type="text"
            value={reason}
            onInput={(event) => change({ reason: event.currentTarget.value })}
          />
        </label>
      )}
      {choice !== undefined && (
        <p>
          {decides === "host"
            ? "The run goes on by it; it cannot be taken back."
            : `It is written to the journal, and the run goes on in the studio's process: its tools are called${
                model === undefined ? "" : `, and ${brief(model, 60)} is asked`
              }, within the run's own limits. It cannot be taken back.`}{" "}
          <button type="submit" disabled={isBusy}>
            {choice === "reject" ? "Reject now" : ask === undefined ? "Approve now" : "Answer now"}
          </button>{" "}
          <button type="button" onClick={() => change({ choice: undefined })}>
            Not yet
          </button>
        </p>
      )}
      <Fault text={fault} />
    </form>
  );
}

/** The decision as a host takes it: other arguments only where they were changed. */
function decisionOf(
  choice: Choice | undefined,
  form: {
    readonly text: string;
    readonly reason: string;
    readonly own: Json;
    readonly asks: boolean;
  },
) {
  const { text, reason, own, asks } = form;
  if (choice !== "approve") return { approve: false, ...(reason === "" ? {} : { reason }) };
  const value = parsedJson(text);
  if (asks) return { approve: true, value };
  return JSON.stringify(value) === JSON.stringify(own)
    ? { approve: true }
    : { approve: true, input: value };
}
