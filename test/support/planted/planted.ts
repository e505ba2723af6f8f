// Small machines with a planted fault each: what the kit is measured by.
import {
  assign,
  type Directive,
  defineReasoner,
  type Reasoner,
  setupReasoner,
} from "reckoner/kernel";
import type { ExploreOptions, Law } from "reckoner/testing";

/** A machine with a fault, and what whoever wrote it would say of it. */
export interface Planted {
  readonly fault: string;
  // biome-ignore lint/suspicious/noExplicitAny: machines of every kind stand in one list.
  readonly reasoner: Reasoner<any, any, any>;
  readonly input: unknown;
  readonly laws?: readonly Law<never, never>[];
  readonly options?: Partial<ExploreOptions<unknown, never>>;
  /** A word of the law that is broken. */
  readonly broken: RegExp;
}

/** A machine as it is written in this corpus: loosely, since its types are not what is tried. */
// biome-ignore lint/suspicious/noExplicitAny: see above.
export function machine(id: string, config: any): Reasoner<any, any, any> {
  // biome-ignore lint/suspicious/noExplicitAny: see above.
  const { createMachine } = setupReasoner<any, any, any>();
  return defineReasoner({ id, machine: createMachine(config) as never });
}

type Given = { context: Record<string, number>; event: Record<string, unknown> & { at: number } };

/** Issues directives. */
export const issue = (make: (given: Given) => Directive | readonly Directive[]) => ({
  type: "issue",
  params: make,
});

/** Calls a tool; its id counts by a field of the context where one is named. */
export const call = (name: string, by?: string) =>
  issue(({ context }) => ({
    type: "tool",
    id: by === undefined ? name : `${name}/${context[by]}`,
    name,
    input: {},
  }));

/** Adds to fields of the context. */
export const add = (changes: Record<string, number>) =>
  assign(({ context }: { context: Record<string, number> }) =>
    Object.fromEntries(Object.entries(changes).map(([key, by]) => [key, (context[key] ?? 0) + by])),
  ) as never;

/** Sets fields of the context. */
export const set = (changes: Record<string, unknown>) => assign(() => changes) as never;

export const done = { type: "final" };
export const failed = { type: "final", tags: ["failed"] };

/** What becomes of the context, by a function. */
export const change = (
  make: (given: { context: Record<string, never>; event: Record<string, never> }) => object,
) => assign(make as never) as never;
