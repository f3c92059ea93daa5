import { describe, expect, it } from 'vitest';
import type { Sample, SampleMessage } from './schema.ts';
import { explainFailure, samplesText, tryText } from './text.ts';

const message = (changes: Partial<SampleMessage> = {}): SampleMessage => ({
  head: 'GET /tasks HTTP/1.1\nhost: contest.example',
  body: '',
  bodyBytes: 0,
  isCut: false,
  ...changes,
});
const sample = (changes: Partial<Sample> = {}): Sample => ({
  request: 'tasks',
  failure: null,
  sent: message(),
  received: message({ head: 'HTTP/1.1 200 OK', body: '<p>one  \ntwo', bodyBytes: 12 }),
  serviceMs: 41,
  captured: [],
  ...changes,
});

describe('explainFailure', () => {
  it.each([
    ['status 404', 'the response has the unexpected status 404', 'There is no such address'],
    ['status 403', 'the response has the unexpected status 403', 'Check the name and the password'],
    ['status 302', 'the response has the unexpected status 302', 'It redirects'],
    ['status 503', 'the response has the unexpected status 503', 'The server itself failed'],
    ['ECONNREFUSED@connect', 'connection refused (ECONNREFUSED)', 'Nothing listens there'],
    ['LEADS_TO_LOGIN /login@check', 'wrong content: it sends on to a login page (/login)', 'Check the name and the password'],
    ['NO_VALUE task_id@build', 'could not be made: task_id has no value', 'Nothing has set it by then'],
  ])('explains “%s”', (failure, message, hint) => {
    const explained = explainFailure(failure);
    expect(explained.message).toBe(message);
    expect(explained.hint).toMatch(new RegExp(`^${hint}`));
  });

  it('gives no hint for unknown failures', () => {
    expect(explainFailure('status 418').hint).toBe('Compare what was sent with what came back.');
    expect(explainFailure('a status 404').hint).toBe('Compare what was sent with what came back.');
  });
});

describe('samplesText', () => {
  it('quotes the server before other hints', () => {
    const says = 'Too many connections';
    const [, quote, hint] = samplesText([sample({ failure: 'TEXT_MISSING “Tasks”@check', says })]).split('\n');
    expect(quote).toBe('  The server says: “Too many connections”');
    expect(hint).toBe('  Compare what was sent with what came back.');
  });

  it('shows success, time and both messages line by line', () => {
    expect(samplesText([sample()])).toBe(
      [
        '✓ tasks · 41 ms',
        '  > GET /tasks HTTP/1.1',
        '  > host: contest.example',
        '  < HTTP/1.1 200 OK',
        '  <',
        '  < <p>one',
        '  < two',
        '  (12 B)',
        '',
      ].join('\n'),
    );
  });

  it('shows the failure, a hint, and captured values', () => {
    const lines = samplesText([
      sample({ failure: 'status 404', serviceMs: null, captured: [{ name: 'id', value: '7' }], sent: null, received: null }),
    ]).split('\n');
    expect(lines).toEqual([
      '✗ tasks: the response has the unexpected status 404',
      expect.stringMatching(/^ {2}There is no such address/),
      '  {{id}} = 7',
      '  Nothing was sent.',
      '  Nothing came back.',
      '',
    ]);
  });

  it('marks truncated and binary bodies', () => {
    expect(samplesText([sample({ received: message({ head: 'OK', body: 'a', bodyBytes: 5_000, isCut: true }) })])).toContain(
      '\n  < OK\n  <\n  < a\n  (5 kB; this is the beginning)\n',
    );
    expect(samplesText([sample({ received: message({ head: 'OK', bodyBytes: 5_000 }) })])).toContain('\n  < OK\n  <\n  (5 kB)\n');
  });

  it('separates samples with an empty line, and states if there are none', () => {
    expect(samplesText([sample(), sample({ request: 'home' })])).toContain('(12 B)\n\n✓ home');
    expect(samplesText([])).toBe('No failure was kept with this run.\n');
  });
});

describe('tryText', () => {
  const report = { samples: [sample()], isGood: true, notReached: [], problem: null };

  it('ends with the result of the trial', () => {
    expect(tryText(report)).toMatch(/\(12 B\)\n\nOne user ran every step, and each response was as expected\.\n$/);
  });

  it('names the steps that were not reached', () => {
    expect(tryText({ ...report, isGood: false, notReached: ['hand in', 'ranking'] })).toMatch(
      /could not run every step as expected\. A load would fail in the same way\. Not reached: “hand in”, “ranking”\.\n$/,
    );
  });

  it('shows why the journey could not run', () => {
    const problem = { code: 'NO_TARGET', message: 'No target responds.', hint: 'Start it.' };
    expect(tryText({ ...report, samples: [], isGood: false, problem })).toMatch(
      /^✗ No target responds\.\n {2}Start it\.\n\nOne user could/,
    );
  });
});
