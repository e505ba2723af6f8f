/** An id that nothing else in a picture has. */
export function unusedId(id: string, taken: ReadonlySet<string>): string {
  let free = id;
  while (taken.has(free)) free += "…";
  return free;
}
