import { describe, expect, it } from 'vitest';
import { completeUrl, urlProblem } from './url.ts';

describe('completeUrl', () => {
  it.each([
    ['contest.example.org', 'http://contest.example.org'],
    [' localhost:8888/tasks ', 'http://localhost:8888/tasks'],
    ['127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['//example.org', 'http://example.org'],
    ['https://example.org', 'https://example.org'],
    ['HTTP://example.org', 'HTTP://example.org'],
    ['ftp://example.org', 'ftp://example.org'],
    ['javascript:alert(1)', 'javascript:alert(1)'],
    ['', ''],
  ])('makes %j into %j', (text, url) => {
    expect(completeUrl(text)).toBe(url);
  });
});

describe('urlProblem', () => {
  it.each(['contest.example.org', 'http://127.0.0.1:8888/', 'https://[::1]:8443/a?b=c', ''])('accepts %j', (text) => {
    expect(urlProblem(text)).toBeNull();
  });
  it.each(['ftp://example.org', 'http://', 'http://user:secret@example.org/', 'javascript:alert(1)', 'http://exa mple.org'])(
    'refuses %j',
    (text) => {
      expect(urlProblem(text)).toMatch(/http|Remove the user name and password/);
    },
  );
});
