import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Problem } from '#core/base/errors.ts';
import type { EngineEnd, EngineSink } from '#engine/engine.ts';
import { planFor } from '#backend/testing/plans.ts';
import { planSchema } from '#core/plan/schema/plan.ts';
import type { PreparedLoad } from '../loadGenerator.ts';
import { GeneratorGroup, type GroupSink } from './group.ts';

const plan = planSchema.parse(planFor('http://127.0.0.1:9/'));
const COMPLETED_END: EngineEnd = {
  reason: 'completed',
  problem: null,
  endedAtSecond: 1,
  firstBodyLengths: [],
  serverSoftware: null,
  addresses: {},
  silentAddresses: {},
  leftOut: {},
  stages: [],
};

const SILENT_SINK: GroupSink = {
  onBegin() {},
  onStage() {},
  onDraining() {},
  onEvent() {},
  onSample() {},
  onItems() {},
  onRows() {},
  onGeneratorWindow() {},
  onWindow() {},
  onLost() {},
};

/** A generator whose reports are controlled by the test, and whose load ends as soon as it starts. */
class Place {
  readonly started: number[] = [];
  readonly load: PreparedLoad;
  private sink: EngineSink | null = null;

  constructor({ isReady, hasClock = true }: { readonly isReady: 'early' | 'later'; readonly hasClock?: boolean }) {
    const { promise, resolve } = Promise.withResolvers<EngineEnd>();
    this.load = {
      attach: (sink) => {
        this.sink = sink;
        if (isReady === 'early') sink.onReady?.(0);
        return {
          threads: 1,
          engine: 'native',
          engineVersion: '1',
          done: promise,
          stop: () => resolve({ ...COMPLETED_END, reason: 'stopped' }),
          startAt: (leg) => {
            this.started.push(leg);
            resolve(COMPLETED_END);
          },
        };
      },
      facts: () => {
        throw new Error('Nobody asks for its facts here.');
      },
      measureClock: async () => {
        if (!hasClock) throw new Error('It does not respond.');
        return { aheadMs: 0, errorMs: 0, roundTripMs: 0 };
      },
    };
  }

  isReady(): void {
    this.sink?.onReady?.(0);
  }
}

const makeGroup = (...places: readonly Place[]): GeneratorGroup =>
  new GeneratorGroup(
    places.map(({ load }, index) => ({ name: ['one', 'two'][index] ?? '', load })),
    plan,
    SILENT_SINK,
  );

describe('a GeneratorGroup', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Returns how the group has ended after this time, or null if it has not ended. */
  async function endOf(group: GeneratorGroup, seconds: number): Promise<(Pick<EngineEnd, 'reason'> & { problem: Problem | null }) | null> {
    let end: EngineEnd | null = null;
    void group.done.then((known) => {
      end = known;
    });
    await vi.advanceTimersByTimeAsync(seconds * 1_000);
    return end;
  }

  it.each([
    ['the first', 'early', 'later'],
    ['the last', 'later', 'early'],
  ] as const)('starts even if %s generator reports that it is ready before the group listens', async (_, one, two) => {
    const places = [new Place({ isReady: one }), new Place({ isReady: two })];
    const group = makeGroup(...places);
    for (const [index, when] of [one, two].entries()) if (when === 'later') places[index]?.isReady();
    expect(await endOf(group, 1)).toMatchObject({ reason: 'completed' });
    expect(places.map(({ started }) => started)).toEqual([[0], [0]]);
  });

  it('fails if one generator never becomes ready, and names that generator', async () => {
    const group = makeGroup(new Place({ isReady: 'early' }), new Place({ isReady: 'later' }));
    expect(await endOf(group, 100)).toBeNull();
    expect(await endOf(group, 100)).toMatchObject({
      reason: 'failed',
      problem: { code: 'GENERATOR_NOT_READY', message: expect.stringMatching(/^two /) },
    });
  });

  it('fails if the clock of one generator cannot be read, because no common start is possible', async () => {
    const group = makeGroup(new Place({ isReady: 'early' }), new Place({ isReady: 'early', hasClock: false }));
    expect(await endOf(group, 1)).toMatchObject({
      reason: 'failed',
      problem: { code: 'GENERATOR_CLOCK', message: expect.stringContaining('two') },
    });
  });
});
