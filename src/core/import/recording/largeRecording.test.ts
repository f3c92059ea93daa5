import { describe, expect, it } from 'vitest';
import { planInTurns } from '../har/importHar.ts';
import { captureByTwo, captureInTurns } from './captureByTwo.ts';
import { largeSite } from './testing/largeSite.ts';

const PAGES = 24;
const site = largeSite(PAGES, 20_000);
const evidence = {
  recorded: site.recorded,
  walks: [site.walk(1)],
  hasOtherAccount: true,
  secretFor: (called: string) => `env:HOLDFAST_${called.toUpperCase()}`,
};

describe('a recording of many large pages:', () => {
  it('captureByTwo captures the changing values and keeps the constant ones', () => {
    const { plan, captured } = captureByTwo(site.plan, evidence);
    expect(new Set(captured.map(({ usedAs }) => usedAs))).toEqual(new Set(['X-Session', 'ticket']));
    const sent = plan.journey.find(({ method }) => method === 'POST');
    expect(sent?.form).toMatchObject({ ticket: '{{ticket}}', shelf: '2', colour: 'red' });
    expect(sent?.headers['X-Requested-By']).toBe('shop-7f2e4d1c');
    expect(plan.journey[9]?.path).toContain('v=4f3c2b1a99');
  });

  it('captureInTurns yields before it reads each response, to let other work run', () => {
    expect([...captureInTurns(site.plan, evidence)].length).toBeGreaterThan(PAGES * 4);
  });

  it('planInTurns yields for each request that it imports', () => {
    const entries = site.recorded.flatMap(({ exchanges }) =>
      exchanges.map(({ method, url, text }) => ({
        request: { method, url, headers: [] },
        response: { status: 200, headers: [], content: { mimeType: 'text/html', text } },
      })),
    );
    expect([...planInTurns({ log: { entries } })].length).toBeGreaterThanOrEqual(PAGES * 3);
  });
});
