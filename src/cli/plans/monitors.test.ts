import { expect, it } from 'vitest';
import { planSchema } from '#core/plan/schema/plan.ts';
import { withMonitors } from './hosts.ts';

const plan = planSchema.parse({
  holdfast: 1,
  name: 'p',
  targets: [{ url: 'http://127.0.0.1/' }],
  journey: [{ name: 'page' }],
  load: { model: 'connections', stages: [{ connections: 1, seconds: 1 }] },
  monitors: [{ kind: 'machine', host: 'web1', processes: ['nginx'] }],
});

it('--monitor adds each host once to the monitors of a plan', () => {
  const { monitors } = withMonitors(plan, ['web2', 'web1', 'web2']);
  expect(monitors).toMatchObject([
    { host: 'web1', processes: ['nginx'] },
    { kind: 'machine', host: 'web2', processes: [] },
  ]);
  expect(withMonitors(plan, [])).toBe(plan);
});

it('--monitor rejects an invalid host name', () => {
  expect(() => withMonitors(plan, ['not/a/host'])).toThrow(/--monitor not\/a\/host/);
});
