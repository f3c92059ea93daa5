import { describe, expect, it } from 'vitest';
import type { BrowserLoad } from './browserLoad.ts';
import { type BrowserRound, compare, type ModelRound, verdictOn } from './compare.ts';
import type { ProxiedRequest } from './proxySettings.ts';

/** Returns requests by path, each with the times of its start and end. */
function requests(lines: readonly (readonly [string, number, number])[]): ProxiedRequest[] {
  return lines.map(([path, atMs, endMs]) => ({ path, type: path.endsWith('.png') ? 'image/png' : 'text/css', status: 200, atMs, endMs }));
}
const load = (given: Partial<BrowserLoad> = {}): BrowserLoad => ({
  loadedMs: 250,
  beforeMs: 10,
  tasksMs: 20,
  scriptsMs: 1,
  lazy: [],
  causes: new Map(),
  ...given,
});
const model: ModelRound = {
  pageMs: 200,
  requests: requests([
    ['/', 0, 100],
    ['/a.css', 100, 200],
    ['/b.png', 100, 150],
  ]),
};
const browser: BrowserRound = {
  load: load(),
  requests: requests([
    ['/', 1_000, 1_100],
    ['/a.css', 1_130, 1_230],
    ['/b.png', 1_131, 1_180],
  ]),
};

describe('compare', () => {
  it("agrees in requests, order and times if the browser's own work is left out", () => {
    const comparison = compare([model, model, model], [browser, browser, browser]);
    expect(comparison).toMatchObject({ requests: { model: 3, browser: 3 }, onlyModel: [], onlyBrowser: [], order: 1 });
    expect([comparison.pageMs, comparison.dueMs]).toEqual([
      { model: 200, browser: 250 },
      { model: 200, browser: 200 },
    ]);
    expect(verdictOn(comparison, true)).toEqual({ verdict: 'explained', problems: [] });
    expect(verdictOn(compare([{ ...model, pageMs: 230 }], [browser]), true).verdict).toBe('agrees');
  });

  it('fails if there is an unexplained request, another order, or a longer server time', () => {
    const reversed: ModelRound = {
      pageMs: 320,
      requests: requests([
        ['/b.png', 0, 100],
        ['/a.css', 100, 200],
        ['/', 200, 300],
        ['/old.js', 200, 320],
      ]),
    };
    const seenBrowserRound: BrowserRound = {
      ...browser,
      requests: [
        ...browser.requests,
        ...requests([
          ['/new.css', 1_150, 1_200],
          ['/font.woff', 1_150, 1_200],
        ]),
      ],
    };
    const comparison = compare(
      [reversed],
      [
        {
          ...seenBrowserRound,
          load: load({
            causes: new Map([
              ['/new.css', 'page'],
              ['/font.woff', 'style'],
            ] as const),
          }),
        },
      ],
    );
    expect(verdictOn(comparison, true)).toEqual({
      verdict: 'missed',
      problems: [
        'only the model asks for /old.js',
        'only the browser asks for /new.css',
        'only the browser asks for /font.woff',
        'only 0 % of the requests are in the same order',
        'times differ by more than 10 %',
      ],
    });
  });

  it('explains differences by requests from scripts or from the browser itself, and by lazy images', () => {
    const causes = new Map([
      ['/data?at=1', 'script'],
      ['/more.js', 'script'],
    ] as const);
    const more: BrowserRound = {
      load: load({ loadedMs: 220, causes, lazy: ['/far.png'] }),
      requests: [
        ...browser.requests,
        ...requests([
          ['/data?at=1', 1_131, 1_200],
          ['/more.js', 1_131, 1_200],
          ['/favicon.ico', 1_240, 1_250],
        ]),
      ],
    };
    const comparison = compare([{ ...model, requests: [...model.requests, ...requests([['/far.png', 200, 300]])] }], [more]);
    expect(comparison.onlyBrowser.map(({ why }) => why)).toEqual(['script', 'script', 'icon']);
    expect(comparison.onlyModel).toEqual([{ path: '/far.png', why: 'lazy' }]);
    expect(verdictOn(comparison, true)).toEqual({ verdict: 'explained', problems: [] });
  });
});
