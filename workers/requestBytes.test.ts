import { describe, expect, it } from 'vitest';
import { buildRequest, requestUrl, type RequestParts } from './requestBytes.ts';

const plain: RequestParts = { method: 'GET', targetUrl: 'http://127.0.0.1:8080/', path: '', headers: [], body: null };
const text = (parts: Partial<RequestParts>): string => buildRequest({ ...plain, ...parts }).bytes.toString('utf8');

describe('buildRequest', () => {
  it('names the host, and the port if it is not the default', () => {
    expect(text({})).toBe('GET / HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nConnection: keep-alive\r\n\r\n');
    expect(text({ targetUrl: 'http://[::1]:81/a' })).toContain('GET /a HTTP/1.1\r\nHost: [::1]:81\r\n');
    expect(text({ targetUrl: 'http://example.org:80/' })).toContain('\r\nHost: example.org\r\n');
  });

  it('merges headers case-insensitively, with the last value', () => {
    const headers = [
      { 'User-Agent': 'Holdfast/1' },
      { 'x-a': 'target', HOST: 'shard.example.org' },
      { 'X-A': 'step', 'user-agent': 'own' },
    ];
    expect(text({ headers })).toBe(
      'GET / HTTP/1.1\r\nHOST: shard.example.org\r\nConnection: keep-alive\r\nuser-agent: own\r\nX-A: step\r\n\r\n',
    );
  });

  it("sets the length of the body in bytes, and ignores the plan's Content-Length", () => {
    const request = text({ method: 'POST', body: 'né', headers: [{ 'content-length': '9', 'Transfer-Encoding': 'chunked' }] });
    expect(request).toBe('POST / HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nConnection: keep-alive\r\nContent-Length: 3\r\n\r\nné');
    expect(text({ method: 'POST' })).toContain('Content-Length: 0\r\n');
  });

  it('reports whether the request closes the connection', () => {
    expect(buildRequest(plain).keepsAlive).toBe(true);
    expect(buildRequest({ ...plain, headers: [{ connection: 'Close' }] }).keepsAlive).toBe(false);
  });

  it.each(['a\r\nX-Evil: 1', 'line\n', 'nul\0'])('refuses a header value with control characters: %j', (value) => {
    expect(() => text({ headers: [{ cookie: value }] })).toThrow(expect.objectContaining({ code: 'BAD_HEADER_VALUE' }));
    try {
      text({ headers: [{ cookie: value }] });
    } catch (error) {
      expect(String(error)).not.toContain(value);
    }
  });

  it('marks a HEAD request, whose response has no body', () => {
    expect(buildRequest({ ...plain, method: 'HEAD' }).isHead).toBe(true);
    expect(buildRequest(plain).isHead).toBe(false);
    expect(text({ method: 'HEAD' })).toContain('HEAD / HTTP/1.1\r\n');
  });
});

describe('requestUrl', () => {
  it.each([
    ['http://h/contest/', '', 'http://h/contest/'],
    ['http://h/contest/?a=1', '', 'http://h/contest/?a=1'],
    ['http://h/contest/', '/login', 'http://h/login'],
    ['http://h/contest/', 'tasks/x?p=2', 'http://h/contest/tasks/x?p=2'],
    ['http://h/contest', 'tasks', 'http://h/tasks'],
    ['http://h/a/b/', '../c', 'http://h/a/c'],
    ['http://h/a/', '?q=ü', 'http://h/a/?q=%C3%BC'],
  ])('resolves %s and “%s” to %s', (target, path, url) => expect(requestUrl(target, path).href).toBe(url));

  it.each(['http://other/', '//other/x', 'https://h/', 'javascript:1'])('refuses another origin: %s', (path) => {
    expect(() => requestUrl('http://h/', path)).toThrow(expect.objectContaining({ code: 'STEP_LEAVES_TARGET' }));
  });
});
