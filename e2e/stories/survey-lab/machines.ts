import { meanOf } from '#core/statistics/trend.ts';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { OWNERS } from '#lab/survey-lab/data.ts';
import { MACHINES } from '#lab/survey-lab/machine.ts';
import { countSuccessful } from '../framework/compared.ts';
import { exactFigure } from '../framework/figure.ts';
import { getGauge } from '../framework/gauge.ts';
import { loggedPercentile, countWithStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { playVariants } from '../framework/variants.ts';
import { SMALL, streamRows, TIME_TOLERANCE, senderFile } from './survey.ts';

const REPEATS = 3;
const ROWS = 20;
/** Number of sequential requests of one user, after one that finds the cache of the previous run. It is the minimum for a median. */
const SERIAL = 5;
const CPU_MS = 25;
const LIMIT_MS = 110;
/** Memory of the smallest machines, which is too small to cache the rows that the story requests. */
const TOO_SMALL_GB = 4;
const SMALLEST_MACHINE = '8gb-2cores';
/** Maximum effect of the number of cores that counts as none, because other load uses this machine's cores too. */
const NO_EFFECT = 0.1;

function readingPlan(accountsFile: string): Omit<PlanInput, 'holdfast' | 'name' | 'targets'> {
  return {
    feeds: { accounts: { file: accountsFile, order: 'sequential' } },
    journey: [streamRows('rows', 'app/stream/read', ROWS, { stream_id: 'frequent', num_to_return: String(ROWS) })],
    load: {
      model: 'connections',
      stages: [
        { name: 'warm-up', connections: 1, requests: 1, counted: false },
        { name: 'one user', connections: 1, requests: SERIAL },
      ],
    },
    criteria: [{ kind: 'responseTime', percentile: 50, maxMs: LIMIT_MS }],
  };
}

export const machines = story({
  id: 'survey-lab/machines',
  statement: 'Eight machines of different size: cores do not matter to one user, memory does.',
  owner: 'conclusions',
  usualSeconds: 40,
  needs: ['nginx'],
  draw: (dice) => ({ rows: dice.step(6_000, 6_600, 100), diskMs: dice.step(45, 52, 1) / 100 }),
  async play(scene, { rows, diskMs }) {
    const lab = await scene.lab('survey-lab', {
      ...SMALL,
      'stream-rows': rows,
      index: false,
      machines: true,
      'service-ms': 0,
      'cpu-ms': CPU_MS,
      'disk-ms': scene.hidden(diskMs),
    });
    // This is more than the smallest machines can cache, and less than every other machine can cache.
    const blocks = await getGauge(lab, 'blocks of streams');
    const plan = readingPlan(await senderFile(scene, lab, OWNERS));
    const sides = MACHINES.map(({ name, 'memory-mb': memoryGb, cores, label }) => ({
      name,
      factors: { memory: `${memoryGb} GB`, cores },
      targets: [{ url: lab.address(label) }],
    }));
    const { table, runs } = await playVariants(scene, plan, sides, REPEATS);
    const requestCount = MACHINES.length * REPEATS * (1 + SERIAL);
    const lines = await lab.linesWhen(requestCount, 'nginx', ({ path }) => path.endsWith('/app/stream/read'));
    const countLogged = (name: string): number =>
      loggedPercentile(
        lines.filter(({ path }) => path.startsWith(`/${name}/`)),
        50,
      );
    const small = MACHINES.filter(({ 'memory-mb': memoryGb }) => memoryGb === TOO_SMALL_GB).map(({ name }) => name);
    const keeping = table.rows.filter(({ runs }) => runs.every(({ figures }) => figures?.outcome === 'passed'));
    const ofMemory = table.effects.filter(({ factor }) => factor === 'memory');
    const ofCores = table.effects.filter(({ factor }) => factor === 'cores');
    const smallest = table.smallest.flatMap((response) => response.smallest);
    const fromDisk = CPU_MS + blocks * diskMs;
    return [
      exactFigure('reads', requestCount, countSuccessful(...runs), countWithStatus(lines, 200)),
      exactFigure(
        'machines within the budget',
        MACHINES.length - small.length,
        keeping.length,
        MACHINES.filter(({ name }) => countLogged(name) <= LIMIT_MS).length,
      ),
      exactFigure('of them with the least memory', 0, keeping.filter(({ variant }) => small.includes(variant ?? '')).length, null),
      exactFigure('called the smallest that keeps it', 1, smallest.length, null),
      exactFigure('of which it is the one with little more memory', 1, smallest.filter((cell) => cell === SMALLEST_MACHINE).length, null),
      exactFigure('sizes of memory that are told beside the least', 3, ofMemory.length, null),
      exactFigure(
        'of which it mattered',
        3,
        ofMemory.filter(({ p95 }) => p95?.judgement === 'differs' && p95.ratio !== null && p95.ratio < 1).length,
        null,
      ),
      exactFigure(
        'numbers of cores that mattered',
        0,
        ofCores.filter(({ throughput }) => throughput?.judgement === 'differs' && Math.abs((throughput.ratio ?? 0) - 1) > NO_EFFECT).length,
        null,
      ),
      {
        name: 'responses a second with twice the cores',
        unit: '×',
        predicted: 1,
        measured: ofCores[0]?.throughput?.ratio ?? null,
        logged: null,
        within: NO_EFFECT,
      },
      {
        name: 'median with the least memory',
        unit: 'ms',
        predicted: fromDisk,
        measured: meanOf(table.rows.filter(({ variant }) => small.includes(variant ?? '')).map(({ p50 }) => p50?.median ?? NaN)),
        logged: meanOf(small.map(countLogged)),
        within: 1.2 * TIME_TOLERANCE * fromDisk,
      },
    ];
  },
});
