/**
 * The studio's page about many runs: totals and outliers, and what today's code would do differently, in
 * groups that open their runs.
 */
import { signal } from "@preact/signals";
import { groupBy, messageOf } from "../../core/kernel/values/index.js";
import type { Checked, DifferenceGroup } from "../live/index.js";
import {
  countText,
  type Measure,
  type MeasureTotals,
  moneyText,
  spanText,
  totalsOf,
} from "../model/index.js";
import { Fault, Paged, Status } from "./parts.js";
import { addressOf } from "./route.js";
import { about, listed, source } from "./state.js";
import { brief, briefBoth } from "./text.js";

const checked = signal<Checked | undefined>(undefined);
const fault = signal("");
const checking = signal<AbortController | undefined>(undefined);

async function check(): Promise<void> {
  checking.value?.abort();
  const own = new AbortController();
  checking.value = own;
  fault.value = "";
  try {
    await source.check((found) => {
      checked.value = found;
    }, own.signal);
  } catch (thrown) {
    if (!own.signal.aborted) fault.value = messageOf(thrown);
  }
  if (checking.value === own) checking.value = undefined;
}

const NAMES: Readonly<Record<Measure, string>> = {
  duration: "Time from the first event to the last",
  tokens: "Tokens",
  cost: "Money, in US dollars",
  events: "Events",
  requests: "Model calls",
};

const textOf = (measure: Measure, value: number) =>
  measure === "duration"
    ? spanText(value)
    : measure === "cost"
      ? moneyText(value)
      : Math.round(value).toLocaleString("en");

export function TotalsPage() {
  const all = listed.value;
  if (all === undefined) return <p class="quiet">Reading the runs…</p>;
  const totals = totalsOf(all.runs);
  return (
    <main class="totals">
      <h1>{countText(totals.runs, "run")}</h1>
      <p class="facts">
        {totals.statuses.map(({ status, runs }) => (
          <span key={status}>
            <Status status={status} /> {runs}
          </span>
        ))}
      </p>
      <table>
        <caption class="unseen">Totals</caption>
        <thead>
          <tr>
            <th scope="col">
              <span class="unseen">Measure</span>
            </th>
            <th scope="col">all runs</th>
            <th scope="col">median run</th>
            <th scope="col">most</th>
            <th scope="col">far from the others</th>
          </tr>
        </thead>
        <tbody>
          {totals.measures.map((each) => (
            <MeasureRow key={each.measure} totals={each} runCount={totals.runs} />
          ))}
        </tbody>
      </table>
      {totals.measures.every(({ measure }) => measure !== "cost") && (
        <p class="quiet">
          What it cost is known by the prices of an agent: start the studio with{" "}
          <code>--config FILE</code>, and give the agent <code>prices</code>.
        </p>
      )}
      <h2>What today's code would do differently</h2>
      {about.value?.code === true ? (
        <p>
          <button
            type="button"
            disabled={checking.value !== undefined}
            onClick={() => void check()}
          >
            Check all runs
          </button>{" "}
          {checking.value !== undefined && (
            <button type="button" onClick={() => checking.value?.abort()}>
              Stop
            </button>
          )}{" "}
          {checked.value !== undefined && (
            <span role="status">
              {checked.value.done} of {checked.value.of} checked
            </span>
          )}
        </p>
      ) : (
        <p class="quiet">
          Start the studio with <code>--config FILE</code> to compare all runs with code. No tool
          and no model is called.
        </p>
      )}
      <Fault text={fault.value} />
      {checked.value !== undefined && (
        <>
          <Groups
            title="What the code does upon the recorded events"
            groups={checked.value.replay}
          />
          <Groups title="What the runs would come to" groups={checked.value.redrive} />
          {checked.value.refused.length > 0 && (
            <details>
              <summary>{checked.value.refused.length} refused</summary>
              <ul class="plain">
                <Paged
                  items={checked.value.refused}
                  most={100}
                  row={({ journal, message }) => (
                    <li key={journal}>
                      <Fault text={`${journal}: ${message}`} />
                    </li>
                  )}
                />
              </ul>
            </details>
          )}
        </>
      )}
    </main>
  );
}

interface MeasureRowProps {
  readonly totals: MeasureTotals;
  /** The number of all runs. */
  readonly runCount: number;
}

function MeasureRow({ totals, runCount }: MeasureRowProps) {
  const { measure, total, median, most, outliers } = totals;
  return (
    <tr>
      <th scope="row">{NAMES[measure]}</th>
      <td>
        {textOf(measure, total)}
        {totals.runs < runCount && <span class="quiet"> of {countText(totals.runs, "run")}</span>}
      </td>
      <td>{textOf(measure, median)}</td>
      <td>{textOf(measure, most)}</td>
      <td>
        {outliers.map(({ journal, value }) => (
          <a key={journal} class="outlier" href={addressOf({ page: "run", journal, path: "" })}>
            {brief(journal, 40)} ({textOf(measure, value)})
          </a>
        ))}
      </td>
    </tr>
  );
}

/** Returns true where a side has a value: of a request that came or went the group's words say all. */
const hasValue = ({ recorded, computed }: DifferenceGroup["values"][number]) =>
  recorded !== undefined || computed !== undefined;

/** Groups that the same runs have: the first is what differs, and the others come with it. */
function together(groups: readonly DifferenceGroup[]): readonly (readonly DifferenceGroup[])[] {
  const found = groupBy(groups, ({ journals }) => JSON.stringify(journals.map(({ name }) => name)));
  return [...found.values()];
}

interface GroupsProps {
  readonly title: string;
  readonly groups: readonly DifferenceGroup[];
}

function Groups({ title, groups }: GroupsProps) {
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {groups.length === 0 && <p class="quiet">nothing else than what was recorded</p>}
      {together(groups).map(([first, ...others]) =>
        first === undefined ? null : <Group key={first.what} first={first} others={others} />,
      )}
    </section>
  );
}

interface GroupProps {
  readonly first: DifferenceGroup;
  readonly others: readonly DifferenceGroup[];
}

function Group({ first, others }: GroupProps) {
  const titles = new Map(listed.value?.runs.map(({ journal, title }) => [journal, title]));
  return (
    <details class="group">
      <summary>
        <strong>{first.journals.length} ×</strong> <Words group={first} />
        {others.length > 0 && (
          <span class="quiet"> and {countText(others.length, "difference")} with it</span>
        )}
      </summary>
      <Values group={first} />
      {others.map((other) => (
        <div key={other.what} class="with">
          <p>
            with it: <Words group={other} />
          </p>
          <Values group={other} />
        </div>
      ))}
      <ul class="plain columns-list">
        <Paged
          items={first.journals}
          most={200}
          row={({ name, seq }) => (
            <li key={name}>
              <a
                title={brief(titles.get(name) ?? "")}
                href={addressOf({
                  page: "run",
                  journal: name,
                  path: "",
                  tab: "otherwise",
                  seq,
                  asks: true,
                })}
              >
                {brief(name, 60)}
              </a>
            </li>
          )}
        />
      </ul>
    </details>
  );
}

function Words({ group: { what, inputs } }: { readonly group: DifferenceGroup }) {
  return (
    <>
      {brief(what, 200)}
      {inputs !== undefined && <span class="quiet"> {brief(inputs.join("; "), 160)}</span>}
    </>
  );
}

function Values({ group }: { readonly group: DifferenceGroup }) {
  return group.values.filter(hasValue).map(({ recorded, computed }, i) => {
    const [was, is] = briefBoth(recorded, computed, 200);
    return (
      <p key={`${i} ${was}`}>
        <span class="was">{was}</span> → <span class="is">{is}</span>
      </p>
    );
  });
}
