import { describe, expect, it } from 'vitest';
import type { Plan } from '#core/plan/schema/plan.ts';
import { readImported } from '../testing/imported.ts';

const readSettings = ({ tls, timeoutSeconds, connections }: Plan) => ({ tls, timeoutSeconds, connections });
const BOTH_WAYS = [
  ['two commands', (one: string, other: string) => `curl ${one} https://a.example/1\ncurl ${other} https://a.example/2`],
  ['--next', (one: string, other: string) => `curl ${one} https://a.example/1 --next ${other} https://a.example/2`],
] as const;

describe.each(BOTH_WAYS)('settings of several requests of curl, by %s', (_way, together) => {
  const OPTIONS = [
    '',
    '-k',
    '-m 5',
    '-m 90',
    '--connect-timeout 3',
    '--connect-timeout 7',
    '--interface 127.0.0.2',
    '--interface 127.0.0.3',
    '-H "Connection: close"',
    '-k -m 5 --connect-timeout 3',
  ];
  const pairs = OPTIONS.flatMap((one) => OPTIONS.map((other) => [one, other] as const));

  it.each(pairs)('%s and %s: the plan has the settings of both commands, or a note reports the difference', (one, other) => {
    const { plan, notes } = readImported(together(one, other));
    const settings = readSettings(plan);
    const differing = [one, other].filter((options) => {
      const alone = readSettings(readImported(`curl ${options} https://a.example/1`).plan);
      return JSON.stringify(alone) !== JSON.stringify(settings);
    });
    const reported = notes.filter(({ kind, what }) => kind === 'changed' && /^Only some|different/.test(what));
    expect(reported.length > 0, JSON.stringify({ settings, notes })).toBe(differing.length > 0);
  });

  it('use the most permissive value', () => {
    const { plan, notes } = readImported(together('-k -m 5 --connect-timeout 3', '-m 90'));
    expect(plan).toMatchObject({ tls: { verify: false }, timeoutSeconds: 90 });
    expect(plan.connections.connectSeconds).toBe(readImported('curl https://a.example/').plan.connections.connectSeconds);
    expect(notes.filter(({ what }) => /^Only some|different/.test(what)).map(({ location }) => location)).toEqual([
      '-k',
      '-m',
      '--connect-timeout',
    ]);
  });

  it('do not include those of a request that is left out', () => {
    const text = together('', '-k -m 5 --unix-socket /run/b.sock');
    const { plan } = readImported(text);
    expect(readSettings(plan)).toEqual(readSettings(readImported('curl https://a.example/1').plan));
  });

  it('do not use the socket of one request for another', () => {
    const { plan, notes } = readImported(together('--unix-socket /run/a.sock', ''));
    expect(plan.journey).toHaveLength(1);
    expect(plan.connections.socketPath).toBe('/run/a.sock');
    expect(notes.some(({ kind, location }) => kind === 'leftOut' && location === 'request 2')).toBe(true);
  });
});

describe('curl with several addresses', () => {
  it('reuses connections with --no-keepalive, which only turns off TCP keep-alive probes', () => {
    expect(readImported('curl --no-keepalive http://a.example/').plan.connections.reuse).toBe('always');
  });

  it('reports -Z, because a journey cannot send requests at the same time', () => {
    const { notes } = readImported('curl -Z http://a.example/1 http://a.example/2');
    expect(notes.some(({ kind, location }) => kind === 'changed' && location === '-Z')).toBe(true);
    expect(readImported('curl -Z http://a.example/1').notes.some(({ location }) => location === '-Z')).toBe(false);
  });
});
