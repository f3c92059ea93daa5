import { entriesAt, parseJson, textAt } from '../reading.ts';
import { wordsOnly, type ShellText } from './shellText.ts';

/** `fetch("address", {…})`, as browsers copy it, as the curl that asks for the same; null for anything else. */
export function fetchCommands(text: string): ShellText | null {
  const call = /^(?:await\s+)?fetch\(/.exec(text);
  if (call === null) return null;
  const end = text.lastIndexOf(')');
  const given = parseJson(`[${text.slice(call[0].length, end < 0 ? text.length : end)}]`);
  const url = textAt(given, 0);
  if (url === null) return null;
  const method = textAt(given, 1, 'method');
  const body = textAt(given, 1, 'body');
  const referrer = textAt(given, 1, 'referrer');
  const words = [
    'curl',
    '--url',
    url,
    ...(method === null ? [] : ['-X', method]),
    ...entriesAt(given, 1, 'headers').flatMap(([name, value]) => (typeof value === 'string' ? ['-H', `${name}: ${value}`] : [])),
    ...(referrer === null || referrer === '' ? [] : ['-e', referrer]),
    ...(body === null ? [] : ['--data-raw', body]),
  ];
  return { commands: wordsOnly([words]), unfilled: [] };
}
