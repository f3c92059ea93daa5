import { describe, expect, it } from 'vitest';
import { listCriteria } from '#core/plan/criteria.ts';
import { type PlanInput, planSchema } from '#core/plan/schema/plan.ts';
import { findSideUrl } from '#core/plan/requests.ts';
import { describePlan } from '../describe.ts';
import { askKey, listAsks } from '../asks/ask.ts';
import { parsePlan } from '../check.ts';

function planWith(journey: PlanInput['journey'], rest: Partial<PlanInput> = {}): PlanInput {
  return {
    holdfast: 1,
    name: 't',
    targets: [{ url: 'http://127.0.0.1:1/' }],
    journey,
    load: { model: 'users', stages: [{ users: 3, seconds: 5 }] },
    ...rest,
  };
}

function problems(journey: PlanInput['journey'], rest: Partial<PlanInput> = {}): string[] {
  return parsePlan(JSON.stringify(planWith(journey, rest))).issues.map(({ level, code, path }) => `${level} ${code} ${path}`);
}

const page = { name: 'page' };
const side = (path: string): PlanInput['journey'][number] => ({ name: 'oracle', path, measured: false });

describe('a step that confirms another', () => {
  const send = { name: 'send', method: 'POST' as const };

  it('must name one or more other steps of the journey', () => {
    expect(problems([send, { name: 'list', confirms: 'send' }])).toEqual([]);
    expect(problems([send, page, { name: 'list', confirms: ['send', 'page'] }])).toEqual([]);
    expect(problems([send, { name: 'list', confirms: 'sent' }])).toEqual(['error UNKNOWN_STEP journey[1].confirms[0]']);
    expect(problems([send, { name: 'list', confirms: 'list' }])).toEqual(['error UNKNOWN_STEP journey[1].confirms[0]']);
  });

  it('cannot run in the background or be a side call', () => {
    expect(problems([send, { name: 'list', confirms: 'send', background: { everySeconds: 5 } }])).toEqual([
      'error NOT_IN_BACKGROUND journey[1].confirms',
    ]);
    expect(problems([send, { name: 'list', confirms: 'send', measured: false }])).toEqual(['error NOT_OF_A_SIDE_CALL journey[1].confirms']);
    expect(
      problems([
        { ...send, confirms: 'aside' },
        { name: 'aside', measured: false },
      ]),
    ).toEqual(['error UNKNOWN_STEP journey[0].confirms[0]']);
  });
});

describe('side calls', () => {
  it('need literal hosts that are listed and part of the needed permissions', () => {
    expect(problems([page, side('http://127.0.0.1:8080/x')], { sideHosts: ['127.0.0.1'] })).toEqual([]);
    expect(problems([page, side('http://127.0.0.1:8080/x/{{cookie.a}}')], { sideHosts: ['127.0.0.1:8080'] })).toEqual([]);
    expect(problems([page, side('http://127.0.0.1:8080/x')], { sideHosts: ['127.0.0.1:8081'] })).toEqual([
      'warning SIDE_HOST_UNUSED sideHosts[0]',
      'error SIDE_HOST_NOT_NAMED journey[1].path',
    ]);
    const elsewhere = planSchema.parse(planWith([page, side('https://Oracle.example.org/x')], { sideHosts: ['oracle.example.org'] }));
    expect(listAsks({ plan: elsewhere }).map(askKey)).toEqual(['host:127.0.0.1', 'host:oracle.example.org']);
  });

  it.each([
    'http://{{cookie.host}}/x',
    'http://oracle.example.org{{cookie.rest}}/x',
    'http://oracle.example.org:80{{cookie.port}}/x',
    'http://user:word@oracle.example.org/x',
    'http://oracle.example.org@{{cookie.host}}/x',
    'http:\\\\oracle.example.org\\x',
    'http:oracle.example.org/x',
    'http://oracle.example.org:80@127.0.0.1/x',
  ])('are never sent to a host that a value could change: %s', (path) => {
    expect(findSideUrl({ path, measured: false })).toBeNull();
    expect(problems([page, side(path)], { sideHosts: ['oracle.example.org'] })).toContain('error SIDE_CALL_UNREADABLE journey[1].path');
  });

  it('require measured: false, and cannot be the whole journey', () => {
    expect(problems([page, { name: 'other', path: 'http://127.0.0.2/' }], { sideHosts: ['127.0.0.2'] })).toContain(
      'error STEP_LEAVES_TARGET journey[1].path',
    );
    expect(problems([side('/x')])).toContain('error NOTHING_IN_THE_JOURNEY journey');
    expect(problems([page, { ...side('/x'), name: 'x', budgetMs: 5 }])).toContain('error NOT_OF_A_SIDE_CALL journey[1].budgetMs');
  });
});

describe('background steps', () => {
  const news = { name: 'news', path: '/news', background: { everySeconds: 15 } };

  it('require users who stay and the name of an existing step', () => {
    expect(problems([page, news])).toEqual([]);
    const arrivals: PlanInput['load'] = { model: 'arrivals', stages: [{ kind: 'count', arrivals: 5, seconds: 5 }] };
    expect(problems([page, news], { load: arrivals })).toEqual(['error BACKGROUND_WITHOUT_USERS journey[1].background']);
    expect(problems([page, { ...news, background: { everySeconds: 15, after: 'pag' } }])).toEqual([
      'error UNKNOWN_STEP journey[1].background.after',
    ]);
    expect(problems([page, { ...news, once: true }])).toContain('error NOT_IN_BACKGROUND journey[1].once');
    expect(problems([page, news], { flow: ['page', 'news'] })).toEqual(['error BACKGROUND_IN_FLOW flow[1]']);
  });

  it('use only values that are known when they are sent', () => {
    const login = { name: 'login', path: '/login', captures: [{ from: 'header' as const, as: 'last', name: 'X-Last' }] };
    const asking = { ...news, path: '/news/{{last}}' };
    expect(problems([login, asking])).toEqual(['warning CAPTURED_SOMETIMES journey[1].path']);
    expect(problems([login, { ...asking, background: { everySeconds: 15, after: 'login' } }])).toEqual([]);
  });
});

describe('describePlan', () => {
  it('lists background steps, unmeasured steps and time budgets', () => {
    const plan = planSchema.parse(
      planWith(
        [
          { ...page, budgetMs: 300 },
          { name: 'news', path: '/news', background: { everySeconds: 15, after: 'page' } },
          side('http://127.0.0.1:8080/x'),
        ],
        { sideHosts: ['127.0.0.1'] },
      ),
    );
    const { sentences, criteria } = describePlan(plan);
    const words = sentences.join(' ');
    expect(words).toContain('Beside the journey each user sends “news” every 15 s, from the first successful response to “page” on.');
    expect(words).toContain('“oracle” is a side call to 127.0.0.1:8080: it is sent, and is in no figure; if it fails, the journey ends.');
    expect(criteria).toEqual(['95 % of responses to “page” within 300 ms']);
    expect(listCriteria(plan)).toEqual([{ kind: 'responseTime', step: 'page', percentile: 95, maxMs: 300 }]);
  });
});
