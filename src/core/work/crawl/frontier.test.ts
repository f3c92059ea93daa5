import { describe, expect, it } from 'vitest';
import { Frontier } from './frontier.ts';
import { crawlBoundsSchema, type CrawlBounds } from './report.ts';

function walked(
  bounds: Partial<CrawlBounds>,
  links: Readonly<Record<string, readonly string[]>>,
): { visited: string[]; frontier: Frontier } {
  const frontier = new Frontier('http://a.example/', crawlBoundsSchema.parse(bounds));
  const visited: string[] = [];
  for (let found = frontier.takeNext(); found !== null; found = frontier.takeNext()) {
    visited.push(new URL(found.url).pathname);
    frontier.add(links[new URL(found.url).pathname] ?? [], found.depth + 1, found.url);
  }
  return { visited, frontier };
}

const links = {
  '/': ['http://a.example/one', 'http://a.example/two', 'https://a.example/tls', 'http://b.example/x', 'http://a.example/'],
  '/one': ['http://a.example/two', 'http://a.example/deep', 'http://b.example/y'],
  '/deep': ['http://a.example/deeper'],
};

describe('Frontier', () => {
  it('visits each address of the site once, the nearest first, and counts other hosts', () => {
    const { visited, frontier } = walked({}, links);
    expect(visited).toEqual(['/', '/one', '/two', '/deep', '/deeper']);
    expect(frontier.otherHosts).toEqual({ 'a.example': 1, 'b.example': 2 });
    expect([frontier.endedBy, frontier.notVisited]).toEqual(['all', 0]);
  });

  it('respects the maximum pages and depth, and reports what was left', () => {
    const few = walked({ maxPages: 2 }, links);
    expect([few.visited, few.frontier.endedBy, few.frontier.notVisited]).toEqual([['/', '/one'], 'pages', 2]);
    const shallow = walked({ maxDepth: 1 }, links);
    expect([shallow.visited, shallow.frontier.endedBy, shallow.frontier.notVisited]).toEqual([['/', '/one', '/two'], 'depth', 1]);
  });

  it.each(['/logout', '/user/sign-out', '/index.php?do=logoff', '/item/7/delete', '/unsubscribe?id=1', '/page?action=delete'])(
    'does not follow %s, which may end the session or change data',
    (path) => {
      const { visited, frontier } = walked({}, { '/': [`http://a.example${path}`] });
      expect([visited, frontier.avoided]).toEqual([['/'], [`http://a.example${path}`]]);
    },
  );

  it.each(['/blogout/', '/deleted-scenes', '/cancellation-terms', '/signature'])('follows %s', (path) => {
    expect(walked({}, { '/': [`http://a.example${path}`] }).visited).toHaveLength(2);
  });

  it('counts links to hosts beyond the first 200 together', () => {
    const frontier = new Frontier('http://site.example/', crawlBoundsSchema.parse({}));
    frontier.add(
      Array.from({ length: 5_000 }, (_, index) => `http://host-${index}.example/`),
      1,
      'http://site.example/',
    );
    const hosts = frontier.otherHosts;
    expect([Object.keys(hosts).length, hosts['others'], hosts['host-0.example']]).toEqual([201, 4_800, 1]);
  });
});
