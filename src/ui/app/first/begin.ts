import { applyTheme, storedTheme } from '#ui/shared/theme.ts';
import { takeToken } from '../token.ts';
import { drawnScreen } from './screen.ts';

// A separate script that runs before the first paint. The other code loads while the first screen is already readable.
const { documentElement } = document;
// Before any press, because a link replaces the fragment of the address, and with it the token.
const hasToken = 'holdfast' in window || takeToken(window) !== null;
const screen = drawnScreen(location.hash, hasToken, sessionStorage);
documentElement.dataset['screen'] = screen;
applyTheme(storedTheme(localStorage), documentElement);

// Early clicks are recorded and repeated later (`redoEarlyInput`).
document.addEventListener('click', ({ target }) => {
  if (documentElement.dataset['screen'] === 'first' && target instanceof Element)
    target.closest('button')?.setAttribute('data-pressed', '');
});

/** Fallback for a hidden window, which never paints. */
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
  // Starts after the first paint, because running the code would delay it.
  new PerformanceObserver(loadPage).observe({ type: 'paint', buffered: true });
  setTimeout(loadPage, PAINTED_WITHIN_MS);
});
