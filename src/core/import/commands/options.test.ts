import { describe, expect, it } from 'vitest';
import { importText } from '../importText.ts';
import type { Field } from './meaning.ts';
import { takesValue } from './parseOptions.ts';
import { TOOLS } from './tools.ts';

/** For each kind of option, a valid value that differs from its default. */
const VALUES: Readonly<Partial<Record<Field, string>>> = {
  connections: '7',
  requests: '77',
  duration: '77',
  timeout: '7',
  connectTimeout: '7',
  rate: '7',
  ratePerConnection: '7',
  header: "'X-A: b'",
  cookie: 'a=b',
  method: 'PUT',
  login: 'me:pw',
  range: '7',
  address: 'http://b.example/',
  localAddress: '127.0.0.7',
  mostRedirects: '7',
  reconnect: '1',
  part: 'a=b',
  partText: 'a=b',
  partsJson: `'{"a":{"value":"b"}}'`,
  queryEncoded: 'a=b',
  json: '1',
};
/** Switches that have no effect if used alone. */
const ALONE_NOTHING: ReadonlySet<string> = new Set(['globOff', 'dataInQuery', 'keepAlive', 'noFollow', 'parallel']);

describe.each(Object.entries(TOOLS))('each option of %s', (name, tool) => {
  const reported = (words: string): string => {
    const result = importText(`${name === 'httpie' ? 'http' : name} ${words} http://a.example/`);
    if (result.kind === 'refused') return JSON.stringify(result.issues);
    const { plan, notes } = result.imported;
    return JSON.stringify({ plan: { ...plan, seed: 0 }, notes });
  };
  const options = [...tool.options].filter(
    ([, meaning]) =>
      meaning.kind !== 'output' && !(meaning.kind === 'switch' && (meaning.does === 'nothing' || ALONE_NOTHING.has(meaning.does))),
  );

  it('changes the plan or adds a note', () => {
    const silent = options.filter(([option, meaning]) => {
      // A maximum of redirects has an effect only if redirects are followed.
      const follow = { curl: '-L', httpie: '--follow' }[name] ?? '';
      const beside = option.startsWith('--max-redir') ? follow : '';
      const value = meaning.kind === 'field' ? (VALUES[meaning.field] ?? 'x') : '7';
      return reported(`${beside} ${option} ${takesValue(meaning) ? value : ''}`) === reported(beside);
    });
    expect(silent.map(([option]) => option)).toEqual([]);
  });
});
