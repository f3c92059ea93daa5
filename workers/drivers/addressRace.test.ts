import { connect, Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { rawServer, type TestServer } from '#workers/testing/servers.ts';
import { Addresses } from './addresses.ts';
import { AddressRace } from './addressRace.ts';

const [ONE, TWO, THREE, SIX] = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '2001:db8::1'] as const;
type Behaviour = 'accepts' | 'is silent' | 'refuses' | 'EMFILE';

let server: TestServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** A host whose addresses behave as each test defines. All addresses that accept connections lead to one real server. */
class Host {
  nowUs = 0;
  found: readonly string[];
  asked = 0;
  readonly dialled: string[] = [];
  readonly silent: string[] = [];
  readonly addresses: Addresses;
  private readonly behaviours: Readonly<Record<string, Behaviour>>;
  private readonly port: number;

  private constructor(port: number, behaviours: Readonly<Record<string, Behaviour>>) {
    this.port = port;
    this.behaviours = behaviours;
    this.found = Object.keys(behaviours);
    this.addresses = new Addresses({
      hostname: 'host.test',
      now: () => this.nowUs,
      lookUp: async () => {
        this.asked += 1;
        return this.found;
      },
    });
  }

  static async of(behaviours: Readonly<Record<string, Behaviour>>): Promise<Host> {
    server = await rawServer(() => {});
    const host = new Host(server.port, behaviours);
    await host.addresses.resolve();
    return host;
  }

  /** Resolves to the address to which a connection was opened, or to the code of the failure. */
  open(): Promise<string> {
    return new Promise((resolve) => {
      const share = { addresses: this.addresses, now: () => this.nowUs, silent: (address: string) => void this.silent.push(address) };
      const won = (socket: Socket, address: string): void => (socket.destroy(), resolve(address));
      new AddressRace(share, (address) => this.dial(address), { won, lost: resolve }).start();
    });
  }

  /** Dials an address. First advances the clock by 250 ms, so that an address dialled before counts as silent. */
  private dial(address: string): Socket {
    this.dialled.push(address);
    this.nowUs += 250_000;
    const behaviour = this.behaviours[address] ?? 'accepts';
    if (behaviour === 'accepts') return connect(this.port, '127.0.0.1');
    const socket = new Socket();
    const code = behaviour === 'refuses' ? 'ECONNREFUSED' : behaviour;
    if (behaviour !== 'is silent') process.nextTick(() => socket.destroy(Object.assign(new Error(code), { code })));
    return socket;
  }
}

describe('a connection to a host with several addresses', () => {
  it('uses the first address that accepts, and tries the address families alternately', async () => {
    const host = await Host.of({ [ONE]: 'refuses', [TWO]: 'accepts', [SIX]: 'refuses' });
    expect([await host.open(), host.dialled]).toEqual([TWO, [ONE, SIX, TWO]]);
  });

  it('tries the next address while another one is silent, and reports the silent one', async () => {
    const host = await Host.of({ [SIX]: 'is silent', [ONE]: 'accepts' });
    expect([await host.open(), host.silent]).toEqual([ONE, [SIX]]);
  });

  it('tries failed addresses last until the name is looked up again after 30 s', async () => {
    const host = await Host.of({ [ONE]: 'is silent', [TWO]: 'refuses', [THREE]: 'accepts' });
    await host.open();
    host.dialled.splice(0);
    expect([await host.open(), host.dialled.splice(0)]).toEqual([THREE, [THREE]]);
    host.nowUs += 30_000_000;
    await host.addresses.resolve();
    expect(host.addresses.orderForConnection().toSorted()).toEqual([ONE, TWO, THREE]);
  });

  it('tries the other addresses if the one that accepted fails', async () => {
    const behaviours: Record<string, Behaviour> = { [ONE]: 'accepts', [TWO]: 'accepts' };
    const host = await Host.of(behaviours);
    expect([await host.open(), await host.open()]).toEqual([ONE, TWO]);
    behaviours[ONE] = 'refuses';
    expect([await host.open(), await host.open(), await host.open()]).toEqual([TWO, TWO, TWO]);
    expect(host.dialled).toEqual([ONE, TWO, ONE, TWO, TWO, TWO]);
  });

  it('begins with the next address of each family, as visitors do whose name servers rotate them', async () => {
    const host = await Host.of({ [ONE]: 'accepts', [SIX]: 'accepts', [TWO]: 'accepts', [THREE]: 'accepts' });
    const opened = [await host.open(), await host.open(), await host.open(), await host.open()];
    expect(opened).toEqual([ONE, TWO, THREE, ONE]);
    host.addresses.failed(TWO);
    expect(new Set([await host.open(), await host.open(), await host.open()])).toEqual(new Set([ONE, THREE]));
    expect(host.addresses.orderForConnection()).toEqual([THREE, SIX, ONE, TWO]);
  });

  it('looks the name up again if no address accepts, and uses a new address at once', async () => {
    const host = await Host.of({ [ONE]: 'refuses' });
    host.nowUs += 1_000_000;
    host.found = [TWO];
    expect([await host.open(), host.asked]).toEqual([TWO, 2]);
  });

  it('fails with the last error code, and does not look the name up again within a second', async () => {
    const host = await Host.of({ [ONE]: 'refuses' });
    expect([await host.open(), await host.open(), host.asked]).toEqual(['ECONNREFUSED', 'ECONNREFUSED', 1]);
  });

  it('does not count an address as failed if this computer has no file descriptor left', async () => {
    const host = await Host.of({ [ONE]: 'EMFILE', [TWO]: 'accepts' });
    expect([await host.open(), host.dialled, await host.open(), await host.open()]).toEqual(['EMFILE', [ONE, TWO, ONE], TWO, 'EMFILE']);
  });
});

describe('the addresses of a host name', () => {
  it('are looked up every 30 s, or after one second if a connection has failed', async () => {
    const host = await Host.of({ [ONE]: 'accepts' });
    const askedAfter = (us: number): number => {
      host.nowUs += us;
      host.addresses.freshen();
      return host.asked;
    };
    expect([askedAfter(29_999_999), askedAfter(1)]).toEqual([1, 2]);
    await host.addresses.resolve();
    host.addresses.failed(ONE);
    expect([askedAfter(999_999), askedAfter(1)]).toEqual([2, 3]);
  });

  it('stay the same if a later lookup fails', async () => {
    const host = await Host.of({ [ONE]: 'accepts' });
    host.found = [];
    host.nowUs += 30_000_000;
    await expect(host.addresses.resolve()).rejects.toMatchObject({ code: 'EAFNOSUPPORT' });
    expect(host.addresses.orderForConnection()).toEqual([ONE]);
  });

  it('are those in the plan if it has any, without a lookup', async () => {
    const lookUp = async (): Promise<never> => Promise.reject(new Error('asked'));
    const pinned = new Addresses({ hostname: 'host.test', pinned: [TWO], now: () => 0, lookUp });
    expect([pinned.orderForConnection(), pinned.askAgain()]).toEqual([[TWO], null]);
  });

  it('belong to the families that the local addresses can reach', async () => {
    const source = { hostname: 'host.test', families: new Set([4]), now: () => 0, lookUp: async () => [SIX, ONE] };
    const addresses = new Addresses(source);
    await addresses.resolve();
    expect(addresses.orderForConnection()).toEqual([ONE]);
  });
});
