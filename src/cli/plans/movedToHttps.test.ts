import { once } from 'node:events';
import { createServer } from 'node:https';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { selfSigned } from '#backend/testing/certificates.ts';
import { HoldfastError } from '#core/base/errors.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { httpServer, type TestServer } from '#workers/testing/servers.ts';
import { type HarnessOptions, startHarness } from '../testing/harness.ts';

const secure = createServer(selfSigned(temporaryDirectory()), (_, response) => {
  served += 1;
  response.setHeader('Content-Type', 'text/html');
  response.end('<title>Contest</title><p>Welcome</p>');
});
let served = 0;
let plain: TestServer;
let port = 0;
beforeAll(async () => {
  secure.listen(0, '127.0.0.1');
  await once(secure, 'listening');
  const address = secure.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
  plain = await httpServer((request, response) => {
    response.writeHead(301, { Location: `https://127.0.0.1:${port}${request.url}` }).end();
  });
});
afterAll(async () => {
  await plain.close();
  secure.closeAllConnections();
  secure.close();
});

async function tryPage(hiddenInput: NonNullable<HarnessOptions['hiddenInput']>) {
  const cli = await startHarness({ hiddenInput });
  served = 0;
  const done = await cli.run('try', 'plain-page', '--set', `target=${plain.url}`, '--set', 'tls.verify=false');
  return { ...done, served };
}

describe('an address that sends visitors to https', () => {
  it('is followed after one question', async () => {
    const asked: string[] = [];
    const { code, err } = await tryPage((label) => Promise.resolve((asked.push(label), 'y')));
    expect({ code, err }).toMatchObject({ code: 0 });
    expect(asked).toEqual([expect.stringContaining('Use the https address?')]);
    expect(err).toContain(`sends visitors to https://127.0.0.1:${port}/`);
    expect(served).toBeGreaterThan(0);
  });

  it('stays as it is for who says no', async () => {
    const { code, out } = await tryPage(() => Promise.resolve('n'));
    expect(code).toBe(95);
    expect(out).toContain('301');
  });

  it('is refused where nobody can be asked', async () => {
    const { code, err } = await tryPage(() => Promise.reject(new HoldfastError({ code: 'NO_TERMINAL', message: '', hint: '' })));
    expect(code).toBe(1);
    expect(err).toContain('Nothing was loaded.');
    expect(err).toContain(`--set target=https://127.0.0.1:${port}/`);
  });
});
