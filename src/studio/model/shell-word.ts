/** Words of commands that the studio shows: whoever copies one runs what it says. */
export function shellWord(word: string): string {
  return /^[\w./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
