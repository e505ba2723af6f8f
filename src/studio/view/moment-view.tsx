/** Shows an event of a run with its directives (`MomentView`), and the state after it (`StateView`). */
import { useEffect, useMemo, useState } from "preact/hooks";
import { isUnresolved } from "../../core/journal/index.js";
import { type Json, messageOf } from "../../core/kernel/values/index.js";
import { type ThoughtGraph, thoughtGraph } from "../../core/thoughts/index.js";
import {
  chartPicture,
  decisionsPicture,
  type Picture,
  thoughtsPicture,
} from "../../pictures/index.js";
import { traceId } from "../../trace/pure/index.js";
import type { StateAnswer } from "../live/index.js";
import {
  agentDrawn,
  countText,
  type DecisionsAt,
  type IssuedEffect,
  RecordedDecisions,
  type ShownMoment,
  spanText,
  VisitedStates,
} from "../model/index.js";
import { Fault, Paged, Time } from "./parts.js";
import { PictureView } from "./picture.js";
import { about, type OpenRun, source } from "./state.js";
import { brief, briefBoth, briefValue, Value } from "./text.js";
import { attempt } from "./why-view.js";

interface MomentProps {
  readonly run: OpenRun;
  readonly moment: ShownMoment;
  readonly goToSeq: (seq: number) => void;
}

/** The state after an event, as the server tells it; `undefined` while it is asked, and where it is not asked for. */
function useStateAt(
  run: OpenRun,
  seq: number,
  isWanted: boolean,
): StateAnswer | null | string | undefined {
  const [found, setFound] = useState<{
    readonly seq: number;
    readonly state: StateAnswer | null | string;
  }>();
  useEffect(() => {
    if (!isWanted) return;
    let gone = false;
    const show = (state: StateAnswer | null | string) => {
      if (!gone) setFound({ seq, state });
    };
    source.state(run.name, seq).then(show, (thrown: unknown) => show(messageOf(thrown)));
    return () => {
      gone = true;
    };
  }, [run, seq, isWanted]);
  return isWanted && found?.seq === seq ? found.state : undefined;
}

export function MomentView({ run, moment, goToSeq }: MomentProps) {
  const { event, directives, settled, states, before, at, ignored, seq } = moment;
  const state = useStateAt(run, seq, about.value?.code === true && moment.run === "");
  const computed = typeof state === "object" && state?.seq === seq ? state.changes : undefined;
  const changes = computed ?? moment.changes;
  return (
    <section aria-label="Event">
      <p class="lead">
        <strong>{brief(String(event.type))}</strong>{" "}
        {typeof event.id === "string" && <code>{brief(event.id)}</code>} <Time at={at} />
        {ignored !== undefined && <em> ignored: {ignored}</em>}
      </p>
      <p>
        {before === undefined ? "in " : `${before} → `}
        <strong>{brief(states)}</strong>
      </p>
      {settled !== undefined && (
        <p>
          It settles {settled.type} <code>{brief(settled.id)}</code> ({brief(settled.name)}), asked
          for at <SeqButton seq={settled.seq} goToSeq={goToSeq} />, {spanText(at - settled.since)}{" "}
          before.
        </p>
      )}
      <h3>It issued</h3>
      {directives.length === 0 && <p class="quiet">nothing</p>}
      <ul class="plain">
        {directives.map((each, i) => (
          <li key={`${each.id} ${i}`}>
            <details>
              <summary>
                {each.type} <code>{brief(each.id ?? "")}</code> {brief(each.name)}{" "}
                {each.settled !== undefined && (
                  <>
                    → {each.settled.type} <SeqButton seq={each.settled.seq} goToSeq={goToSeq} />
                  </>
                )}
                {each.cancelled !== undefined && (
                  <>
                    cancelled at <SeqButton seq={each.cancelled} goToSeq={goToSeq} />
                  </>
                )}
              </summary>
              <Value value={each.parts as Json} />
            </details>
          </li>
        ))}
      </ul>
      <h3>It changed</h3>
      {changes.length === 0 && <p class="quiet">nothing</p>}
      <dl class="changes">
        {changes.map(({ path, before: was, after }) => (
          <div key={path}>
            <dt>
              <code>{brief(path)}</code>
            </dt>
            <dd>
              <span class="was">{changeText(was, after).before}</span> →{" "}
              <span class="is">{changeText(was, after).after}</span>
            </dd>
          </div>
        ))}
      </dl>
      {changes.some(({ before: was, after }) => isUnresolved(was) || isUnresolved(after)) && (
        <p class="quiet">
          The journal holds a digest of some values; with <code>--config FILE</code> the code tells
          them.
        </p>
      )}
      <details>
        <summary>The event as it was recorded</summary>
        <Value value={event} />
      </details>
    </section>
  );
}

/** Both sides of a change; of a list that has grown what came to it. */
function changeText(
  was: Json | undefined,
  is: Json | undefined,
): { readonly before: string; readonly after: string } {
  if (Array.isArray(was) && Array.isArray(is) && is.length > was.length) {
    const isGrown = was.every(
      (item, i) => item === is[i] || JSON.stringify(item) === JSON.stringify(is[i]),
    );
    if (isGrown) {
      return {
        before: `${was.length} items`,
        after: `${is.length}: ${briefValue(is.slice(was.length), 300)}`,
      };
    }
  }
  const [before, after] =
    isUnresolved(was) || isUnresolved(is) ? [sideText(was), sideText(is)] : briefBoth(was, is, 200);
  return { before, after };
}

function sideText(value: Json | undefined): string {
  const ref = (value as { readonly "@ref"?: string } | null | undefined)?.["@ref"];
  return ref === undefined ? briefValue(value, 200) : `digest ${ref.slice(0, 12)}`;
}

interface SeqButtonProps {
  readonly seq: number;
  readonly goToSeq: (seq: number) => void;
}

function SeqButton({ seq, goToSeq }: SeqButtonProps) {
  return (
    <button type="button" class="link seq" onClick={() => goToSeq(seq)}>
      #{seq}
    </button>
  );
}

interface StateProps extends MomentProps {
  /** Chooses an event of the trace. */
  readonly choose: (event: string) => void;
}

/** The state after an event: what waits, the chart with its present states lit, thoughts and decisions. */
export function StateView({ run, moment, goToSeq, choose }: StateProps) {
  const { outstanding, seq, value, chart, states } = moment;
  const lit = JSON.stringify(value);
  const drawn = useMemo(
    () =>
      chart === undefined
        ? "The journal holds no chart of its machine."
        : attempt(() => chartPicture(chart, { active: value as never, title: "Where the run is" })),
    [JSON.stringify(chart), lit],
  );
  const { tree } = run;
  const own = tree.of(moment.run);
  const visited = run.derived(`states ${moment.run}`, () => new VisitedStates(own?.moments ?? []));
  const statesAt = useMemo(
    () => attempt(() => (chart === undefined ? new Map() : visited.newest(seq, chart))),
    [visited, seq, chart],
  );
  const agent = useMemo(() => agentDrawn(tree, moment.run, seq), [tree, tree.lines, moment, seq]);
  const chooseEffect = ({ id }: IssuedEffect) => choose(traceId(own?.header?.runId ?? "", id));
  const decisions = run.derived("decisions", (all) => new RecordedDecisions(all)).at(seq);
  // The chart that comes with the package is the same for every agent: it is drawn where somebody asks for it.
  const isOwnChart = typeof chart !== "string";
  return (
    <section aria-label="State">
      <p class="lead">
        The run is in <strong>{brief(states)}</strong>
      </p>
      {agent !== undefined && (
        <Drawn
          title="This agent"
          picture={agent.picture}
          leadsTo={(id) => {
            const found = agent.leads.get(id);
            return found && (() => chooseEffect(found));
          }}
        />
      )}
      <h3>It waits for</h3>
      {outstanding.length === 0 && <p class="quiet">nothing</p>}
      <ul class="plain">
        {outstanding.map(({ id, type, name, since, run: path, seq: asked }) => (
          <li key={`${path} ${id}`}>
            {type} <code>{brief(id)}</code> {brief(name)}, for {spanText(moment.at - since)}{" "}
            <SeqButton seq={asked} goToSeq={goToSeq} />
          </li>
        ))}
      </ul>
      <Thoughts run={run} seq={seq} choose={choose} />
      {decisions.map((each) => (
        <Decisions key={each.store} decisions={each} goToSeq={goToSeq} />
      ))}
      {typeof drawn === "string" ? (
        <Fault text={drawn} />
      ) : (
        <Drawn
          title={isOwnChart ? "Statechart" : "Statechart of every agent"}
          picture={drawn}
          isOpen={isOwnChart}
          leadsTo={(id) => {
            const at = typeof statesAt === "string" ? undefined : statesAt.get(id);
            return at === undefined ? undefined : () => goToSeq(at);
          }}
        />
      )}
    </section>
  );
}

interface DecisionsProps {
  readonly decisions: DecisionsAt;
  readonly goToSeq: (seq: number) => void;
}

/** A store's decision graph, drawn anew where a write has changed it. */
function Decisions({ decisions, goToSeq }: DecisionsProps) {
  const { store, nodes, edges, written } = decisions;
  const picture = useMemo(() => decisionsPicture({ nodes, edges } as never, {}), [decisions]);
  return (
    <div>
      <Drawn
        title={`Decisions in ${brief(store)}`}
        picture={picture}
        leadsTo={(id) => {
          const at = written.get(id)?.at(-1);
          return at === undefined ? undefined : () => goToSeq(at);
        }}
      />
      <ul class="plain">
        {nodes.map(({ id, label, status }) => (
          <li key={id}>
            <span dir="auto">{brief(label, 100)}</span>{" "}
            <span class="quiet">{status} written at</span>{" "}
            {(written.get(id) ?? []).map((at) => (
              <SeqButton key={at} seq={at} goToSeq={goToSeq} />
            ))}
          </li>
        ))}
      </ul>
    </div>
  );
}

interface DrawnProps {
  readonly title: string;
  readonly picture: Picture;
  readonly leadsTo: (id: string) => (() => void) | undefined;
  readonly isOpen?: boolean;
}

function Drawn({ title, picture, isOpen = true, leadsTo }: DrawnProps) {
  const [isWhole, setWhole] = useState(true);
  const [isShown, setShown] = useState(isOpen);
  return (
    <details open={isShown} onToggle={(event) => setShown(event.currentTarget.open)}>
      <summary>{title}</summary>
      {isShown && (
        <>
          <button type="button" onClick={() => setWhole(!isWhole)}>
            {isWhole ? "in its own size" : "as a whole"}
          </button>
          <div class={isWhole ? "whole" : ""}>
            <PictureView picture={picture} label={title} leadsTo={leadsTo} />
          </div>
        </>
      )}
    </details>
  );
}

interface ThoughtsProps {
  readonly run: OpenRun;
  readonly seq: number;
  readonly choose: (event: string) => void;
}

/** The graph of thoughts: a journal has it in its snapshots, and code computes it at any event. */
function Thoughts({ run, seq, choose }: ThoughtsProps) {
  const ids = [...run.tree.root.effects.keys()];
  const isOfThoughts = ids.some((id) => /^llm\/(?!\d+\/)[^/]+\/\d+\/\d+/.test(id));
  const state = useStateAt(run, seq, isOfThoughts);
  const found = useMemo(() => thoughtsIn(state), [state]);
  if (!isOfThoughts) return null;
  if (typeof state === "string") return <Fault text={state} />;
  if (state === undefined) return <p class="quiet">…</p>;
  if (state === null || found === undefined) {
    return (
      <p class="quiet">
        No snapshot holds the thoughts at this event; start the studio with{" "}
        <code>--config FILE</code> to compute them.
      </p>
    );
  }
  if (typeof found === "string") return <Fault text={found} />;
  const runId = run.tree.root.header?.runId ?? "";
  return (
    <>
      <Drawn
        title={state.seq === seq ? "Thoughts" : `Thoughts, as of event ${state.seq}`}
        picture={found.picture}
        leadsTo={(id) => {
          const call = found.list.find((each) => each.id === id)?.calls.at(-1);
          return call === undefined ? undefined : () => choose(traceId(runId, call));
        }}
      />
      <details>
        <summary>
          {countText(found.list.length, "thought")}, each with the calls that it was read from
        </summary>
        <ul class="plain">
          <Paged
            items={found.list}
            most={500}
            row={({ id, content, score, operation, calls }) => (
              <li key={id} class={id === found.best ? "card at" : "card"}>
                <span dir="auto">{brief(content, 160)}</span>
                <p class="quiet">
                  {score === null ? "not scored" : `score ${score}`}
                  {operation !== null && `, by ${brief(operation, 60)}`}{" "}
                  {calls.map((call) => (
                    <button
                      key={call}
                      type="button"
                      class="link"
                      onClick={() => choose(traceId(runId, call))}
                    >
                      {brief(call, 60)}
                    </button>
                  ))}
                </p>
              </li>
            )}
          />
        </ul>
      </details>
    </>
  );
}

/** Draws and lists the thoughts in a state; `undefined` where it holds none. */
function thoughtsIn(state: StateAnswer | null | string | undefined) {
  if (typeof state !== "object" || state?.thoughts === undefined) return undefined;
  const { graph, better, best } = state.thoughts;
  const own = graph as unknown as ThoughtGraph<object>;
  return attempt(() => ({
    best,
    picture: thoughtsPicture(own, {
      best,
      ...(better === "lower" ? { better: "lower" as const } : {}),
      title: `Thoughts after event ${state.seq}`,
    }),
    list: thoughtGraph.listThoughts(own),
  }));
}
