import { exactFigure } from '../framework/figure.ts';
import { loggedPercentile, knownMs, countWithStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import type { LoggedRequest } from '#lab/readLog.ts';
import { ALL, CAMPAIGN, READ, SMALL, TIME_TOLERANCE, isAbout, question, senderFile, success } from './survey.ts';

/** Number of participants to whom all initial surveys belong, in equal parts. A third of them take part in each campaign. */
const OWNERS = 10;
const CAMPAIGNS = 3;
const EACH = 20;

export const longList = story({
  id: 'survey-lab/long-list',
  statement: 'A query with a long list of names.',
  owner: 'measure',
  usualSeconds: 9,
  needs: ['nginx'],
  draw: (dice) => ({ short: dice.whole(22, 26), long: dice.whole(66, 80), nameMs: dice.whole(18, 24), rounds: dice.whole(4, 8) }),
  async play(scene, { short, long, nameMs, rounds }) {
    const lab = await scene.lab('survey-lab', {
      ...SMALL,
      responses: OWNERS * CAMPAIGNS * rounds,
      'service-ms': 0,
      'name-ms': scene.hidden(nameMs),
    });
    // Half of the respondents are on the short list, and all of them are on the long one.
    const names = lab.accounts.slice(OWNERS / 2).map(({ username }) => username);
    const first = lab.accounts.slice(0, OWNERS / 2).map(({ username }) => username);
    const lists = { 'short list': names.slice(0, short), 'long list': [...first, ...names.slice(0, long - first.length)] };
    const rowsOf = { 'short list': (OWNERS / 2) * rounds, 'long list': OWNERS * rounds };
    const fields = {
      campaign_urn: CAMPAIGN,
      survey_id_list: ALL,
      column_list: 'urn:ohmage:user:id,urn:ohmage:survey:id',
      output_format: 'json-rows',
    };
    const ask = (name: keyof typeof lists) =>
      question(
        name,
        READ,
        { ...fields, user_list: lists[name].join(',') },
        { checks: [...success, { kind: 'json', path: '$.metadata.number_of_surveys', equals: rowsOf[name] }] },
      );
    const result = await scene.run({
      targets: [{ url: lab.urls[0] ?? '' }],
      feeds: { accounts: { file: await senderFile(scene, lab), order: 'random' } },
      journey: [ask('short list'), ask('long list')],
      load: { model: 'connections', stages: [{ connections: 5, requests: 2 * EACH }] },
    });
    const lines = (await lab.linesWhen(2 * EACH, 'nginx', isAbout(READ))).toSorted(
      (remainingRequest, right) => remainingRequest.ms - right.ms,
    );
    // The faster half of the requests are those for the short list.
    const times: Record<keyof typeof lists, LoggedRequest[]> = { 'short list': lines.slice(0, EACH), 'long list': lines.slice(EACH) };
    const median = (name: keyof typeof lists): number =>
      knownMs(result.steps.find((step) => step.name === name)?.latency.service.p50 ?? null) ?? NaN;
    return [
      exactFigure('queries with the rows of their lists', 2 * EACH, result.outcomes.requests.ok, countWithStatus(lines, 200)),
      ...(['short list', 'long list'] as const).map((name) => ({
        name: `${name}, ${lists[name].length} names`,
        unit: 'ms',
        predicted: lists[name].length * nameMs,
        measured: median(name),
        logged: middleOf(times[name]),
        within: TIME_TOLERANCE * lists[name].length * nameMs,
      })),
      {
        name: 'what a name costs',
        unit: 'ms',
        predicted: nameMs,
        measured: (median('long list') - median('short list')) / (long - short),
        logged: (middleOf(times['long list']) - middleOf(times['short list'])) / (long - short),
        within: TIME_TOLERANCE * nameMs,
      },
    ];
  },
});

function middleOf(lines: readonly LoggedRequest[]): number {
  return loggedPercentile(lines, 50);
}
