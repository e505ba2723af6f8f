/** A count with its noun: `1 event`, `3 events`. */
export function plural(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
