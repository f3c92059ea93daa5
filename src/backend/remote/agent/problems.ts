import { HoldfastError } from '#core/base/errors.ts';
import { plainText } from '../ssh/problems.ts';

const KEPT_HINT = 'Everything that it reported is kept; what it sent after its last report is unknown.';

export function agentEnded(label: string, ending: string, output: string): HoldfastError {
  const words = plainText(output, 400);
  return new HoldfastError({
    code: 'AGENT_LOST',
    message: `The agent on ${label} ended unexpectedly (${ending})${words === '' ? '' : `: ${words}`}.`,
    hint: `${KEPT_HINT} Probably somebody ended it, or the host ran out of memory.`,
  });
}

export function agentSilent(label: string, seconds: number): HoldfastError {
  return new HoldfastError({
    code: 'AGENT_SILENT',
    message: `The agent on ${label} has not reported for ${seconds} s.`,
    hint: `${KEPT_HINT} Probably the host is suspended or overloaded, or the network in between is down. The agent ends its load by itself.`,
  });
}

/** Returns the problem of a socket behind which there is no agent. */
export function agentMissing(label: string): HoldfastError {
  return new HoldfastError({
    code: 'AGENT_GONE',
    message: `The agent on ${label} ended while it had no connection.`,
    hint: 'Probably somebody ended it, the host ran out of memory, or the connection came back too late.',
  });
}

/**
 * Returns the problem of a failed reconnect. `lost`: why the connection was lost. `thrown`: why reconnecting failed. `graceSeconds`: how
 * long reconnecting was tried; null if it was not tried.
 */
export function reconnectFailed(lostError: HoldfastError, thrown: unknown, graceSeconds: number | null): HoldfastError {
  const message = thrown instanceof Error ? plainText(thrown.message, 400) : String(thrown);
  return new HoldfastError(
    {
      code: lostError.code,
      message: `${lostError.message} It could not be restored${graceSeconds === null ? '' : ` within ${graceSeconds} s`}: ${message}`,
      hint: `${lostError.hint}${graceSeconds === null ? '' : ' To allow more time, raise graceSeconds in the plan.'}`,
    },
    { cause: thrown },
  );
}

export function agentUnreadable(label: string, reason: string): HoldfastError {
  return new HoldfastError({
    code: 'AGENT_GARBLED',
    message: `${label} sent something that no agent sends: ${plainText(reason)}.`,
    hint: 'Either another program writes to its standard output, or this is the wrong host. The connection was closed.',
  });
}

export function otherVersion(label: string, theirs: number, ours: number): HoldfastError {
  return new HoldfastError({
    code: 'AGENT_VERSION',
    message: `The agent on ${label} uses protocol version ${theirs}; this Holdfast uses version ${ours}.`,
    hint: 'Restart Holdfast: it copies the agent of its own version.',
  });
}

/** Returns the problem of a lost connection with a hint for a run. */
export function lostDuringRun(problem: HoldfastError): HoldfastError {
  return new HoldfastError({ code: problem.code, message: problem.message, hint: `${KEPT_HINT} ${problem.hint}` }, { cause: problem });
}
