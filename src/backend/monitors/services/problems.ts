import { HoldfastError } from '#core/base/errors.ts';
import { plainText } from '#backend/remote/ssh/problems.ts';
import { getOwn } from '#core/base/ownMembers.ts';

/** How long a service has to answer. A second is between two questions; a busy one may take a few. */
export const ANSWER_LIMIT_MS = 5_000;

/** Of names and passwords. */
export const OTHER_CREDENTIALS = 'The password, or the name of the user, is another one.';

export function noAnswerInTime(): Error {
  return new Error(`there was no answer within ${ANSWER_LIMIT_MS / 1_000} s`);
}

export function tooLongAnswer(limitBytes: number): Error {
  return new Error(`its answer is longer than ${limitBytes} bytes`);
}

/** `what` is a service in words: "nginx", "The exporter". */
export function unreachable(what: string, address: string, thrown: unknown): HoldfastError {
  if (thrown instanceof HoldfastError) return thrown;
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  const hints: Readonly<Record<string, string>> = {
    ECONNREFUSED: 'Nothing listens there: does it run, and does it listen on this address?',
    ENOENT: 'There is no such socket: does it run, and is this the path in its configuration?',
    EACCES: 'This user may not use the socket: add it to the group that the socket belongs to.',
    ENOTFOUND: 'The name is unknown here: is it spelled right, or is it only known on a host that the monitor should go through?',
  };
  return new HoldfastError(
    {
      code: 'MONITOR_UNREACHABLE',
      message: `${what} at ${address} cannot be asked: ${sentence(thrown)}`,
      hint:
        getOwn(hints, code) ??
        'Check its address, whether it runs, and whether a firewall lets us in. With “host” it is reached through a host.',
    },
    { cause: thrown },
  );
}

/** It answered, and not as such a service does. */
export function notSuch(what: string, address: string, hint: string): HoldfastError {
  return new HoldfastError({ code: 'MONITOR_OTHER_ANSWER', message: `What answers at ${address} is not ${what}.`, hint });
}

/** It answered that it will not tell us. */
export function refused(what: string, address: string, said: string, hint: string): HoldfastError {
  return new HoldfastError({ code: 'MONITOR_REFUSED', message: `${what} at ${address} does not let us ask: ${sentence(said)}`, hint });
}

function sentence(thrown: unknown): string {
  const said = plainText(thrown instanceof Error ? thrown.message || String('code' in thrown ? thrown.code : thrown.name) : String(thrown));
  return `${said.replace(/\.$/, '')}.`;
}
