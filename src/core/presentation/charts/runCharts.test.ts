import { describe, expect, it } from 'vitest';
import { buildResult } from '#core/judgement/buildResult.ts';
import { planSchema, type PlanInput } from '#core/plan/schema/plan.ts';
import { runHead } from '#core/result/testing/runHead.ts';
import { streamWindow } from '#core/testing/streamWindows.ts';
import { chartsOfResult } from './runCharts.ts';

const STAMPED = { sentAt: { from: 'data', path: '$.at' } } as const;
const SECONDS = 10;

/** Returns the titles of the charts beside the verdict, and of the other charts in order. */
function listTitles(journey: PlanInput['journey'], flow?: PlanInput['flow']): [string[], string[]] {
  const plan = planSchema.parse({
    holdfast: 1,
    name: 'Scoreboard',
    targets: [{ url: 'http://127.0.0.1/' }],
    journey,
    ...(flow === undefined ? {} : { flow }),
    load: { model: 'users', stages: [{ users: 100, seconds: SECONDS }] },
  });
  const windows = Array.from({ length: SECONDS }, (_, second) =>
    streamWindow({ second, opened: second === 0 ? 100 : 0, events: 100, times: { eventDelay: [{ count: 100, ms: 40 }] } }),
  );
  const end = {
    firstBodyLengths: [0],
    serverSoftware: null,
    addresses: {},
    stages: [{ startedAtSecond: 0, endedAtSecond: SECONDS }],
    endedAtSecond: SECONDS,
  };
  const result = buildResult({ head: runHead, plan, windows, end, generators: [], events: [] });
  const { main, more } = chartsOfResult(result);
  return [main.map(({ title }) => title), more.map(({ title }) => title)];
}

describe('charts of streams', () => {
  it('are beside the verdict, before throughput and latency, if users only listen', () => {
    const [main, more] = listTitles([{ name: 'events', stream: STAMPED }]);
    expect(main).toEqual(['Open streams', 'Event delay']);
    expect(more.slice(0, 3)).toEqual(['Events received', 'Throughput', 'Latency']);
  });

  it('follow throughput and latency if only some users listen, or if the stream runs in the background', () => {
    const beside = listTitles([{ name: 'events', stream: { ...STAMPED, beside: true } }, { name: 'page' }]);
    const some = listTitles(
      [{ name: 'events', stream: STAMPED }, { name: 'page' }],
      [
        {
          choose: [
            { weight: 1, flow: ['events'] },
            { weight: 1, flow: ['page'] },
          ],
          per: 'user',
        },
      ],
    );
    for (const [main, more] of [beside, some]) {
      expect(main).toEqual(['Throughput', 'Latency']);
      expect(more).toEqual(expect.arrayContaining(['Open streams', 'Events received', 'Event delay']));
    }
  });
});
