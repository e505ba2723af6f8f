/**
 * Quotes a word of a shell command that the studio shows, so that whoever copies the command runs what it
 * says.
 */
export function shellWord(word: string): string {
  return /^[\w./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
