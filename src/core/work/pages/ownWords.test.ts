import { describe, expect, it } from 'vitest';
import { findOwnWords } from './ownWords.ts';

const frame = (main: string): string => `<!DOCTYPE html><html><head><title>Contest</title><script>var p = '<p>no</p>';</script></head><body>
<div id="navigation_bar" class="navbar navbar-fixed-top"><p class="navbar-text">Logged in as <strong>Ada</strong></p></div>
<div style="display: none" id="translation"><p>Unread messages</p></div>
${main}
<footer><p>Made by somebody</p></footer></body></html>`;

describe('findOwnWords', () => {
  it('returns paragraphs without menus, footers and hidden parts', () => {
    const page = frame(
      '<h1>Overview</h1><h2>General information</h2><p>\n  The contest hasn&#39;t started yet.  </p><p>It starts at <b>9:00</b>.</p>',
    );
    expect(findOwnWords(page)).toBe("The contest hasn't started yet. It starts at 9:00.");
  });

  it('prefers the alert of a page', () => {
    const alert = '<div class="alert alert-error"><a class="close">×</a><h4 class="alert-heading">Failed to log in.</h4></div>';
    expect(findOwnWords(frame(`${alert}<h1>Welcome</h1><p>Please log in</p>`))).toBe('Failed to log in.');
    expect(findOwnWords(frame('<p>Fine</p><span role="alert">Too <b>many</b> attempts</span>'))).toBe('Too many attempts');
    expect(findOwnWords(frame('<p class="error">The password is wrong.</p><p>Log in</p>'))).toBe('The password is wrong.');
  });

  it('falls back to headings', () => {
    expect(findOwnWords(frame('<h2>There is no such page.</h2>'))).toBe('There is no such page.');
    expect(findOwnWords('{"a":1}')).toBeNull();
    expect(findOwnWords('')).toBeNull();
  });

  it('truncates long texts and takes linear time', () => {
    const words = findOwnWords(`<p>${'word '.repeat(1_000)}</p>`) ?? '';
    expect(words.length).toBeLessThanOrEqual(402);
    expect(words.endsWith('word …')).toBe(true);
    expect(findOwnWords('<div class=alert>'.repeat(100_000))).toBeNull();
  });
});
