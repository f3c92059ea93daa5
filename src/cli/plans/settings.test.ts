import { describe, expect, it } from 'vitest';
import { questionSchema } from '#core/presets/schema.ts';
import { readSettings } from './settings.ts';

const questions = [
  questionSchema.parse({ id: 'participants', kind: 'number', label: 'How many?', default: 750, min: 1, max: 1000 }),
  questionSchema.parse({
    id: 'pollSeconds',
    kind: 'choice',
    label: 'How often?',
    default: 15,
    options: [
      { value: 15, label: 'every 15 s' },
      { value: 30, label: 'every 30 s' },
    ],
  }),
  questionSchema.parse({ id: 'page', kind: 'text', label: 'Which page?', default: '/' }),
];

describe('readSettings', () => {
  it('separates answers to questions, access options and plan fields', () => {
    const { settings, issues } = readSettings(
      [
        'participants=100',
        'pollSeconds=30',
        'page=/a?b=c',
        'target=http://one/?x=1,2, http://two/',
        'target=http://three/',
        'target.api=http://four/v1/',
        'cookie=login="abc=="',
        'header=X-A: 1',
        'username=anna',
        'password=env:PASSWORD',
        'load.stages[0].seconds=3',
        'threads=2',
      ],
      questions,
    );
    expect(issues).toEqual([]);
    expect(settings).toEqual({
      targets: ['http://one/?x=1,2', 'http://two/', 'http://three/'],
      namedTargets: new Map([['api', 'http://four/v1/']]),
      cookies: ['login="abc=="'],
      headers: ['X-A: 1'],
      username: 'anna',
      password: 'env:PASSWORD',
      answers: { participants: 100, pollSeconds: 30, page: '/a?b=c' },
      fields: new Map([
        ['load.stages[0].seconds', '3'],
        ['threads', '2'],
      ]),
    });
  });

  it('lists every problem at once', () => {
    const { issues } = readSettings(['participants=many', 'pollSeconds=20', 'nonsense', 'colour=red', '=x', 'username=anna'], questions);
    expect(issues.map(({ code, path }) => `${code} ${path}`)).toEqual([
      'BAD_ANSWER participants',
      'BAD_ANSWER pollSeconds',
      'BAD_SETTING --set',
      'UNKNOWN_SETTING colour',
      'BAD_SETTING --set',
      'HALF_A_LOGIN password',
    ]);
    expect(issues.every(({ hint }) => hint !== '')).toBe(true);
  });
});
