/** How many groups a regular expression has. Throws a SyntaxError for what is none. */
export function groupsOf(pattern: string, flags = ''): number {
  // With nothing as another way, it matches whatever it is held against.
  return (new RegExp(`${pattern}|`, flags).exec('')?.length ?? 1) - 1;
}
