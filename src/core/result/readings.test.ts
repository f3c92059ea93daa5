import { expect, it } from 'vitest';
import { emptyRequestOutcomes } from '#core/measurement/requestOutcomes.ts';
import { STORED_EVENT, formatStored, addAcknowledged } from './readings.ts';

const rows = { name: 'rows', step: 'upload', before: 14, after: 75, stands: true };

it('formatStored: reports how many acknowledged items are stored, with the readings if some are missing', () => {
  expect(formatStored(rows, 61)).toBe('“rows”: all 61 acknowledged are stored.');
  expect(formatStored(rows, 60)).toBe('“rows”: 60 acknowledged, 61 stored. “rows” was 14 before the load and 75 after it.');
  expect(formatStored({ ...rows, after: 14 }, 0)).toContain('0 acknowledged, 0 stored.');
  expect(formatStored({ ...rows, stands: false }, 61)).toMatch(/all 61 acknowledged are stored\. .* more may have been stored since\.$/);
  expect(formatStored(rows, null)).toBe('“rows” was 14 before the load and 75 after it.');
  expect(formatStored({ ...rows, after: null }, 61)).toBeNull();
});

it('addAcknowledged: leaves other events and unreadable ones unchanged', () => {
  const requests = { upload: { ...emptyRequestOutcomes(), sent: 70, ok: 61 } };
  const event = { second: 9, kind: STORED_EVENT, text: 'as it was', data: rows };
  expect(addAcknowledged(event, requests, {}).text).toBe('“rows”: all 61 acknowledged are stored.');
  const hidden = { ...event, data: { ...rows, index: 0, name: 'r[secret]', step: '[secret]' } };
  const stored = [{ name: 'rows', step: 'upload', url: 'http://127.0.0.1/', path: '$' }];
  expect(addAcknowledged(hidden, requests, { stored }).text).toBe('“rows”: all 61 acknowledged are stored.');
  for (const other of [
    { ...event, kind: 'monitor' },
    { ...event, data: { ...rows, after: null } },
    { ...event, data: { ...rows, step: 'x' } },
  ])
    expect(addAcknowledged(other, requests, {})).toEqual(other);
});
