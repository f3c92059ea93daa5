import { type AddressInfo, createServer } from 'node:net';
import { createServer as createHttp } from 'node:http';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { crawlReportSchema } from '#core/work/crawl/report.ts';
import { resultSchema } from '#core/result/schema.ts';
import { questionSchema } from '#core/presets/schema.ts';
import { answersFrom } from '../plans/fields.ts';
import { startHarness } from '../testing/harness.ts';

/** A site with a login and three pages: one is slow and one has a broken link. */
async function site(): Promise<string> {
  const server = createHttp((request, response) => {
    const html = { 'Content-Type': 'text/html' };
    const isKnown = request.headers.cookie === 'sid=1';
    if (request.method === 'POST') response.writeHead(302, { Location: '/', 'Set-Cookie': 'sid=1; Path=/' }).end();
    else if (request.url === '/login')
      response.writeHead(200, html).end('<form method=post action=/login><input name=user><input type=password name=pass></form>');
    else if (!isKnown) response.writeHead(302, { Location: '/login' }).end();
    else if (request.url === '/')
      response.writeHead(200, html).end('<title>Start</title><a href=/slow>s</a><a href=/gone>g</a><img src=/a.png>');
    else if (request.url === '/slow') setTimeout(() => response.writeHead(200, html).end('<title>Slow</title>'), 60);
    else response.writeHead(request.url === '/a.png' ? 200 : 404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

describe('crawl', () => {
  it('logs in, reports slow pages and broken links, and saves answers for a preset', async () => {
    const url = await site();
    const cli = await startHarness();
    cli.environment['SITE_PASSWORD'] = 'secret';
    const login = ['--username', 'ada', '--password', 'env:SITE_PASSWORD', '--login-at', `${url}login`];
    const { code, out, err } = await cli.run('crawl', url, ...login, '--save', 'pages.yaml');
    expect(code).toBe(0);
    const lines = out.split('\n');
    expect(lines.findIndex((line) => line.endsWith('/slow  (Slow)'))).toBeLessThan(lines.findIndex((line) => line.endsWith('/  (Start)')));
    expect(out).toContain('1 broken link:');
    expect(out).toContain(`${url}gone: status 404 (on ${url})`);
    expect(err).toContain('Saved 2 pages');
    expect(err + out).not.toContain('secret');
    expect(await readFile(join(cli.directory, 'pages.yaml'), 'utf8')).toBe(
      `target: ${url}\nusername: ada\npassword: env:SITE_PASSWORD\nloginAt: ${url}login\npages: |-\n  /\n  /slow\n`,
    );
    const run = await cli.run('run', 'site-with-pages', '--answers', 'pages.yaml', '--set', 'test=nothing');
    expect(run.err).not.toContain('There is no such setting');
    // A run uses the same login as the crawl.
    await writeFile(
      join(cli.directory, 'one.yaml'),
      (await readFile(join(cli.directory, 'pages.yaml'), 'utf8')).replace(/pages: [\s\S]*/, ''),
    );
    const load = ['--set', 'connections=1', '--set', 'seconds=1', '--json', '-'];
    const { outcomes } = resultSchema.parse(JSON.parse((await cli.run('run', 'plain-page', '--answers', 'one.yaml', ...load)).out));
    expect(outcomes.requests.ok).toBeGreaterThan(0);
    expect(outcomes.requests.ok + outcomes.requests.inFlight).toBe(outcomes.requests.sent);
    const elsewhere = await cli.run('run', 'plain-page', '--answers', 'one.yaml', '--set', 'loginAt=http://thief.example/', ...load);
    expect(elsewhere).toMatchObject({ code: 1, err: expect.stringContaining('does not apply to') });

    const { out: json } = await cli.run('crawl', url, ...login, '--json', '--no-resources');
    expect(crawlReportSchema.parse(JSON.parse(json)).pages.map(({ path }) => path)).toEqual(['/', '/slow', '/gone']);
  });

  it('saves cookies, headers and --insecure, with references instead of plain-text secrets', async () => {
    const url = await site();
    const cli = await startHarness();
    await writeFile(join(cli.directory, 'token.txt'), 'Bearer hidden\n');
    await writeFile(join(cli.directory, 'headers.txt'), 'X-Key: hidden\n');
    const headers = ['Accept-Language: it', 'Authorization: @token.txt', 'X-Api-Key: hidden', '@headers.txt'];
    const way = ['--cookie', 'sid=1', ...headers.flatMap((header) => ['--header', header])];
    const walked = await cli.run('crawl', url, ...way, '--insecure', '--save', 'pages.yaml');
    expect(walked).toMatchObject({ code: 0 });
    const saved = await readFile(join(cli.directory, 'pages.yaml'), 'utf8');
    expect(saved).not.toMatch(/hidden|sid=1/);
    expect(await answersFrom('pages.yaml', cli.directory, [])).toEqual([
      `target=${url}`,
      `cookie=ask:Cookies for ${new URL(url).host}, written a=1; b=2`,
      'header=Accept-Language: it',
      `header=Authorization: file:${join(cli.directory, 'token.txt')}`,
      'header=X-Api-Key: ask:X-Api-Key',
      `header=@${join(cli.directory, 'headers.txt')}`,
      'tls.verify=false',
      'pages=/\n/slow',
    ]);
  });

  it('reports pages that need a login, and requires consent to crawl a public host', async () => {
    const url = await site();
    const cli = await startHarness();
    expect((await cli.run('crawl', url)).out).toContain('1 page redirects to a login page');
    cli.agrees = 'nobody';
    const refused = await cli.run('crawl', 'http://public.example.org/');
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('--allow host:public.example.org') });
    expect(await cli.run('crawl', 'nowhere', '--pages', 'x')).toMatchObject({ code: 1, err: expect.stringContaining('--pages') });
  });
});

describe('run with a file of answers to questions', () => {
  it('answers a question for one page with the first page of the crawl', async () => {
    const cli = await startHarness();
    await writeFile(
      join(cli.directory, 'pages.yaml'),
      'target: http://a.example/\npages: |-\n  /\n  /tasks/two/description\n  /tasks/three/description\n',
    );
    const page = questionSchema.parse({ kind: 'text', id: 'page', label: 'Which page?', default: '', find: '/description$' });
    expect(await answersFrom('pages.yaml', cli.directory, [page])).toEqual(['page=/tasks/two/description', 'target=http://a.example/']);
  });

  it('reads answers to questions from a file; --set overrides them', async () => {
    const server = createServer((socket) => void socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const cli = await startHarness();
    await writeFile(join(cli.directory, 'answers.yaml'), 'connections: 3\nseconds: 5\n');
    const args = ['--answers', 'answers.yaml', '--set', 'seconds=1', '--set', `target=${target}`, '--json', '-'];
    const { out } = await cli.run('run', 'plain-page', ...args);
    const { plan } = resultSchema.parse(JSON.parse(out));
    expect(plan.load.stages.at(-1)).toMatchObject({ connections: 3, seconds: 1 });
    await writeFile(join(cli.directory, 'answers.yaml'), '- 1\n');
    expect(await cli.run('run', 'plain-page', ...args)).toMatchObject({ code: 1, err: expect.stringContaining('cannot be used') });
  });
});
