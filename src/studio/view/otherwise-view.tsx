/**
 * Shows in the studio what today's code, or another answer to a request, would have made of the run. The
 * server computes it from the record: no tool or store is called.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { idFromRoot, ROOT_RUN } from "../../core/journal/index.js";
import { asJson, isJsonObject, type Json, messageOf } from "../../core/kernel/values/index.js";
import type { OtherwiseAnswer } from "../live/index.js";
import {
  type Asked,
  askedOf,
  type CandidateOutcome,
  type CandidateSide,
  callWords,
  candidateOf,
  countText,
  eventJson,
  type IssuedEffect,
  type RecordedRun,
  type RecordedTree,
  statusWords,
} from "../model/index.js";
import { Fault } from "./parts.js";
import { parsedJson } from "./source.js";
import { about, type OpenRun, source } from "./state.js";
import { brief, briefValue } from "./text.js";

/** An answer, and what of the run it is about. */
interface Answer extends OtherwiseAnswer {
  readonly of: { readonly tree: RecordedTree; readonly lines: number };
}

/** Asks what would be otherwise. @param answers in place of those that were; what they throw is said */
type Ask = (answers?: () => { readonly [id: string]: Json }) => Promise<void>;

interface OtherwiseProps {
  readonly run: OpenRun;
  readonly event: string | undefined;
  /** True where it is asked at once what today's code would do. */
  readonly asks: boolean;
  readonly goToSeq: (seq: number) => void;
}

export function OtherwiseView({ run, event, asks, goToSeq }: OtherwiseProps) {
  const { tree } = run;
  const found = event === undefined ? undefined : tree.effectOf(event);
  const id = found === undefined ? undefined : idIn(found.run.path, found.effect.id);
  const [answer, setAnswer] = useState<Answer | undefined>(undefined);
  const [fault, setFault] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [budget, setBudget] = useState("");
  const ask: Ask = async (answers) => {
    setBusy(true);
    setFault("");
    try {
      const tokens = budget === "" ? {} : { budget: Number(budget) };
      const set = answers?.();
      await run.update();
      const of = { tree: run.tree, lines: run.tree.lines };
      const found = await source.otherwise({
        journal: run.name,
        ...(set === undefined ? {} : { set }),
        ...tokens,
      });
      setAnswer({ ...found, of });
    } catch (thrown) {
      setAnswer(undefined);
      setFault(messageOf(thrown));
    }
    setBusy(false);
  };
  const isAsked = asks && about.value?.code === true;
  useEffect(() => {
    if (isAsked) void ask();
  }, [isAsked]);
  const first = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Somebody who came for the difference is shown it.
    if (isAsked) first.current?.querySelector("tr.first")?.scrollIntoView({ block: "center" });
  }, [answer]);
  if (about.value?.code !== true) {
    return (
      <p class="quiet">
        What would be otherwise is told by code: start the studio with <code>--config FILE</code>.
        It works on the record alone; no tool is called and nothing is written.
      </p>
    );
  }
  const { model } = about.value;
  // Requests that the run has made since would stand there as gone.
  const isOld = answer !== undefined && (answer.of.tree !== tree || answer.of.lines !== tree.lines);
  return (
    <section aria-label="Otherwise">
      <p>
        <button type="button" disabled={isBusy} onClick={() => ask()}>
          What would today's code do?
        </button>
      </p>
      {id !== undefined && found !== undefined && (
        <Another
          key={id}
          id={id}
          asked={askedOf(found.run, found.effect)}
          recorded={recordedAnswer(found.run, found.effect)}
          isBusy={isBusy}
          ask={ask}
        />
      )}
      {id === undefined && (
        <p class="quiet">
          Choose a model call, a tool call or a decision, of the run or of a child, to give it
          another answer.
        </p>
      )}
      {model !== undefined && (
        <p>
          <label>
            What was never recorded may be asked of {brief(model, 60)}, for at most{" "}
            <input
              type="number"
              min={1}
              step={1}
              value={budget}
              onInput={(each) => setBudget(each.currentTarget.value)}
            />{" "}
            tokens
          </label>{" "}
          <span class="quiet">
            {budget === "" ? "It costs nothing: nothing is asked." : "This costs money."}
          </span>
        </p>
      )}
      <Fault text={fault} />
      {isBusy && <p class="quiet">Running on the record…</p>}
      <div ref={first}>
        {isOld && <p class="quiet">The run has gone on since that was asked; ask again.</p>}
        {answer !== undefined && !isOld && <Lanes tree={tree} answer={answer} goToSeq={goToSeq} />}
      </div>
      {answer !== undefined && answer.report.spent > 0 && (
        <p class="quiet">{countText(answer.report.spent, "token")} were spent.</p>
      )}
      {answer !== undefined && (
        <p class="quiet">
          To make a run of it that goes on: <code>{answer.command}</code>
        </p>
      )}
    </section>
  );
}

/** The id by which the root knows a request of one of its runs. */
function idIn(path: string, id: string): string {
  return path === ROOT_RUN ? id : idFromRoot(path, id);
}

/** The answer that was recorded, as it is set; of a decision the arguments that were decided on. */
function recordedAnswer(run: RecordedRun, effect: IssuedEffect): Json | undefined {
  const event = effect.answer === undefined ? {} : eventJson(effect.answer.event);
  const { approve, input, value, reason, error, output, content } = event;
  if (effect.type === "approval") {
    const subject = run.part(effect, "subject");
    const asked = isJsonObject(subject) ? subject.input : undefined;
    const answer = run.part(effect, "ask") === undefined ? { input: input ?? asked } : { value };
    return asJson({ approve: approve ?? true, ...answer, reason });
  }
  if (error !== undefined) return { error };
  return output ?? value ?? content;
}

interface AnotherProps {
  readonly id: string;
  readonly asked: Asked;
  readonly recorded: Json | undefined;
  readonly isBusy: boolean;
  readonly ask: Ask;
}

function Another({ id, asked, recorded, isBusy, ask }: AnotherProps) {
  const { type } = asked;
  const [text, setText] = useState(JSON.stringify(recorded ?? null, null, 1));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void ask(() => ({ [id]: parsedJson(text) }));
      }}
    >
      {type === "approval" && (
        <p>
          And if “{brief(asked.name, 120)}” had been{" "}
          <button
            type="button"
            disabled={isBusy}
            onClick={() => ask(() => ({ [id]: { approve: true } }))}
          >
            approved
          </button>{" "}
          <button
            type="button"
            disabled={isBusy}
            onClick={() => ask(() => ({ [id]: { approve: false } }))}
          >
            rejected
          </button>
        </p>
      )}
      <label>
        {type === "approval" ? "Or decided with other arguments, or a reason" : "And if "}
        {type !== "approval" &&
          `${type === "llm" ? `the model's answer ${brief(id)}` : brief(callWords(asked), 200)} had come to`}
        <textarea
          rows={5}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          spellcheck={false}
        />
      </label>
      <button type="submit" disabled={isBusy}>
        What then?
      </button>
    </form>
  );
}

const MARKS = { same: "=", changed: "≠", gone: "−", new: "+" } as const;

interface LanesProps {
  readonly tree: RecordedTree;
  readonly answer: OtherwiseAnswer;
  readonly goToSeq: (seq: number) => void;
}

/** The lanes of the child runs that an answer was set in, and of the run itself. */
function Lanes({ tree, answer, goToSeq }: LanesProps) {
  const { children } = answer.report;
  return (
    <>
      {children.map(({ run: path }) => (
        <div key={path}>
          <h3>In the child run {brief(tree.of(path)?.header?.reasoner.id ?? path, 60)}</h3>
          <LanesOf tree={tree} answer={answer} goToSeq={goToSeq} path={path} />
        </div>
      ))}
      {children.length > 0 && <h3>In the run itself</h3>}
      <LanesOf tree={tree} answer={answer} goToSeq={goToSeq} path="" />
    </>
  );
}

function LanesOf({ tree, answer, goToSeq, path }: LanesProps & { readonly path: string }) {
  const found = candidateOf(tree, answer.report, answer.set, path);
  return (
    <div class="lanes-view">
      <p class="lead" role="status" dir="auto">
        {brief(found.words, 900)}
      </p>
      <table>
        <caption class="unseen">What was, beside what would have been</caption>
        <thead>
          <tr>
            <th scope="col">
              <span class="unseen">Kind</span>
            </th>
            <th scope="col">was</th>
            <th scope="col">would be</th>
          </tr>
        </thead>
        <tbody>
          {found.rows.map((row, i) => (
            <tr
              key={`${row.was?.id} ${row.is?.id}`}
              class={`row-${row.status}${i === found.first ? " first" : ""}`}
            >
              <td title={row.status}>{MARKS[row.status]}</td>
              <td>
                {row.was !== undefined && (
                  <>
                    <button type="button" class="link" onClick={() => goToSeq(row.was?.seq ?? 0)}>
                      {sideText(row.was)}
                    </button>
                    {row.answer !== undefined && (
                      <span class="quiet"> → {brief(row.answer, 80)}</span>
                    )}
                  </>
                )}
              </td>
              <td>
                {row.is !== undefined && sideText(row.is)}
                {row.support !== undefined && row.support !== "reused" && (
                  <span class="quiet"> {SUPPORT[row.support]}</span>
                )}
                {row.set !== undefined && <strong> → {brief(row.set, 120)}</strong>}
                {row.differs !== undefined && <div class="differs">{brief(row.differs, 400)}</div>}
              </td>
            </tr>
          ))}
          <tr>
            <td>⇥</td>
            <td>
              <Outcome of={found.recorded} />
            </td>
            <td>
              <Outcome of={found.candidate} />
            </td>
          </tr>
        </tbody>
      </table>
    </div>
  );
}

function Outcome({ of: { status, output } }: { readonly of: CandidateOutcome }) {
  return (
    <>
      {statusWords(status)}
      {output !== undefined && ` ${briefValue(output, 120)}`}
    </>
  );
}

const SUPPORT = {
  new: "was never recorded: it would be asked",
  open: "never answered",
  live: "answered by the model now",
  cancelled: "not waited for any more",
} as const;

function sideText({ id, type, name, input }: CandidateSide): string {
  return type === "llm" ? id : `${brief(name, 60)} ${briefValue(input, 90)}`;
}
