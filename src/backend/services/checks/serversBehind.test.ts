import { createServer, type Server } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { planSchema } from '#core/plan/schema/plan.ts';
import { checkPlan } from './registry.ts';
import { askNobody } from './testing/askNobody.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Returns the finding about the servers behind an address. `says` returns the header value of each response. */
async function checkServers(says: (requestCount: number) => string | null, expected = 3) {
  let requestCount = 0;
  const server = createServer((_, response) => {
    const name = says((requestCount += 1));
    response.writeHead(200, name === null ? {} : { 'X-Shard': name }).end();
  });
  servers.push(server);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : null;
  const plan = planSchema.parse({
    holdfast: 1,
    name: 'test',
    targets: [{ url: `http://127.0.0.1:${port}/` }],
    journey: [{ name: 'page' }],
    load: { model: 'users', stages: [{ users: 1, seconds: 1 }] },
    servers: { header: 'x-shard', expected },
  });
  const findings = await checkPlan(plan, { kind: 'none' }, { isAgreed: true, askDatabase: askNobody, used: null });
  return { finding: findings.find(({ id }) => id === 'serversBehind'), asked: requestCount };
}

it('the check of servers reports that all load would reach only one of several servers', async () => {
  const { finding, asked } = await checkServers(() => 'shard-2');
  expect(finding).toMatchObject({ level: 'problem', title: 'All 6 responses came from one of 3 servers' });
  expect(finding?.remedy?.text).toContain('hash $remote_addr');
  expect(asked).toBe(6);
});

it('the check of servers passes if several servers respond, and explains how to identify them without the header', async () => {
  expect((await checkServers((number) => `shard-${(number % 3) + 1}`)).finding).toMatchObject({
    level: 'ok',
    title: '3 of 3 servers responded to this computer',
  });
  const { finding } = await checkServers(() => null);
  expect(finding).toMatchObject({ level: 'info', remedy: { command: 'add_header x-shard $upstream_addr always;' } });
});

it('the check of servers sends nothing for a single server', async () => {
  expect(await checkServers(() => 'shard-1', 1)).toEqual({ finding: undefined, asked: 0 });
});
