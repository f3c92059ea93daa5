import { processorAccountRows, processorAccounts } from '#core/machines/monitors/monitorTables.ts';
import { listLoadedTimes } from '#core/result/stageTimes.ts';
import { exactFigure, type Figure } from '../framework/figure.ts';
import { readingsIn } from '../framework/monitored.ts';
import { readReport, countOccurrences } from '../framework/paper.ts';
import { countResponses, oneStepPlan, countWithStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';

const PROGRAM = 'lab-node';
const SCALE = 10;
/** Values that the other two monitors in the report show for a busy processor. */
const OTHER_MONITORS = [
  { name: 'docker stats', stated: 0.95 },
  { name: 'Grafana', stated: 0.9 },
] as const;

export const calibration = story({
  id: 'node-vs-gunicorn/calibration',
  statement: 'Two monitors say 95 % and 90 %: what a busy loop really takes.',
  owner: 'hosts',
  usualSeconds: 14,
  needs: ['nginx', 'python'],
  draw: (dice) => ({ serviceMs: dice.step(4_500, 5_500, 100), requests: dice.whole(12, 14) }),
  async play(scene, { serviceMs, requests }) {
    const lab = await scene.lab('node-vs-gunicorn', { scale: SCALE, heavy: 'burn', 'service-ms': scene.hidden(serviceMs), replicas: 1 });
    const { run } = await scene.run({
      ...oneStepPlan(lab.address('Node'), 'heavy'),
      load: { model: 'connections', stages: [{ connections: 1, requests }] },
      monitors: [{ kind: 'machine', name: 'this computer', processes: [PROGRAM] }],
    });
    const lines = await lab.linesWhen(requests, 'node', ({ path }) => path === '/heavy');
    const tookSeconds = lines.reduce((sum, { cpuMs = NaN }) => sum + cpuMs, 0) / 1_000;
    // The share of a core while the program worked, according to the program itself.
    const tookMs = lines.reduce((sum, { ms }) => sum + ms, 0);
    const share = (1_000 * tookSeconds) / tookMs;
    const client = await scene.client();
    for (const { name, stated } of OTHER_MONITORS)
      await client.call('monitors.attachGraph', { runId: run.id, name, text: graph(run.startedAt, tookMs, stated * share) });
    const result = await client.call('runs.result', { runId: run.id });
    const report = await readReport(scene, { runId: run.id });
    const accounts = processorAccounts(result.monitors, listLoadedTimes(result));
    const taken = readingsIn(
      result.monitors.find(({ kind }) => kind === 'machine'),
      `process.cpu:${PROGRAM}`,
    );
    const processorSeconds = (requests * serviceMs) / SCALE / 1_000;
    return [
      exactFigure('responses', requests, countResponses(result, 200), countWithStatus(lines, 200)),
      {
        name: 'processor time, by the chart',
        unit: 's',
        predicted: processorSeconds,
        measured: taken.reduce((sum, { value, width }) => sum + value * width, 0),
        logged: tookSeconds,
        // The tolerance allows for ticks of 10 ms, and for the time that responses take.
        within: 0.06 * processorSeconds,
      },
      // The program gets a full core if no other program needs it.
      {
        name: 'of a core, as the kernel counted',
        unit: '%',
        predicted: null,
        measured: 100 * (accounts[0]?.countedCores ?? NaN),
        logged: 100 * share,
        within: 5,
      },
      {
        name: 'of what the loop itself counted',
        unit: '%',
        predicted: 100,
        measured: (100 * (accounts[0]?.countedCores ?? NaN)) / share,
        logged: null,
        within: 5,
      },
      ...OTHER_MONITORS.map(({ name, stated }): Figure => ({
        name: `error of ${name}`,
        unit: 'points',
        predicted: 100 * (stated - 1) * share,
        measured: getError(accounts, name),
        logged: null,
        within: 4,
      })),
      exactFigure(
        'of these errors stand in the report',
        OTHER_MONITORS.length,
        processorAccountRows(accounts).filter((row) => countOccurrences(report, row.join('')) === 1).length,
        null,
      ),
    ];
  },
});

/** Returns a file that another tool could have exported, with a row per second and a constant share of a processor. */
function graph(startedAt: string, ms: number, share: number): string {
  const from = Date.parse(startedAt);
  const rows = Array.from(
    { length: Math.ceil(ms / 1_000) },
    (_, second) => `${new Date(from + 1_000 * second).toISOString()},${(100 * share).toFixed(2)} %`,
  );
  return `time,CPU\n${rows.join('\n')}\n`;
}

function getError(accounts: ReturnType<typeof processorAccounts>, name: string): number | null {
  const account = accounts.find(({ by }) => by.startsWith(name));
  return account === undefined ? null : 100 * (account.statedCores - account.countedCores);
}
