/**
 * Gives the studio's page access to runs: through the studio's server, or, in an exported page, from the data
 * that the page holds.
 */
import { signal } from "@preact/signals";
import { type Json, messageOf } from "../../core/kernel/values/index.js";
import type { JournalPort } from "../../runtime/for-adapters.js";
import {
  type About,
  type Checked,
  type Decide,
  type Embedded,
  heldJournal,
  type Listed,
  type Otherwise,
  type OtherwiseAnswer,
  refusedBy,
  type StateAnswer,
  servedJournal,
} from "../live/index.js";

/** The words with which the server does not answer; "" while it does. */
export const silence = signal("");

/** Fetches from the server. Nowhere else is it known that it answers: a journal does not say so. */
async function asked(
  path: string,
  init: RequestInit,
  answer = fetch(path, init),
): Promise<Response> {
  try {
    const response = await answer;
    silence.value = "";
    return response;
  } catch (thrown) {
    if (init.signal?.aborted !== true) silence.value = messageOf(thrown);
    throw thrown;
  }
}

/** The door to runs. A page without a server refuses the rest with words. */
export interface Source {
  readonly isLive: boolean;
  about(): Promise<About>;
  /** The same with what its code says, once that is loaded. */
  code(): Promise<About>;
  list(): Promise<Listed>;
  journal(name: string): JournalPort;
  state(name: string, at: number): Promise<StateAnswer | null>;
  otherwise(asked: Otherwise): Promise<OtherwiseAnswer>;
  check(report: (checked: Checked) => void, signal: AbortSignal): Promise<void>;
  decide(decision: Decide): Promise<void>;
}

/** The source of this page. */
export function sourceOfPage(): Source {
  const held = document.getElementById("studio-data");
  return held === null
    ? servedSource()
    : heldSource(JSON.parse(held.textContent ?? "null") as Embedded);
}

function servedSource(): Source {
  const { early = {} } = globalThis as { readonly early?: { [path: string]: Promise<Response> } };
  const get = (path: string) => {
    const answer = early[path];
    delete early[path];
    return asked(path, { cache: "no-store" }, answer);
  };
  const json = async <Answer>(path: string): Promise<Answer> => {
    const response = await get(path);
    if (!response.ok) throw await refusedBy(response, path);
    return (await response.json()) as Answer;
  };
  const post = async (path: string, body: unknown, signal?: AbortSignal): Promise<Response> => {
    const response = await asked(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      ...(signal === undefined ? {} : { signal }),
    });
    if (!response.ok) throw await refusedBy(response, path);
    return response;
  };
  return {
    isLive: true,
    about: () => json("api/about"),
    code: () => json("api/code"),
    list: () => json("api/runs"),
    journal: (name) => servedJournal(get, name),
    state: (name, at) => json(`api/state?${new URLSearchParams({ name, at: String(at) })}`),
    otherwise: async (asked) =>
      (await post("api/otherwise", asked)).json() as Promise<OtherwiseAnswer>,
    async check(report, signal) {
      const { body } = await post("api/check", {}, signal);
      let rest = "";
      const decoder = new TextDecoder();
      const reader = body?.getReader();
      for (;;) {
        const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
        if (done) return;
        const lines = `${rest}${decoder.decode(value, { stream: true })}`.split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) report(JSON.parse(line) as Checked);
      }
    },
    async decide(decision) {
      await post("api/decide", decision);
    },
  };
}

function heldSource({ about, listed, journals, links, states }: Embedded): Source {
  const named = (name: string): JournalPort =>
    heldJournal(name, own(journals, name), (link) => {
      const other = own(own(links, name) ?? {}, link);
      return other === undefined ? undefined : named(other);
    });
  const refuse = async (): Promise<never> => {
    throw new Error("This page has no server; run reckoner studio with --config FILE.");
  };
  return {
    isLive: false,
    about: async () => about,
    code: async () => about,
    list: async () => listed,
    journal: named,
    state: async (name, at) =>
      (own(states, name) ?? []).filter(({ seq }) => seq <= at).sort((a, b) => b.seq - a.seq)[0] ??
      null,
    otherwise: refuse,
    check: refuse,
    decide: refuse,
  };
}

function own<Value>(of: { readonly [name: string]: Value }, name: string): Value | undefined {
  return Object.hasOwn(of, name) ? of[name] : undefined;
}

/** JSON that a person wrote. @throws Error that says where it is wrong */
export function parsedJson(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (thrown) {
    throw new Error(`That is no JSON: ${messageOf(thrown)}`);
  }
}
