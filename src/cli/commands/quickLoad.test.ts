import { describe, expect, it } from 'vitest';
import { parseValue } from '#core/review/check.ts';
import { quickLoad, type QuickLoadFlags } from './quick.ts';

function buildLoad(flags: QuickLoadFlags): unknown {
  const { load, issues } = quickLoad(flags);
  expect(issues).toEqual([]);
  const { plan, issues: more } = parseValue({
    holdfast: 1,
    name: 'quick',
    targets: [{ url: 'http://127.0.0.1/' }],
    journey: [{ name: 'page' }],
    load,
  });
  expect(more).toEqual([]);
  return plan?.load;
}

describe('the load of quick', () => {
  it('is 10 connections for 10 s by default', () => {
    expect(buildLoad({})).toMatchObject({ model: 'connections', stages: [{ connections: 10, seconds: 10 }] });
    expect(buildLoad({ connections: '3', requests: '30' })).toMatchObject({ stages: [{ connections: 3, requests: 30 }] });
  });

  it('with -R sends at a rate for a time, and -c limits outstanding requests', () => {
    expect(buildLoad({ rate: '50' })).toMatchObject({
      model: 'arrivals',
      spacing: 'uniform',
      maxInFlight: 10_000,
      stages: [{ kind: 'constant', perSecond: 50, seconds: 10 }],
    });
    expect(buildLoad({ rate: '0.5', duration: '1m', connections: '7', poisson: true })).toMatchObject({
      spacing: 'poisson',
      maxInFlight: 7,
      stages: [{ kind: 'constant', perSecond: 0.5, seconds: 60 }],
    });
  });

  it('with -R and -n sends that number of requests at the rate', () => {
    expect(buildLoad({ rate: '50', requests: '200' })).toMatchObject({ stages: [{ kind: 'count', arrivals: 200, seconds: 4 }] });
  });

  it('with --users starts the users over the duration of one think time', () => {
    expect(buildLoad({ users: '500', think: '5s', duration: '30s' })).toMatchObject({
      model: 'users',
      thinkTime: { kind: 'fixed', seconds: 5 },
      stages: [{ users: 500, startUpSeconds: 5, seconds: 30 }],
    });
    expect(buildLoad({ users: '20', think: '500ms-1.5s' })).toMatchObject({
      thinkTime: { kind: 'uniform', fromSeconds: 0.5, toSeconds: 1.5 },
      stages: [{ users: 20, startUpSeconds: 1 }],
    });
    expect(buildLoad({ users: '20' })).toMatchObject({ stages: [{ users: 20, startUpSeconds: 0 }] });
  });

  it.each<[QuickLoadFlags, string[]]>([
    [{ connections: 'ten', duration: 'soon' }, ['-c', '-d']],
    [{ rate: 'fast', connections: 'x', requests: '5.5' }, ['-R', '-n', '-c']],
    [{ rate: '0' }, ['-R']],
    [{ rate: '-5' }, ['-R']],
    [{ requests: '5', duration: '1s' }, ['-n']],
    [{ rate: '5', requests: '5', duration: '1s' }, ['-n']],
    [{ poisson: true }, ['--poisson']],
    [{ think: '5s' }, ['--think']],
    [{ users: '5', rate: '5' }, ['--users']],
    [{ users: 'x', think: 'long', connections: '3', requests: '9' }, ['-c', '-n', '--think', '--users']],
    [{ users: '5', think: '8s-2s' }, ['--think']],
    [{ users: '5', think: '1s-2s-3s' }, ['--think']],
    [{ users: '5', think: '-2s' }, ['--think']],
  ])('reports every problem with %j at once', (flags, options) => {
    const { issues } = quickLoad(flags);
    expect(issues.map(({ path }) => path)).toEqual(options);
    for (const { hint } of issues) expect(hint).not.toBe('');
  });
});
