/** A word that a POSIX shell takes as it is, whatever is in it. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
