import { join } from 'node:path';
import type { Client } from '#contract/rpc/client.ts';
import { chooseFoundPages } from '#core/presets/pageList.ts';
import type { Answers } from '#core/presets/schema.ts';
import type { RunResult } from '#core/result/schema.ts';
import type { LoggedRequest } from '#lab/readLog.ts';
import { exactFigure, type Figure, equalFigure } from '../framework/figure.ts';
import { countWithStatus } from '../framework/readings.ts';
import type { LabProcess } from '../framework/labProcess.ts';
import type { Scene } from '../framework/scene.ts';
import { story } from '../framework/story.ts';

const PRESET = 'cms-contest';
const PREFIX = 'italia';
const SHARDS = 2;
const SCALE = 5;
const MINUTES = 0.3;

export const belowPrefix = story({
  id: 'contest/below-a-prefix',
  statement:
    'A contest below a prefix, in Italian, with several languages for one ending and solutions of several files: its tests are made of the preset as it is, and every page is there.',
  owner: 'measure',
  usualSeconds: 40,
  needs: [],
  draw: (dice) => ({
    participants: dice.step(20, 40, 5),
    jobs: dice.step(12, 24, 4),
    languages: dice.pick(['one', 'four-cpp']),
    reading: dice.pick(['page', 'soak']),
    files: dice.pick(['one', 'kinds']),
  }),
  async play(scene, { participants, jobs, languages, reading, files }) {
    const lab = await scene.lab('contest', {
      shards: scene.hidden(SHARDS),
      'service-ms': 5,
      accounts: participants,
      'one-password': true,
      prefix: PREFIX,
      statements: 'it',
      languages,
      'task-files': files,
      evaluators: 10,
      'evaluation-ms': 20,
    });
    const playWith = (more: Answers): Promise<Played> => playTest(scene, lab, { participants, shards: 1, ...more });
    const accountsPassword = `file:${join(lab.folder, 'password')}`;
    const minutes = { minutes: MINUTES, arrivalMinutes: MINUTES / 3, rushMinutes: MINUTES / 3 };
    const rehearsal = await playWith({ test: 'rehearsal', scale: SCALE, accountsPassword, pauseSeconds: 0.5, ...minutes });
    const handIn = { jobs, submitSeconds: 2, prefetch: 'cold', workers: 10, jobSeconds: 0.02 };
    const workers = await playWith({ test: 'workers', accountsPassword, ...handIn });
    const length: Answers = reading === 'page' ? { minutes: MINUTES } : { soakMinutes: 1 };
    const read = await playWith({ test: reading, scale: SCALE, ...length });
    const evaluations = await lab.lines('evaluations');
    const { submit, statement, login } = rehearsal.result.requestsByStep;
    const statements = rehearsal.lines.filter(({ path }) => path.includes('/statements/'));
    return [
      ...getCounts('rehearsal', rehearsal),
      exactFigure('servers that answered', SHARDS, rehearsal.result.servers.length, null),
      exactFigure('logins', participants, login?.ok ?? NaN, rehearsal.lines.filter(isPostTo('login', 302)).length),
      equalFigure('statements', statement?.ok ?? NaN, countWithStatus(statements, 200)),
      exactFigure('languages of them that are not Italian', 0, statements.filter(({ path }) => !path.includes('/it')).length, null),
      ...getCounts('workers', workers),
      exactFigure(
        'solutions',
        jobs,
        workers.result.requestsByStep['submit']?.ok ?? NaN,
        workers.lines.filter(isPostTo('submit', 302)).length,
      ),
      equalFigure('solutions of both that were evaluated', (submit?.ok ?? NaN) + jobs, evaluations.length),
      ...getCounts(reading, read),
    ];
  },
});

interface Played {
  readonly result: RunResult;
  /** The lines that belong to the run in the contest's log. */
  readonly lines: readonly LoggedRequest[];
}

/** Runs a test of the preset with these answers. If there is a single reader, the reader logs in first and uses the first task. */
async function playTest(scene: Scene, lab: LabProcess, countResponses: Answers): Promise<Played> {
  const client = await scene.client();
  const isReading = countResponses['test'] === 'page' || countResponses['test'] === 'soak';
  const { cookie, page } = isReading ? await loggedIn(client, lab) : {};
  const before = (await lab.lines('contest')).length;
  const { plan, issues } = await client.call('presets.build', {
    id: PRESET,
    answers: { ...countResponses, ...(page !== undefined && { page }) },
    targets: lab.urls.map((url) => ({ url, ...(cookie && { cookie }) })),
  });
  if (plan === null) throw new Error(`The preset makes no plan: ${JSON.stringify(issues)}`);
  const result = await scene.run(plan);
  const lines = (await lab.linesWhen(before + result.outcomes.requests.sent, 'contest')).slice(before);
  return { result, lines };
}

/** Logs in as the wizard does: with the form at the address, and with the links on the page after the login. */
async function loggedIn(client: Client, { urls: [url = ''], accounts: [account] }: LabProcess) {
  const { username = '', password = '' } = account ?? {};
  const { cookie } = await client.call('targets.login', { url, username, password });
  const { links } = await client.call('targets.probe', { target: { url, cookie } });
  const { questions } = (await client.call('presets.list', {})).find(({ id }) => id === PRESET) ?? { questions: [] };
  const [page] = questions.flatMap((question) => chooseFoundPages(question, links));
  return { cookie, page };
}

/** Returns the figures. The number of requests sent must equal the number logged, and no page may be missing. */
function getCounts(test: string, { result, lines }: Played): Figure[] {
  const { sent, ok } = result.outcomes.requests;
  return [
    equalFigure(`requests of “${test}”`, sent, lines.length),
    exactFigure('of which failed', 0, sent - ok, lines.filter(({ status }) => status >= 400).length),
  ];
}

function isPostTo(page: string, status: number): (line: LoggedRequest) => boolean {
  return (line) => line.method === 'POST' && line.path.endsWith(`/${page}`) && line.status === status;
}
