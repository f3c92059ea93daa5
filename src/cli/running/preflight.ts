import { lookup } from 'node:dns/promises';
import { connect } from 'node:net';
import { HoldfastError } from '#core/errors.ts';
import type { Plan } from '#core/plan/schema.ts';

const CONNECT_LIMIT_MS = 5_000;

/**
 * Connects to every target once and sends nothing, so that a mistyped address is told before a run is made of it and the
 * server's log stays untouched. Throws `UNREACHABLE` that names every target which cannot be connected to.
 */
export async function requireReachable(plan: Plan): Promise<void> {
  const urls = [...new Set(plan.targets.map(({ url }) => url))];
  const problems = (await Promise.all(urls.map(unreachable))).filter((problem) => problem !== null);
  const [first] = problems;
  if (!first) return;
  throw new HoldfastError({
    code: 'UNREACHABLE',
    message: problems.map(({ message }) => message).join('\n'),
    hint: [...new Set(problems.map(({ hint }) => hint))].join('\n'),
    data: { urls: problems.map(({ url }) => url) },
  });
}

interface Unreachable {
  readonly url: string;
  readonly message: string;
  readonly hint: string;
}

async function unreachable(url: string): Promise<Unreachable | null> {
  const { hostname, port: written, protocol } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const port = Number(written || (protocol === 'https:' ? 443 : 80));
  try {
    await lookup(host);
  } catch {
    return {
      url,
      message: `The name ${host} does not resolve to an address.`,
      hint: 'It is probably mistyped, or this computer cannot reach its name server. Try the address in a browser.',
    };
  }
  const failure = await connectOnce(host, port);
  return failure === null ? null : { url, ...explain(failure, host, port) };
}

/** The code of the error, or null when the connection was made. */
function connectOnce(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: CONNECT_LIMIT_MS });
    const settle = (failure: string | null): void => {
      socket.destroy();
      resolve(failure);
    };
    socket.once('connect', () => settle(null));
    socket.once('timeout', () => settle('ETIMEDOUT'));
    socket.once('error', (error: NodeJS.ErrnoException) => settle(error.code ?? error.message));
  });
}

function explain(code: string, host: string, port: number): { message: string; hint: string } {
  const place = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  switch (code) {
    case 'ECONNREFUSED':
      return {
        message: `Nothing listens on ${place}: the connection was refused.`,
        hint: 'Start the server, or check the port of the address.',
      };
    case 'ETIMEDOUT':
      return {
        message: `${place} did not accept a connection within ${CONNECT_LIMIT_MS / 1_000} s.`,
        hint: 'A firewall in between or a machine that is off are the usual causes.',
      };
    default:
      return { message: `No connection can be made to ${place} (${code}).`, hint: 'Check the address and the network of this computer.' };
  }
}
