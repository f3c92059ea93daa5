import { describe, expect, it } from 'vitest';
import type { Client } from '#contract/rpc/client.ts';
import { breakingPointSettingsSchema } from '#core/search/breakingPoint/schema.ts';
import { planWith } from '#core/testing/plans.ts';
import { guardClient } from './guardedClient.ts';

const PLAN = planWith({ load: { model: 'arrivals', stages: [{ kind: 'constant', perSecond: 5, seconds: 10 }] } });

/** Sends one call through the guard. Returns what reaches the backend; null if nothing does. */
async function guard(name: string, input: object): Promise<unknown> {
  const { reached, sent } = send(name, input);
  await sent.catch(() => undefined);
  return reached[0] ?? null;
}

/** Sends one call through the guard. `reached` is what reaches the backend. */
function send(name: string, input: object): { readonly reached: readonly unknown[]; readonly sent: Promise<unknown> } {
  const reached: unknown[] = [];
  const backend = {
    call: (_: string, passed: unknown) => {
      reached.push(passed);
      return Promise.resolve({ runId: 'r' });
    },
  } as unknown as Client;
  const client = guardClient(backend, { maxPerSecond: 10, maxSeconds: 20 }, () => undefined);
  return { reached, sent: (client.call as (one: string, passed: object) => Promise<unknown>)(name, input) };
}

const search = (settings: object) => ({
  document: { kind: 'breakingPoint', plan: PLAN, settings: breakingPointSettingsSchema.parse(settings) },
});

describe('the backend of an assistant', () => {
  it('ends runs and the levels of a search at the maximum number of requests', async () => {
    expect(await guard('runs.start', { plan: PLAN })).toMatchObject({ plan: { safety: { maxRequests: 200 } } });
    expect(await guard('searches.start', search({ to: 10, recovery: false }))).toMatchObject({
      document: { plan: { safety: { maxRequests: 200 } } },
    });
  });

  it('rejects a search whose levels are longer or higher than allowed, that has no highest level, or that tests recovery', async () => {
    for (const settings of [{ to: 11, recovery: false }, { recovery: false }, { to: 10, secondsEach: 21, recovery: false }, { to: 10 }])
      expect(await guard('searches.start', search(settings))).toBeNull();
  });

  it('rejects a search that waits for a person between its levels, and names the option that resets the server', async () => {
    const { reached, sent } = send('searches.start', search({ to: 10, recovery: false, waitsForReset: true }));
    await expect(sent).rejects.toMatchObject({ code: 'NOT_FOR_ASSISTANTS', hint: expect.stringContaining('--before') });
    expect(reached).toEqual([]);
  });

  it('rejects calls that change consent, hosts, results or used accounts, and load from other hosts', async () => {
    for (const name of ['hosts.add', 'runs.remove', 'populate.start', 'populate.reuseRows', 'baselines.set', 'secrets.keep', 'lab.start'])
      expect(await guard(name, {})).toBeNull();
    expect(await guard('runs.start', { plan: PLAN, on: ['web1'] })).toBeNull();
  });
});
