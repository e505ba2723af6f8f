/**
 * The studio's page of one run: its conversation, its time line with a slider over all events, and the views
 * of the chosen event.
 */
import { useEffect, useMemo, useRef } from "preact/hooks";
import { costsOf, isOutstanding, moneyText } from "../model/index.js";
import { ConversationView, conversationRows } from "./conversation-view.js";
import { MomentView, StateView } from "./moment-view.js";
import { OtherwiseView } from "./otherwise-view.js";
import { Fault, Status, Time } from "./parts.js";
import { RequestView } from "./request-view.js";
import { addressOf, chooseEvent, goTo, type Route, route, type Tab, tabs } from "./route.js";
import { Slider } from "./slider.js";
import { about, listed, openRun } from "./state.js";
import { brief } from "./text.js";
import { TimeLineView } from "./time-line-view.js";
import { attempt, WhyView } from "./why-view.js";

type RunRoute = Extract<Route, { readonly page: "run" }>;

const NAMES: Readonly<Record<Tab, string>> = {
  why: "Why",
  shown: "Shown",
  event: "Event",
  state: "State",
  otherwise: "Otherwise",
};

export function RunPage({ place }: { readonly place: RunRoute }) {
  const run = openRun(place.journal);
  const version = run.version.value;
  const { tree } = run;
  const last = tree.moments.at(-1)?.seq ?? 0;
  const seq = Math.min(place.seq ?? last, last);
  const panel = useRef<HTMLElement>(null);
  // Where the page is narrow, what is told of the chosen event stands below the conversation, out of sight.
  useEffect(() => {
    const { innerHeight } = window;
    const top = panel.current?.getBoundingClientRect().top ?? 0;
    if (place.event !== undefined && top > innerHeight * 0.75) panel.current?.scrollIntoView();
  }, [place.event, place.tab]);
  const prices = about.value?.prices;
  const costs = useMemo(() => costsOf(prices ?? {}, tree), [prices, tree, tree.lines]);
  const waiting = run.derived("waiting", ({ runs }) =>
    runs.some(({ effects }) => [...effects.values()].some((each) => isOutstanding(each, last))),
  );
  if (tree.moments.length === 0) {
    return (
      <main>
        {run.fault.value === "" && (
          <p class="quiet">
            {run.isReading.value ? "Reading the journal…" : "The run has no event yet."}
          </p>
        )}
        <Fault text={run.ownFault} />
      </main>
    );
  }
  const path = tree.of(place.path)?.header === undefined ? "" : place.path;
  const { header, end } = tree.run(path);
  const tab = place.tab ?? (place.event === undefined ? "event" : "why");
  const go = (next: Partial<RunRoute>) => goTo({ ...place, path, ...next }, true);
  const goToSeq = (at: number) => goTo(atEvent({ ...place, path }, at, last), true);
  const moment = run.scrubber.at(seq);
  const row =
    path === "" ? listed.value?.runs.find(({ journal }) => journal === place.journal) : undefined;
  const cost = costs.get(seq) ?? (seq === last ? row?.cost : undefined);
  const title = typeof tree.root.origin?.input === "string" ? tree.root.origin.input : undefined;
  return (
    <main class="run" data-version={version}>
      <header class="run-head">
        <h1 dir="auto">{brief(titleOf(tree.root.origin?.input) ?? title ?? place.journal, 140)}</h1>
        <span class="facts">
          <Status status={end?.status ?? row?.status ?? (waiting ? "open" : "ready")} />
          <span>
            {brief(header?.reasoner.id ?? "", 60)} version {header?.reasoner.version}
          </span>
          <code title="The fingerprint of its configuration">
            {header?.fingerprint.slice(0, 8)}
          </code>
          <Time at={header?.at ?? 0} />
          {run.isReading.value && (
            <span class="quiet" role="status">
              reading more…
            </span>
          )}
          {cost !== undefined && (
            <span title="In US dollars, up to the event that the slider is at">
              costs {moneyText(cost)}
            </span>
          )}
          {path !== "" && (
            <a href={addressOf({ page: "run", journal: place.journal, path: "" })}>
              back to the parent run
            </a>
          )}
        </span>
      </header>
      <Fault text={run.ownFault} />
      <TimeLineView run={run} path={path} event={place.event} seq={seq} />
      <Slider seq={seq} last={last} type={String(moment?.event.type ?? "")} goToSeq={goToSeq} />
      <div class="columns">
        <ConversationView key={path} run={run} path={path} event={place.event} seq={seq} />
        <aside ref={panel} aria-label="About the chosen event">
          <div
            role="tablist"
            aria-label="What is told"
            onKeyDown={({ key }) => {
              const beside = tabBeside(tab, key);
              if (beside === undefined) return;
              go({ tab: beside });
              document.getElementById(`tab-${beside}`)?.focus();
            }}
          >
            {tabs.map((each, i) => (
              <button
                key={each}
                type="button"
                role="tab"
                id={`tab-${each}`}
                aria-selected={each === tab}
                aria-controls="panel"
                tabIndex={each === tab ? 0 : -1}
                title={`key ${i + 1}`}
                onClick={() => go({ tab: each })}
              >
                {NAMES[each]}
              </button>
            ))}
          </div>
          <div role="tabpanel" id="panel" aria-labelledby={`tab-${tab}`} tabIndex={0}>
            {panelContent()}
          </div>
        </aside>
      </div>
    </main>
  );

  function panelContent() {
    const { event } = place;
    const showRequest = (id: string, at: number) => go({ event: id, seq: at, tab: "shown" });
    if (tab === "event" && moment !== undefined)
      return <MomentView run={run} moment={moment} goToSeq={goToSeq} />;
    if (tab === "state" && moment !== undefined)
      return (
        <StateView
          run={run}
          moment={moment}
          goToSeq={goToSeq}
          choose={(id) => {
            const found = tree.trace.get(id);
            if (found !== undefined) go({ event: id, seq: found.endSeq ?? found.seq, tab: "why" });
          }}
        />
      );
    if (tab === "otherwise")
      return <OtherwiseView run={run} event={event} asks={place.asks === true} goToSeq={goToSeq} />;
    if (event === undefined)
      return <p class="quiet">Choose something in the conversation or on the time line.</p>;
    if (tab === "shown") {
      const asked = requestFor(event);
      if (asked === undefined) return <p class="quiet">No model was asked for this.</p>;
      return (
        <RequestView tree={tree} event={asked} choose={chooseEvent} showRequest={showRequest} />
      );
    }
    return <WhyView tree={tree} event={event} choose={chooseEvent} showRequest={showRequest} />;
  }

  /** The model call itself, or the one from which the event came. */
  function requestFor(event: string): string | undefined {
    for (let at = tree.trace.get(event); at !== undefined; at = tree.trace.parentOf(at)) {
      if (at.type === "llm_call") return at.id;
    }
    return undefined;
  }
}

/** The place with the slider at an event; at the last one it goes on with a run that does. */
function atEvent({ seq: _before, ...place }: RunRoute, seq: number, last: number): RunRoute {
  return seq < last ? { ...place, seq } : place;
}

function titleOf(input: unknown): string | undefined {
  const { prompt } = (typeof input === "object" && input !== null ? input : {}) as {
    readonly prompt?: unknown;
  };
  return typeof prompt === "string" ? prompt : undefined;
}

function focusChosen(): void {
  const chosen = document.querySelector<HTMLElement>(".conversation [aria-pressed=true]");
  chosen?.focus({ preventScroll: true });
}

/** The tab beside another, by the keys of a list of tabs; it goes round. */
function tabBeside(tab: Tab, key: string): Tab | undefined {
  const step = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : undefined;
  return step === undefined ? undefined : tabs.at((tabs.indexOf(tab) + step) % tabs.length);
}

/** Moves along the run. @returns true where the key meant something here */
export function keyInRun(key: string): boolean {
  const place = route.value;
  if (place.page !== "run") return false;
  const run = openRun(place.journal);
  const { tree } = run;
  const last = tree.moments.at(-1)?.seq ?? 0;
  const seq = Math.min(place.seq ?? last, last);
  const tab = tabs[Number(key) - 1];
  if (tab !== undefined) {
    goTo({ ...place, tab }, true);
    // The links of its card are a Tab away, and not behind all cards of the conversation.
    document.getElementById("panel")?.focus();
  } else if (key === "[" || key === "ArrowLeft")
    goTo(atEvent(place, Math.max(0, seq - 1), last), true);
  else if (key === "]" || key === "ArrowRight") goTo(atEvent(place, seq + 1, last), true);
  else if (key === "Home") goTo(atEvent(place, 0, last), true);
  else if (key === "End") goTo(atEvent(place, last, last), true);
  else if (key === "j" || key === "k" || key === "ArrowDown" || key === "ArrowUp") {
    const shown = attempt(() => conversationRows(run, place.path));
    if (typeof shown === "string") return false;
    const { ids, places } = shown;
    const at = places.get(place.event ?? "")?.id ?? -1;
    const step = key === "j" || key === "ArrowDown" ? 1 : -1;
    const event = ids[at < 0 ? 0 : Math.max(0, Math.min(ids.length - 1, at + step))];
    if (event === undefined) return false;
    const found = tree.trace.get(event);
    chooseEvent(event, found === undefined ? seq : (found.endSeq ?? found.seq));
    // Tab goes on from there: to what can be decided, opened and followed at the card.
    requestAnimationFrame(focusChosen);
  } else if (key === "Escape") {
    if (place.path !== "") goTo({ page: "run", journal: place.journal, path: "" });
    else goTo({ page: "runs" });
  } else return false;
  return true;
}
