import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { Totals } from '#core/stats/totals.ts';
import { decodeWindow } from '#core/stats/windowCodec.ts';
import { jobOf } from '#engine/testing/runLoad.ts';
import { httpServer } from '#workers/testing/servers.ts';
import { fromAgentSchema } from '#contract/agent/frames.ts';

const entry = fileURLToPath(new URL('main.ts', import.meta.url));

it('says that this machine has run out of files, in the ledger and in the seconds concerned', async () => {
  const server = await httpServer((_, response) => response.end());
  const stages = [{ connections: 200, requests: 400 }];
  const job = jobOf([server.url], { threads: 1, load: { model: 'connections', stages } });
  const agent = spawn('sh', ['-c', `ulimit -n 80 && exec "${process.execPath}" "${entry}"`], { stdio: ['pipe', 'pipe', 'inherit'] });
  const totals = new Totals();
  const sick = new Set<string>();
  agent.stdin.write(`${JSON.stringify({ type: 'hello', protocol: 4 })}\n${JSON.stringify({ type: 'run', job })}\n`);
  for await (const line of createInterface({ input: agent.stdout })) {
    const frame = fromAgentSchema.parse(JSON.parse(line));
    if (frame.type === 'end') break;
    if (frame.type !== 'window') continue;
    const window = decodeWindow(Buffer.from(frame.bytes, 'base64'));
    totals.add(window);
    for (const cause of window.sick) sick.add(cause);
  }
  agent.stdin.end();
  await server.close();
  const { ledger, balances } = totals.ledger(job.plan, true);
  expect(balances).toBe(true);
  expect(ledger.requests.noFile).toBeGreaterThan(0);
  expect(ledger.requests.sent).toBe(400);
  expect(ledger.requests.ok).toBe(server.requests);
  expect(sick).toContain('noFile');
});
