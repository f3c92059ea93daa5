import { describe, expect, it } from 'vitest';
import { importText } from '../importText.ts';
import { findRefusal, linesOfNotes, readImported } from '../testing/imported.ts';

const requestsOf = (text: string): string[] => {
  const { plan } = readImported(text);
  return plan.journey.map(({ method, path, target }) => `${method} ${target === undefined ? '' : `${target} `}${path}`);
};

describe('lists of addresses', () => {
  it.each([
    ['http://a.example/\nhttp://a.example/b?x=1\n', ['GET /', 'GET /b?x=1']],
    ['# shop\r\nhttp://a.example/\r\n\r\n; basket\r\nhttp://a.example/cart   # basket\r\n', ['GET /', 'GET /cart']],
    ['- http://a.example/a\n* [Shop](http://a.example/shop)\n1. <http://a.example/c>\n', ['GET /a', 'GET /shop', 'GET /c']],
    ['"http://a.example/a",\n"http://a.example/b"', ['GET /a', 'GET /b']],
    ['localhost:8080/\n127.0.0.1:8080/about\n', ['GET /', 'GET server /about']],
    ['http://a.example/[1-3]\nhttp://a.example/b', ['GET /[1-3]', 'GET /b']],
    ['https://a.example/\nhttps://api.b.example/x', ['GET /', 'GET api /x']],
  ])('%j: each address is a step', (text, steps) => {
    expect(readImported(text).kind).toBe('urls');
    expect(requestsOf(text)).toEqual(steps);
  });

  it('are read with the variables, methods and bodies of siege', () => {
    const { plan } = readImported(
      'HOST=a.example\nhttp://$(HOST)/\nhttp://${HOST}/login POST user=jeff\nhttp://a.example/up POST </tmp/a.json\n',
    );
    expect(plan.journey).toMatchObject([
      { method: 'GET', path: '/' },
      { method: 'POST', path: '/login', form: { user: 'jeff' }, redirects: { most: 10 } },
      { method: 'POST', path: '/up', body: { secret: 'file:/tmp/a.json' } },
    ]);
  });

  it('are read with the headers and bodies of vegeta, in lines and in JSON', () => {
    const lines =
      'GET http://a.example/\n\nPOST http://a.example/items\nContent-Type: application/json\n@/tmp/body.json\n\nDELETE http://a.example/1\nX-Id: 8\n';
    expect(readImported(lines).plan.journey).toMatchObject([
      { method: 'GET', path: '/' },
      { method: 'POST', path: '/items', headers: { 'Content-Type': 'application/json' }, body: { secret: 'file:/tmp/body.json' } },
      { method: 'DELETE', path: '/1', headers: { 'X-Id': '8' } },
    ]);
    const json =
      '{"method":"GET","url":"http://a.example/"}\n{"method":"POST","url":"http://a.example/b","body":"aGVsbG8=","header":{"X-A":["1"]}}\n';
    expect(readImported(json).plan.journey).toMatchObject([{ path: '/' }, { method: 'POST', body: 'hello', headers: { 'X-A': '1' } }]);
  });

  it('are read from a sitemap', () => {
    const text =
      '<?xml version="1.0"?><urlset><url><loc>http://a.example/a?x=1&amp;y=2</loc></url><url><loc>http://a.example/b</loc></url></urlset>';
    expect(requestsOf(text)).toEqual(['GET /a?x=1&y=2', 'GET /b']);
  });

  it('are cut to the maximum number of steps of a journey, which is reported once', () => {
    const text = Array.from({ length: 1_000 }, (_none, index) => `http://a.example/${index}`).join('\n');
    const imported = readImported(text);
    expect(imported.plan.journey).toHaveLength(200);
    expect(linesOfNotes(imported).filter((note) => note.startsWith('leftOut'))).toEqual([
      'leftOut list: It has 1000 addresses. A journey has at most 200 steps. The plan requests the first 200. To request all of them, make their paths a feed of the plan.',
    ]);
  });

  it.each([
    ['http://a.example/\nhttp://a.example/b\nftp://a.example/c', 'LIST_UNREADABLE'],
    ['http://a.example/\nhttp://a.example:99999/b', 'LIST_UNREADABLE a.example:99999/b'],
    ['/\n/about\n/contact\n', 'OTHER_TOOL'],
    ['src/app.ts\nsrc/main.ts', 'UNKNOWN_KIND'],
    ['url,weight\nhttp://a.example/a,3\nhttp://a.example/b,1', 'UNKNOWN_KIND'],
    ['<sitemapindex><sitemap><loc>http://a.example/1.xml</loc></sitemap></sitemapindex>', 'OTHER_TOOL'],
    ['url = "http://a.example/a"\nnext\nurl = "http://a.example/b"', 'OTHER_TOOL'],
  ])('%j is refused, because a line is no address', (text, refusal) => {
    expect(findRefusal(text)[0]).toContain(refusal.split(' ', 1)[0]);
  });

  it.each([
    ['http://a.example/', 'address'],
    ['GET http://a.example/a\nX-A: 1', 'http'],
    ['GET http://a.example/a HTTP/1.1\n\n###\nPOST http://a.example/b', 'http'],
    ['GET http://a.example/a\n\n### all of them\nGET http://a.example/b', 'http'],
    ['http://a.example/ is slow. I ran:\nab -n 10 http://a.example/', 'ab'],
    ['http://a.example/\nab -n 10 http://a.example/', 'ab'],
  ])('%j is imported as another format', (text, kind) => {
    expect(readImported(text).kind).toBe(kind);
  });

  it('are refused with the number of the line that is not an address', () => {
    const result = importText('http://a.example/\nhttp://a.example/b\nhttp//a.example/c');
    expect(result.kind === 'refused' && result.issues[0]?.message).toBe('This is a list of addresses, but line 3 is not.');
  });
});
