import { describe, expect, it } from 'vitest';
import { planWith } from '#core/testing/plans.ts';
import { exponential, randomFrom, type SimulatedServer } from '#core/testing/queueRun.ts';
import { searchDocumentSchema } from '../result.ts';
import { playSearch } from '../testing/play.ts';
import { describeCharacter } from './conclusion.ts';
import type { CharacterizeSettings } from './schema.ts';

function characterize(server: SimulatedServer, seed = 1, settings: Partial<CharacterizeSettings> = {}) {
  const document = searchDocumentSchema.parse({ kind: 'characterize', plan: planWith(), settings });
  const { conclusion, runs } = playSearch(document, server, randomFrom(seed));
  if (conclusion.kind !== 'characterize') throw new TypeError('A server was looked at.');
  return { conclusion, runs };
}
/** Returns service times that vary by 1 %, plus a millisecond of network time. */
const steady = (ms: number) => (random: () => number) => 1 + ms * (0.99 + 0.02 * random());
const texts = ({ reasoning }: { readonly reasoning: readonly { readonly text: string }[] }): string =>
  reasoning.map(({ text }) => text).join('\n');

describe('characterize', () => {
  it('finds up to 40 workers within 1, and their time within 3 %', () => {
    const random = randomFrom(2020);
    for (let server = 0; server < 10; server += 1) {
      const workers = 1 + Math.floor(40 * random());
      const serviceMs = 50 + Math.floor(950 * random());
      const { conclusion } = characterize({ workers, serviceMs: steady(serviceMs) }, server);
      const what = `${workers} workers of ${serviceMs} ms: ${conclusion.sentence}`;
      expect(conclusion.server, what).toBe('synchronous');
      expect(Math.abs((conclusion.workers?.value ?? 0) - workers), what).toBeLessThanOrEqual(1);
      expect(conclusion.workers?.low, what).toBeLessThanOrEqual(workers);
      expect(conclusion.workers?.high, what).toBeGreaterThanOrEqual(workers);
      expect(Math.abs((conclusion.serviceMs?.value ?? 0) / serviceMs - 1), what).toBeLessThanOrEqual(0.03);
    }
  });

  it('finds a server without a limit, and its time within 3 %', () => {
    const random = randomFrom(9090);
    for (let server = 0; server < 5; server += 1) {
      const serviceMs = 50 + Math.floor(950 * random());
      const { conclusion } = characterize({ workers: Infinity, serviceMs: steady(serviceMs) }, server);
      expect(conclusion, `${serviceMs} ms: ${conclusion.sentence}`).toMatchObject({ server: 'asynchronous', workers: null, atOnce: 128 });
      expect(Math.abs((conclusion.serviceMs?.value ?? 0) / serviceMs - 1)).toBeLessThanOrEqual(0.03);
      expect(texts(conclusion)).toContain('With more workers it looks the same');
    }
  });

  it('explains 17 workers of 0.8 s by multiplication, and names division as the likely mistake', () => {
    const { conclusion } = characterize({ workers: 17, serviceMs: steady(800) });
    expect(conclusion.sentence).toMatch(/^Synchronous: 17 workers, 80\d ms each\.$/);
    expect(texts(conclusion)).toMatch(/= 21\.\d\/s|21\.\d responses\/s|21\.\d\/s/);
    expect(conclusion.trap).toMatch(/^Dividing instead, 21\.\d \/ 0\.80\d = 26\.\d, is a common mistake/);
  });

  it('uses later responses of a server that loads code at first', () => {
    let asked = 0;
    const { conclusion } = characterize({ workers: 13, serviceMs: (random) => ((asked += 1) <= 3 ? 1_500 : steady(250)(random)) });
    expect(conclusion.workers?.value, conclusion.sentence).toBe(13);
    expect(Math.abs((conclusion.serviceMs?.value ?? 0) / 251 - 1)).toBeLessThanOrEqual(0.03);
  });

  it('returns a wider interval for varying times', () => {
    const { conclusion } = characterize({ workers: 8, serviceMs: (random) => exponential(100, random) }, 3, { secondsEach: 10 });
    const { conclusion: exact } = characterize({ workers: 8, serviceMs: steady(100) }, 3, { secondsEach: 10 });
    const width = (one: typeof conclusion): number => (one.serviceMs?.high ?? 0) - (one.serviceMs?.low ?? 0);
    expect(width(conclusion)).toBeGreaterThan(5 * width(exact));
    expect(conclusion.workers?.low).toBeLessThanOrEqual(8);
    expect(conclusion.workers?.high).toBeGreaterThanOrEqual(8);
  });

  it('finds the queue length of a server that rejects requests', () => {
    for (const [workers, queueLength] of [
      [4, 10],
      [6, 0],
      [12, 40],
    ] as const) {
      const { conclusion } = characterize({ workers, serviceMs: steady(200), queueLength });
      const what = `${workers} and ${queueLength}: ${conclusion.sentence} ${texts(conclusion)}`;
      expect(conclusion.workers?.value, what).toBe(workers);
      expect(Math.abs((conclusion.queueLength?.value ?? -9) - queueLength), what).toBeLessThanOrEqual(1);
    }
    const { conclusion } = characterize({ workers: 4, serviceMs: steady(200) });
    expect(conclusion).toMatchObject({ queueLength: null, queueAtLeast: 124 });
  });

  it('finds the time-out of a proxy', () => {
    const { conclusion } = characterize({ workers: 4, serviceMs: steady(300), patienceMs: 3_000 });
    expect(conclusion.workers?.value).toBe(4);
    expect(Math.abs((conclusion.timeoutMs ?? 0) / 3_000 - 1)).toBeLessThanOrEqual(0.01);
    expect(conclusion.queueLength).toBeNull();
  });

  it('returns an unknown kind for a server that is too quick or silent', () => {
    expect(characterize({ workers: 1, serviceMs: () => 1 }).conclusion).toMatchObject({ server: 'unknown', workers: null, trap: null });
    expect(characterize({ workers: 1, serviceMs: () => 50, refuses: () => 500 }).conclusion.sentence).toBe(
      'Unknown: there was no successful response.',
    );
    expect(describeCharacter([], null)).toMatchObject({ server: 'unknown', sentence: 'Nothing has been measured.' });
  });

  it('keeps its time limit, and says that the rest is unknown', () => {
    const { conclusion, runs } = characterize({ workers: 30, serviceMs: steady(900) }, 1, { maxSeconds: 40 });
    expect(runs.reduce((sum, { spentSeconds }) => sum + spentSeconds, 0)).toBeLessThan(60);
    expect(conclusion.sentence).toMatch(/^Unknown\. Only up to \d+ users at a time were tested\.$/);
  });
});
