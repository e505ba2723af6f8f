/**
 * The studio's page that lists runs: searched by their words, filtered by status, reasoner and code; two of
 * them can be chosen and compared.
 */
import { signal } from "@preact/signals";
import {
  countText,
  filteredRuns,
  isOver,
  moneyText,
  type RunItem,
  spanText,
  waitsFor,
} from "../model/index.js";
import { Fault, Paged, Status, Time } from "./parts.js";
import { addressOf, goTo } from "./route.js";
import { about, listed, now, picked } from "./state.js";
import { brief } from "./text.js";
import { Virtual } from "./virtual.js";

const text = signal("");
const status = signal("");
const reasoner = signal("");
const fingerprint = signal("");
/** The journal of the row that keys have come to: others come and go above it. */
const at = signal<string | undefined>(undefined);

/** The place of that row: the first, before any key. */
function placeIn(runs: readonly RunItem[]): number {
  return Math.max(
    0,
    runs.findIndex(({ journal }) => journal === at.value),
  );
}

/** Moves among the rows. @returns true where the key meant something here */
export function keyInRuns(key: string): boolean {
  const runs = shownRuns();
  const step = key === "j" || key === "ArrowDown" ? 1 : key === "k" || key === "ArrowUp" ? -1 : 0;
  const place = placeIn(runs);
  const run = runs[place];
  if (step !== 0) at.value = runs[Math.max(0, Math.min(runs.length - 1, place + step))]?.journal;
  else if (key === "Enter" && run !== undefined)
    goTo({ page: "run", journal: run.journal, path: "" });
  else if (key === "x" && run !== undefined) pick(run.journal);
  else if (key === "c" && picked.value.length === 2) {
    const [a = "", b = ""] = picked.value;
    goTo({ page: "compare", a, b });
  } else return false;
  return true;
}

function shownRuns(): readonly RunItem[] {
  return filteredRuns(listed.value?.runs ?? [], {
    text: text.value,
    ...(status.value === "" ? {} : { status: status.value }),
    ...(reasoner.value === "" ? {} : { reasoner: reasoner.value }),
    ...(fingerprint.value === "" ? {} : { fingerprint: fingerprint.value }),
  });
}

function pick(journal: string): void {
  const before = picked.value.filter((each) => each !== journal);
  picked.value = before.length < picked.value.length ? before : [...before, journal].slice(-2);
}

export function RunsPage() {
  const all = listed.value;
  if (all === undefined) return <p class="quiet">Reading the runs…</p>;
  const runs = shownRuns();
  const place = placeIn(runs);
  const [a, b] = picked.value;
  const words = (of: (run: RunItem) => string) => [...new Set(all.runs.map(of))].sort();
  return (
    <main class="runs">
      <h1 class="unseen">Runs of {brief(about.value?.name ?? "")}</h1>
      <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
        <input
          id="search"
          type="search"
          aria-label="Search runs"
          placeholder="Search  /"
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value;
            at.value = undefined;
          }}
        />
        <Choice label="Status" of={status} words={words((run) => run.status)} />
        <Choice label="Agent" of={reasoner} words={words((run) => run.reasoner)} />
        <Choice
          label="Configuration"
          of={fingerprint}
          words={words((run) => run.fingerprint)}
          most={6}
        />
        <span class="quiet">
          {countText(runs.length, "run")}
          {all.pending !== undefined && `, reading ${all.pending} more…`}
        </span>
        {a !== undefined && b !== undefined && (
          <a class="button" href={addressOf({ page: "compare", a, b })}>
            Compare the two
          </a>
        )}
        {a !== undefined && b === undefined && (
          <span class="quiet">choose one more to compare</span>
        )}
      </form>
      <Virtual
        key={[text, status, reasoner, fingerprint].map(({ value }) => value).join("\n")}
        items={runs}
        estimate={() => 64}
        label="Runs"
        class="rows"
        at={at.value === undefined ? undefined : place}
        keyOf={({ journal }) => journal}
        row={(run, i) => <Row run={run} isAt={i === place} />}
      />
      {all.unread.length > 0 && (
        <section class="unread" aria-label="Journals that cannot be read">
          <h2>{countText(all.unread.length, "journal")} cannot be read</h2>
          <ul class="plain">
            <Paged
              items={all.unread}
              most={50}
              row={({ journal, message }) => (
                <li key={journal}>
                  <Fault text={`${journal}: ${message}`} />
                </li>
              )}
            />
          </ul>
        </section>
      )}
    </main>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly of: { value: string };
  readonly words: readonly string[];
  /** Letters of a word that are shown. */
  readonly most?: number;
}

function Choice({ label, of, words, most = 60 }: ChoiceProps) {
  return (
    <select
      aria-label={label}
      value={of.value}
      onChange={(event) => {
        of.value = event.currentTarget.value;
        at.value = undefined;
      }}
    >
      <option value="">{`${label}: any`}</option>
      {/* No run may be so any more: it is still what the list is filtered by. */}
      {[...new Set([...words, of.value])].filter(Boolean).map((word) => (
        <option key={word} value={word}>
          {word.startsWith("version ") ? word : brief(word, most)}
        </option>
      ))}
    </select>
  );
}

function Row({ run, isAt }: { readonly run: RunItem; readonly isAt: boolean }) {
  const waits = waitsFor(run, now.value);
  const took = spanText((isOver(run) ? run.lastAt : now.value) - run.startedAt);
  const isPicked = picked.value.includes(run.journal);
  return (
    <div class={`run-row${isAt ? " at" : ""}`}>
      <input
        type="checkbox"
        checked={isPicked}
        aria-label={`Choose ${brief(run.title ?? run.journal, 60)} to compare`}
        onChange={() => pick(run.journal)}
      />
      <a href={addressOf({ page: "run", journal: run.journal, path: "" })}>
        <span class="first">
          <Status status={run.status} />
          <strong dir="auto">{brief(run.title ?? run.runId, 110)}</strong>
        </span>
        <span class="second">
          {waits !== "" && <span class="waits">waits for {brief(waits, 120)}</span>}
          {waits === "" && run.words !== undefined && (
            <span dir="auto">“{brief(run.words, 120)}”</span>
          )}
        </span>
        <span class="third">
          {brief(run.reasoner, 40)} · {brief(run.journal, 60)} · <Time at={run.lastAt} /> · {took} ·{" "}
          {run.tokens.toLocaleString("en")} tokens
          {run.cost !== undefined && ` · costs ${moneyText(run.cost)}`}
          {run.person !== undefined && ` · ${brief(run.person, 30)}`}
          <code title="The fingerprint of its configuration"> {run.fingerprint.slice(0, 6)}</code>
        </span>
      </a>
    </div>
  );
}
