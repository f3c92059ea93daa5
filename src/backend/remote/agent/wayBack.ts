import { setTimeout as sleep } from 'node:timers/promises';
import { AGENT_PROTOCOL, NO_AGENT_EXIT_CODE, type LineFromAgent } from '#contract/agent/frames.ts';
import { HoldfastError } from '#core/base/errors.ts';
import type { ClientChannel } from 'ssh2';
import { startSilenceTimer } from '#engine/silenceTimer.ts';
import type { SshConnection } from '../ssh/connection.ts';
import { AgentLink, closeAfterPause, type LinkListener, type LinkLoss } from './agentLink.ts';
import { agentMissing, agentSilent, reconnectFailed } from './problems.ts';

/** How a lost connection to an agent is restored. */
export interface ReconnectWay {
  /** Connects to the host again unless aborted. */
  connect(signal: AbortSignal): Promise<SshConnection>;
  /** Starts a process on the host that connects to the agent behind this door. */
  join(connection: SshConnection, socketPath: string): Promise<ClientChannel>;
  /** Removes the socket that a killed agent left, over the first connection. */
  tidy(socketPath: string): Promise<unknown>;
}

interface ReconnectParts {
  readonly label: string;
  readonly way: ReconnectWay;
  readonly socketPath: string;
  readonly graceSeconds: number;
  /** Why the previous connection was lost. */
  readonly lost: HoldfastError;
  /** Returns the number of the last message received. */
  readonly received: () => number;
  /** Receives the lines and events of the new link, from the first line on. */
  readonly listener: LinkListener;
  readonly signal: AbortSignal;
}

const RETRY_MS = 1_000;
const RESPONSE_SECONDS = 20;
/** Codes of temporary problems: a network that is down, a busy host or agent. A changed key or a socket without an agent is permanent. */
const TEMPORARY_PROBLEMS: ReadonlySet<string> = new Set([
  'HOST_UNREACHABLE',
  'HOST_TIMEOUT',
  'HOST_CLOSED',
  'HOST_LOST',
  'HOST_JUMP',
  'AGENT_SILENT',
  'AGENT_LOST',
]);

/**
 * Tries to reach the agent until the grace period ends or the signal aborts; both also end the current attempt. Resolves to the new link
 * and the number of the last message that the agent received. Throws the reason if reconnecting failed.
 */
export async function reconnectAgent(parts: ReconnectParts): Promise<{ readonly link: AgentLink; readonly received: number }> {
  const { signal, graceSeconds, lost } = parts;
  const untilMs = performance.now() + graceSeconds * 1_000;
  const grace = AbortSignal.timeout(Math.ceil(graceSeconds * 1_000));
  let failure: unknown = new Error('It did not respond.');
  for (;;) {
    try {
      return await tryOnce(parts, AbortSignal.any([signal, grace]));
    } catch (thrown) {
      signal.throwIfAborted();
      // An attempt that the grace period cut off reports only that it was aborted; earlier attempts reported the cause.
      if (grace.aborted) throw reconnectFailed(lost, failure, graceSeconds);
      failure = thrown;
      const isPassing = !(thrown instanceof HoldfastError) || TEMPORARY_PROBLEMS.has(thrown.code);
      if (!isPassing) throw reconnectFailed(lost, thrown, null);
      if (performance.now() + RETRY_MS >= untilMs) throw reconnectFailed(lost, thrown, graceSeconds);
      await sleep(RETRY_MS, undefined, { signal });
    }
  }
}

async function tryOnce(parts: ReconnectParts, signal: AbortSignal): Promise<{ readonly link: AgentLink; readonly received: number }> {
  const connection = await parts.way.connect(signal);
  // Closing the connection ends everything that waits for it.
  const closeConnection = (): void => connection.close();
  const keepOpen = (): void => signal.removeEventListener('abort', closeConnection);
  signal.addEventListener('abort', closeConnection, { once: true });
  try {
    signal.throwIfAborted();
    return await resumeLink(connection, parts, keepOpen);
  } catch (thrown) {
    closeAfterPause(connection);
    throw thrown;
  } finally {
    keepOpen();
  }
}

/** Joins the agent on a new connection. The first line is the agent's reply; from then on, the listener receives the lines of the link. */
async function resumeLink(
  connection: SshConnection,
  { label, way, socketPath: door, received, listener }: ReconnectParts,
  onThrough: () => void,
) {
  const channel = await way.join(connection, door);
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  let isThrough = false;
  const link = new AgentLink(connection, channel, {
    onLine(line) {
      if (isThrough) return listener.onLine(line);
      const known = parseResponse(line);
      if (known === null) return;
      isThrough = true;
      onThrough();
      resolve(known);
    },
    onLost: (loss) => (isThrough ? listener.onLost(loss) : reject(attemptFailure(label, loss))),
  });
  const late = startSilenceTimer(RESPONSE_SECONDS, () => reject(agentSilent(label, RESPONSE_SECONDS)));
  link.send({ type: 'resume', protocol: AGENT_PROTOCOL, received: received() });
  try {
    return { link, received: await promise };
  } catch (thrown) {
    link.close();
    throw thrown;
  } finally {
    late.stop();
  }
}

/** Returns the number of the last message that the agent received, or null for any other line. */
function parseResponse(line: LineFromAgent): number | null {
  if (line.type === 'refused') throw new HoldfastError(line.problem);
  return line.type === 'resumed' ? line.received : null;
}

function attemptFailure(label: string, { problem, exitCode }: LinkLoss): HoldfastError {
  return exitCode === NO_AGENT_EXIT_CODE ? agentMissing(label) : problem;
}
