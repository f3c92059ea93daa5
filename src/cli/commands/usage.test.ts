import { describe, expect, it } from 'vitest';
import { startHarness } from '../testing/harness.ts';

describe('the command line', () => {
  it('prints its version and its help, with every exit code', async () => {
    const cli = await startHarness();
    expect(await cli.run('--version')).toEqual({ code: 0, out: '0.0.0-test\n', err: '' });
    const help = await cli.run('--help');
    expect(help.code).toBe(0);
    for (const word of [
      'presets',
      'run',
      'quick',
      'validate',
      'describe',
      'runs',
      'show',
      'serve',
      'lab',
      'selftest',
      'Exit codes',
      '96',
      '97',
      '130',
    ])
      expect(help.out).toContain(word);
    const quick = await cli.run('quick', '--help');
    expect(quick.code).toBe(0);
    expect(quick.out).toContain('--connections');
  });

  it.each([
    [['nonsense'], 'nonsense', 'holdfast --help'],
    [['quick'], 'url', 'holdfast quick --help'],
    [['quick', 'http://127.0.0.1/', '--colour'], '--colour', 'holdfast quick --help'],
    [['show', 'last', '--format', 'pdf'], 'pdf', 'holdfast show --help'],
    [['quick', 'http://127.0.0.1/', '--engine', 'steam'], 'steam', 'holdfast quick --help'],
    [['hosts', 'add'], 'name', 'holdfast hosts add --help'],
    [['run', 'http://127.0.0.1/'], '127.0.0.1', 'holdfast quick ADDRESS'],
  ])('explains %j on standard error, says where to read more, and exits with 1', async (args, word, next) => {
    const cli = await startHarness();
    const { code, out, err } = await cli.run(...args);
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^holdfast: /);
    expect(err).toContain(word);
    expect(err).toContain(next);
    expect(err).not.toMatch(/\n\s+at /);
  });

  it('prints usage for each command', async () => {
    const cli = await startHarness();
    const listed = (await cli.run('--help')).out.split(/^Options:/m)[1]?.split('Exit codes')[0] ?? '';
    const names = [...listed.matchAll(/^ {2}([a-z][a-z-]*)/gm)].map(([, name = '']) => name);
    expect(names.length).toBeGreaterThan(25);
    for (const name of names) {
      const { code, out } = await cli.run(name, '--help');
      expect([name, code, out.split('\n')[0]]).toEqual([name, 0, expect.stringContaining(`Usage: holdfast ${name}`)]);
    }
  });

  it('prints its help without arguments', async () => {
    const cli = await startHarness();
    const { code, err } = await cli.run();
    expect([code, err.includes('Usage: holdfast')]).toEqual([1, true]);
  });
});
