import { expect, it } from 'vitest';
import { feedSchema } from '#core/plan/schema/feeds.ts';
import { useAccounts, type UsedRows, withoutSpent } from './usedRows.ts';

function memory(): UsedRows {
  const kept = new Set<string>();
  return {
    add: (hashes) => void hashes.forEach((hash) => kept.add(hash)),
    among: (hashes) => new Set(hashes.filter((hash) => kept.has(hash))),
    remove: (hashes) => void hashes.forEach((hash) => kept.delete(hash)),
  };
}

it.each([
  ['https://exam.example.org/start', ['ann']],
  ['http://exam.example.org:80/', ['ann']],
  ['http://exam.example.org:8080/', []],
  ['https://other.example.org/', []],
])('withoutSpent: an account used at http://exam.example.org/ is spent at %s: %j', (url, spent) => {
  const used = memory();
  useAccounts(used, 'http://exam.example.org/', ['ann']);
  const rows = {
    columns: ['username', 'password'],
    rows: [
      ['ann', 'a'],
      ['ben', 'b'],
    ],
  };
  const plan = { targets: [{ url, headers: {} }] };
  expect(withoutSpent(rows, plan, feedSchema.parse({ file: 'accounts.csv', order: 'once' }), used).spent).toEqual(spent);
});
