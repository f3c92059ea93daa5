import { expect, it } from 'vitest';
import { fillTraceLink, traceSchema } from './trace.ts';

const accepts = (link: string): boolean => traceSchema.safeParse({ share: 0.1, link }).success;

it.each([
  'https://tempo.example.org/trace/{traceId}',
  'http://127.0.0.1:16686/trace/{traceId}?uiFind={traceId}',
  'https://grafana.example.org/explore?left=["now-1h","now","Tempo",{"query":"{traceId}"}]',
])('trace.link: accepts %s', (link) => {
  expect(accepts(link)).toBe(true);
});

it.each([
  ['a script', 'javascript:alert("{traceId}")'],
  ['another scheme', 'file:///etc/{traceId}'],
  ['no scheme', '//tempo.example.org/{traceId}'],
  ['no trace id', 'https://tempo.example.org/'],
  ['a host that depends on the trace', 'https://{traceId}.example.org/'],
  ['a port that depends on the trace', 'https://example.org:{traceId}/'],
  ['a password', 'https://me:secret@tempo.example.org/{traceId}'],
  ['a host that hides behind a name', 'https://tempo.example.org@evil.test/{traceId}'],
  ['a token in the query', 'https://tempo.example.org/{traceId}?access_token=abc'],
  ['a token in the fragment', 'https://tempo.example.org/{traceId}#access_token=abc'],
  ['a line break', 'https://tempo.example.org/{traceId}\n'],
  ['a change of direction', 'https://tempo.example.org/\u202e{traceId}'],
  ['a space', 'https://tempo.example.org/ {traceId}'],
  ['a backslash', 'https:\\\\tempo.example.org\\{traceId}'],
  ['too many characters', `https://tempo.example.org/${'x'.repeat(500)}{traceId}`],
])('trace.link: refuses %s', (_what, link) => {
  expect(accepts(link)).toBe(false);
});

it.each([0, -0.1, 1.1, Number.NaN])('trace.share: refuses %s', (share) => {
  expect(traceSchema.safeParse({ share }).success).toBe(false);
});

it('fillTraceLink: replaces every placeholder', () => {
  expect(fillTraceLink('https://a.test/{traceId}?of={traceId}', 'ab')).toBe('https://a.test/ab?of=ab');
});
