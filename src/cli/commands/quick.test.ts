import { stripVTControlCharacters } from 'node:util';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { resultSchema, type RunResult } from '#core/result/schema.ts';
import { startHarness, type Harness } from '../testing/harness.ts';
import { deadUrl, startTarget } from '../testing/target.ts';

async function quickResult(cli: Harness, ...args: string[]): Promise<RunResult> {
  const { code, out, err } = await cli.run('quick', ...args, '--json', '-');
  expect(err).toBe('');
  expect(code).toBe(0);
  return resultSchema.parse(JSON.parse(out));
}

async function readSavedResult(cli: Harness): Promise<RunResult> {
  return resultSchema.parse(JSON.parse(await readFile(join(cli.directory, 'result.json'), 'utf8')));
}

describe('quick', () => {
  // exactness.test.ts covers servers of all kinds, and loads limited by requests or by time.
  it('counts exactly the requests that the server received', async () => {
    const target = await startTarget();
    const result = await quickResult(await startHarness(), target.url, '-c', '7', '-n', '500');
    const { requests } = result.outcomes;
    expect(result.balances).toBe(true);
    expect([requests.sent, requests.ok, target.requests, requests.inFlight]).toEqual([500, 500, 500, 0]);
    expect(result.verdict.outcome).toBe('measured');
    expect(result.latency.service.count).toBe(500);
    expect(target.lastHeaders['user-agent']).toContain('Holdfast/');
  });

  it('evaluates the criteria of the command line and counts failures', async () => {
    const target = await startTarget();
    const cli = await startHarness();
    const result = await quickResult(cli, target.url, '-c', '2', '-n', '40', '--criterion', 'errors=0');
    expect([result.verdict.outcome, result.criteria.map(({ text, reason }) => `${text}: ${reason}`)]).toEqual([
      'passed',
      ['no failed request of “page”: None of 40 requests failed; none allowed.'],
    ]);
    const { plan } = await quickResult(cli, target.url, '-n', '400', '--criterion', 'p95 <= 5s', '--criterion', 'errors<=2.5%');
    expect(plan.criteria).toEqual([
      { kind: 'responseTime', percentile: 95, maxMs: 5_000 },
      { kind: 'errors', maxShare: 0.025 },
    ]);
    const missing = await cli.run(
      'quick',
      new URL('/missing', target.url).href,
      '-n',
      '40',
      '--expect-status',
      '404',
      '--criterion',
      'errors=0',
    );
    expect(missing.code).toBe(99);
    const wrong = await cli.run('quick', target.url, '--criterion', 'p95<=fast', '--criterion', 'p0<1s');
    expect([wrong.code, wrong.err.includes('p95<=fast'), wrong.err.includes('p0<1s')]).toEqual([2, true, true]);
  });

  it('opens by default no more connections than it sends requests', async () => {
    const target = await startTarget();
    const result = await quickResult(await startHarness(), target.url, '-n', '5');
    expect([result.plan.load, result.outcomes.requests.ok]).toEqual([
      expect.objectContaining({ stages: [expect.objectContaining({ connections: 5, requests: 5 })] }),
      5,
    ]);
  });

  it('sends exactly the planned number of requests at a rate', async () => {
    const target = await startTarget({ delayMs: 5 });
    const result = await quickResult(await startHarness(), target.url, '-R', '40', '-n', '40');
    expect(result.plan.load).toMatchObject({ model: 'arrivals', stages: [{ kind: 'count', arrivals: 40, seconds: 1 }] });
    expect(result.outcomes.journeys).toMatchObject({ planned: 40, started: 40, finished: 40 });
    expect([result.balances, result.outcomes.requests.ok, target.requests]).toEqual([true, 40, 40]);
    expect(result.stages[0]?.journeys).toMatchObject({ plannedPerSecond: 40, offeredShare: 1 });
    expect(result.phases.scheduleLag?.count).toBe(40);
  });

  it('drops requests beyond the limit of -c and reports them', async () => {
    const target = await startTarget({ delayMs: 400 });
    const { code, out } = await (await startHarness()).run('quick', target.url, '-R', '100', '-n', '100', '-c', '2', '--full');
    expect(code).toBe(0);
    expect(target.requests).toBeLessThan(50);
    expect(out).toMatch(/of 100 planned arrivals started .*because 2 requests were in flight/);
    expect(out).toMatch(/load +100 +100 +\d+/);
  });

  it('sends requests as users with think time', async () => {
    const target = await startTarget();
    const result = await quickResult(await startHarness(), target.url, '--users', '6', '--think', '200ms', '-d', '1s');
    expect([result.balances, result.outcomes.requests.ok]).toEqual([true, target.requests]);
    // Each user sends at most one request per 200 ms, both at the start and in the measured second.
    expect(result.stages[0]?.requests.sent).toBeLessThanOrEqual(36);
    expect(result.stages[0]?.requests.sent).toBeGreaterThanOrEqual(6);
    expect(result.stages[0]?.startUp?.requests.sent).toBe(target.requests - (result.stages[0]?.requests.sent ?? 0));
  });

  it('fails if no response was successful, and prints nothing with --quiet', async () => {
    const target = await startTarget({ status: 503 });
    const cli = await startHarness();
    const load = ['-c', '2', '-n', '50', '-t', '1'];
    const done = await cli.run('quick', target.url, ...load, '--quiet', '--json', 'result.json');
    expect(done).toEqual({ code: 99, out: '', err: '' });
    const result = await readSavedResult(cli);
    expect(result.outcomes.requests).toMatchObject({ sent: 50, ok: 0, httpError: 50 });
    expect(result.status).toEqual({ 503: 50 });
  });

  it("prints ApacheBench's layout on demand", async () => {
    const target = await startTarget();
    const { out } = await (await startHarness()).run('quick', target.url, '-c', '2', '-n', '40', '--format', 'ab');
    expect(out).toMatch(/^Complete requests: +40$/m);
    expect(out).toMatch(/^Failed requests: +0$/m);
    expect(out).toMatch(/Percentage of the requests served within a certain time \(ms\)/);
  });

  it('sends headers and cookies, prints and saves the result, and writes no secret to disk', async () => {
    const target = await startTarget();
    const cli = await startHarness();
    await writeFile(join(cli.directory, 'token'), 'Bearer planted-in-file\n');
    const headers = ['Authorization: @token', 'X-Api-Key: planted-key', 'Accept: text/plain'].flatMap((header) => ['-H', header]);
    const options = ['-c', '1', '-n', '40', '--json', 'result.json', '-C', 'login=planted-cookie'];
    const { code, out } = await cli.run('quick', target.url, ...options, ...headers);
    expect(code).toBe(0);
    expect(target.lastHeaders).toMatchObject({
      cookie: 'login=planted-cookie',
      authorization: 'Bearer planted-in-file',
      'x-api-key': 'planted-key',
      accept: 'text/plain',
    });
    expect(out).toContain('40');
    const savedResult = await readSavedResult(cli);
    expect(savedResult.outcomes.requests.ok).toBe(40);
    expect(await readdir(cli.directory)).toEqual(['result.json', 'token']);
    expect(out + JSON.stringify(savedResult)).not.toContain('planted');
    for (const file of await readdir(cli.home, { recursive: true, withFileTypes: true }))
      if (file.isFile()) expect(await readFile(join(file.parentPath, file.name), 'latin1'), file.name).not.toContain('planted');
  });

  it('explains an unreachable address and stores no run', async () => {
    const cli = await startHarness();
    const dead = await cli.run('quick', await deadUrl(), '-n', '10');
    expect([dead.code, dead.out]).toEqual([1, '']);
    expect(dead.err).toMatch(/refused[\s\S]*\n {2}Start the server/);
    const unknown = await cli.run('quick', 'http://no-such-host.invalid/', '-n', '10', '--allow', 'host:no-such-host.invalid');
    expect(unknown.code).toBe(1);
    expect(unknown.err).toMatch(/no-such-host\.invalid does not resolve/);
    expect(JSON.parse((await cli.run('runs', '--json')).out)).toEqual({ runs: [] });
  });

  it('lists every problem with its arguments and connects to nothing', async () => {
    const cli = await startHarness();
    const { code, err, out } = await cli.run('quick', 'ftp://example.org/', '-c', 'ten', '-d', 'soon', '-t', '1.5');
    expect([code, out]).toEqual([2, '']);
    for (const word of ['-c ten', '-d soon', '-t 1.5', 'http://']) expect(err).toContain(word);
    expect(err).toContain('error: url: “ftp://example.org/” is not a full address.');
    expect((await cli.run('quick', 'http://127.0.0.1/', '-c', '0')).err).toContain('error: -c: -c 0 is too small.');
    const options = [
      '-R',
      'fast',
      '-H',
      '@missing',
      '-H',
      'nonsense',
      '-H',
      'env:NOT_SET',
      '-C',
      'a=1',
      '-C',
      'env:B',
      '--timeout',
      'x',
      '--ca',
      'no.pem',
    ];
    const many = await cli.run('quick', 'ftp://example.org/', ...options);
    expect([many.code, many.out]).toEqual([2, '']);
    for (const word of ['-R fast', 'missing', 'nonsense', 'NOT_SET', 'cannot be combined', '--timeout x', 'no.pem', 'http://'])
      expect(many.err).toContain(word);
    expect((await cli.run('quick', 'http://127.0.0.1/', '-n', '5', '-d', '1s')).err).toContain('either -n or -d');
    expect((await cli.run('quick', 'http://127.0.0.1/', '-c', '50', '-n', '5')).code).toBe(2);
    expect(await readdir(cli.home)).toEqual([]);
  });

  it('asks for consent before it sends anything to a public host', async () => {
    const cli = await startHarness();
    cli.agrees = 'nobody';
    const { code, err } = await cli.run('quick', 'http://www.example.org/', '-n', '10');
    expect(code).toBe(1);
    expect(err).toMatch(/\(public\)[\s\S]*--allow host:www\.example\.org/);
  });

  it('reports an unwritable JSON file before it sends a request', async () => {
    const target = await startTarget();
    const cli = await startHarness();
    const { code, err } = await cli.run('quick', target.url, '-n', '10', '--json', 'no/such/folder.json');
    expect([code, target.requests]).toEqual([1, 0]);
    expect(err).toContain('no/such/folder.json cannot be written');
  });

  it('stops on Ctrl-C, waits for outstanding responses and keeps the result', async () => {
    const target = await startTarget({ delayMs: 20 });
    const cli = await startHarness({ terminal: true });
    const runningCommand = cli.start('quick', target.url, '-c', '4', '-n', '100000', '--json', 'result.json');
    await target.reached(40);
    runningCommand.interrupt();
    const { code, out, err } = await runningCommand.done;
    expect([code, runningCommand.quits]).toEqual([130, []]);
    expect(err).toContain('waiting for outstanding responses');
    const [first = '', ...rest] = stripVTControlCharacters(out).trimEnd().split('\n');
    expect(first).toMatch(/^· Measured/);
    expect(rest.at(-1)).toMatch(/^All figures: holdfast show \S+ --full$/);
    const savedResult = await readSavedResult(cli);
    expect(savedResult.run).toMatchObject({ state: 'stopped', endedBecause: { code: 'user' } });
    expect(savedResult.outcomes.requests).toMatchObject({ sent: target.requests, ok: target.requests, inFlight: 0 });
  });

  it('exits at once on a second Ctrl-C', async () => {
    const silentServer = createServer();
    silentServer.listen(0, '127.0.0.1');
    await once(silentServer, 'listening');
    const sockets = new Set<Socket>();
    let isSilent = true;
    const asked = new Promise<void>((resolve) => {
      silentServer.on('connection', (socket) => {
        if (!isSilent) return void socket.destroy();
        sockets.add(socket);
        socket.once('data', () => resolve());
        socket.on('error', () => {});
      });
    });
    const closeConnections = (): void => {
      isSilent = false;
      for (const socket of sockets) socket.destroy();
    };
    onTestFinished(() => {
      closeConnections();
      silentServer.close();
    });
    const cli = await startHarness();
    const runningCommand = cli.start('quick', `http://127.0.0.1:${(silentServer.address() as AddressInfo).port}/`, '-c', '1', '-n', '100');
    await asked;
    runningCommand.interrupt();
    runningCommand.interrupt();
    expect(runningCommand.quits).toEqual([130]);
    // The test process does not exit, so the outstanding response must be aborted for the command to end.
    closeConnections();
    expect((await runningCommand.done).code).toBe(130);
  });
});
