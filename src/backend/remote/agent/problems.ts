import { HoldfastError } from '#core/base/errors.ts';
import { plainText } from '../ssh/problems.ts';

const KEPT = 'What it had reported until then is kept; what it sent after its last report is not known.';

export function agentEnded(label: string, how: string, said: string): HoldfastError {
  const words = plainText(said, 400);
  return new HoldfastError({
    code: 'AGENT_LOST',
    message: `The agent on ${label} ended unexpectedly (${how})${words === '' ? '' : `: ${words}`}.`,
    hint: `${KEPT} Somebody may have ended it, or the host ran out of memory.`,
  });
}

export function agentSilent(label: string, seconds: number): HoldfastError {
  return new HoldfastError({
    code: 'AGENT_SILENT',
    message: `The agent on ${label} has not been heard of for ${seconds} s.`,
    hint: `${KEPT} The host may have been suspended or badly overloaded, or the network in between is gone. The agent ends its load by itself.`,
  });
}

/** Behind its door there is nobody. */
export function agentGone(label: string): HoldfastError {
  return new HoldfastError({
    code: 'AGENT_GONE',
    message: `The agent on ${label} ended while it had no connection.`,
    hint: 'Somebody may have ended it, the host ran out of memory, or nobody came back to it in time.',
  });
}

/** `lost`: why there was no connection any more; `thrown`: why there is none again; `graceSeconds`: null where it was not worth waiting for. */
export function notBack(lost: HoldfastError, thrown: unknown, graceSeconds: number | null): HoldfastError {
  const why = thrown instanceof Error ? plainText(thrown.message, 400) : String(thrown);
  return new HoldfastError(
    {
      code: lost.code,
      message: `${lost.message} It could not be taken up again${graceSeconds === null ? '' : ` within ${graceSeconds} s`}: ${why}`,
      hint: `${lost.hint}${graceSeconds === null ? '' : ' How long that is tried: graceSeconds in the plan.'}`,
    },
    { cause: thrown },
  );
}

export function agentGarbled(label: string, why: string): HoldfastError {
  return new HoldfastError({
    code: 'AGENT_GARBLED',
    message: `${label} answered something that no agent says: ${plainText(why)}.`,
    hint: 'Something else writes to its standard output, or the host is not what it should be. The connection was closed.',
  });
}

export function otherVersion(label: string, theirs: number, ours: number): HoldfastError {
  return new HoldfastError({
    code: 'AGENT_VERSION',
    message: `The agent on ${label} speaks version ${theirs} of the agents' language, and this is version ${ours}.`,
    hint: 'Start Holdfast again: it copies the agent of its own version.',
  });
}

/** A connection that was lost, told for a run. */
export function lostDuringRun(problem: HoldfastError): HoldfastError {
  return new HoldfastError({ code: problem.code, message: problem.message, hint: `${KEPT} ${problem.hint}` }, { cause: problem });
}
