import { isBlock } from '#core/base/json.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { importText } from '#core/import/importText.ts';
import type { ImportedPlan, ImportResult } from '#core/import/imported.ts';
import { parseValue } from '#core/review/check.ts';
import { drive } from '#workers/testing/drive.ts';
import { httpServer } from '#workers/testing/servers.ts';

/** A request as received by the server. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface BothReceived {
  readonly curl: readonly Received[];
  /** Exit code of the shell. It is not 0 if curl rejects the options. */
  readonly code: number;
  readonly result: ImportResult;
  /** The requests that the imported plan sends; null if there is no plan. */
  readonly plan: readonly Received[] | null;
}

/** Files and shell variables that the commands use. */
const FILES: Readonly<Record<string, string>> = { 'a.txt': 'one two & three', 'b.json': '{"a":1}', 'my file.pdf': '%PDF-', 'p.png': 'PNG' };
const VARIABLES: Readonly<Record<string, string>> = { WORD: 'w0rd', NUMBER: '7' };

export interface SideBySide {
  /** The server for both curl and the plan, as `127.0.0.1:PORT`. */
  readonly host: string;
  /** Runs a command in a real shell, and runs the plan that is imported from the command. */
  run(text: string): Promise<BothReceived>;
  close(): Promise<void>;
}

export async function startSideBySide(): Promise<SideBySide> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-curl-'));
  await Promise.all(Object.entries(FILES).map(([name, text]) => writeFile(join(folder, name), text)));
  let received: Received[] = [];
  const server = await httpServer((request, response) => {
    void readReceived(request).then((one) => {
      received.push(one);
      response.end('x');
    });
  });
  const takeReceived = (): Received[] => {
    const all = received;
    received = [];
    return all;
  };
  return {
    host: `127.0.0.1:${server.port}`,
    async run(text) {
      const code = await runInShell(text, folder);
      const curl = takeReceived();
      const result = importText(text);
      if (result.kind === 'refused') return { curl, code, result, plan: null };
      await send(result.imported, folder);
      return { curl, code, result, plan: takeReceived() };
    },
    async close() {
      await server.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** Matches headers that programs add themselves, and headers that follow from the body. */
const PROGRAM_HEADERS = /^(host|connection|content-length|transfer-encoding|expect|keep-alive)$/;

async function readReceived(request: IncomingMessage): Promise<Received> {
  const headers: Record<string, string> = {};
  request.rawHeaders.forEach((name, index, all) => {
    const key = name.toLowerCase();
    const value = all[index + 1] ?? '';
    if (index % 2 === 1 || (PROGRAM_HEADERS.test(key) && !(key === 'host' && !/^127\.0\.0\.1:\d+$/.test(value)))) return;
    if (key === 'user-agent' && /^(curl|Holdfast)\//.test(value)) return;
    if (key === 'accept' && value === '*/*') return;
    const text = key === 'accept-encoding' ? 'packed' : value;
    headers[key] = headers[key] === undefined ? text : `${headers[key]}, ${text}`;
  });
  const body = (await buffer(request)).toString('latin1');
  const type = headers['content-type'] ?? '';
  const boundary = /boundary=(\S+)/.exec(type)?.[1];
  if (boundary !== undefined) headers['content-type'] = type.replace(boundary, 'BOUNDARY');
  return {
    method: request.method ?? '',
    path: decodeUnreserved(request.url ?? ''),
    headers,
    body:
      boundary === undefined ? (/x-www-form-urlencoded/.test(type) ? normalizeForm(body) : body) : body.replaceAll(boundary, 'BOUNDARY'),
  };
}

/**
 * Decodes characters whose meaning is the same with and without percent-encoding (RFC 3986, 6.2.2.2), and those that a WHATWG URL encodes
 * in addition.
 */
function decodeUnreserved(path: string): string {
  return path.replaceAll(/%[\dA-F]{2}/gi, (code) => {
    const letter = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[\w.~'"<>`{}|^*-]/.test(letter) ? letter : code.toUpperCase();
  });
}

/** Normalizes a form by parsing it. */
function normalizeForm(body: string): string {
  return [...new URLSearchParams(body)].map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
}

async function runInShell(text: string, folder: string): Promise<number> {
  const child = spawn('bash', ['-c', text], {
    cwd: folder,
    stdio: 'ignore',
    env: { PATH: process.env['PATH'], HOME: folder, LC_ALL: 'C.UTF-8', ...VARIABLES },
  });
  const [code]: unknown[] = await once(child, 'close');
  return typeof code === 'number' ? code : -1;
}

async function send({ written, secrets }: ImportedPlan, folder: string): Promise<void> {
  const valueOf = async (reference: string): Promise<string> => {
    const [kind = '', name = ''] = [reference.slice(0, reference.indexOf(':')), reference.slice(reference.indexOf(':') + 1)];
    // Like the backend, reads such a file without its last line feed.
    if (kind === 'file') return (await readFile(join(folder, name), 'utf8')).replace(/\n$/, '');
    return kind === 'env' ? (secrets.get(name) ?? '') : (VARIABLES[name] ?? '');
  };
  const fillVariables = async (value: unknown): Promise<unknown> => {
    if (Array.isArray(value)) return Promise.all(value.map(fillVariables));
    if (!isBlock(value)) return value;
    const { kind, secret } = value;
    if (kind === undefined && typeof secret === 'string') return valueOf(secret);
    return Object.fromEntries(
      await Promise.all(Object.entries(value).map(async ([name, one]) => [name, await fillVariables(one)] as const)),
    );
  };
  const { plan, issues } = parseValue(await fillVariables(written));
  if (plan === null) throw new Error(JSON.stringify(issues));
  const variables = await Promise.all(
    Object.entries(plan.variables ?? {}).map(async ([name, one]) => [name, 'secret' in one ? await valueOf(one.secret) : ''] as const),
  );
  const paths = plan.journey.flatMap(({ multipart }) => (multipart ?? []).flatMap((part) => ('file' in part ? [part.file] : [])));
  const [target] = plan.targets;
  if (target === undefined) throw new Error('The plan has no target.');
  const { auth } = target;
  const login =
    auth === undefined ? {} : { authorization: `Basic ${Buffer.from(`${auth.user}:${String(auth.password)}`).toString('base64')}` };
  const headers = Object.fromEntries(
    Object.entries({ ...target.headers, ...login }).flatMap(([name, one]) => (typeof one === 'string' ? [[name, one]] : [])),
  );
  await drive({
    targets: [target.url],
    plan,
    headers: { ...headers, ...(typeof target.cookie === 'string' ? { Cookie: target.cookie } : {}) },
    secrets: Object.fromEntries(variables),
    files: Object.fromEntries(await Promise.all(paths.map(async (path) => [path, await readFile(join(folder, path), 'base64')] as const))),
    load: { model: 'connections', stages: [{ connections: 1, requests: plan.journey.length }] },
  });
}
