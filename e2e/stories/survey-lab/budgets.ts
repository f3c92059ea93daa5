import { exactFigure } from '../framework/figure.ts';
import { meanMs, knownMs } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { isAbout, READ, respondents, question, SMALL, TIME_TOLERANCE, upload, UPLOAD, uploadVariables, senderFile } from './survey.ts';

const LIGHT_MS = 500;
const HEAVY_MS = 1_000;
/** Minimum number of visits with which it can be shown that 95 % are within a budget. */
const VISITS_PER_BUDGET = 60;

export const budgets = story({
  id: 'survey-lab/budgets',
  statement: 'A second for each step and two for the heavy ones: which keep it.',
  owner: 'measure',
  usualSeconds: 13,
  needs: ['nginx'],
  draw: (dice) => ({ phones: dice.whole(14, 18), serviceMs: dice.step(120, 160, 10), uploadMs: dice.step(1_050, 1_250, 50) }),
  async play(scene, { phones, serviceMs, uploadMs }) {
    const lab = await scene.lab('survey-lab', { ...SMALL, 'service-ms': serviceMs, 'upload-ms': scene.hidden(uploadMs) });
    const who = '/app/user/whoami';
    const result = await scene.run({
      targets: [{ url: lab.urls[0] ?? '' }],
      feeds: { accounts: { file: await senderFile(scene, lab), order: 'random' } },
      variables: uploadVariables,
      journey: [
        question('who am I', who, {}, { budgetMs: LIGHT_MS }),
        respondents('who handed in', { budgetMs: HEAVY_MS }),
        upload(2_000, { budgetMs: HEAVY_MS }),
      ],
      load: { model: 'connections', stages: [{ connections: phones, requests: 3 * VISITS_PER_BUDGET }] },
    });
    const lines = await lab.linesWhen(3 * VISITS_PER_BUDGET, 'nginx');
    const countWithin = (page: string, maxMs: number): number =>
      lines.filter((line) => line.path === page && line.status === 200 && line.ms <= maxMs).length;
    const getBudget = (name: string): number => result.steps.find((step) => step.name === name)?.budget?.within ?? NaN;
    const countCriteria = (name: string, outcome: string): number =>
      result.criteria.filter(({ step, isDefault, ...judgedAs }) => step === name && isDefault !== true && judgedAs.outcome === outcome)
        .length;
    const uploads = result.steps.find(({ name }) => name === 'upload');
    return [
      exactFigure('requests', 3 * VISITS_PER_BUDGET, result.outcomes.requests.ok, lines.length),
      exactFigure('“who am I” within its budget', VISITS_PER_BUDGET, getBudget('who am I'), countWithin(who, LIGHT_MS)),
      exactFigure('“who handed in” within its budget', VISITS_PER_BUDGET, getBudget('who handed in'), countWithin(READ, HEAVY_MS)),
      exactFigure('uploads within their budget', 0, getBudget('upload'), countWithin(UPLOAD, HEAVY_MS)),
      exactFigure('steps that keep it', 2, countCriteria('who am I', 'passed') + countCriteria('who handed in', 'passed'), null),
      exactFigure('steps that do not', 1, countCriteria('upload', 'failed'), null),
      exactFigure('the whole fails', 1, result.verdict.outcome === 'failed' ? 1 : 0, null),
      {
        name: 'mean of an upload',
        unit: 'ms',
        predicted: serviceMs + uploadMs,
        measured: knownMs(uploads?.latency.service.mean ?? null),
        logged: meanMs(lines.filter(isAbout(UPLOAD))),
        within: TIME_TOLERANCE * (serviceMs + uploadMs),
      },
    ];
  },
});
