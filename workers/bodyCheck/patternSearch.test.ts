import { describe, expect, it } from 'vitest';
import { captureSchema } from '#core/plan/schema/journey.ts';
import { createCapturer } from '../journey/captures.ts';
import type { SeenResponse } from './keptResponse.ts';
import { PatternCost } from './patternCost.ts';
import { PatternSearch } from './patternSearch.ts';
import { UnreadableBody } from './decodeBody.ts';

const LONG = 'token='.repeat(60_000);
const parseResponse = (text: string): SeenResponse =>
  ({ status: 200, text: () => text, header: () => undefined }) as unknown as SeenResponse;

describe('PatternSearch with a text that makes the pattern slow', () => {
  it('gives up within a bounded processor time, which counts as a failed check', () => {
    const capture = createCapturer(captureSchema.parse({ from: 'body', as: 'token', pattern: 'token=(.*?);' }));
    const context = { cookie: () => null, draw: () => 0.5, url: null };
    const before = process.threadCpuUsage();
    for (let asked = 0; asked < 40; asked += 1) expect(() => capture(parseResponse(LONG), context)).toThrow(UnreadableBody);
    const { user, system } = process.threadCpuUsage(before);
    // Without a limit, each search would take seconds. With the limit, only the first three run, for half a second each. Processor time
    // does not include other processes.
    const maxMs = 500;
    expect((user + system) / 1_000 / maxMs).toBeLessThan(5);
    expect(capture(parseResponse('token=a17;'), context)).toBe('a17');
  });

  it.each([
    ['(a+)+$', `${'a'.repeat(40)}!`],
    ['^(\\w+\\s?)*$', `${'ab '.repeat(40)}!`],
    ['(a|aa)+$', `${'a'.repeat(60)}!`],
    ['(.)\\1*.*.*.*x', 'a'.repeat(2_000)],
    ['a*a*a*a*a*b', 'a'.repeat(400)],
    ['csrf.*?value="([^"]*)"', 'csrf'.repeat(100_000)],
  ])('has a time limit from the first byte, in bodies and headers: /%s/', (pattern, text) => {
    const context = { cookie: () => null, draw: () => 0.5, url: null };
    const body = createCapturer(captureSchema.parse({ from: 'body', as: 'found', pattern }));
    const header = createCapturer(captureSchema.parse({ from: 'header', name: 'x-found', as: 'found', pattern }));
    const response = { ...parseResponse(text), header: () => text };
    const before = process.threadCpuUsage();
    for (const capture of [body, header])
      for (let asked = 0; asked < 10; asked += 1) expect(() => capture(response, context)).toThrow(UnreadableBody);
    const { user, system } = process.threadCpuUsage(before);
    expect((user + system) / 1_000 / 500).toBeLessThan(9);
  });

  it('needs no time limit on an ordinary page, even for patterns of the recorder', () => {
    const page = `<html>${'<div class="row"><p>Some text of a page</p></div>\n'.repeat(400)}<input type="hidden" name="token" value="a17"></html>`;
    const within = '[^>]{0,2000}';
    for (const pattern of [
      'token=([^;]*);',
      'Random seed: </b>(\\d+)',
      '^\\[\\["\\d*",?"?(\\d*)',
      `<input(?=${within}\\sname=["']?token["'\\s/>])${within}\\svalue=["']?([^"'>]*)`,
      '<title[^>]*>\\s*Some\\s+title\\s*</title>',
      'csrf.*?value="([^"]*)"',
    ])
      expect([pattern, new PatternCost(pattern, '').of(page, 2_000_000) <= 2_000_000]).toEqual([pattern, true]);
  });

  it('finds the same match in a long text as in a short one', () => {
    const search = new PatternSearch('b', '');
    const text = `${'a'.repeat(100_000)}b`;
    expect(search.runWithinTime(text, () => /b/.exec(text)?.index)).toBe(100_000);
    expect(search.runWithinTime(text, () => null)).toBeNull();
    expect(() =>
      search.runWithinTime(text, () => {
        throw new UnreadableBody('TOO_MUCH_CAPTURED', 'x');
      }),
    ).toThrow('x');
  });
});
