import { HoldfastError } from '#core/base/errors.ts';
import { quote } from '#core/base/text.ts';
import { response, type Behaviour, MS, type Tail, USUAL_LOAD } from './behaviour.ts';

export const closing: Behaviour = {
  id: 'closing',
  title: 'Connection: close',
  story: 'Every response announces the end of its connection, and the connection ends.',
  load: { ...USUAL_LOAD, connections: 4 },
  act: () => response({ close: true }),
  tail: null,
};

export const PAUSE: Tail = { periodUs: 5_000 * MS, fromUs: 1_000 * MS, lengthUs: 1_000 * MS, usualUs: 10 * MS };

/** Returns when a response that is due at `dueUs` is sent: at the end of the pause if `dueUs` falls into the pause. */
export function findThaw(dueUs: number, { periodUs, fromUs, lengthUs }: Tail): number {
  const start = Math.floor((dueUs - fromUs) / periodUs) * periodUs + fromUs;
  return dueUs - start < lengthUs ? start + lengthUs : dueUs;
}

export const freeze: Behaviour = {
  id: 'freeze',
  title: '1 s freeze every 5 s',
  story: 'Responses take 10 ms, except for one second in every 5 s, in which none is sent.',
  load: { ...USUAL_LOAD, seconds: 7.5, quickSeconds: 2.5 },
  act: ({ atUs }) => response({ dueUs: findThaw(atUs + PAUSE.usualUs, PAUSE) }),
  tail: PAUSE,
};

export const immediate: Behaviour = {
  id: 'immediate',
  title: '0 ms',
  story: 'Every request gets a response at once.',
  load: { ...USUAL_LOAD, connections: 4 },
  act: () => response(),
  tail: null,
};

const COMPLETE_BODY_BYTES = 512;
/** Number of responses that are complete at first. Each connection needs one, because the engine compares later lengths with the first. */
const COMPLETE_FIRST_RESPONSES = 100;

const shortBody: Behaviour = {
  id: 'shortBody',
  title: 'Body short by one byte',
  story: '5 % of responses end one byte before their announced length. Another 5 % are complete, but one byte shorter than the rest.',
  // Two threads on any machine, so that both learn the length of the first response.
  load: { ...USUAL_LOAD, threads: 2 },
  act({ index, atUs }, dice) {
    const dueUs = atUs + 5 * MS;
    const isDifferent = dice.isOneOf(10, index) && index >= COMPLETE_FIRST_RESPONSES;
    if (!isDifferent) return response({ dueUs, bodyBytes: COMPLETE_BODY_BYTES });
    return Math.floor(index / 10) % 2 === 0
      ? response({ dueUs, bodyBytes: COMPLETE_BODY_BYTES, cutBytes: 1, close: true })
      : response({ dueUs, bodyBytes: COMPLETE_BODY_BYTES - 1 });
  },
  tail: null,
};

/**
 * A body of megabytes. The kernel accepts megabytes long before the client has read them, so the time at which a body is handed over means
 * nothing. Therefore the last byte is held back until the client has caught up, and its time is the end of the response.
 */
const largeBody: Behaviour = {
  id: 'largeBody',
  title: '4 MB bodies',
  story: 'Every response has 4 MB. Its last byte is sent 100 ms after the request.',
  load: { ...USUAL_LOAD, connections: 2 },
  act: ({ atUs }) => response({ dueUs: atUs + 100 * MS, bodyBytes: 4_000_000, sendsAhead: true }),
  tail: null,
};

const unavailable: Behaviour = {
  id: 'unavailable',
  title: '5 % status 503',
  story: '5 % of responses are a complete 503, the others come after 5 ms.',
  // Two threads on any machine, because their counts must be merged.
  load: { ...USUAL_LOAD, threads: 2 },
  act: ({ index, atUs }, dice) => response({ dueUs: atUs + 5 * MS, status: dice.isOneOf(20, index) ? 503 : 200 }),
  tail: null,
};

const fixedDelay: Behaviour = {
  id: 'fixedDelay',
  title: 'Fixed 50 ms',
  story: 'Every request gets a response after 50 ms.',
  // There are eighty responses a second. In a run of one second, the first responses on new connections would already make up 5 %.
  load: { ...USUAL_LOAD, connections: 4, quickSeconds: 2 },
  act: ({ atUs }) => response({ dueUs: atUs + 50 * MS }),
  tail: null,
};

const silence: Behaviour = {
  id: 'silence',
  title: '1 % never answers',
  story: '1 % of requests never get a response and time out after 2 s. The others get one after 5 ms.',
  load: { ...USUAL_LOAD, connections: 20, timeoutSeconds: 2 },
  act: ({ index, atUs }, dice) => (dice.isOneOf(100, index) ? { kind: 'silence' } : response({ dueUs: atUs + 5 * MS })),
  tail: null,
};

const resets: Behaviour = {
  id: 'resets',
  title: '2 % resets',
  story: '2 % of requests get their connection reset, the others a response after 5 ms.',
  load: USUAL_LOAD,
  act: ({ index, atUs }, dice) => (dice.isOneOf(50, index) ? { kind: 'reset' } : response({ dueUs: atUs + 5 * MS })),
  tail: null,
};

const oldHttp: Behaviour = {
  id: 'oldHttp',
  title: 'HTTP/1.0',
  story: 'Responses of HTTP/1.0 without a length, after 5 ms. The end of the connection is the end of the body.',
  load: { ...USUAL_LOAD, connections: 4 },
  act: ({ atUs }) => response({ dueUs: atUs + 5 * MS, version: '1.0', close: true }),
  tail: null,
};

const exponentialDelay: Behaviour = {
  id: 'exponentialDelay',
  title: 'Exponential 20 ms',
  story: 'Responses take 20 ms on average, from the exponential distribution.',
  load: USUAL_LOAD,
  act: ({ atUs }, dice) => response({ dueUs: atUs + dice.exponential(20 * MS) }),
  tail: null,
};

/** All behaviours in the order in which they are measured. */
export const BEHAVIOURS: readonly Behaviour[] = [
  immediate,
  fixedDelay,
  exponentialDelay,
  freeze,
  closing,
  unavailable,
  resets,
  silence,
  shortBody,
  largeBody,
  oldHttp,
];

export function findBehaviour(id: string): Behaviour {
  const found = BEHAVIOURS.find((behaviour) => behaviour.id === id);
  if (found) return found;
  throw new HoldfastError({
    code: 'NO_SUCH_BEHAVIOUR',
    message: `The self-test's server knows no behaviour ${quote(id)}.`,
    hint: `It knows: ${BEHAVIOURS.map((behaviour) => behaviour.id).join(', ')}.`,
  });
}
