import type { RunHead } from '../schema.ts';

/** Head of a complete run. */
export const runHead: RunHead = {
  id: 'r1',
  name: 'A test',
  note: '',
  preset: null,
  startedAt: '2026-01-01T00:00:00Z',
  endedAt: '2026-01-01T00:01:00Z',
  state: 'finished',
  endedBecause: null,
  holdfastVersion: '0.1.0',
};
