import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestBackend, type TestBackend, watchToEnd } from '#backend/testing/backend.ts';
import { planFor } from '#backend/testing/plans.ts';

const COMPUTERS = [1, 2, 3, 4, 5];
const BRIDGE = 'hfroom';
const ADDRESS = '10.77.0.1';
const joiner = fileURLToPath(new URL('../../../agent/testing/joinAlways.ts', import.meta.url));

function ip(...words: readonly string[]): void {
  execFileSync('ip', [...words], { stdio: 'pipe' });
}

function canMakeNetworks(): boolean {
  try {
    ip('netns', 'add', 'hfprobe');
    ip('netns', 'del', 'hfprobe');
    return true;
  } catch {
    return false;
  }
}

/** Connects a network namespace for each computer to a bridge. */
function makeNetworks(): void {
  ip('link', 'add', BRIDGE, 'type', 'bridge');
  ip('addr', 'add', `${ADDRESS}/24`, 'dev', BRIDGE);
  ip('link', 'set', BRIDGE, 'up');
  for (const number of COMPUTERS) {
    const [space, inside, outside] = [`hfpc${number}`, `hfin${number}`, `hfout${number}`];
    ip('netns', 'add', space);
    ip('link', 'add', inside, 'netns', space, 'type', 'veth', 'peer', 'name', outside);
    ip('link', 'set', outside, 'master', BRIDGE, 'up');
    ip('-n', space, 'addr', 'add', `10.77.0.1${number}/24`, 'dev', inside);
    ip('-n', space, 'link', 'set', inside, 'up');
  }
}

function removeNetworks(): void {
  for (const words of [...COMPUTERS.map((number) => ['netns', 'del', `hfpc${number}`]), ['link', 'del', BRIDGE]]) {
    try {
      ip(...words);
    } catch {
      // It was not created.
    }
  }
}

const isPossible = canMakeNetworks();
let test: TestBackend;
let target: Server;
/** Requests that the target counted, by the address of the computer. */
const counted = new Map<string, number>();

beforeAll(async () => {
  if (!isPossible) return;
  removeNetworks();
  makeNetworks();
  target = createServer(({ socket: { remoteAddress = '' } }, response) => {
    counted.set(remoteAddress, (counted.get(remoteAddress) ?? 0) + 1);
    response.end('hello');
  }).listen(0, ADDRESS);
  await once(target, 'listening');
  test = await startTestBackend();
});
afterAll(async () => {
  await test?.close();
  target?.close();
  removeNetworks();
});

it.skipIf(!isPossible)(
  'five invited computers in separate networks: the sum of their requests equals the log of the server',
  { timeout: 180_000 },
  async () => {
    const address = target.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const plan = planFor(`http://${ADDRESS}:${port}/page`, {
      load: { model: 'arrivals', stages: [{ kind: 'constant', perSecond: 100, seconds: 8 }] },
    });
    const { invitation } = await test.client.call('invites.open', { plan, computers: COMPUTERS.length, host: ADDRESS });
    const ready = Promise.withResolvers<string[]>();
    test.client.open(
      'invites.watch',
      {},
      {
        onItem({ invitation: state }) {
          const names = state?.joined.flatMap(({ name, state: now }) => (now === 'ready' ? [name] : [])) ?? [];
          if (names.length === COMPUTERS.length) ready.resolve(names);
        },
        onEnd: () => {},
      },
    );
    const sent = COMPUTERS.map(async (number) => {
      const words = ['netns', 'exec', `hfpc${number}`, process.execPath, joiner, invitation];
      return Number(await text(spawn('ip', words, { stdio: ['ignore', 'pipe', 'inherit'] }).stdout));
    });
    const { runId } = await test.client.call('runs.start', { plan, on: await ready.promise });
    await watchToEnd(test.client, runId);
    const result = await test.client.call('runs.result', { runId });
    expect(result).toMatchObject({ run: { state: 'finished' }, balances: true });
    const sums = result.generators.map(({ figures }) => figures?.sent ?? 0);
    expect([...counted.values()].reduce((sum, count) => sum + count, 0)).toBe(800);
    expect(result.outcomes.requests.sent).toBe(800);
    expect(sums.toSorted()).toEqual([...counted.values()].toSorted());
    expect((await Promise.all(sent)).toSorted()).toEqual(sums.toSorted());
    expect(counted.size).toBe(COMPUTERS.length);
  },
);
