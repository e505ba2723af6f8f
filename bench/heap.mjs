// The heap, after all that nobody holds is gone; and a journal that keeps nothing.

/** Bytes in use. The bench runs with --expose-gc. */
export function collected() {
  for (let i = 0; i < 4; i++) globalThis.gc();
  return process.memoryUsage().heapUsed;
}

/** A journal that takes every line and forgets it. */
export const forgetful = () => ({
  name: "forgetful",
  open: async () => ({ append() {}, close: async () => {} }),
  async *read() {},
});
