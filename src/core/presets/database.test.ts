import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { askKey, listAsks } from '#core/review/asks/ask.ts';
import { targetSchema } from '#core/plan/schema/plan.ts';
import { buildPlan } from './build.ts';
import { missingSql, roleSql, statesSeen } from './database.ts';
import { parsePreset } from './parse.ts';
import type { Answers } from './schema.ts';

const SOURCE = {
  holdfastPreset: 1,
  id: 'asks',
  title: 'Does it hold?',
  story: 'A story.',
  takesMinutes: 1,
  questions: [{ id: 'database', kind: 'database', label: 'May it be looked into?', counted: { table: 'submissions' } }],
  plan: {
    holdfast: 1,
    name: 'Asks',
    journey: [{ name: 'submit', path: '' }],
    load: { model: 'connections', stages: [{ connections: 1, seconds: 1 }] },
    monitors: { when: { database: 'given' }, use: [{ kind: 'postgres', connection: { databaseOf: 'database' } }] },
    stored: {
      when: { database: 'given' },
      use: [{ name: 'rows', step: 'submit', sql: 'select count(*) from submissions', connection: { databaseOf: 'database' } }],
    },
  },
};

function built(answers: Answers, source: unknown = SOURCE) {
  const { preset, issues } = parsePreset(stringify(source));
  if (preset === null) throw new Error(JSON.stringify(issues));
  return buildPlan(preset, answers, [targetSchema.parse({ url: 'http://127.0.0.1:1/' })]);
}

describe('database questions', () => {
  it('add a monitor and a count to the plan, by address or by reference', () => {
    expect(built({}).plan).not.toHaveProperty('monitors');
    const secret = { secret: 'env:DATABASE_URL' };
    const byReference = built({ database: 'env:DATABASE_URL' }).plan;
    expect(byReference?.monitors).toMatchObject([{ kind: 'postgres', connection: secret }]);
    expect(byReference?.stored).toMatchObject([{ connection: secret }]);
    const clear = 'postgres://holdfast:geheim@db.example/contest';
    const inClear = built({ database: clear }).plan;
    expect(inClear?.monitors).toMatchObject([{ connection: clear }]);
    expect(listAsks({ plan: inClear ?? {} }).map(askKey)).toContain('host:db.example');
  });

  it('reject other values without repeating them', () => {
    const { plan, issues } = built({ database: 'mysql://me:geheim@db/x' });
    expect(plan).toBeNull();
    expect(issues).toMatchObject([{ code: 'NOT_A_DATABASE', path: 'answers.database' }]);
    expect(JSON.stringify(issues)).not.toContain('geheim');
  });

  it('are rejected if the plan refers to the database anywhere else', () => {
    const wrong = { ...SOURCE, plan: { ...SOURCE.plan, monitors: [{ kind: 'postgres', connection: { databaseOf: 'other' } }] } };
    expect(() => built({}, wrong)).toThrow('is not a question for a database');
  });
});

describe('database privileges', () => {
  const counted = { table: 'submissions', column: 'id' };

  it('are minimal: connection states and one column of one table', () =>
    expect(roleSql(counted).split('\n')).toEqual([
      "CREATE ROLE holdfast LOGIN PASSWORD 'choose one';",
      'GRANT pg_read_all_stats TO holdfast;',
      'GRANT SELECT (id) ON submissions TO holdfast;',
    ]));

  it('are sufficient if the application uses the same role', () => {
    expect(statesSeen({ seesStates: false, others: { seen: 14, hidden: 0 } })).toBe('allOpen');
    expect(missingSql({ user: 'app', seesStates: false, others: { seen: 14, hidden: 0 }, counts: 'yes' }, counted)).toBe('');
    // If there are no other connections, the roles under load are unknown.
    expect(statesSeen({ seesStates: false, others: { seen: 0, hidden: 0 } })).toBe('tooFew');
    expect(statesSeen({ seesStates: false, others: { seen: 14, hidden: 1 } })).toBe('tooFew');
  });

  it('are granted by the returned SQL if they are missing', () => {
    const others = { seen: 0, hidden: 3 };
    expect(missingSql({ user: 'app', seesStates: true, others, counts: 'yes' }, counted)).toBe('');
    expect(missingSql({ user: 'a"b', seesStates: false, others, counts: 'forbidden' }, counted)).toBe(
      'GRANT pg_read_all_stats TO "a""b";\nGRANT SELECT (id) ON submissions TO "a""b";',
    );
  });
});
