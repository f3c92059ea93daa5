import { describe, expect, it } from 'vitest';
import { type PlanInput, planSchema } from '#core/plan/schema/plan.ts';
import { arrivals, planWith, stages, users } from '#core/testing/plans.ts';
import { keyColumn, populateCommands, walkPlan, findRowWork } from '../populate/plan.ts';
import { type ParsedFeed, parseFeed } from './parseFeed.ts';
import { checkRows, listUsedColumns, rowsNeeded } from './rows.ts';

const feed = (order: 'sequential' | 'unique' = 'sequential') => ({ file: 'people.csv', separator: ',' as const, order, secret: [] });
const journey: PlanInput['journey'] = [{ name: 'login', form: { user: '{{people.name}}', pin: '{{people.pin}}' } }];
const planWithFeed = (load: PlanInput['load'] = stages({ connections: 4, seconds: 5 })) =>
  planWith({ journey, feeds: { people: { file: 'people.csv' } }, load });
const parsed = (columns: readonly string[], rows: number, problems: ParsedFeed['problems'] = []): ParsedFeed => ({
  columns,
  rows: Array.from({ length: rows }, () => columns.map(() => 'x')),
  problems,
});

describe('checkRows', () => {
  const stated = (found: ParsedFeed, order: 'sequential' | 'unique' = 'sequential') =>
    checkRows(planWithFeed(), 'people', feed(order), found).map(({ message }) => message);

  it('requires the columns that the steps use', () => {
    expect([...listUsedColumns(planWithFeed(), 'people')]).toEqual(['name', 'pin']);
    expect([...listUsedColumns(planWithFeed(), 'others')]).toEqual([]);
    expect(stated(parsed(['name', 'pin'], 1))).toEqual([]);
    expect(stated(parsed(['name'], 1))).toEqual(['people.csv has no column “pin”, and {{people.pin}} asks for it.']);
  });

  it('reports problems in the file', () => {
    expect(stated(parsed(['name', 'pin'], 0, [{ line: 3, message: 'it has 1 value' }]))).toEqual(['people.csv, line 3: it has 1 value.']);
    expect(stated(parsed([], 0, [{ line: 1, message: 'it is empty' }]))).toEqual(['people.csv, line 1: it is empty.']);
  });

  it('requires a row for each user with order "unique"', () => {
    expect(stated(parsed(['name', 'pin'], 4), 'unique')).toEqual([]);
    expect(stated(parsed(['name', 'pin'], 3), 'unique')).toEqual(['“people” needs 4 rows, one for each user, and people.csv has 3.']);
    expect(stated(parsed(['name', 'pin'], 0))).toEqual(['“people” needs 1 rows, one for each user, and people.csv has 0.']);
  });

  it('requires rows for the stage with the most users', () => {
    const needed = (load: PlanInput['load']) => rowsNeeded(planWithFeed(load), { order: 'unique' });
    expect(needed(stages({ connections: 4, seconds: 5 }, { connections: 9, seconds: 5 }, { connections: 2, seconds: 5 }))).toBe(9);
    expect(
      needed(
        users([
          { users: 3, seconds: 5 },
          { users: 8, seconds: 5 },
        ]),
      ),
    ).toBe(8);
    expect(needed(arrivals([{ kind: 'constant', perSecond: 50, seconds: 5 }]))).toBe(1);
    expect(rowsNeeded(planWithFeed(), { order: 'sequential' })).toBe(1);
  });
});

describe('account lists', () => {
  const read = (text: string, format?: 'credentials' | 'cms', file = 'list.txt') => parseFeed(text, { file, format, separator: ',' });

  it('may be lines of name:password', () => {
    expect(read('# people\nada:a:b\n\nbob:\n:x\nno\n', 'credentials')).toEqual({
      columns: ['username', 'password'],
      rows: [
        ['ada', 'a:b'],
        ['bob', ''],
      ],
      problems: [
        { line: 5, message: 'it is not written name:password' },
        { line: 6, message: 'it is not written name:password' },
      ],
    });
  });

  it('may be the users of a contest, with either set of names', () => {
    const yaml = [
      'users:',
      '- {username: ada, password: "plaintext:p1", first_name: Ada, last_name: L}',
      '- {username: 7, password: p2, nome: Bob, cognome: C}',
      '- {password: p3}',
    ].join('\n');
    const found = read(yaml, undefined, 'contest.YAML');
    expect(found.rows).toEqual([
      ['ada', 'p1', 'Ada', 'L'],
      ['7', 'p2', 'Bob', 'C'],
    ]);
    expect(found.problems).toEqual([{ line: 3, message: 'this user of the list has no username' }]);
    expect(read('a: 1', 'cms').problems[0]?.message).toBe('it has no list called users');
  });

  it('are JSON lines according to the file extension, with at most ten problems', () => {
    expect(read('{"a":1,"b":null,"c":[2]}', undefined, 'x.NDJSON').rows).toEqual([['1', '', '[2]']]);
    expect(read('{"a":1}\n{"b":2}\n[3]', undefined, 'x.jsonl').problems).toEqual([
      { line: 2, message: '“a” of the first line is missing' },
      { line: 3, message: 'it is no JSON object' },
    ]);
    expect(read('x\n'.repeat(50), undefined, 'x.jsonl').problems).toHaveLength(10);
    expect(read('\n', undefined, 'x.jsonl').problems).toEqual([{ line: 1, message: 'it is empty' }]);
  });

  it('have the columns of their first line, each once', () => {
    expect(read('a,b,a\n1,2,3', undefined, 'x.csv').problems).toEqual([{ line: 1, message: 'two columns are called “a”' }]);
    expect(read('a,\n1,2', undefined, 'x.csv').problems).toEqual([{ line: 1, message: 'a column has no name' }]);
    expect(read(' a , b \r\n1,', undefined, 'x.csv')).toEqual({ columns: ['a', 'b'], rows: [['1', '']], problems: [] });
    expect(read('a\n"x\ny"\n1,2', undefined, 'x.csv').problems).toEqual([
      { line: 4, message: 'it has 2 values, and the first line names 1' },
    ]);
  });
});

describe('rows created before a load', () => {
  const plan = planSchema.parse({
    ...planWith({
      journey,
      feeds: { people: { file: 'people.csv' } },
      targets: [{ url: 'http://127.0.0.1:1/' }, { url: 'http://127.0.0.1:2/' }],
    }),
    populate: { feed: 'people', journey: [{ name: 'make', once: true }], removeCommand: { run: 'rm row' }, perSecond: 4, atOnce: 3 },
  });
  const { populate } = plan;
  if (populate === undefined) throw new Error('a populate');

  it('are created and removed by a journey or a command', () => {
    expect(findRowWork(populate, 'create')).toMatchObject({ kind: 'journey', steps: [{ name: 'make' }] });
    expect(findRowWork(populate, 'remove')).toMatchObject({ kind: 'command', command: { run: 'rm row' } });
    const { removeCommand: _command, ...neither } = populate;
    expect(findRowWork(neither, 'remove')).toBeNull();
    expect([populateCommands(populate, 'create'), populateCommands(populate, 'remove')]).toEqual([[], ['rm row']]);
  });

  it('take one journey each at the first target, as fast as the plan allows', () => {
    const walked = walkPlan(plan, populate, populate.journey ?? [], 'create', 20);
    expect(walked.targets).toHaveLength(1);
    expect(walked.load).toMatchObject({ maxInFlight: 3, stages: [{ kind: 'count', arrivals: 20, seconds: 5 }] });
    expect(walked).toMatchObject({ criteria: [], engine: 'native', threads: 1, cookies: 'journey' });
    expect(walked.journey[0]).not.toHaveProperty('once');
    expect(walked.feeds?.['people']?.order).toBe('unique');
    expect(Object.keys(walked.feeds ?? {})).toHaveLength(1);
    expect(Object.keys(walkPlan(plan, populate, [], 'remove', 0).feeds ?? {})).toHaveLength(2);
    expect(walkPlan(plan, populate, [], 'remove', 0).load.stages).toMatchObject([{ arrivals: 1, seconds: 0.25 }]);
  });

  it('are identified by key, or else by user name, or else by a column without secrets', () => {
    const isSecret = (column: string): boolean => column === 'pin';
    const key = (columns: readonly string[], named?: string) =>
      keyColumn({ ...populate, ...(named === undefined ? {} : { key: named }) }, columns, isSecret);
    expect([key(['pin', 'a', 'b'], 'b'), key(['a'], 'b'), key(['pin', 'a', 'username']), key(['pin', 'a']), key(['pin'])]).toEqual([
      'b',
      null,
      'username',
      'a',
      null,
    ]);
  });
});
