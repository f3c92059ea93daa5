import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HoldfastError } from '#core/base/errors.ts';
import { startTestBackend, type TestBackend } from '#backend/testing/backend.ts';
import { planFor } from '#backend/testing/plans.ts';
import { startTarget } from '#backend/testing/target.ts';

describe('the self-test', () => {
  let test: TestBackend;
  beforeEach(async () => {
    test = await startTestBackend();
  });
  afterEach(() => test.close());

  function begin(): { started: Promise<void>; ended: Promise<HoldfastError | undefined>; leave: () => void } {
    const started = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<HoldfastError | undefined>();
    const leave = test.client.open(
      'selftest.run',
      { quick: true },
      { onItem: () => started.resolve(), onEnd: (problem) => ended.resolve(problem) },
    );
    return { started: started.promise, ended: ended.promise, leave };
  }

  it('excludes runs and other self-tests, and stops when its reader leaves', async () => {
    const target = await startTarget();
    const first = begin();
    await first.started;
    await expect(test.client.call('runs.start', { plan: planFor(target.url) })).rejects.toMatchObject({ code: 'SELF_TEST_GOING' });
    expect(await begin().ended).toMatchObject({ code: 'SELF_TEST_GOING' });
    first.leave();
    await expect
      .poll(
        () =>
          test.client.call('runs.start', { plan: planFor(target.url) }).then(
            () => 'started',
            () => 'refused',
          ),
        { timeout: 30_000 },
      )
      .toBe('started');
    expect(await test.client.call('selftest.last', {})).toEqual({ report: null });
    await target.close();
  });

  it('does not start during a run', async () => {
    const target = await startTarget();
    await test.client.call('runs.start', {
      plan: planFor(target.url, { load: { model: 'connections', stages: [{ connections: 1, seconds: 30 }] } }),
    });
    expect(await begin().ended).toMatchObject({ code: 'RUN_GOING' });
    await target.close();
  });

  it('ends with the backend', async () => {
    const { started, ended } = begin();
    await started;
    await test.backend.close();
    expect(await ended).toBeDefined();
  });
});
