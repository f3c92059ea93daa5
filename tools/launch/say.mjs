/** One short line about what the launcher is doing. Standard output belongs to what is launched. */
export function say(line) {
  process.stderr.write(`holdfast: ${line}\n`);
}
