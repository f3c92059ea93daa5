import type { Problem } from '#core/base/errors.ts';

export function notReady(names: string, seconds: number): Problem {
  return {
    code: 'GENERATOR_NOT_READY',
    message: `${names} did not become ready for the load within ${seconds} s.`,
    hint: 'No request was sent. Probably it is overloaded, or has too little memory. Run the test again, or without it.',
  };
}

/** Without a clock reading, there is no common start instant. */
export function clockUnread(name: string): Problem {
  return {
    code: 'GENERATOR_CLOCK',
    message: `The clock of ${name} could not be read.`,
    hint: 'No request was sent. Probably it is overloaded, or the network in between is down. Run the test again, or without it.',
  };
}
