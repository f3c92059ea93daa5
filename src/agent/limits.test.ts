import { expect, it } from 'vitest';
import { Totals } from '#core/result/totals.ts';
import { decodeWindow } from '#core/measurement/windowCodec.ts';
import { buildJob } from '#engine/testing/runLoad.ts';
import { httpServer } from '#workers/testing/servers.ts';
import { agentProgram } from '#tools/testing/threads.ts';
import { AgentTalk } from './testing/agentTalk.ts';

it('the agent: reports exhausted file descriptors in the request outcomes and in the overloaded seconds', async () => {
  const server = await httpServer((_, response) => response.end());
  const stages = [{ connections: 200, requests: 400 }];
  const job = buildJob([server.url], { threads: 1, load: { model: 'connections', stages } });
  const talk = new AgentTalk('sh', ['-c', `ulimit -n 80 && exec "${process.execPath}" "${agentProgram}"`]);
  const totals = new Totals();
  const overloadedBy = new Set<string>();
  await talk.greet();
  talk.say({ type: 'run', job: JSON.parse(JSON.stringify(job)) });
  for (const message of await talk.hearUntil('end')) {
    if (message.type !== 'window') continue;
    const window = decodeWindow(Buffer.from(message.bytes, 'base64'));
    totals.add(window);
    for (const cause of window.overloadedBy) overloadedBy.add(cause);
  }
  talk.drop();
  await server.close();
  const { outcomes, balances } = totals.outcomes(job.plan, true);
  expect(balances).toBe(true);
  expect(outcomes.requests.noFile).toBeGreaterThan(0);
  expect(outcomes.requests.sent + outcomes.requests.noFile).toBe(400);
  expect(outcomes.requests.ok).toBe(server.requests);
  expect(overloadedBy).toContain('noFile');
});
