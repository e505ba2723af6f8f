/** Makes an id that is not used in a picture. */
export function unusedId(id: string, taken: ReadonlySet<string>): string {
  let free = id;
  while (taken.has(free)) free += "…";
  return free;
}
