import { join } from 'node:path';
import { HoldfastError } from '#core/base/errors.ts';
import type { GivenOptions } from '#core/base/lab/listing.ts';
import { readOptions } from '#core/base/lab/readOptions.ts';
import type { Lab, RunningLab, Surroundings } from '../lab.ts';
import { listenError } from '../listen.ts';
import { commonOptions } from '../optionKinds.ts';
import { refuseWithout } from '../programs/find.ts';
import { supervised, type Supervisor } from '../supervisor/supervisor.ts';
import { forward, type Forward } from './forward.ts';
import { inOwnNetwork, joinNetwork, missingForLink } from './network.ts';
import { bandwidthOption } from './options.ts';

/** The same practice server, with a switch that puts all its addresses behind a line of so many Mbit/s. */
export function withLink(lab: Lab): Lab {
  return {
    ...lab,
    options: { ...lab.options, bandwidth: bandwidthOption },
    missing: async (environment) => [...(await lab.missing(environment)), ...(await missingForLink(environment))],
    async start(given, surroundings) {
      const { bandwidth, ...others } = given;
      const { bandwidth: megabits } = readOptions({ bandwidth: bandwidthOption }, bandwidth === undefined ? {} : { bandwidth });
      if (megabits === null) return lab.start(others, surroundings);
      const lacking = await missingForLink(surroundings.environment);
      refuseWithout(
        `${lab.title} behind a line of ${megabits} Mbit/s`,
        lacking.map((one) => ({ ...one, needed: true })),
      );
      return startBehindLink(lab, others, megabits, surroundings);
    },
  };
}

/** The practice server gets free ports; those that were asked for are those of the line. */
async function startBehindLink(lab: Lab, given: GivenOptions, megabits: number, surroundings: Surroundings): Promise<RunningLab> {
  const { port: givenPort, ...others } = given;
  const { port } = readOptions({ port: commonOptions.port }, givenPort === undefined ? {} : { port: givenPort });
  const running = await lab.start(others, surroundings);
  try {
    return await supervised(surroundings, null, (supervisor) => layLink(running, { megabits, port, supervisor, surroundings }));
  } catch (thrown) {
    await running.stop();
    throw thrown;
  }
}

interface LinkWanted {
  readonly megabits: number;
  /** Of the first address; null for free ones. */
  readonly port: number | null;
  readonly supervisor: Supervisor;
  readonly surroundings: Surroundings;
}

async function layLink(running: RunningLab, { megabits, port, supervisor, surroundings }: LinkWanted): Promise<RunningLab> {
  const urls = [...new Set([...running.urls, ...running.addresses.map(({ url }) => url)].filter(isHttp).map(originOf))];
  const lines: { readonly origin: string; readonly port: number; readonly entry: string; readonly exit: string }[] = [];
  const keep = (one: Forward): Forward => {
    supervisor.onStop(() => one.close());
    return one;
  };
  for (const [index, origin] of urls.entries()) {
    const entry = join(supervisor.directory, `entry-${index}`);
    const exit = join(supervisor.directory, `exit-${index}`);
    keep(await forward({ path: exit }, placeOf(origin)));
    const wanted = port === null ? 0 : port + index;
    const near = keep(await forward({ host: '127.0.0.1', port: wanted }, { path: entry }).catch((cause) => refusePort(cause, wanted)));
    lines.push({ origin, port: near.port, entry, exit });
  }
  // Inside, its own address leads to the control, so that a command there can ask for logs.
  const control = {
    port: Number(new URL(running.control).port),
    entry: join(supervisor.directory, 'entry-c'),
    exit: join(supervisor.directory, 'exit-c'),
  };
  keep(await forward({ path: control.exit }, placeOf(running.control)));
  const within = (await inOwnNetwork(megabits, surroundings.environment)) ?? [];
  const link = await supervisor.part('link', 'the line', { ports: [...lines, control] }, within);
  const moved = (url: string): string => {
    const line = isHttp(url) ? lines.find(({ origin }) => origin === originOf(url)) : undefined;
    return line === undefined ? url : url.replace(line.origin, `http://127.0.0.1:${line.port}`);
  };
  return {
    ...running,
    urls: running.urls.map(moved),
    addresses: running.addresses.map((address) => ({ ...address, url: moved(address.url) })),
    broken: Promise.race([running.broken, supervisor.broken]),
    within: (await joinNetwork(link.pid, surroundings.environment)) ?? [],
    async stop() {
      await supervisor.stop();
      await running.stop();
    },
  };
}

function isHttp(url: string): boolean {
  return url.startsWith('http://');
}

function originOf(url: string): string {
  return new URL(url).origin;
}

function placeOf(url: string): { readonly host: string; readonly port: number } {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port === '' ? 80 : port) };
}

function refusePort(cause: unknown, port: number): never {
  throw cause instanceof Error ? listenError(cause, port) : new HoldfastError({ code: 'LISTEN_FAILED', message: String(cause), hint: '' });
}
