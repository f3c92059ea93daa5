import type { LineProblem, ParsedFeed } from './csvRecords.ts';

/** Lines of `name:password` without a heading, as FunkLoad's and Apache's tools read them; empty lines and those that begin with # are none. */
export function parseCredentials(text: string): ParsedFeed {
  const rows: string[][] = [];
  const problems: LineProblem[] = [];
  for (const [index, written] of text.split(/\r?\n/).entries()) {
    if (written.trim() === '' || written.startsWith('#')) continue;
    const split = written.indexOf(':');
    if (split > 0) rows.push([written.slice(0, split), written.slice(split + 1)]);
    else problems.push({ line: index + 1, message: 'it is not written name:password' });
  }
  return { columns: ['username', 'password'], rows, problems };
}
