import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { hostSchema, type Host } from '#core/plan/schema/hosts.ts';
import { openLog } from '#backend/log.ts';
import { createRedaction } from '#backend/redaction.ts';
import { makeSurroundings } from '#backend/remote/ssh/surroundings.ts';
import { openStore } from '#backend/store/store.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { HostService } from './hostService.ts';

const QUESTION = { kind: 'password', host: 'db', label: 'password for sudo on db' } as const;

function service() {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, '.ssh'), { recursive: true });
  const redaction = createRedaction();
  const log = openLog(directory, redaction);
  const surroundings = makeSurroundings(directory, { home: directory, agentSocket: null, userName: 'ada' });
  const start = () => {
    const store = openStore(directory);
    onTestFinished(() => store.close());
    return new HostService({ store, log, redaction, surroundings, agentFile: new URL('file:///none'), resolveAsk: undefined });
  };
  return { directory, start };
}

const host = (address: string, more: Partial<Host> = {}): Host => hostSchema.parse({ name: 'db', address, ...more });

it.each<[string, (parts: { calls: HostService['calls']; other: HostService['calls']; directory: string }) => unknown]>([
  ['is replaced by a host of the same name', ({ calls }) => calls['hosts.add']({ host: host('10.0.0.2'), replace: true })],
  ['gets another user', ({ calls }) => calls['hosts.add']({ host: host('10.0.0.1', { user: 'eve' }), replace: true })],
  ['is removed', ({ calls }) => calls['hosts.remove']({ name: 'db' })],
  ['is replaced by another process', ({ other }) => other['hosts.add']({ host: host('10.0.0.2'), replace: true })],
  [
    'refers to another machine in the SSH configuration',
    ({ directory }) => writeFileSync(join(directory, '.ssh', 'config'), 'Host 10.0.0.1\n  HostName 10.6.6.6\n'),
  ],
])('the secrets of a host are forgotten when it %s', async (_what, change) => {
  const { directory, start } = service();
  const hosts = start();
  const { calls } = hosts;
  await calls['hosts.add']({ host: host('10.0.0.1'), replace: false });
  await calls['hosts.reply']({ question: QUESTION, value: 'hunter22' });
  expect(await hosts.replies().ask(QUESTION)).toBe('hunter22');
  await change({ calls, other: start().calls, directory });
  expect(await hosts.replies().ask(QUESTION)).toBeNull();
});

it('the secrets of a host are kept when another host is replaced or removed', async () => {
  const hosts = service().start();
  const { calls } = hosts;
  await calls['hosts.add']({ host: host('10.0.0.1'), replace: false });
  await calls['hosts.add']({ host: host('10.0.0.9', { name: 'web' }), replace: false });
  await calls['hosts.reply']({ question: QUESTION, value: 'hunter22' });
  await calls['hosts.add']({ host: host('10.0.0.8', { name: 'web' }), replace: true });
  await calls['hosts.remove']({ name: 'web' });
  expect(await hosts.replies().ask(QUESTION)).toBe('hunter22');
});
