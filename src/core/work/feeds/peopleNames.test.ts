import { expect, it } from 'vitest';
import { planSchema } from '#core/plan/schema/plan.ts';
import { namePeople } from './peopleNames.ts';

const ACCOUNTS = {
  columns: ['user', 'password'],
  rows: [
    ['used', 'x'],
    ['anna', 'a'],
    ['ben', 'b'],
  ],
};

function makePlan(name: string, order: 'unique' | 'once' = 'unique') {
  return planSchema.parse({
    holdfast: 1,
    name: 'exam',
    targets: [{ url: 'http://127.0.0.1/' }],
    journey: [{ name: 'login' }],
    feeds: { account: { file: 'a.csv', order, skip: 1, secret: ['password'] } },
    people: { name },
    load: { model: 'users', stages: [{ users: 2, seconds: 1 }] },
  });
}

const PEOPLE = [{ person: 1 }, { person: 2 }, { person: 3 }];

it('names of people come from the rows of their accounts, after the skipped rows', () => {
  expect([...namePeople(makePlan('{{account.user}}'), PEOPLE, 'account', ACCOUNTS)]).toEqual([
    [1, 'anna'],
    [2, 'ben'],
  ]);
});

it('names of people never contain a secret, and are missing if the row is unknown', () => {
  expect(namePeople(makePlan('{{account.user}} {{account.password}}'), PEOPLE, 'account', ACCOUNTS).size).toBe(0);
  expect(namePeople(makePlan('{{account.user}}', 'once'), PEOPLE, 'account', ACCOUNTS).size).toBe(0);
});
