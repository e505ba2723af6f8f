/** The types by which a run asks for the services that its tools need. */

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
