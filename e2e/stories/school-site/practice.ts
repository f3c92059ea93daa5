import type { PlanInput } from '#core/plan/schema/plan.ts';
import { exactFigure, equalFigure } from '../framework/figure.ts';
import { countRecorded, meanMs, knownMs } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { ARRIVAL_STEPS, learners, TIME_TOLERANCE } from './learner.ts';

const SUBMIT = '/@@practice/submit_response';
const questionCaptures: PlanInput['journey'][number]['captures'] = [
  { from: 'between', as: 'seed', after: 'Random seed: </b>', before: '</div>' },
  { from: 'between', as: 'template', after: 'Template id: </b>', before: '</div>' },
];

export const practice = story({
  id: 'school-site/practice',
  statement: 'A login and ten questions; another server knows the responses and is not measured; a wrong response is a failure.',
  owner: 'measure',
  usualSeconds: 20,
  needs: ['nginx'],
  draw: (dice) => ({ visitors: dice.whole(8, 12), questions: dice.whole(3, 5), practiceMs: dice.step(350, 450, 25) }),
  async play(scene, { visitors, questions, practiceMs }) {
    const lab = await scene.lab('school-site', { cache: 'off', 'practice-workers': 40, 'practice-ms': scene.hidden(practiceMs) });
    const oracle = new URL(lab.address('Oracle'));
    // Every template has at most three questions with two parts each. Fields for questions that a template lacks are ignored.
    const fields = ['1a', '1b', '2a', '2b', '3a', '3b'];
    const result = await scene.run({
      targets: [{ url: lab.urls[0] ?? '' }],
      feeds: await learners(scene, lab, visitors),
      sideHosts: [oracle.host],
      journey: [
        ...ARRIVAL_STEPS,
        { name: 'grade', path: '/@@practice/grade-10' },
        { name: 'chapter', path: '/@@practice/select_chapter/5', captures: questionCaptures },
        {
          name: 'oracle',
          measured: false,
          path: new URL('/?templateId={{template}}&seed={{seed}}', oracle).href.replaceAll('%7B', '{').replaceAll('%7D', '}'),
          captures: fields.map((_, index) => ({
            from: 'body' as const,
            as: `response${index}`,
            pattern: `^\\[(?:\\[[^\\]]*\\],){${Math.floor(index / 2)}}\\[(?:"[^"]*",){${index % 2}}"([^"]*)"`,
            which: 'all' as const,
            mayBeEmpty: true,
          })),
        },
        {
          name: 'right response',
          method: 'POST',
          path: SUBMIT,
          form: Object.fromEntries(fields.map((field, index) => [`question${field}`, `{{response${index}}}`])),
          checks: [{ kind: 'contains', text: 'Correct!' }],
        },
        { name: 'next question', method: 'POST', path: SUBMIT, form: { nextPage: 'Go to next question' }, captures: questionCaptures },
        {
          name: 'wrong response',
          method: 'POST',
          path: SUBMIT,
          form: { question1a: 'no number' },
          checks: [{ kind: 'contains', text: 'Correct!' }],
        },
      ],
      flow: [
        'home',
        'log in',
        'grade',
        'chapter',
        { repeat: questions, flow: ['oracle', 'right response', 'next question'] },
        'wrong response',
      ],
      load: { model: 'arrivals', stages: [{ kind: 'count', arrivals: visitors, seconds: 2 }] },
    });
    const all = visitors * (5 + 2 * questions);
    const lines = await lab.linesWhen(all, 'nginx');
    const submitted = await lab.lines('practice', ({ path }) => path === SUBMIT);
    const askedRequests = await lab.lines('oracle');
    const step = (name: string) => result.steps.find((one) => one.name === name);
    return [
      exactFigure('requests', all, countRecorded(result), lines.length),
      exactFigure('right responses', visitors * questions, step('right response')?.requests.ok ?? NaN, askedRequests.length),
      exactFigure(
        'wrong responses',
        visitors,
        step('wrong response')?.requests.wrongBody ?? NaN,
        submitted.length - 2 * askedRequests.length,
      ),
      equalFigure('failed', result.outcomes.requests.wrongBody, visitors),
      {
        name: 'mean of a response',
        unit: 'ms',
        predicted: practiceMs,
        measured: knownMs(step('right response')?.latency.service.mean ?? null),
        logged: meanMs(submitted),
        within: TIME_TOLERANCE * practiceMs,
      },
    ];
  },
});
