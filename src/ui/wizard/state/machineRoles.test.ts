import { describe, expect, it } from 'vitest';
import { monitorSchema } from '#core/plan/schema/monitors.ts';
import { samplePlan } from './testing/samples.ts';
import { namesOf, withGenerators, generatorChoices, roleOf, rolesOf, withRoles, type MachineRoles } from './machineRoles.ts';

const nginx = { kind: 'nginx', host: 'web1', url: 'http://127.0.0.1/status' } as const;
const machine = { kind: 'machine' as const, host: 'web1', processes: ['nginx'] };
const watching = samplePlan({ monitors: [nginx, machine] });

describe('roles of machines', () => {
  it('are by default load generator for this computer, and the role in the plan for monitored machines', () => {
    expect(rolesOf({}, null)).toEqual([{ name: 'here', role: 'generator' }]);
    expect(rolesOf({}, watching)).toEqual([
      { name: 'here', role: 'generator' },
      { name: 'web1', role: 'target' },
    ]);
  });

  it('are overridden by choices, including the choice of no role', () => {
    const places: MachineRoles = { here: null, web1: null, web2: 'generator', ...Object.fromEntries([['constructor', 'hop' as const]]) };
    expect(rolesOf(places, watching)).toEqual([
      { name: 'web2', role: 'generator' },
      { name: 'constructor', role: 'hop' },
    ]);
    expect(roleOf('toString', {}, null)).toBeNull();
  });

  it('determine the load generators, with undefined for this computer alone', () => {
    expect(generatorChoices({}, watching)).toBeUndefined();
    expect(generatorChoices({ web1: 'generator', web2: 'hop' }, watching)).toEqual(['here', 'web1']);
    expect(generatorChoices({ here: 'target', web1: 'generator' }, null)).toEqual(['web1']);
  });
});

describe('withRoles', () => {
  it('adds monitors for chosen machines, keeps their settings, and removes machines without a role', () => {
    const { monitors } = withRoles(watching, { web1: 'hop', db: 'target' });
    expect(monitors).toEqual(
      [nginx, { ...machine, role: 'hop' }, { kind: 'machine', host: 'db' }].map((monitor) => monitorSchema.parse(monitor)),
    );
    expect(withRoles(watching, { web1: null }).monitors).toEqual([monitorSchema.parse(nginx)]);
    // A load generator is always monitored. The plan's settings for its programs are kept.
    expect(withRoles(watching, { web1: 'generator' }).monitors).toEqual(watching.monitors);
  });

  it('changes nothing for load generators', () => {
    expect(withRoles(samplePlan(), { web1: 'generator' })).toEqual({});
  });
});

describe('withGenerators', () => {
  it('restores the load generators and keeps monitored machines', () => {
    const places = withGenerators(['web2', 'this computer'], { web3: 'generator', db: 'hop' }, null);
    expect(namesOf('generator', places, null)).toEqual(['here', 'web2']);
    expect(namesOf('hop', places, null)).toEqual(['db']);
  });

  it('removes this computer if it is not chosen as a generator, but keeps it as a monitored machine if the plan monitors it', () => {
    expect(roleOf('here', withGenerators(['web1'], {}, null), null)).toBeNull();
    const ownPlan = samplePlan({ monitors: [{ kind: 'machine' }] });
    expect(roleOf('here', withGenerators(['web1'], {}, ownPlan), ownPlan)).toBe('target');
  });
});
