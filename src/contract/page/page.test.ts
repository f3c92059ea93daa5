import { describe, expect, it } from 'vitest';
import { cacheControl, contentSecurityPolicy, mediaType, pageFile } from './files.ts';

describe('pageFile', () => {
  it.each([
    ['/', ['index.html']],
    ['/index.html', ['index.html']],
    ['/assets/index-CHctNeNb.js', ['assets', 'index-CHctNeNb.js']],
    ['/favicon.svg', ['favicon.svg']],
    ['/runs/01JABC', ['index.html']],
    ['/runs/01JABC/', ['index.html']],
  ])('returns for %s: %j', (path, file) => {
    expect(pageFile(path)).toEqual(file);
  });

  it.each([
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/%2e%2e/secret.txt',
    '/%2e%2e%2fsecret.txt',
    '/..%5csecret.txt',
    '/..\\secret.txt',
    '/%252e%252e/secret.txt',
    '//etc/passwd.txt',
    '/C:/Windows/win.ini',
    '/index.html::$DATA.js',
    '/index.html%00.js',
    '/.env',
    '/.git/config.js',
    '/assets/.hidden.js',
    '/assets/name..',
    '/assets//index.js',
    '/%E0%A4%A.js',
    '/%',
    '/caf\u00e9.js',
    'index.html',
    '',
    `/${'a'.repeat(300)}.js`,
  ])('refuses %s', (path) => {
    expect(pageFile(path)).toBeNull();
  });
});

describe('page headers', () => {
  it('contain the media type, which is a byte stream by default', () => {
    expect(mediaType('index-abc.js')).toBe('text/javascript; charset=utf-8');
    expect(mediaType('A.CSS')).toBe('text/css; charset=utf-8');
    expect(mediaType('x.constructor')).toBe('application/octet-stream');
  });

  it('allow caching only for files with a digest in their name', () => {
    expect(cacheControl(['assets', 'index-abc.js'])).toContain('immutable');
    expect(cacheControl(['index.html'])).toBe('no-cache');
  });

  it('allow the page its own files and nothing inline or foreign', () => {
    const policy = contentSecurityPolicy(['ws://127.0.0.1:1']);
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
    expect(policy).toContain("connect-src 'self' ws://127.0.0.1:1;");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    for (const rule of ["worker-src 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'"]) {
      expect(policy.split('; ')).toContain(rule);
    }
  });
});
