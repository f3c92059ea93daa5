import { applyTheme, storedTheme } from '#ui/shared/theme.ts';
import { takeToken } from '../token.ts';
import { drawnScreen } from './screen.ts';

// A separate script that runs before the first paint. All other code is loaded while the first screen is readable.
const { documentElement } = document;
// Taken before any click, because a link replaces the fragment of the address, which contains the token.
const hasToken = 'holdfast' in window || takeToken(window) !== null;
const screen = drawnScreen(location.hash, hasToken, sessionStorage);
documentElement.dataset['screen'] = screen;
applyTheme(storedTheme(localStorage), documentElement);

// Records early clicks, which `redoEarlyInput` repeats later.
document.addEventListener('click', ({ target }) => {
  if (documentElement.dataset['screen'] === 'first' && target instanceof Element)
    target.closest('button')?.setAttribute('data-pressed', '');
});

/** Maximum wait for the first paint: a hidden window never paints. */
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
  // Loads the page after the first paint, because running its code would delay that.
  new PerformanceObserver(loadPage).observe({ type: 'paint', buffered: true });
  setTimeout(loadPage, PAINTED_WITHIN_MS);
});
