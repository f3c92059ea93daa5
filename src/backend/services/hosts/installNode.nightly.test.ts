import { expect, it, onTestFinished } from 'vitest';
import { startHostsBackend } from '#backend/remote/testing/hostsBackend.ts';
import { hasSshServer, startSshServer } from '#backend/remote/testing/sshServer.ts';
import { watchToEnd } from '#backend/testing/backend.ts';
import { planFor } from '#backend/testing/plans.ts';
import { startTarget } from '#backend/testing/target.ts';
import { ensureBuild } from '#tools/launch/build.mjs';

it.skipIf(!hasSshServer)('a host without Node gets Node from the npm registry, and generates a load', { timeout: 300_000 }, async () => {
  await ensureBuild(new URL('../../../../', import.meta.url).pathname);
  const target = await startTarget();
  onTestFinished(() => target.close());
  const server = await startSshServer({ hasNode: false });
  onTestFinished(() => server.stop());
  const test = await startHostsBackend();
  onTestFinished(() => test.close());
  await test.know('there', server);
  const { version, bytes } = await test.client.call('hosts.installNode', { name: 'there' });
  expect(Number(version.split('.')[0])).toBe(26);
  expect(bytes).toBeGreaterThan(50_000_000);
  const { runId } = await test.client.call('runs.start', { plan: planFor(`${target.url}page`), on: ['there'] });
  await watchToEnd(test.client, runId);
  const { generators } = await test.client.call('runs.result', { runId });
  expect(generators).toMatchObject([{ name: 'there', nodeVersion: `v${version}` }]);
});
