/**
 * Counts what is hashed. A test that counts mocks the platform, in its own file:
 * `vi.mock("#platform", async (original) => (await import("…/support/hashed.js")).counted(await original()))`.
 */
type Platform = typeof import("#platform");

const counts = { calls: 0, characters: 0 };

/** Returns the platform with a hash that counts. */
export function counted(platform: Platform): Platform {
  const sha256: Platform["sha256"] = (data) => {
    counts.calls += 1;
    counts.characters += data.length;
    return platform.sha256(data);
  };
  return { ...platform, sha256 };
}

/** Begins to count. @returns a function that returns how often was hashed since, and how many characters */
export function countHashes(): () => Readonly<typeof counts> {
  const { calls, characters } = counts;
  return () => ({ calls: counts.calls - calls, characters: counts.characters - characters });
}
