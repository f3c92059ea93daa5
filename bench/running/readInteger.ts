/** Returns the whole number of an option, or null if it was omitted. Adds a problem if it is not between 1 and `most`. */
export function readInteger(name: string, text: string | undefined, most: number, problems: string[]): number | null {
  if (text === undefined) return null;
  if (!/^[1-9]\d*$/.test(text) || Number(text) > most) problems.push(`--${name} ${text}: write a whole number from 1 to ${most}.`);
  return Number(text);
}
