import { applyTheme, storedTheme } from '../theme.ts';
import { takeToken } from '../token.ts';
import { drawnScreen } from './screen.ts';

// A script of its own that the browser runs before it paints: the page's other code is read, compiled and run while the first screen can be read.
const { documentElement } = document;
// Before anything is pressed: a link takes the address's fragment away, and the token in it.
const isLetIn = 'holdfast' in window || takeToken(window) !== null;
const screen = drawnScreen(location.hash, isLetIn, sessionStorage);
documentElement.dataset['screen'] = screen;
applyTheme(storedTheme(localStorage), documentElement);

// What is pressed meanwhile is pressed again (early.ts).
document.addEventListener('click', ({ target }) => {
  if (documentElement.dataset['screen'] === 'first' && target instanceof Element)
    target.closest('button')?.setAttribute('data-pressed', '');
});

/** A window that is not seen paints nothing. */
const PAINTED_WITHIN_MS = 300;

document.addEventListener('DOMContentLoaded', () => {
  const code = document.querySelector<HTMLLinkElement>('link[rel="modulepreload"]');
  let hasBegun = false;
  const begin = (): void => {
    if (hasBegun || !code) return;
    hasBegun = true;
    void import(/* @vite-ignore */ code.href);
  };
  if (screen === 'other') return begin();
  // Not with the frame: to run the code keeps the processors from drawing it.
  new PerformanceObserver(begin).observe({ type: 'paint', buffered: true });
  setTimeout(begin, PAINTED_WITHIN_MS);
});
