import { answer, MS, USUAL_LOAD, type Behaviour } from './behaviour.ts';

export const oldHttp: Behaviour = {
  id: 'oldHttp',
  title: 'HTTP/1.0',
  story: 'Answers of HTTP/1.0 without a length, after 5 ms: the end of the connection is the end of the body.',
  load: { ...USUAL_LOAD, connections: 4 },
  act: ({ atUs }) => answer({ dueUs: atUs + 5 * MS, version: '1.0', close: true }),
  tail: null,
};
