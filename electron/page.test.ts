import { describe, expect, it } from 'vitest';
import { isPageFrame, isPageUrl } from './page.ts';

describe("the page's own address", () => {
  it.each(['app://holdfast/', 'app://holdfast/index.html', 'app://holdfast/runs/1?x=1#y'])('%s', (address) => {
    expect(isPageUrl(address)).toBe(true);
  });

  it.each([
    '',
    'about:blank',
    'app://',
    'app://evil/',
    'app://holdfast.evil/',
    'app://holdfast:1/',
    'app://holdfast@evil/',
    'app://user@holdfast/',
    'apps://holdfast/',
    'https://holdfast/',
    'file:///app://holdfast/',
    'javascript:app://holdfast/',
    'data:text/html,app://holdfast/',
    'http://evil.example/#app://holdfast/',
  ])('is not %s', (address) => {
    expect(isPageUrl(address)).toBe(false);
  });
});

describe('who may talk to the shell', () => {
  it('is the main frame of the page', () => {
    expect(isPageFrame({ url: 'app://holdfast/', parent: null })).toBe(true);
  });

  it('is no frame inside it, even of the same address', () => {
    expect(isPageFrame({ url: 'app://holdfast/', parent: { url: 'app://holdfast/' } })).toBe(false);
  });

  it('is no foreign page in the main frame', () => {
    expect(isPageFrame({ url: 'https://evil.example/', parent: null })).toBe(false);
  });

  it('is no frame that is gone', () => {
    expect(isPageFrame(null)).toBe(false);
    expect(isPageFrame(undefined)).toBe(false);
  });
});
