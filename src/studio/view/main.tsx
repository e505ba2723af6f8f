/**
 * The entry of the studio's page: its navigation, theme, keys and help, and the page for the present address.
 */
import { signal } from "@preact/signals";
import { render } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { ComparePage, keyInComparison } from "./compare-page.js";
import { Fault } from "./parts.js";
import { addressOf, goTo, type Route, route } from "./route.js";
import { keyInRun, RunPage } from "./run-page.js";
import { keyInRuns, RunsPage } from "./runs-page.js";
import { silence } from "./source.js";
import { about, follow, lost, openRun, readAbout, readCode, readList, theme } from "./state.js";
import { brief, makeTextVisible, seen } from "./text.js";
import { TotalsPage } from "./totals-page.js";
import "./studio.css";

const helps = signal(false);
theme.value = stored();

function stored(): string {
  try {
    return localStorage.getItem("reckoner-theme") ?? "auto";
  } catch {
    return "auto";
  }
}

function setTheme(next: string): void {
  theme.value = next;
  document.documentElement.dataset.theme = next;
  try {
    localStorage.setItem("reckoner-theme", next);
  } catch {
    // A page from a file may not keep anything: it is chosen anew the next time.
  }
}

/** The name of a place, for the browser's tab and its history. */
function nameOf(place: Route): string {
  if (place.page === "run") return brief(place.journal);
  if (place.page === "compare") return `${brief(place.a, 60)} and ${brief(place.b, 60)}`;
  return place.page === "totals" ? "Totals" : "Runs";
}

function App() {
  const place = route.value;
  const name = nameOf(place);
  useLayoutEffect(() => {
    document.title = seen(`${name} – reckoner studio`);
  }, [name]);
  return (
    <>
      <nav class="top" aria-label="Studio">
        <strong>reckoner studio</strong>
        <span class="quiet">{brief(about.value?.name ?? "", 60)}</span>
        <a
          href={addressOf({ page: "runs" })}
          aria-current={place.page === "runs" ? "page" : undefined}
        >
          Runs
        </a>
        <a
          href={addressOf({ page: "totals" })}
          aria-current={place.page === "totals" ? "page" : undefined}
        >
          Totals
        </a>
        <span class="gap" />
        <select
          aria-label="Theme"
          value={theme.value}
          onChange={(event) => setTheme(event.currentTarget.value)}
        >
          <option value="auto">as the system</option>
          <option value="light">light</option>
          <option value="dark">dark</option>
        </select>
        <button
          type="button"
          aria-expanded={helps.value}
          onClick={() => (helps.value = !helps.value)}
        >
          Keys ?
        </button>
      </nav>
      {silence.value !== "" && (
        <p class="fault" role="alert">
          The server does not answer; this is what was read until now. {brief(silence.value, 400)}
        </p>
      )}
      <Fault text={lost.value} />
      {about.value?.fault !== undefined && (
        <p class="fault" role="alert">
          The code is not there for <q>otherwise</q> and prices: {brief(about.value.fault, 400)}
        </p>
      )}
      {helps.value && <Help />}
      {place.page === "runs" && <RunsPage />}
      {place.page === "totals" && <TotalsPage />}
      {place.page === "compare" && <ComparePage a={place.a} b={place.b} />}
      {place.page === "run" && <RunPage key={place.journal} place={place} />}
    </>
  );
}

const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ["j  k  ↓  ↑", "the next, the one before: of the runs, of the conversation, of the differences"],
  ["Enter", "open the run"],
  ["x  c", "choose the run to compare; compare the two that are chosen"],
  ["/", "search"],
  ["[  ]  ←  →", "the event before, the next event"],
  ["Home  End", "the first event, the last"],
  [
    "←  →  ↑  ↓",
    "on a bar of the time line, which Tab leads to: the bars beside it; Enter chooses",
  ],
  ["1 to 5", "why, shown, event, state, otherwise"],
  ["Tab  Enter", "into the chosen card: what can be decided there"],
  ["Esc", "back"],
  ["g  t", "runs, totals"],
  ["?", "these keys"],
];

function Help() {
  return (
    <section class="help" aria-label="Keys">
      <dl>
        {KEYS.map(([keys, does]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Fields, which take letters for themselves. */
const FIELDS = "input:not([type=range], [type=checkbox]), textarea, select";
/** Controls, which take some keys for themselves. */
const PRESSED = "a, button, summary, input";
const MOVED = "[type=range], summary, [role=tab], .bar-key";

window.addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const element = target instanceof Element ? target : null;
  if (element?.matches(FIELDS) === true) {
    if (key === "Escape") (element as HTMLElement).blur();
    return;
  }
  if (key === "Enter" && element?.matches(PRESSED) === true) return;
  if (/^Arrow|^Home$|^End$/.test(key) && element?.matches(MOVED) === true) return;
  const isTaken = takes(key);
  if (isTaken) event.preventDefault();
});

function takes(key: string): boolean {
  if (key === "?" || (key === "Escape" && helps.value)) helps.value = !helps.value;
  else if (key === "g") goTo({ page: "runs" });
  else if (key === "t") goTo({ page: "totals" });
  else if (key === "/") {
    goTo({ page: "runs" });
    const focus = () => document.getElementById("search")?.focus();
    if (document.getElementById("search") === null) requestAnimationFrame(focus);
    else focus();
  } else if (route.value.page === "runs") return keyInRuns(key);
  else if (route.value.page === "run") return keyInRun(key);
  else if (route.value.page === "compare" && keyInComparison(key, route.value)) return true;
  else if (key === "Escape") goTo({ page: "runs" });
  else return false;
  return true;
}

document.documentElement.dataset.theme = theme.value;
makeTextVisible();
const root = document.getElementById("studio");
if (root !== null) render(<App />, root);

await readAbout();
const { only } = about.value ?? {};
if (route.value.page === "runs" && only !== undefined)
  goTo({ page: "run", journal: only, path: "" }, true);
// The journal that somebody looks at is begun before the list of all.
if (route.value.page === "run") {
  const { shown } = openRun(route.value.journal);
  void shown.then(readCode);
  await shown;
}
await readList();
follow(() => {
  const place = route.value;
  if (place.page === "compare") return [openRun(place.a), openRun(place.b)];
  return place.page === "run" ? [openRun(place.journal)] : [];
});
