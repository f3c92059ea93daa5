import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { type Harness, startHarness } from './testing/harness.ts';

const DOCUMENT = resolve(import.meta.dirname, '../../docs/cli.md');
const HEADING = '## Commands\n';

/** Returns names of the commands in a help text. */
function commandsIn(help: string): string[] {
  const listed = help.split(/^Options:/m)[1]?.split('Exit codes')[0] ?? '';
  return [...listed.matchAll(/^ {2}([a-z][a-z-]*)(?: |$)/gm)].map(([, name = '']) => name);
}

/** Returns the help of a command and its subcommands as Markdown. */
async function getReference(cli: Harness, words: readonly string[]): Promise<string> {
  const { out } = await cli.run(...words, '--help');
  const own = `\n### ${words.join(' ')}\n\n\`\`\`text\n${out.trim()}\n\`\`\`\n`;
  const subcommands = out.split(/^Commands:/m)[1]?.matchAll(/^ {2}([a-z][a-z-]*)(?: |$)/gm) ?? [];
  const below = await Promise.all([...subcommands].map(([, name = '']) => getReference(cli, [...words, name])));
  return own + below.join('');
}

/** Compares docs/cli.md with the help. To update it after a change of options: `npx vitest run src/cli/reference.test.ts -u`. */
it('docs/cli.md contains the help of every command', async () => {
  const cli = await startHarness();
  const names = commandsIn((await cli.run('--help')).out);
  expect(names.length).toBeGreaterThan(25);
  let reference = '';
  for (const name of names) reference += await getReference(cli, [name]);
  const [introduction = ''] = readFileSync(DOCUMENT, 'utf8').split(HEADING);
  await expect(
    `${introduction}${HEADING}\nThe help of each command, as \`holdfast COMMAND --help\` prints it.\n${reference}`,
  ).toMatchFileSnapshot(DOCUMENT);
});
