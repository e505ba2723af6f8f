// Waits for a server of another process: there is no event of it here, and no virtual time for it.

/** Milliseconds between two looks. */
const LOOK_MS = 10;

/**
 * Resolves when something holds; an error counts as not yet.
 * @param tries after which it is given up
 */
export async function until(holds, tries = 30_000) {
  let last;
  for (let n = 0; n < tries; n++) {
    try {
      if (await holds()) return;
    } catch (thrown) {
      last = thrown;
    }
    await new Promise((done) => setTimeout(done, LOOK_MS));
  }
  throw new Error(`It never holds: ${holds}`, { cause: last });
}
