import { describe, expect, it } from 'vitest';
import { arrivals, planWith } from '#core/testing/plans.ts';
import { randomFrom, resultOf, simulate, type Random } from '#core/testing/queueRun.ts';
import { planOfRecovery } from './levels.ts';
import { readRecovery } from './readRecovery.ts';
import { drawnServer, isHeldBy, QUEUE_KINDS, searchAtRate, SEARCH_KINDS, serverOf, type QueueKind } from './testing/drawnSearches.ts';

/** Of a computer that has much else to do. */
const PATIENCE_MS = 120_000;
const MOST_OFF = 0.05;
const MOST_LEVELS = 12;

function searches(count: number, kind: QueueKind, isHeldUp: boolean): Search[] {
  const random = randomFrom(7 + QUEUE_KINDS.indexOf(kind));
  return Array.from({ length: count }, () => {
    const { answer, limit, levels, seconds } = searchAtRate(kind, random, isHeldUp);
    return { off: (answer.estimate ?? 0) / limit - 1, levels, seconds };
  });
}

interface Search {
  readonly off: number;
  readonly levels: number;
  readonly seconds: number;
}

const isWithin = ({ off }: Search): boolean => Math.abs(off) <= MOST_OFF;

describe('whole searches', () => {
  it(
    'find the limit within 5 % in at most 12 levels, in 19 of 20 quiet servers of every kind',
    () => {
      for (const kind of QUEUE_KINDS) {
        const made = searches(12, kind, false);
        const far = made.filter((one) => !isWithin(one)).map(({ off }) => off.toFixed(3));
        // Of 12 of which one in 20 is farther off, more than 2 are so once in 50 times; `npm run bench -- coverage` makes a thousand.
        expect(far.length, `${kind.name}: ${far.join(', ')}`).toBeLessThanOrEqual(2);
        expect(Math.max(...made.map(({ levels }) => levels)), kind.name).toBeLessThanOrEqual(MOST_LEVELS);
        // Where all is like clockwork nobody has to wait for proof.
        if (kind.name === 'D/D/m') expect(made.reduce((sum, { seconds }) => sum + seconds, 0) / made.length).toBeLessThan(150);
      }
    },
    PATIENCE_MS,
  );

  it(
    'find most limits within 5 % also where a tenth of the time is taken from the computer, and err to neither side',
    () => {
      const made = QUEUE_KINDS.flatMap((kind) => searches(6, kind, true));
      expect(made.filter(isWithin).length / made.length).toBeGreaterThanOrEqual(0.6);
      const sorted = made.map(({ off }) => off).toSorted((one, other) => one - other);
      expect(Math.abs(sorted[Math.floor(sorted.length / 2)] ?? 1)).toBeLessThanOrEqual(0.03);
      expect(Math.max(...made.map(({ levels }) => levels))).toBeLessThanOrEqual(MOST_LEVELS);
    },
    PATIENCE_MS,
  );
});

describe('what a search says with 95 % confidence', () => {
  it(
    'holds the breaking point, in servers of every kind',
    () => {
      const found = SEARCH_KINDS.map(({ name, search }) => {
        const random = randomFrom(11);
        const held = Array.from({ length: 6 }, () => search(random)).filter(({ answer, limit }) => isHeldBy(answer, limit));
        return { name, held: held.length };
      });
      // Of 6 with 95 %, 3 or fewer are true once in 450 times; of 60, 51 or fewer once in 350 times.
      expect(found.filter(({ held }) => held < 4)).toEqual([]);
      expect(found.reduce((sum, { held }) => sum + held, 0)).toBeGreaterThanOrEqual(52);
    },
    PATIENCE_MS,
  );
});

describe('the time of recovery', () => {
  it(
    'is within 10 % of when the first one had not to wait any more',
    () => {
      const random = randomFrom(3);
      const off = QUEUE_KINDS.flatMap((kind) => Array.from({ length: 6 }, () => recovery(kind, random)));
      expect(off.filter((one) => Math.abs(one) > 0.1).map((one) => one.toFixed(3))).toEqual([]);
    },
    PATIENCE_MS,
  );
});

/** By how much the time is off that is read of a server that had too much. */
function recovery(kind: QueueKind, random: Random): number {
  const server = drawnServer(random);
  const settings = { overloadSeconds: 8 + Math.floor(5 * random()), secondsEach: 10 };
  const limit = server.limit * (0.975 + 0.05 * random());
  const plan = planWith({ load: arrivals([{ kind: 'constant', perSecond: 1, seconds: 10 }], { spacing: kind.spacing }) });
  const looked = planOfRecovery(plan, limit, settings);
  if (looked === null) throw new TypeError('A rate leaves a queue behind.');
  const { serviceMs, ...others } = serverOf(kind, server);
  const ownMs: number[] = [];
  const asked = simulate(
    looked,
    {
      ...others,
      serviceMs(...given) {
        const ms = serviceMs(...given);
        ownMs.push(ms);
        return ms;
      },
    },
    random,
  );
  const calmAgain = looked.load.stages.length - 1;
  const fromMs = 1_000 * (settings.secondsEach + settings.overloadSeconds);
  const free = asked.find(({ stage, startMs, endMs }, n) => stage === calmAgain && endMs - startMs - (ownMs[n] ?? 0) < 0.001);
  const { seconds } = readRecovery(resultOf(looked, asked), limit, settings.overloadSeconds);
  return seconds === null || free === undefined ? Infinity : (1_000 * seconds) / (free.startMs - fromMs) - 1;
}
