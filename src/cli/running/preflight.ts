import { lookup } from 'node:dns/promises';
import { basename } from 'node:path';
import { HoldfastError } from '#core/base/errors.ts';
import { findPinnedAddresses } from '#core/plan/pins.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { listTargets } from '#core/plan/url.ts';
import { connectOnce, hostOf, localAddressesFor } from '#backend/services/targets/targetConnection.ts';
import { hostAndPort } from '#core/base/hostAndPort.ts';
import type { Client } from '#contract/rpc/client.ts';
import { consumesRows } from '#core/plan/schema/feeds.ts';
import { formatRowsLeft } from '#core/work/populate/state.ts';
import type { Output } from '../output/stream.ts';

const CONNECT_LIMIT_MS = 5_000;

/**
 * Connects to every target once without sending data. A wrong address is thus reported before the run, and the server's log stays
 * unchanged. Throws `UNREACHABLE` with every unreachable target.
 */
export async function requireReachable(plan: Plan): Promise<void> {
  const urls = [...new Set(listTargets(plan).map(({ url }) => url))];
  const { socketPath } = plan.connections;
  const found =
    socketPath === undefined ? urls.flatMap((url) => connectFromEach(url, plan)) : [unreachableSocket(socketPath, urls[0] ?? '')];
  const problems = (await Promise.all(found)).filter((problem) => problem !== null);
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

/** Tries one connection or, if the plan has local addresses, one from each of them that can reach the target. */
function connectFromEach(url: string, { connections }: Plan): Promise<Unreachable | null>[] {
  const local = connections.localAddresses === undefined ? [undefined] : localAddressesFor(connections, hostOf(new URL(url)));
  return local.map((address) => unreachable(url, address, connections.resolve));
}

async function unreachable(
  url: string,
  localAddress: string | undefined,
  resolve: Plan['connections']['resolve'],
): Promise<Unreachable | null> {
  const target = new URL(url);
  const host = hostOf(target);
  const port = Number(target.port || (target.protocol === 'https:' ? 443 : 80));
  try {
    if (findPinnedAddresses(resolve, target) === null) await lookup(host);
  } catch {
    return {
      url,
      message: `The name ${host} does not resolve to an address.`,
      hint: 'Probably it is mistyped, or this computer cannot reach its name server. Try the address in a browser.',
    };
  }
  const connections = {
    ...(localAddress === undefined ? {} : { localAddresses: [localAddress] }),
    ...(resolve === undefined ? {} : { resolve }),
  };
  const failure = await connectOnce(target, connections, null, CONNECT_LIMIT_MS);
  if (failure === null) return null;
  if (failure.code === 'EADDRNOTAVAIL' && localAddress !== undefined) return { url, ...notOwnAddress(localAddress) };
  return { url, ...explainFailure(failure.code, host, port) };
}

async function unreachableSocket(socketPath: string, url: string): Promise<Unreachable | null> {
  const failure = await connectOnce(new URL(url), { socketPath }, null, CONNECT_LIMIT_MS);
  if (failure === null) return null;
  return {
    url,
    message: `Cannot connect to the Unix socket ${socketPath} (${failure.code}).`,
    hint:
      failure.code === 'ENOENT'
        ? 'No such socket. Check its path, and that the server is running.'
        : 'Check your permission on the socket, and that the server is running.',
  };
}

function notOwnAddress(localAddress: string): { message: string; hint: string } {
  return {
    message: `Cannot connect from ${localAddress}: it is not an address of this computer.`,
    hint: 'To list the addresses of this computer: ip address (Linux), ifconfig (macOS).',
  };
}

function explainFailure(code: string, host: string, port: number): { message: string; hint: string } {
  const place = hostAndPort(host, port);
  switch (code) {
    case 'ECONNREFUSED':
      return { message: `Connection to ${place} refused: probably nothing listens there.`, hint: 'Start the server, or check the port.' };
    case 'ETIMEDOUT':
      return {
        message: `${place} did not accept a connection within ${CONNECT_LIMIT_MS / 1_000} s.`,
        hint: 'Usual causes: a firewall in between, or a machine that is off.',
      };
    default:
      return { message: `Cannot connect to ${place} (${code}).`, hint: 'Check the address and the network of this computer.' };
  }
}

interface ReportOptions {
  readonly client: Client;
  readonly err: Output;
  /** Whether all rows may be used again. */
  readonly reuses: boolean;
}

/** Prints how many rows of feeds with `order: once` are left, and which are spent. With `reuses`, first makes all rows available again. */
export async function reportRowsLeft(plan: Plan, agreedKeys: string[], { client, err, reuses }: ReportOptions): Promise<void> {
  if (!consumesRows(plan)) return;
  if (reuses) await client.call('populate.reuseRows', { plan, agreed: agreedKeys });
  const { feeds } = await client.call('populate.preview', { plan, agreed: agreedKeys });
  for (const feed of feeds) {
    const words = formatRowsLeft(feed);
    if (words !== null) await err.write(`${basename(feed.file)}: ${words}\n`);
  }
}

export const REUSE_ROWS_HELP = 'use all rows of feeds with “order: once” again, for example after a reset of the server';
