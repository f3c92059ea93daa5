/** Prints one short line about the launcher to standard error: standard output belongs to the launched program. */
export function say(line) {
  process.stderr.write(`holdfast: ${line}\n`);
}
