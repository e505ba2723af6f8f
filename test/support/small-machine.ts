// Small machines for tests of the kernel: a few states, one context, all events allowed.
import {
  defineReasoner,
  type Path,
  type Reasoner,
  type ReasonerConfig,
  setupReasoner,
} from "../../src/core/kernel/machine/index.js";

/** Any event of a test's own. */
export type AnyEvent = { readonly type: string; readonly [key: string]: unknown };

/** The context of a small machine. */
export interface SmallContext {
  readonly [key: string]: unknown;
}

/** A reasoner of a machine's configuration; its output is the context's `output`. */
export function smallReasoner(
  config: object,
  more: {
    readonly output?: ((context: SmallContext) => unknown) | undefined;
    readonly path?: Path["name"];
    readonly configuration?: unknown;
    readonly children?: object;
  } = {},
  names: { readonly delays?: object } = {},
): Reasoner<unknown, unknown, SmallContext> {
  const { createMachine } = setupReasoner<SmallContext, unknown, AnyEvent>(names as never);
  const output = "output" in more ? more.output : (context: SmallContext) => context.output;
  return defineReasoner<unknown, unknown, SmallContext>({
    id: "small",
    machine: createMachine({ context: {}, ...config } as unknown as ReasonerConfig<
      SmallContext,
      unknown,
      AnyEvent
    > as never),
    ...(output === undefined ? {} : { output }),
    ...(more.path === undefined ? {} : { path: more.path }),
    ...(more.children === undefined ? {} : { children: more.children as never }),
    ...(more.configuration === undefined ? {} : { configuration: more.configuration }),
  });
}

/** An `issue` of these directives. */
export function issue(...directives: readonly object[]) {
  return { type: "issue" as const, params: directives };
}

/** An effect whose settlement is easy to write: a timer. */
export function timer(id: string, until = 100) {
  return { type: "timer" as const, id, until };
}
