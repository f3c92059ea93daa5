import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { declareScheme, judgeRequest, servePage } from './appProtocol.ts';
import { privilegedSchemes, schemes } from './testing/electron.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'holdfast-page-'));
  await mkdir(join(directory, 'ui', 'assets'), { recursive: true });
  await writeFile(join(directory, 'ui', 'index.html'), '<title>Holdfast</title>');
  await writeFile(join(directory, 'ui', 'assets', 'a.js'), 'export {};');
  await writeFile(join(directory, 'secret.txt'), 'a secret');
  await symlink(join(directory, 'secret.txt'), join(directory, 'ui', 'link.txt'));
  servePage(join(directory, 'ui'));
});
afterAll(() => rm(directory, { recursive: true }));

/**
 * Requests an address from the protocol handler. `Request` would normalize the address, but the path of an attack must arrive unchanged.
 */
function get(address: string, method = 'GET'): Promise<Response> {
  const reply = schemes.get('app');
  if (!reply) throw new Error('no scheme was registered');
  return reply({ url: address, method } as Request);
}

describe('the scheme of the page', () => {
  it('has a separate origin, and cannot bypass the content security policy', () => {
    declareScheme();
    expect(privilegedSchemes).toEqual([{ scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true } }]);
  });

  it('serves the page with the policy', async () => {
    const reply = await get('app://holdfast/');
    expect(reply.status).toBe(200);
    expect(await reply.text()).toBe('<title>Holdfast</title>');
    expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(reply.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'/);
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await (await get('app://holdfast/runs/1')).text()).toBe('<title>Holdfast</title>');
    expect((await get('app://holdfast/assets/a.js')).headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  });

  it.each(['POST', 'PUT', 'DELETE', 'HEAD', 'get'])('rejects %s', async (method) => {
    expect((await get('app://holdfast/', method)).status).toBe(405);
  });

  it('refuses requests to every other host', async () => {
    expect((await get('app://evil/')).status).toBe(403);
    expect((await get('app://holdfast.evil/index.html')).status).toBe(403);
  });

  it.each([
    'app://holdfast/../secret.txt',
    'app://holdfast/%2e%2e/secret.txt',
    'app://holdfast/..%2fsecret.txt',
    'app://holdfast/..%5csecret.txt',
    'app://holdfast/assets/%2e%2e%2f%2e%2e%2fsecret.txt',
    'app://holdfast/link.txt',
    'app://holdfast//etc/passwd.txt',
    'app://holdfast/%00.js',
  ])('serves nothing from outside its folder for %s', async (address) => {
    const reply = await get(address);
    expect(reply.status).toBe(404);
    expect(await reply.text()).toBe('');
  });

  it('rejects an invalid address', () => {
    expect(judgeRequest('GET', '')).toEqual({ status: 403 });
  });
});
