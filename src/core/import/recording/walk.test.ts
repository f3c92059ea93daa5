import { expect, it } from 'vitest';
import type { Sample } from '#core/work/samples/schema.ts';
import { planOfSteps } from './testing/site.ts';
import { cookiesBefore, walkOfSamples } from './walk.ts';

const message = (head: string, body = ''): Sample['sent'] => ({ head, body, bodyBytes: body.length, isCut: false });
const sample = (request: string, path: string, status: number, headers = '', body = ''): Sample => ({
  request,
  failure: status < 400 ? null : `status ${status}`,
  sent: message(`POST ${path} HTTP/1.1\nHost: a.example:81`, 'x=1'),
  received: message(`HTTP/1.1 ${status} OK\n${headers}`, body),
  serviceMs: 1,
  captured: [],
});

const plan = planOfSteps([
  { name: 'log in', path: '/login', redirects: { follow: true } },
  { name: 'next', path: '/next' },
]);

it('walkOfSamples: assigns redirects to their step and omits page resources', () => {
  const walk = walkOfSamples(plan, [
    sample('log in', '/login', 302, 'Location: /home\nSet-Cookie: sid=abc; Path=/\nSet-Cookie: lang=en'),
    sample('log in › redirects', '/home', 200, '', 'Welcome'),
    sample('log in › images', '/a.png', 200),
    sample('next', '/next', 403),
  ]);
  expect(
    walk.map(({ step, failure, exchanges }) => [step, failure, exchanges.map(({ status, url, text }) => [status, url, text])]),
  ).toEqual([
    [
      'log in',
      null,
      [
        [302, 'http://a.example:81/login', ''],
        [200, 'http://a.example:81/home', 'Welcome'],
      ],
    ],
    ['next', 'status 403', [[403, 'http://a.example:81/next', '']]],
  ]);
  expect([...cookiesBefore(walk, 'next')]).toEqual([
    ['sid', 'abc'],
    ['lang', 'en'],
  ]);
  expect([...cookiesBefore(walk, 'log in')]).toEqual([]);
});
