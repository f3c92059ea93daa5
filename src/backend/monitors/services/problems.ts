import { codeOf, HoldfastError } from '#core/base/errors.ts';
import { plainText } from '#backend/remote/ssh/problems.ts';
import { getOwn } from '#core/base/ownMembers.ts';

/** Time limit for a response. Readings are a second apart; a busy service may take a few seconds. */
export const ANSWER_LIMIT_MS = 5_000;

export const OTHER_CREDENTIALS = 'Wrong user name or password.';

export function noAnswerInTime(): Error {
  return new Error(`there was no response within ${ANSWER_LIMIT_MS / 1_000} s`);
}

export function tooLongAnswer(limitBytes: number): Error {
  return new Error(`its response is longer than ${limitBytes} bytes`);
}

/** `what`: name of the service in messages, such as "nginx" or "The exporter". */
export function unreachable(what: string, address: string, thrown: unknown): HoldfastError {
  if (thrown instanceof HoldfastError) return thrown;
  const code = codeOf(thrown) ?? '';
  const hints: Readonly<Record<string, string>> = {
    ECONNREFUSED: 'Nothing listens there. Check that it runs, and that it listens on this address.',
    ENOENT: 'No such socket. Check that it runs, and that this is the path in its configuration.',
    EACCES: 'This user may not use the socket. Add it to the socket’s group.',
    ENOTFOUND: 'The name is unknown here. Check the spelling. If only another host knows the name, monitor through that host.',
  };
  return new HoldfastError(
    {
      code: 'MONITOR_UNREACHABLE',
      message: `Cannot read ${what} at ${address}: ${sentence(thrown)}`,
      hint:
        getOwn(hints, code) ??
        'Check its address, that it runs, and that no firewall blocks the connection. To connect through a host, set “host”.',
    },
    { cause: thrown },
  );
}

/** Returns the problem of a service that responds, but not in the expected protocol. */
export function notSuch(what: string, address: string, hint: string): HoldfastError {
  return new HoldfastError({ code: 'MONITOR_OTHER_ANSWER', message: `The service at ${address} is not ${what}.`, hint });
}

/** Returns the problem of a service that denies access. */
export function refused(what: string, address: string, said: string, hint: string): HoldfastError {
  return new HoldfastError({ code: 'MONITOR_REFUSED', message: `${what} at ${address} denies access: ${sentence(said)}`, hint });
}

function sentence(thrown: unknown): string {
  const said = plainText(thrown instanceof Error ? thrown.message || (codeOf(thrown) ?? thrown.name) : String(thrown));
  return `${said.replace(/\.$/, '')}.`;
}
