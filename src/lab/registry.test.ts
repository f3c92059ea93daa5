import { describe, expect, it } from 'vitest';
import { labListingSchema } from '#core/base/lab/listing.ts';
import { describeOption, readOptions } from '#core/base/lab/readOptions.ts';
import { LABS, readLabArguments } from './registry.ts';

describe('readLabArguments', () => {
  it('reads the name first, then options in both syntaxes', () => {
    const { lab, given } = readLabArguments(['contest', '--shards', '4', '--port=8100', '--connect-per-request', '--slow-one-in', 'off']);
    expect(lab.name).toBe('contest');
    expect(readOptions(lab.options, given)).toMatchObject({
      shards: 4,
      port: 8_100,
      'connect-per-request': true,
      'slow-one-in': null,
      'service-ms': 50,
      logs: null,
    });
  });

  it.each([[['--shards', '4']], [['contest', 'another']], [['contest', '-x']]])('rejects %j', (words) => {
    expect(() => readLabArguments(words)).toThrow(expect.objectContaining({ code: 'BAD_OPTION' }));
  });

  it('names every invalid option', () => {
    const { lab, given } = readLabArguments([
      'contest',
      '--shards',
      '0',
      '--port',
      'x',
      '--service-ms',
      '--nonsense=1',
      '--logs=',
      '--connect-per-request',
      'maybe',
    ]);
    expect(() => readOptions(lab.options, given)).toThrow(
      expect.objectContaining({
        code: 'BAD_OPTION',
        hint: expect.stringMatching(/--nonsense[\s\S]*--port[\s\S]*--logs[\s\S]*--shards[\s\S]*--service-ms[\s\S]*--connect-per-request/),
      }),
    );
  });
});

describe('every practice server', () => {
  it.each(LABS.map((lab) => [lab.name, lab] as const))('%s describes itself', (_name, { name, title, story, options }) => {
    expect(labListingSchema.parse({ name, title, story, options, missing: [] })).toMatchObject({ name });
    for (const [option, what] of Object.entries(options)) {
      expect(option).toMatch(/^[a-z]+(-[a-z]+)*$/);
      expect(describeOption(option, what)).toContain(what.label);
    }
    expect(readOptions(options, {})).toEqual(Object.fromEntries(Object.entries(options).map(([option, what]) => [option, what.default])));
  });

  it.each(LABS.map((lab) => [lab.name, lab] as const))(
    '%s lists its missing programs on an empty machine, and refuses to start there',
    async (_name, lab) => {
      const missing = await lab.missing({ PATH: '/nonexistent' });
      for (const one of missing) expect(one.install).toMatch(/install/);
    },
  );
});
