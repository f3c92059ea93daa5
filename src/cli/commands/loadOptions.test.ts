import { readFile, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { once } from 'node:events';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { resultSchema, type RunResult } from '#core/result/schema.ts';
import { startHarness, type Harness } from '../testing/harness.ts';
import { startSecureTarget } from '../testing/secureTarget.ts';
import { readLoadFlags } from './loadOptions.ts';
import { startTarget } from '../testing/target.ts';

let cli: Harness;
beforeEach(async () => {
  cli = await startHarness();
});

/** Runs a command that must succeed and reads its result. */
function getResult(...args: string[]): Promise<RunResult> {
  return resultWith([0], args);
}

/** Reads the result of a command without successful requests. Such a run fails, or is inconclusive on an overloaded machine. */
function readFailedResult(...args: string[]): Promise<RunResult> {
  return resultWith([99, 98], args);
}

async function resultWith(exitCodes: readonly number[], args: readonly string[]): Promise<RunResult> {
  const { code, out, err } = await cli.run(...args, '--json', '-');
  expect(exitCodes).toContain(code);
  expect(err).toBe('');
  return resultSchema.parse(JSON.parse(out));
}

const LOAD = ['-c', '2', '-n', '20', '-t', '1'];

describe('an https server with a self-signed certificate', () => {
  it('fails with a TLS error and explains it', async () => {
    const target = await startSecureTarget();
    const result = await readFailedResult('quick', target.url, '-c', '2', '-n', '4');
    expect(result.outcomes.requests).toMatchObject({ sent: 4, ok: 0, tls: 4, inFlight: 0 });
    expect(result.balances).toBe(true);
    expect(target.requests).toBe(0);
    expect(result.errors).toEqual({ 'DEPTH_ZERO_SELF_SIGNED_CERT@tls': 4 });
    const { out } = await cli.run('show', 'last', '--full');
    expect(out).toMatch(/none of 4 requests of “page” succeeded|Inconclusive/);
    expect(out).toContain('The server’s certificate is not trusted');
    expect(out).toMatch(/--ca FILE[\s\S]*--insecure/);
  });

  it('is loaded after a warning if --insecure is given', async () => {
    const target = await startSecureTarget();
    const { code, out, err } = await cli.run('quick', target.url, ...LOAD, '--insecure', '--json', '-');
    expect([code, target.requests]).toEqual([0, 20]);
    expect(err).toContain('Certificate verification is off');
    const result = resultSchema.parse(JSON.parse(out));
    expect(result.outcomes.requests.ok).toBe(20);
    expect(result.plan.tls.verify).toBe(false);
    expect(result.phases.tls?.count).toBe(2);
  });

  // exactness.test.ts tests the same for `quick`.
  it('is loaded if --ca is given, and no key gets into the plan', async () => {
    const target = await startSecureTarget();
    const both = (await readFile(target.keyFile, 'utf8')) + (await readFile(target.certificateFile, 'utf8'));
    await writeFile(join(cli.directory, 'both.pem'), both);
    const result = await getResult('run', await planFile(target.url, { verify: false }), '--ca', 'both.pem');
    expect(result.outcomes.requests).toMatchObject({ sent: 20, ok: 20 });
    expect(target.requests).toBe(20);
    expect(result.plan.tls).toMatchObject({ verify: true, ca: expect.stringContaining('BEGIN CERTIFICATE') });
    expect(JSON.stringify(result)).not.toContain('PRIVATE KEY');
  });
});

async function planFile(url: string, tls: object = {}): Promise<string> {
  const load = { model: 'connections', stages: [{ connections: 2, requests: 20 }] };
  const plan = { holdfast: 1, name: 'from a file', targets: [{ url }], journey: [{ name: 'page' }], load, tls };
  await writeFile(join(cli.directory, 'plan.json'), JSON.stringify(plan));
  return 'plan.json';
}

describe('--ca', () => {
  it.each([
    ['a missing file', null, [], 'cannot be read'],
    ['a file without a certificate', 'hello', [], 'No certificate in PEM format'],
    ['a damaged certificate', '-----BEGIN CERTIFICATE-----\nMIIBmz\n-----END CERTIFICATE-----\n', [], 'is damaged'],
    ['a file together with --insecure', 'hello', ['--insecure'], 'Use either --ca or --insecure'],
  ])('refuses %s before anything is opened', async (_what, content, more, words) => {
    if (content !== null) await writeFile(join(cli.directory, 'ca.pem'), content);
    for (const command of [
      ['quick', 'https://127.0.0.1/', '-c', 'ten'],
      ['run', await planFile('https://127.0.0.1/', { verfy: 1 })],
    ]) {
      const { code, out, err } = await cli.run(...command, '--ca', 'ca.pem', ...more);
      expect([code, out]).toEqual([2, '']);
      expect(err).toContain(words);
      // One error message lists all problems.
      expect(err).toContain(command[0] === 'quick' ? '-c ten' : 'verfy');
    }
  });
});

describe('load options', () => {
  it.each(['autocannon', 'native'])('--no-keepalive opens a connection for each request: %s', async (engine) => {
    const target = await startTarget();
    const result = await getResult('quick', target.url, ...LOAD, '--no-keepalive', '--engine', engine);
    expect(result.plan).toMatchObject({ engine, connections: { reuse: 'never' } });
    expect(result).toMatchObject({ connectionsOpened: 20, requestsOnReusedConnection: 0 });
    expect(result.outcomes.requests.ok).toBe(20);
    expect(target.lastHeaders['connection']).toBe('close');
    expect(result.verdict.exercised).toEqual(['one address, asked for over a new connection each time']);
  });

  it('--timeout limits the duration of a request', async () => {
    const silentServer = createServer((socket) => void socket.on('error', () => {}));
    silentServer.listen(0, '127.0.0.1');
    await once(silentServer, 'listening');
    onTestFinished(() => void silentServer.close());
    const address = silentServer.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const result = await readFailedResult('quick', `http://127.0.0.1:${port}/`, '-c', '1', '-n', '1', '--timeout', '1s');
    expect(result.plan.timeoutSeconds).toBe(1);
    expect(result.outcomes.requests).toMatchObject({ sent: 1, timeout: 1 });
  });

  it("-i sends HEAD and accepts empty responses, and --count-cache equals the server's counts", async () => {
    let requestCount = 0;
    const cached = createHttpServer((_, response) => {
      requestCount += 1;
      response.setHeader('X-Cache', requestCount % 4 === 0 ? 'MISS' : 'HIT').end('page');
    });
    cached.listen(0, '127.0.0.1');
    await once(cached, 'listening');
    onTestFinished(() => void cached.close());
    const address = cached.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const result = await getResult('quick', `http://127.0.0.1:${port}/`, ...LOAD, '-i', '--count-cache');
    expect(result.outcomes.requests).toMatchObject({ sent: 20, ok: 20 });
    expect(requestCount).toBe(20);
    expect(result.plan.journey[0]?.method).toBe('HEAD');
    expect(result.bytes.body).toBe(0);
    expect(
      result.findings.filter(({ id, level }) => level !== 'info' && !id.startsWith('generatorLimited')),
      'beside how busy this computer was, and that 20 answers are few',
    ).toEqual([]);
    expect(result.cache?.all).toMatchObject({ responded: 20, fromCache: 15, fromServer: 5, unsaid: 0 });
    expect((await cli.run('show', 'last', '--full')).out).toContain('75 % of 20 responses came from a cache.');
  });

  it("an option that the engine does not support is rejected with the engine's name, and nothing is sent", async () => {
    const target = await startTarget();
    const { code, err } = await cli.run('quick', target.url, ...LOAD, '-i', '--engine', 'autocannon');
    expect([code, target.requests]).toEqual([2, 0]);
    expect(err).toContain('“autocannon” does not support HEAD');
  });

  it('rejects an invalid duration', async () => {
    const { code, err } = await cli.run('quick', 'http://127.0.0.1/', '--timeout', 'soon');
    expect(code).toBe(2);
    expect(err).toContain('--timeout soon');
    expect((await cli.run('quick', 'http://127.0.0.1/', '--timeout', '0.2')).err).toContain('timeoutSeconds');
  });
});

it('--watch-from names the host of the browser', async () => {
  const { fields } = await readLoadFlags({ keepalive: true, localAddress: [], resolve: [], watchPage: ['/'], watchFrom: 'web 2' }, '.');
  expect(JSON.parse(fields.get('watchFrom') ?? '')).toBe('web 2');
  const quick = ['quick', 'http://127.0.0.1:9/', '-c', '1', '-n', '1', '--watch-page', '/', '--watch-from'];
  expect(await cli.run(...quick, '-oProxy')).toMatchObject({ code: 2, err: expect.stringContaining('watchFrom') });
});

it('--watch-page adds pages for a browser to visit and may be repeated', async () => {
  const { fields, issues } = await readLoadFlags(
    { keepalive: true, localAddress: [], resolve: [], watchPage: ['/cart', 'http://a.example/'] },
    '.',
  );
  expect(issues).toEqual([]);
  expect(JSON.parse(fields.get('watchPages') ?? '')).toEqual([{ url: '/cart' }, { url: 'http://a.example/' }]);
  const wrong = await cli.run('quick', 'http://127.0.0.1:9/', '-c', '1', '-n', '1', '--watch-page', 'cart');
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('Enter a path that begins with /, or a full address.')]);
});
