import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { selfSigned } from '#backend/testing/certificates.ts';
import { HoldfastError } from '#core/base/errors.ts';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { httpServer, type TestServer } from '#workers/testing/servers.ts';
import { type HarnessOptions, startHarness } from '../testing/harness.ts';

const secureServer = createServer(selfSigned(temporaryDirectory()), (_, response) => {
  servedCount += 1;
  response.setHeader('Content-Type', 'text/html');
  response.end('<title>Contest</title><p>Welcome</p>');
});
let servedCount = 0;
let plainServer: TestServer;
let port = 0;
beforeAll(async () => {
  secureServer.listen(0, '127.0.0.1');
  await once(secureServer, 'listening');
  const address = secureServer.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
  plainServer = await httpServer((request, response) => {
    response.writeHead(301, { Location: `https://127.0.0.1:${port}${request.url}` }).end();
  });
});
afterAll(async () => {
  await plainServer.close();
  secureServer.closeAllConnections();
  secureServer.close();
});

async function tryPage(hiddenInput: NonNullable<HarnessOptions['hiddenInput']>) {
  const cli = await startHarness({ hiddenInput });
  servedCount = 0;
  const done = await cli.run('try', 'plain-page', '--set', `target=${plainServer.url}`, '--set', 'tls.verify=false');
  return { ...done, served: servedCount };
}

/** Runs a plan file that has a login, and target settings in addition to the address. */
async function runFile(changes: Partial<PlanInput> = {}) {
  const askedNames: string[] = [];
  const cli = await startHarness({ hiddenInput: (label) => Promise.resolve((askedNames.push(label), 'y')) });
  const plan: PlanInput = {
    holdfast: 1,
    name: 'pages',
    targets: [{ name: 'contest', url: `${plainServer.url}start`, headers: { 'X-Event': 'rehearsal' } }],
    tls: { verify: false },
    journey: [{ name: 'login', method: 'POST', path: '/login', form: { user: 'a', password: 'b' }, stores: false }],
    load: { model: 'connections', stages: [{ connections: 1, requests: 3 }] },
    ...changes,
  };
  const file = join(cli.directory, 'plan.json');
  await writeFile(file, JSON.stringify(plan));
  servedCount = 0;
  const requestsBefore = plainServer.requests;
  const done = await cli.run('run', file, '--json', 'result.json');
  const result: unknown = JSON.parse(await readFile(join(cli.directory, 'result.json'), 'utf8').catch(() => 'null'));
  return { ...done, asked: askedNames, served: servedCount, result, redirected: plainServer.requests - requestsBefore };
}

describe('an address that redirects visitors to https', () => {
  it('is followed with consent', async () => {
    const askedNames: string[] = [];
    const { code, err } = await tryPage((label) => Promise.resolve((askedNames.push(label), 'y')));
    expect({ code, err }).toMatchObject({ code: 0 });
    expect(askedNames).toEqual([expect.stringContaining('Use the https address?')]);
    expect(err).toContain(`sends visitors to https://127.0.0.1:${port}/`);
    expect(servedCount).toBeGreaterThan(0);
  });

  it('stays unchanged if the user declines', async () => {
    const { code, out } = await tryPage(() => Promise.resolve('n'));
    expect(code).toBe(95);
    expect(out).toContain('301');
  });

  it('is an error without a terminal', async () => {
    const { code, err } = await tryPage(() => Promise.reject(new HoldfastError({ code: 'NO_TERMINAL', message: '', hint: '' })));
    expect(code).toBe(1);
    expect(err).toContain('Nothing was loaded.');
    expect(err).toContain(`--set target=https://127.0.0.1:${port}/`);
  });

  it('is followed in a plan file with a login, and the target keeps its name and headers', async () => {
    const { code, err, asked, served: reached, result } = await runFile();
    expect({ code, err }).toMatchObject({ code: 0 });
    expect(asked).toHaveLength(1);
    // One request comes from the trial and three from the load.
    expect(reached).toBe(1 + 3);
    expect(result).toMatchObject({
      plan: { targets: [{ name: 'contest', url: `https://127.0.0.1:${port}/start`, headers: { 'X-Event': expect.anything() } }] },
    });
  });

  it('is neither checked nor followed in a plan file that has no login or expects a redirect status', async () => {
    const journey = [{ name: 'page', path: '/' }];
    expect(await runFile({ journey })).toMatchObject({ asked: [], served: 0, redirected: 3 });
    const login = { name: 'login', method: 'POST' as const, path: '/login', form: { password: 'b' }, stores: false, expectStatus: [301] };
    const { asked, served: reached } = await runFile({ journey: [login] });
    expect({ asked, reached }).toEqual({ asked: [], reached: 0 });
  });
});
