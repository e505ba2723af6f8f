/**
 * Reads and writes the address of the studio's page behind the `#`: which page, run and event are shown. So a
 * link leads to an event.
 */
import { computed, signal } from "@preact/signals";

/** A place. */
export type Route =
  | { readonly page: "runs" }
  | { readonly page: "totals" }
  | { readonly page: "compare"; readonly a: string; readonly b: string }
  | {
      readonly page: "run";
      readonly journal: string;
      /** The path of the run in its tree. */
      readonly path: string;
      /** The event that the slider is at; absent for the last. */
      readonly seq?: number;
      /** The event of the trace that is explained. */
      readonly event?: string;
      readonly tab?: Tab;
      /** True where the page is to ask what today's code would do. */
      readonly asks?: boolean;
    };

/** The views of the chosen event. */
export const tabs = ["why", "shown", "event", "state", "otherwise"] as const;
export type Tab = (typeof tabs)[number];

const hash = signal(location.hash);
/** The address as it was when it was looked at last. */
let seen = location.hash;
window.addEventListener("hashchange", () => {
  seen = location.hash;
  hash.value = seen;
});

/** The place that the address names. */
export const route = computed<Route>(() => parsed(hash.value));

function parsed(text: string): Route {
  const [path = "", search = ""] = text.replace(/^#/, "").split("?");
  const [, page, ...words] = path.split("/").map(decoded);
  const query = new URLSearchParams(search);
  if (page === "totals") return { page };
  if (page === "compare") return { page, a: words[0] ?? "", b: words[1] ?? "" };
  if (page !== "run") return { page: "runs" };
  const seq = query.get("seq");
  const event = query.get("event");
  const tab = tabs.find((each) => each === query.get("tab"));
  return {
    page,
    journal: words[0] ?? "",
    path: query.get("path") ?? "",
    ...(seq === null || !/^\d+$/.test(seq) ? {} : { seq: Number(seq) }),
    ...(event === null ? {} : { event }),
    ...(tab === undefined ? {} : { tab }),
    ...(query.has("asks") ? { asks: true } : {}),
  };
}

function decoded(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    return word;
  }
}

/** The address of a place. */
export function addressOf(place: Route): string {
  const word = encodeURIComponent;
  if (place.page === "runs") return "#/";
  if (place.page === "totals") return "#/totals";
  if (place.page === "compare") return `#/compare/${word(place.a)}/${word(place.b)}`;
  const query = new URLSearchParams();
  if (place.path !== "") query.set("path", place.path);
  if (place.seq !== undefined) query.set("seq", String(place.seq));
  if (place.event !== undefined) query.set("event", place.event);
  if (place.tab !== undefined) query.set("tab", place.tab);
  if (place.asks === true) query.set("asks", "today");
  const search = query.toString();
  return `#/run/${word(place.journal)}${search === "" ? "" : `?${search}`}`;
}

/** Goes to a place. @param replaces true where going back is not to lead here again */
export function goTo(place: Route, replaces = false): void {
  const address = addressOf(place);
  if (address === hash.value) return;
  if (!replaces) {
    if (unwritten !== undefined) written();
    location.hash = address;
    seen = location.hash;
  } else {
    hash.value = address;
    unwritten ??= setTimeout(written, Math.max(0, last + PAUSE - performance.now()));
    if (performance.now() - last >= PAUSE) written();
  }
}

/** Milliseconds between two writings of the address: a slider that is drawn has a hundred places a second. */
const PAUSE = 150;
let last = -PAUSE;
let unwritten: ReturnType<typeof setTimeout> | undefined;

/** Writes the place that is shown into the browser's address. */
function written(): void {
  clearTimeout(unwritten);
  unwritten = undefined;
  last = performance.now();
  // Somebody went elsewhere by a link.
  if (location.hash !== seen) return;
  if (seen !== hash.value) history.replaceState(null, "", hash.value);
  seen = location.hash;
}
window.addEventListener("pagehide", written);

/** Chooses an event of the open run, and moves the slider there. @param path of the run whose it is */
export function chooseEvent(event: string, seq: number, path?: string): void {
  const place = route.value;
  if (place.page !== "run") return;
  const { tab = "why" } = place;
  // Somebody who goes from event to event by what models were shown asks why of each.
  const next = {
    ...place,
    path: path ?? place.path,
    event,
    seq,
    tab: tab === "shown" ? "why" : tab,
  };
  goTo(next as Route, path === undefined);
}

/** Opens a child of the open run. */
export function openChild(path: string): void {
  const place = route.value;
  if (place.page === "run") goTo({ page: "run", journal: place.journal, path });
}
