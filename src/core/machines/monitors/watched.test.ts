import { expect, it } from 'vitest';
import { monitorsSchema } from '#core/plan/schema/monitors.ts';
import { listWatched } from './watched.ts';

it('listWatched: monitors the generators and the machines of the plan, each once', () => {
  const monitors = monitorsSchema.parse([
    { kind: 'machine', host: 'web1' },
    { kind: 'machine', host: 'loader', processes: ['node'] },
    { kind: 'nginx', host: 'web1', url: 'http://127.0.0.1/status' },
    { kind: 'machine' },
  ]);
  const watched = listWatched(monitors, ['loader', null]);
  expect(watched.map(({ info: { number, name, role, host } }) => [number, name, role, host])).toEqual([
    [0, 'loader', 'generator', 'loader'],
    [1, 'this computer', 'generator', null],
    [2, 'web1', 'target', 'web1'],
    [3, 'nginx on web1', 'target', 'web1'],
  ]);
  expect(watched[0]?.monitor).toMatchObject({ processes: ['node'] });
  expect(watched[1]?.monitor).toBe(monitors[3]);
});
