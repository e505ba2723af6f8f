// The types of fetch-platforms.mjs, for tests.
export const platforms: {
  readonly [name: string]: () => Promise<{ readonly url: string; stop(): Promise<unknown> }>;
};
