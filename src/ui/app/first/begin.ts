import { applyTheme, storedTheme } from '#ui/shared/theme.ts';
import { takeToken } from '../token.ts';
import { drawnScreen } from './screen.ts';

// This is a separate script that runs before the first paint. All other code is loaded while the first screen can already be read.
const { documentElement } = document;
// The token is taken before any click, because a link replaces the address fragment that contains it.
const hasToken = 'holdfast' in window || takeToken(window) !== null;
const screen = drawnScreen(location.hash, hasToken, sessionStorage);
documentElement.dataset['screen'] = screen;
applyTheme(storedTheme(localStorage), documentElement);

// Early clicks are recorded, so that `redoEarlyInput` can repeat them later.
document.addEventListener('click', ({ target }) => {
  if (documentElement.dataset['screen'] === 'first' && target instanceof Element)
    target.closest('button')?.setAttribute('data-pressed', '');
});

/** Maximum time to wait for the first paint, because a hidden window never paints. */
const PAINTED_WITHIN_MS = 300;

document.addEventListener('DOMContentLoaded', () => {
  const code = document.querySelector<HTMLLinkElement>('link[rel="modulepreload"]');
  let hasBegun = false;
  const loadPage = (): void => {
    if (hasBegun || !code) return;
    hasBegun = true;
    void import(/* @vite-ignore */ code.href);
  };
  if (screen === 'other') return loadPage();
  // The page's code is loaded after the first paint, because running it would delay the paint.
  new PerformanceObserver(loadPage).observe({ type: 'paint', buffered: true });
  setTimeout(loadPage, PAINTED_WITHIN_MS);
});
