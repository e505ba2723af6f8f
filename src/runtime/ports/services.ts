/** The types by which a run asks for the services that its tools need, and the error where they are missing. */

import { ReckonerError } from "../../core/kernel/values/index.js";

/** A reasoner whose tools need services. */
export interface Serviced<Services> {
  /** Never there: it tells the compiler which services the tools need. */
  readonly needs?: ((services: Services) => void) | undefined;
}

/** The options of a run: they may be left out where no tool needs services. */
export type WithServices<Options, Services> = unknown extends Services
  ? [options?: Options]
  : [Services] extends [never]
    ? [options?: Options]
    : [options: Options & { readonly services: Services }];

/** The error of a tool that needs services which the run was not given; `which` names them. */
export function missingServices(tool: string, which: readonly string[] = []): ReckonerError {
  const what =
    which.length === 0
      ? "needs services, and the run was given none; pass them with the option services, or give the tool services: [] where it can do without"
      : `needs the services ${which.join(", ")}, which the run was not given; pass them with the option services`;
  return new ReckonerError("services.missing", `Tool ${tool} ${what}.`);
}

/** Stands for the services where there are none: it may be taken apart, copied and printed, and not used. */
export function noServices(tool: string, onUse: () => void): object {
  return new Proxy(
    {},
    {
      get(_none, key) {
        // Promises, JSON and printers ask each object for these.
        if (typeof key === "symbol" || key === "then" || key === "toJSON") return undefined;
        onUse();
        throw missingServices(tool);
      },
    },
  );
}
