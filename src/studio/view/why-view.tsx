/**
 * Shows the causes of an event in the studio, step by step, and for each argument of a tool call the text in
 * which the model had read it.
 */
import { useState } from "preact/hooks";
import {
  argumentsOf,
  type RecordedTree,
  type SourceWords,
  type Step,
  whyOf,
} from "../model/index.js";
import { Fault } from "./parts.js";
import { brief, briefValue } from "./text.js";

/** An event whose causes or request are shown, and the ways to others. */
export interface WhyProps {
  readonly tree: RecordedTree;
  readonly event: string;
  readonly choose: (event: string, seq: number) => void;
  readonly showRequest: (event: string, seq: number) => void;
}

export function WhyView({ tree, event, choose, showRequest }: WhyProps) {
  const why = attempt(() => whyOf(tree, event));
  if (typeof why === "string") return <Fault text={why} />;
  const { type } = why.event;
  const isCall = type === "tool_call" || type === "approval";
  const found = isCall ? attempt(() => argumentsOf(tree, event)) : [];
  const asked = why.chain.findLast((each) => each.type === "llm_call");
  return (
    <section aria-label="Why">
      <p class="lead" dir="auto">
        {brief(why.event.words, 400)}
      </p>
      {asked !== undefined && (
        <p>
          <button type="button" onClick={() => showRequest(asked.id, asked.seq)}>
            {asked.id === event ? "What the model was shown" : "What the model had been shown"}
          </button>
        </p>
      )}
      {typeof found !== "string" && found.length > 0 && (
        <>
          <h3>Its arguments</h3>
          <dl class="arguments">
            {found.map(({ path, value, sources, edited, seenIn }) => (
              <div key={path}>
                <dt>
                  <code>{brief(path.replace(/^\$\.?/, "") || "it")}</code> ={" "}
                  <code dir="auto">{briefValue(value, 80)}</code>
                </dt>
                {sources.map((source, i) => (
                  <dd key={`${source.words} ${i}`}>
                    <SourceView source={source} choose={choose} />
                  </dd>
                ))}
                {edited !== undefined && (
                  <dd>
                    edited: the model had written <code dir="auto">{briefValue(edited, 80)}</code>
                  </dd>
                )}
                {seenIn.length > 0 && (
                  <dd class="quiet">read in {seenIn.map((block) => block.path).join(", ")}</dd>
                )}
              </div>
            ))}
          </dl>
        </>
      )}
      <Steps title="Because" steps={why.causes} choose={choose} />
      <Steps title="How it came to that" steps={why.chain} choose={choose} numbered />
      <Steps title="What came of it" steps={why.effects} choose={choose} />
      {why.missing.length > 0 && (
        <p class="quiet">{why.missing.length} causes are in journals that are not here.</p>
      )}
    </section>
  );
}

interface SourceViewProps {
  readonly source: SourceWords;
  readonly choose: (event: string, seq: number) => void;
}

/** A source in words; a button where it leads to an event. */
export function SourceView({ source, choose }: SourceViewProps) {
  const { words, id, seq, path, text } = source;
  if (id === undefined || seq === undefined)
    return <span class="untraced">{brief(words, 200)}</span>;
  return (
    <button
      type="button"
      class="link source"
      title={brief(text === undefined ? (path ?? "") : `${path ?? ""}: ${text}`, 300)}
      onClick={() => choose(id, seq)}
    >
      {brief(words, 120)} <span class="seq">#{seq}</span>
    </button>
  );
}

interface StepsProps {
  readonly title: string;
  readonly steps: readonly Step[];
  readonly choose: (event: string, seq: number) => void;
  readonly numbered?: boolean;
}

function Steps({ title, steps, choose, numbered = false }: StepsProps) {
  const [isWhole, setWhole] = useState(false);
  if (steps.length === 0) return null;
  const isCut = steps.length > 60 && !isWhole;
  const shown = isCut ? [...steps.slice(0, 10), ...steps.slice(-50)] : steps;
  const rows = shown.map(({ id, seq, words }) => (
    <li key={id}>
      <button type="button" class="link" onClick={() => choose(id, seq)}>
        <span dir="auto">{brief(words, 160)}</span> <span class="seq">#{seq}</span>
      </button>
    </li>
  ));
  return (
    <>
      <h3>
        {title}
        {isCut && (
          <>
            {" "}
            <button type="button" onClick={() => setWhole(true)}>
              show {steps.length - shown.length} more in the middle
            </button>
          </>
        )}
      </h3>
      {numbered ? <ol class="steps">{rows}</ol> : <ul class="steps">{rows}</ul>}
    </>
  );
}

/** A result, or the words of its refusal. */
export function attempt<Found>(of: () => Found): Found | string {
  try {
    return of();
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown);
  }
}
