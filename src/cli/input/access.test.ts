import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { cookieValue, isSensitiveHeader, readHeaders, secretSource } from './secrets.ts';

const keptSecrets: string[] = [];
async function keepSecret(value: string): Promise<{ secret: string }> {
  keptSecrets.push(value);
  return { secret: `session:s${keptSecrets.length}` };
}

describe('secretSource', () => {
  it('converts files, variables and prompts to references', () => {
    expect(secretSource('@cookie.txt', '/home/me')).toEqual({
      from: 'reference',
      reference: 'file:/home/me/cookie.txt',
      parts: { kind: 'file', path: '/home/me/cookie.txt' },
    });
    expect(secretSource('file:cookie.txt', '/home/me')).toEqual({
      from: 'reference',
      reference: 'file:/home/me/cookie.txt',
      parts: { kind: 'file', path: '/home/me/cookie.txt' },
    });
    expect(secretSource('env:COOKIE', '/')).toEqual({ from: 'reference', reference: 'env:COOKIE', parts: { kind: 'env', name: 'COOKIE' } });
    expect(secretSource('ask:Cookie', '/')).toEqual({
      from: 'reference',
      reference: 'ask:Cookie',
      parts: { kind: 'ask', label: 'Cookie' },
    });
  });

  it('treats everything else as text', () => {
    for (const text of ['login="abc"', '@', 'env:', 'env:A=b; c=d']) expect(secretSource(text, '/')).toEqual({ from: 'text', text });
  });
});

describe('cookieValue', () => {
  it('keeps plain-text cookies out of the plan, and joins several cookies', async () => {
    keptSecrets.length = 0;
    expect(await cookieValue(['a=1', 'b=2'], '/', keepSecret)).toEqual({ secret: 'session:s1' });
    expect(keptSecrets).toEqual(['a=1; b=2']);
    expect(await cookieValue([], '/', keepSecret)).toBeUndefined();
  });

  it('does not join references', async () => {
    await expect(cookieValue(['a=1', 'env:B'], '/', keepSecret)).rejects.toMatchObject({ code: 'BAD_OPTION' });
  });
});

describe('readHeaders', () => {
  it('turns sensitive values into secrets and stores others as plain text', async () => {
    keptSecrets.length = 0;
    const sources = { currentDirectory: '/home/me', environment: {}, keep: keepSecret };
    const headers = await readHeaders(
      ['Accept: text/html', 'Authorization: Bearer planted', 'X-Token: env:TOKEN', 'X-Note: @note.txt', 'X-Empty:'],
      sources,
    );
    expect(headers).toEqual({
      Accept: 'text/html',
      Authorization: { secret: 'session:s1' },
      'X-Token': { secret: 'env:TOKEN' },
      'X-Note': { secret: 'file:/home/me/note.txt' },
      'X-Empty': '',
    });
    expect(keptSecrets).toEqual(['Bearer planted']);
  });

  it('reads headers from a file and a variable, all as secrets', async () => {
    keptSecrets.length = 0;
    const directory = temporaryDirectory();
    await writeFile(join(directory, 'headers.txt'), 'X-One: 1\r\n\nX-Two: 2\n');
    const sources = { currentDirectory: directory, environment: { HEADER: 'X-Three: 3' }, keep: keepSecret };
    expect(Object.keys(await readHeaders(['@headers.txt', 'env:HEADER'], sources))).toEqual(['X-One', 'X-Two', 'X-Three']);
    expect(keptSecrets).toEqual(['1', '2', '3']);
  });

  it('joins cookie lines to one header, unless one has an unknown value', async () => {
    keptSecrets.length = 0;
    const sources = { currentDirectory: '/home/me', environment: { MORE: 'Cookie: c=3' }, keep: keepSecret };
    expect(Object.keys(await readHeaders(['Cookie: a=1', 'cookie: b=2; d=4', 'env:MORE'], sources))).toEqual(['Cookie']);
    expect(keptSecrets).toEqual(['a=1; b=2; d=4; c=3']);
    expect(await readHeaders(['Cookie: env:LOGIN'], sources)).toEqual({ Cookie: { secret: 'env:LOGIN' } });
    await expect(readHeaders(['Cookie: env:LOGIN', 'Cookie: b=2'], sources)).rejects.toMatchObject({ code: 'BAD_OPTION' });
  });

  it('reports every invalid header option, but not the content of a file', async () => {
    const directory = temporaryDirectory();
    await writeFile(join(directory, 'headers.txt'), 'planted without colon');
    const sources = { currentDirectory: directory, environment: {}, keep: keepSecret };
    const failure = readHeaders(['nonsense', '@headers.txt', 'Bad Name: x'], sources);
    await expect(failure).rejects.toMatchObject({
      code: 'BAD_OPTION',
      hint: expect.stringMatching(/nonsense[\s\S]*headers\.txt[\s\S]*Bad Name/),
    });
    await expect(failure).rejects.not.toMatchObject({ hint: expect.stringContaining('planted') });
    await expect(readHeaders(['@missing'], sources)).rejects.toMatchObject({ code: 'BAD_OPTION' });
    await expect(readHeaders(['env:NOT_SET'], sources)).rejects.toMatchObject({ code: 'BAD_OPTION' });
  });
});

describe('isSensitiveHeader', () => {
  it.each([
    'Cookie',
    'authorization',
    'X-CMS-Authorization',
    'X-Auth-Token',
    'X-Api-Key',
    'X-CSRFToken',
    'Proxy-Authorization',
    'X-Session-Id',
  ])('is true for %s', (name) => expect(isSensitiveHeader(name)).toBe(true));
  it.each(['Accept', 'Host', 'User-Agent', 'X-Forwarded-For', 'Content-Type'])('is false for %s', (name) =>
    expect(isSensitiveHeader(name)).toBe(false),
  );
});
