import { answer, MS, USUAL_LOAD, type Behaviour } from './behaviour.ts';

/**
 * The kernel takes megabytes long before the reader has them, so the moment at which a body was handed over says nothing. The
 * last byte is therefore kept back until the reader must have caught up: when it leaves is when the answer is over.
 */
export const largeBody: Behaviour = {
  id: 'largeBody',
  title: '4 MB bodies',
  story: 'Every answer is 4 MB long; its last byte leaves 100 ms after the request.',
  load: { ...USUAL_LOAD, connections: 2 },
  act: ({ atUs }) => answer({ dueUs: atUs + 100 * MS, bodyBytes: 4_000_000, sendsAhead: true }),
  tail: null,
};
