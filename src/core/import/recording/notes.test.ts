import { expect, it } from 'vitest';
import { explainCapture, explainDifference, formatRequests } from './notes.ts';

it('explainCapture: names the source of a captured value', () => {
  expect(explainCapture({ name: 'csrf', from: 'Open login', kind: 'field', called: 'csrf', usedIn: 'Log in', usedAs: 'csrf' })).toBe(
    '“csrf” comes from the field “csrf” of the response to “Open login” and differs between sessions.',
  );
  expect(explainCapture({ name: 'id', from: 'Add', kind: 'json', called: '$.id', usedIn: 'Open', usedAs: '' })).toBe(
    'a part of the address comes from $.id in the JSON of the response to “Add” and differs between sessions.',
  );
});

it('explainDifference: states why a step differs from the recording', () => {
  const outcome = (status: number, title: string, bytes: number) => ({ status, title, bytes });
  const step = {
    step: 'Log in',
    recorded: outcome(200, 'Home', 2_000),
    tried: outcome(403, 'Refused', 200),
    isSame: false,
    says: null,
  } as const;
  expect(explainDifference({ ...step, why: { kind: 'status' } })).toBe('The status is 403, and was 200.');
  expect(explainDifference({ ...step, why: { kind: 'title' } })).toBe('The title is “Refused”, and was “Home”.');
  expect(explainDifference({ ...step, why: { kind: 'size' } })).toBe('The response has 200 B, and had 2 kB.');
  expect(explainDifference({ ...step, why: { kind: 'failure', failure: 'status 403' } })).toBe(
    'It failed: the response has the unexpected status 403.',
  );
  expect(explainDifference({ ...step, says: 'No seat left', why: { kind: 'status' } })).toBe(
    'The status is 403, and was 200. The server says: “No seat left”',
  );
  expect(explainDifference({ ...step, isSame: true, why: null })).toBeNull();
});

it('formatRequests: lists the writing requests of a walk by method and path', () => {
  const requests = [
    { method: 'GET', url: 'http://a.example/' },
    { method: 'POST', url: 'http://a.example/save?id=1' },
    { method: 'POST', url: 'http://a.example/save?id=2' },
    { method: 'DELETE', url: 'http://a.example/notes/3' },
  ];
  expect(formatRequests(requests)).toEqual(['POST /save (2 times)', 'DELETE /notes/3']);
});
