/** `$'` is bash's, in which a backslash takes the meaning of the quote behind it. */
type Quote = "'" | '"' | "$'";

/**
 * The line on which those quotes are closed that a shell of Unix opens in the line `first` of a command: that line itself where it opens none, null where they
 * are never closed.
 */
export function lastLineOfQuotes(lines: readonly string[], first: number): number | null {
  let open: Quote | null = null;
  for (let at = first; at < lines.length; at += 1) {
    open = openBehind(lines[at] ?? '', open);
    if (open === null) return at;
  }
  return null;
}

/** The quote that is open behind a line which begins within `before`. */
function openBehind(line: string, before: Quote | null): Quote | null {
  let open = before;
  for (let at = 0; at < line.length; at += 1) {
    const letter = line.charAt(at);
    const previous = line.charAt(at - 1);
    if (letter === '\\' && open !== "'") at += 1;
    else if (open !== null) open = letter === open.at(-1) ? null : open;
    else if (letter === '#' && /^\s?$/.test(previous)) return null;
    else if (letter === '"') open = '"';
    else if (letter === "'") open = previous === '$' ? "$'" : "'";
  }
  return open;
}
