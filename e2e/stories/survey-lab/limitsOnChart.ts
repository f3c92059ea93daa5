import { watchedReadings } from '#core/judgement/diagnosis/rule.ts';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { exactFigure, equalFigure } from '../framework/figure.ts';
import { loggedPercentile, knownMs, countWithStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { isAbout, READ, respondents, SMALL, TIME_TOLERANCE, upload, UPLOAD, uploadVariables, senderFile } from './survey.ts';

const SECONDS = 4;
const SERVICE_MS = 400;
/**
 * Numbers of connections: those that the practice server allows in addition to those of the survey server, and those that PostgreSQL
 * reserves for its administrator.
 */
const [SPARE_CONNECTIONS, RESERVED_CONNECTIONS] = [10, 3];
const [BUSY, WAITING] = ['busy threads', 'waiting for a thread'];
/** Number of uploads. Each of them times out at the proxy. */
const UPLOADS = 4;

export const limitsOnChart = story({
  id: 'survey-lab/limits-on-chart',
  statement:
    'Threads, queue, connections and patience of the target are lines across its charts, and the load goes up to them and no further.',
  owner: 'hosts',
  usualSeconds: 16,
  needs: ['nginx', 'postgresql'],
  draw: (dice) => ({
    threads: dice.whole(10, 14),
    queue: dice.whole(6, 9),
    connections: dice.whole(8, 20),
    patienceMs: dice.step(1_400, 1_800, 100),
  }),
  async play(scene, { threads, queue, connections, patienceMs }) {
    const lab = await scene.lab('survey-lab', {
      ...SMALL,
      database: 'postgresql',
      threads: scene.hidden(threads),
      queue,
      connections,
      'service-ms': SERVICE_MS,
      'upload-ms': 3 * patienceMs,
      'proxy-timeout-ms': scene.hidden(patienceMs),
    });
    const limits: Readonly<Record<string, number>> = { [BUSY]: threads, [WAITING]: queue };
    const plan: Pick<PlanInput, 'targets' | 'feeds' | 'variables' | 'monitors' | 'watch'> = {
      targets: [{ url: lab.urls[0] ?? '' }],
      feeds: { accounts: { file: await senderFile(scene, lab), order: 'random' } },
      monitors: [{ kind: 'postgres', name: 'database', connection: lab.address('Database') }],
      watch: Object.entries(limits).map(([name, limit]) => ({
        name,
        url: `${lab.control}gauges`,
        path: `$["${name}"]`,
        everySeconds: 1,
        limit,
      })),
    };
    // At capacity, all threads are busy, the queue is full, and no request is rejected.
    const full = await scene.run({
      ...plan,
      journey: [respondents('who handed in')],
      load: { model: 'connections', stages: [{ connections: threads + queue, seconds: SECONDS }] },
    });
    const beyond = await scene.run({
      ...plan,
      variables: uploadVariables,
      journey: [upload(2_000)],
      load: { model: 'connections', stages: [{ connections: UPLOADS, requests: UPLOADS }] },
      criteria: [{ kind: 'responseTime', percentile: 95, maxMs: patienceMs }],
    });
    const lines = await lab.linesWhen(full.outcomes.requests.sent, 'nginx', isAbout(READ));
    const uploads = await lab.linesWhen(UPLOADS, 'nginx', isAbout(UPLOAD));
    const maxOf = (name: string): number => Math.max(...watchedReadings(full.generators, name).map(({ value }) => value));
    const database = full.monitors.find(({ name }) => name === 'database');
    const line = database?.limits.find(({ chart }) => chart === 'Connections');
    return [
      equalFigure('responses', full.outcomes.requests.ok, countWithStatus(lines, 200)),
      exactFigure('turned away', 0, full.outcomes.requests.sent - full.outcomes.requests.ok, full.outcomes.requests.sent - lines.length),
      exactFigure('threads at work at most', threads, maxOf(BUSY), null),
      exactFigure('in the queue at most', queue, maxOf(WAITING), null),
      exactFigure('line of the connections', connections + SPARE_CONNECTIONS - RESERVED_CONNECTIONS, line?.value ?? NaN, null),
      exactFigure('given up by the proxy', UPLOADS, beyond.status['504'] ?? 0, countWithStatus(uploads, 504)),
      {
        name: 'after its patience',
        unit: 'ms',
        predicted: patienceMs,
        measured: knownMs(beyond.latencyByStatusClass['5xx']?.p50 ?? null),
        logged: loggedPercentile(uploads, 50),
        within: TIME_TOLERANCE * patienceMs,
      },
      exactFigure('missed the line of its patience', 1, beyond.criteria.filter(({ outcome }) => outcome !== 'passed').length, null),
    ];
  },
});
