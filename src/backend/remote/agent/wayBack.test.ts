import { describe, expect, it } from 'vitest';
import { HoldfastError } from '#core/base/errors.ts';
import type { SshConnection } from '../ssh/connection.ts';
import { reconnectAgent } from './wayBack.ts';

const lostError = new HoldfastError({ code: 'HOST_LOST', message: 'The connection to there was lost.', hint: 'The network failed.' });
const busyError = new HoldfastError({ code: 'AGENT_LOST', message: 'Its door let nobody in.', hint: '' });

/** Imitates a host that never responds, so a connection attempt ends only by its signal. */
function connectSilently(signal: AbortSignal): Promise<SshConnection> {
  const { promise, reject } = Promise.withResolvers<SshConnection>();
  signal.addEventListener('abort', () => reject(new HoldfastError({ code: 'HOST_CLOSED', message: 'there closed.', hint: '' })));
  return promise;
}

function startReconnect(
  connect: (signal: AbortSignal) => Promise<SshConnection>,
  graceSeconds: number,
  signal = new AbortController().signal,
) {
  const failWhenReached = (): never => {
    throw new Error('Nobody was let in.');
  };
  const listener = { onLine: failWhenReached, onLost: failWhenReached };
  return reconnectAgent({
    label: 'there',
    way: { connect, join: failWhenReached, tidy: failWhenReached },
    socketPath: '/door',
    graceSeconds,
    lost: lostError,
    received: () => 0,
    listener,
    signal,
  });
}

describe('reconnecting to an agent', () => {
  it('ends with the grace period, even if the host never responds', async () => {
    await expect(startReconnect(connectSilently, 0.05)).rejects.toMatchObject({
      code: 'HOST_LOST',
      message: 'The connection to there was lost. It could not be restored within 0.05 s: It did not respond.',
    });
  });

  it('reports the failure of the attempt before the one that was cut off', async () => {
    let isFirst = true;
    const connect = (signal: AbortSignal): Promise<SshConnection> => {
      const response = isFirst ? Promise.reject(busyError) : connectSilently(signal);
      isFirst = false;
      return response;
    };
    await expect(startReconnect(connect, 1.5)).rejects.toThrow('within 1.5 s: Its door let nobody in.');
  });

  it('ends at once when it is aborted', async () => {
    const closing = new AbortController();
    const sought = startReconnect(
      (signal) => {
        setImmediate(() => closing.abort());
        return connectSilently(signal);
      },
      600,
      closing.signal,
    );
    await expect(sought).rejects.toMatchObject({ name: 'AbortError' });
  });
});
