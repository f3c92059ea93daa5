import { describe, expect, it } from 'vitest';
import { planSchema } from '#core/plan/schema.ts';
import { readCommand } from './command.ts';

const stageOf = (text: string) => readCommand(text)?.load.stages[0];

describe('readCommand', () => {
  it("reads the report's ab line", () => {
    const command = readCommand('ab -n 100000 -c 50 -C "login=abc|def" http://contest.example.org/tasks/a/description');
    expect(command).toEqual({
      name: 'ab of contest.example.org',
      target: { url: 'http://contest.example.org/tasks/a/description', headers: {} },
      secretHeaders: {},
      cookie: 'login=abc|def',
      load: { model: 'connections', stages: [{ name: 'load', connections: 50, requests: 100_000 }] },
    });
  });

  it.each([
    ['ab -k -n 10 -c 2 http://a.example/', { connections: 2, requests: 10 }],
    ['ab -kn10 -c2 http://a.example/', undefined],
    ['wrk -t4 -c400 -d30s http://127.0.0.1:8080/index.html', { connections: 400, seconds: 30 }],
    ['wrk --connections=8 --duration 2m http://a.example/', { connections: 8, seconds: 120 }],
    ['hey -z 90s -c 5 https://a.example/', { connections: 5, seconds: 90 }],
    ['npx', undefined],
    ['autocannon -c 100 -d 10 -p 10 http://a.example', { connections: 100, seconds: 10 }],
    ['curl -s https://a.example/x', { connections: 10, seconds: 30 }],
    ['http://a.example/', { connections: 10, seconds: 30 }],
    ['a.example/page', { connections: 10, seconds: 30 }],
  ])('reads the load of %j', (text, stage) => {
    if (stage) expect(stageOf(text)).toEqual({ name: 'load', ...stage });
  });

  it('keeps secrets apart from what a plan may hold', () => {
    const command = readCommand(
      `curl 'https://a.example/' \\\n  -H 'Accept: text/html' -H "Authorization: Bearer t0k" -H 'Cookie: sid=1' --cookie 'x=2'`,
    );
    expect(command?.target.headers).toEqual({ Accept: 'text/html' });
    expect(command?.secretHeaders).toEqual({ Authorization: 'Bearer t0k' });
    expect(command?.cookie).toBe('x=2; sid=1');
  });

  it.each(['', 'hello', 'holdfast: 1\nname: x', 'ab -n 10', 'rm -rf http', 'what is this http://a.example/'])(
    'takes nothing from %j',
    (text) => {
      expect(readCommand(text)).toBeNull();
    },
  );

  it('makes what a plan accepts', () => {
    const command = readCommand('ab -n 100 -c 5 localhost:8080/');
    const plan = { holdfast: 1, name: command?.name, targets: [command?.target], journey: [{ name: 'page' }], load: command?.load };
    expect(planSchema.safeParse(plan).success).toBe(true);
  });
});
