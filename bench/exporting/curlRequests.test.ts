import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportPlan } from '#core/export/exportPlan.ts';
import { parseValue } from '#core/review/check.ts';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { drive } from '#workers/testing/drive.ts';
import { httpServer, type TestServer } from '#workers/testing/servers.ts';

/** Texts that have a special meaning for a shell, for curl or for parsers of forms. */
const SPECIAL_TEXTS = [
  '@/etc/hostname',
  '</etc/hostname',
  '@-',
  '-K/etc/hosts',
  '--next',
  "it's",
  '"quoted"',
  'a;b',
  'a,b',
  'a;type=text/html',
  'a=b&c=d',
  '=ls',
  '~root',
  '*',
  '{a,b}',
  '[1-3]',
  '{{',
  '$HOME',
  '`id`',
  '$(id)',
  '!!',
  '\\',
  '\\"',
  '%',
  '%41%00',
  '%{url}',
  '#x',
  'é😀',
  '  two  ',
  'a\nb',
  'a\r\nb',
  '',
  ' ',
  '|cat',
  '>x',
  '^',
];
type StepInput = PlanInput['journey'][number];

interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

let server: TestServer;
let folder: string;
let received: Received[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-curl-'));
  server = await httpServer((request, response) => {
    void read(request).then((one) => {
      received.push(one);
      response.end('x');
    });
  });
});

afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

/** Reads a request, without the headers that programs add and with a fixed boundary. */
async function read(request: IncomingMessage): Promise<Received> {
  const { 'user-agent': _agent, accept: _accept, host: _host, connection: _connection, ...headers } = request.headers;
  const body = (await buffer(request)).toString('latin1');
  const boundary = /boundary=(\S+)/.exec(headers['content-type'] ?? '')?.[1];
  if (boundary === undefined) return { method: request.method, url: request.url, headers, body };
  const { 'content-length': _length, ...others } = headers;
  const type = headers['content-type']?.replace(boundary, 'BOUNDARY');
  return {
    method: request.method,
    url: request.url,
    headers: { ...others, 'content-type': type },
    body: body.replaceAll(boundary, 'BOUNDARY'),
  };
}

/** Returns what a server receives from a plan, and what it receives from the curl commands that were exported from the plan. */
async function receiveBoth(
  steps: readonly StepInput[],
  target: Partial<PlanInput['targets'][number]> = {},
): Promise<{ ours: Received[]; theirs: Received[] }> {
  const journey = steps.map((step, index) => ({ ...step, name: `s${index}` }));
  const targets = [{ url: server.url, ...target }];
  const load: PlanInput['load'] = { model: 'connections', stages: [{ connections: 1, requests: journey.length }] };
  const { plan, issues } = parseValue({ holdfast: 1, name: 'x', targets, journey, load });
  if (plan === null) throw new Error(JSON.stringify(issues));
  const paths = journey.flatMap(({ multipart }) => (multipart ?? []).flatMap((part) => ('file' in part ? [part.file] : [])));
  const files = Object.fromEntries(
    await Promise.all(paths.map(async (path) => [path, await readFile(join(folder, path), 'base64')] as const)),
  );
  received = [];
  const { headers, cookie } = target;
  const own = { ...headers, ...(typeof cookie === 'string' ? { Cookie: cookie } : {}) } as Record<string, string>;
  await drive({ targets: [server.url], plan: { journey }, headers: own, load, files });
  const ours = received;
  received = [];
  const result = exportPlan('curl', plan);
  if (result.kind === 'refused') throw new Error(JSON.stringify(result.issues));
  const child = spawn('sh', ['-e'], {
    cwd: folder,
    stdio: ['pipe', 'ignore', 'inherit'],
    env: { PATH: process.env['PATH'], HOME: folder },
  });
  child.stdin.end(result.exported.text.replaceAll(/^curl /gm, 'curl -sS '));
  const [code] = await once(child, 'close');
  expect(code, result.exported.text).toBe(0);
  return { ours, theirs: received };
}

/** These tests run curl itself, because curl decides what its commands mean. */
describe('an exported curl command', () => {
  it.each<[string, (text: string) => StepInput | null]>([
    ['a body', (body) => ({ name: '', method: 'POST', body })],
    ['a form', (text) => ({ name: '', method: 'POST', form: { a: text, [text === '' ? 'b' : text]: 'x' } })],
    ['JSON', (text) => ({ name: '', method: 'PUT', json: { [text]: text } })],
    ['a query', (text) => ({ name: '', query: { a: text, [text === '' ? 'b' : text]: 'x' } })],
    ['a path', (text) => (/[\s\\#]|^[@<>|*^~]?$/.test(text) ? null : { name: '', path: `/x/${text}?${text}` })],
    ['a header', (text) => (/[\r\n]|^\s+$|é/.test(text) ? null : { name: '', headers: { 'X-A': text.trim() } })],
    ['a part', (text) => ({ name: '', method: 'POST', multipart: [{ name: text.replaceAll('=', '') || 'a', value: text }] })],
  ])('sends what the plan sends: %s', { timeout: 60_000 }, async (_name, make) => {
    const { ours, theirs } = await receiveBoth(SPECIAL_TEXTS.flatMap((text) => make(text) ?? []));
    expect(ours.length).toBeGreaterThan(20);
    expect(theirs).toEqual(ours);
  });

  it.each(['sid=1; b=2', 'sid', '/etc/hostname', '@/etc/hostname', 'a="x;y"', '-K'])('sends the cookie %s', async (cookie) => {
    const { ours, theirs } = await receiveBoth([{ name: '' }], { cookie });
    expect(theirs).toEqual(ours);
  });

  it('sends files, whatever their names', async () => {
    const names = ['a.txt', 'b;c', 'd,e', 'f"g', '-', "h'i", 'j k', '\\l', 'm=n', '@o', '"p"'];
    await Promise.all(names.map((name) => writeFile(join(folder, name), `contents of ${name}`)));
    const part = { name: 'f', type: 'text/plain; charset=utf-8' };
    const steps = names.flatMap((file): StepInput[] => [
      { name: '', method: 'POST', multipart: [{ ...part, file, fileName: file }] },
      { name: '', method: 'POST', multipart: [{ name: 'f', file, fileName: 'x;y,z.txt' }] },
    ]);
    const { ours, theirs } = await receiveBoth(steps);
    expect(theirs).toEqual(ours);
  });
});
