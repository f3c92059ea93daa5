import { describe, expect, it } from 'vitest';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { planWith } from '#core/testing/plans.ts';
import { describeJourney } from './describe.ts';

type StepInput = NonNullable<PlanInput['journey']>[number];

const listSentences = (journey: readonly StepInput[], changes: Partial<PlanInput> = {}): string[] =>
  describeJourney(
    planWith({ journey: [...journey], cookies: 'ignore', load: { model: 'users', stages: [{ users: 1, seconds: 60 }] }, ...changes }),
  );
const stated = (step: Partial<StepInput>, changes: Partial<PlanInput> = {}): string =>
  listSentences([{ name: 'page', ...step }], changes).join('\n');

describe('describeJourney', () => {
  it('returns nothing for a journey that only sends requests', () => {
    expect(describeJourney(planWith())).toEqual([]);
  });

  it('names captured values and their sources', () => {
    const captures: StepInput['captures'] = [
      { from: 'body', as: 'token', pattern: 'value="(.*?)"', flags: 'i' },
      { from: 'json', as: 'ids', path: 'items[*].id', which: 'all' },
      { from: 'between', as: 'title', after: '<b>', before: '</b>' },
      { from: 'header', as: 'place', name: 'Location' },
      { from: 'cookie', as: 'session', name: 'sid' },
    ];
    expect(stated({ captures })).toBe(
      'From a successful response to “page” it takes “token” (what matches /value="(.*?)"/i), and “ids” (all of items[*].id of its JSON), and ' +
        '“title” (what stands between “<b>” and “</b>”), and “place” (its header Location), and “session” (the cookie sid).',
    );
    expect(stated({ captures: [] })).toBe('');
  });

  it.each<[NonNullable<PlanInput['variables']>[string], string]>([
    [{ kind: 'uuid', per: 'journey' }, '“x” is a random UUID for each journey.'],
    [{ kind: 'uuid', per: 'user' }, '“x” is a random UUID for each user.'],
    [{ kind: 'integer', from: 1, to: 1_000, per: 'request' }, '“x” is a random number from 1 to 1,000 for each request.'],
    [{ kind: 'item', of: ['a'], per: 'user' }, '“x” is one of one text for each user.'],
    [{ kind: 'item', of: ['a', 'b'], per: 'user' }, '“x” is one of 2 texts for each user.'],
    [{ kind: 'number', from: 5 }, '“x” is the number of the user, from 5 on.'],
    [{ kind: 'timestamp' }, '“x” is the time of the request.'],
    [{ kind: 'secret', secret: 'env:KEY' }, '“x” is a secret.'],
  ])('describes a variable: %j', (variable, words) => {
    expect(stated({}, { variables: { x: variable } })).toBe(words);
  });

  it('describes which row of a feed a journey uses', () => {
    const rows = (order: 'sequential' | 'random' | 'unique'): string => stated({}, { feeds: { people: { file: 'people.csv', order } } });
    expect(rows('sequential')).toBe('Each journey takes the next row of “people” (people.csv), and after the last the first again.');
    expect(rows('random')).toBe('Each journey takes any row of “people” (people.csv).');
    expect(rows('unique')).toBe('Each user has a row of “people” (people.csv) that nobody else has.');
  });

  it('states whether cookies are kept between journeys', () => {
    expect(stated({}, { cookies: 'journey' })).toBe('Each journey begins without cookies and keeps those that the server sets.');
    expect(stated({}, { cookies: 'user' })).toBe('Each user keeps the cookies that the server sets, from one journey to the next.');
    expect(stated({}, { cookies: 'ignore' })).toBe('');
  });

  it('groups pages that are fetched in the same way', () => {
    const pages = (names: readonly string[], resources: StepInput['resources']): string[] =>
      listSentences(names.map((name) => ({ name, resources })));
    const parallel = { kinds: ['css', 'image', 'css'], connections: 4 } satisfies StepInput['resources'];
    expect(pages(['a'], parallel)).toEqual([
      'With the page “a” comes what it links to (style sheets, images), over up to 4 connections at once, each thing once. On other hosts nothing is asked for.',
    ]);
    expect(pages(['a', 'b', 'c'], { kinds: ['font'], how: 'serial', otherHosts: ['cdn.example', 'img.example'] })).toEqual([
      'With “a”, “b”, “c” comes what they link to (fonts), one after the other, each thing once. Beside the target cdn.example, img.example is asked.',
    ]);
    expect(pages(['a', 'b', 'c', 'd'], { ...parallel, connections: 1 })).toEqual([
      'With 4 pages comes what they link to (style sheets, images), one after the other, each thing once. On other hosts nothing is asked for.',
    ]);
    const apart = listSentences([
      { name: 'a', resources: parallel },
      { name: 'b', resources: { kinds: ['font'] } },
    ]);
    expect(apart.map((sentence) => sentence.slice(0, 17))).toEqual(['With the page “a”', 'With the page “b”']);
  });

  it('describes polling', () => {
    const until: NonNullable<StepInput['poll']>['until'] = [{ kind: 'contains', text: 'done' }];
    expect(stated({ poll: { until, firstSeconds: 2, mostSeconds: 90 } })).toMatch(
      /^“page” is asked again and again, first after 2 s, for at most (?:90 s|1 min 30 s), until its body .*done.*\.$/,
    );
  });

  it('describes how long a stream stays open and what is sent', () => {
    const stream = (more: StepInput['stream']): string => stated({ stream: more });
    expect(stream({})).toBe('“page” is an event stream, held to the end of the load.');
    expect(stream({ seconds: 20 })).toBe('“page” is an event stream, held for 20 s.');
    expect(stream({ kind: 'websocket', beside: true, send: { messages: ['a'] } })).toBe(
      '“page” is a WebSocket, held beside the rest of the journey. Each user sends a message over it.',
    );
    expect(stream({ kind: 'websocket', send: { messages: ['a', 'b'], everySeconds: 5 } })).toBe(
      '“page” is a WebSocket, held to the end of the load. Each user sends 2 messages over it every 5 s.',
    );
  });

  it('describes background requests, their interval, and steps sent once', () => {
    expect(stated({ background: { everySeconds: 30 } })).toBe(
      'Beside the journey each user sends “page” every 30 s, from their arrival on.',
    );
    expect(stated({ budgetMs: 250 })).toBe('“page” has a time budget of 250 ms.');
    expect(stated({ stores: false })).toBe('The server does not store what “page” sends.');
    expect(
      stated(
        {},
        {
          journey: [
            { name: 'send', stores: true },
            { name: 'list', confirms: 'send' },
          ],
        },
      ),
    ).toBe('The server stores what “send” sends.\nA successful “list” confirms that what “send” sent is stored.');
    const journey = [
      { name: 'login', once: true, redirects: { follow: true as const } },
      { name: 'ping', background: { everySeconds: 5, after: 'login' } },
    ];
    expect(stated({}, { journey })).toBe(
      [
        'Redirects of “login” are followed on the same server, and each counts as a request of its own.',
        'Beside the journey each user sends “ping” every 5 s, from the first successful response to “login” on.',
        'Each user takes “login” once, in the first journey.',
      ].join('\n'),
    );
  });

  it('calls unmeasured requests side calls and names their server', () => {
    const side = 'it is sent, and is in no figure; if it fails, the journey ends.';
    expect(stated({ measured: false })).toBe(`“page” is a side call: ${side}`);
    expect(stated({ measured: false, path: 'http://mail.example:8025/last' })).toBe(`“page” is a side call to mail.example:8025: ${side}`);
    const why = { name: 'why', measured: false, explains: { step: 'page', pattern: 'reason: (.*)' } };
    expect(stated({}, { journey: [{ name: 'page' }, why] })).toBe(
      'Where a response to “page” is not what it should be, “why” asks the site why, as a side call.',
    );
  });
});
