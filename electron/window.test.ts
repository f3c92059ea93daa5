import { describe, expect, it } from 'vitest';
import { firstSize, pagePreferences, windowBounds } from './window.ts';

const screen = { x: 0, y: 0, width: 1_920, height: 1_080 };
const savedBounds = (bounds: unknown): string => JSON.stringify(bounds);

describe('windowBounds', () => {
  it('restores the last position', () => {
    const bounds = { x: 100, y: 50, width: 1_000, height: 800 };
    expect(windowBounds(savedBounds(bounds), [screen])).toEqual(bounds);
    expect(windowBounds(savedBounds({ ...bounds, x: 1_920 + 10 }), [screen, { ...screen, x: 1_920 }])).toEqual({ ...bounds, x: 1_930 });
  });

  it.each([
    ['its last screen is gone', savedBounds({ x: 2_000, y: 50, width: 1_000, height: 800 })],
    ['its title bar would be out of reach', savedBounds({ x: 100, y: -50, width: 1_000, height: 800 })],
    ['only a sliver would be seen', savedBounds({ x: -950, y: 50, width: 1_000, height: 800 })],
    ['it was too small to use', savedBounds({ x: 0, y: 0, width: 10, height: 10 })],
    ['the file is broken', '{"x":1'],
    ['the file is something else', '[]'],
    ['there is no file', undefined],
  ])('returns the default size without a position if %s', (_why, state) => expect(windowBounds(state, [screen])).toEqual(firstSize));
});

it('pagePreferences give the page no more rights than a web page has', () => {
  expect(pagePreferences).toMatchObject({
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    webviewTag: false,
  });
});
