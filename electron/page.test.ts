import { describe, expect, it } from 'vitest';
import { isPageFrame, isPageUrl } from './page.ts';

describe('isPageUrl', () => {
  it.each(['app://holdfast/', 'app://holdfast/index.html', 'app://holdfast/runs/1?x=1#y'])('accepts %s', (address) => {
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
  ])('rejects %s', (address) => {
    expect(isPageUrl(address)).toBe(false);
  });
});

describe('isPageFrame', () => {
  it('accepts the main frame of the page', () => {
    expect(isPageFrame({ url: 'app://holdfast/', parent: null })).toBe(true);
  });

  it('rejects a frame inside the main frame, even if it has the same address', () => {
    expect(isPageFrame({ url: 'app://holdfast/', parent: { url: 'app://holdfast/' } })).toBe(false);
  });

  it('rejects a foreign page in the main frame', () => {
    expect(isPageFrame({ url: 'https://evil.example/', parent: null })).toBe(false);
  });

  it('rejects a destroyed frame', () => {
    expect(isPageFrame(null)).toBe(false);
    expect(isPageFrame(undefined)).toBe(false);
  });
});
