import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Role } from '#core/machines/checks/finding.ts';
import type { HostFacts } from '#core/machines/checks/host/hostCheck.ts';
import { judgeHost, probeScript } from '#core/machines/checks/host/registry.ts';
import { buildHops, canBuildHops, type Hops, type Machine } from './testing/hops.ts';

const ROLES: readonly (readonly [Machine, Role])[] = [
  ['generator', 'generator'],
  ['proxy', 'hop'],
  ['app', 'target'],
  ['database', 'hop'],
];
const FEW = 200;
const MANY = 28_000;

describe.skipIf(!canBuildHops)('the port check of each hop', () => {
  let hops: Hops;
  beforeAll(async () => {
    hops = await buildHops();
  });
  afterAll(() => hops?.stop());

  async function problems(): Promise<string[]> {
    const all = ROLES.map(async ([machine, role]) => {
      const facts: HostFacts = { role, load: null, clock: null, isRemote: true };
      const findings = judgeHost(await hops.on(machine, 'sh', probeScript(facts)), facts) ?? [];
      return findings.filter(({ id, level }) => id === 'timeWait' && level === 'problem').map(({ title }) => `${machine}: ${title}`);
    });
    return (await Promise.all(all)).flat();
  }

  it.each([
    ['generator', '10.99.1.2:80'],
    ['proxy', '10.99.2.2:3000'],
    ['app', '10.99.3.2:5432 (PostgreSQL)'],
  ] as const)('reports that the %s has no free ports for connections to %s', async (machine, service) => {
    for (const [other] of ROLES) await hops.setPorts(other, other === machine ? FEW : MANY);
    const responded = await hops.send(FEW + 100);
    // Connections from the previous test may still be in TIME_WAIT.
    expect(responded).toBeLessThanOrEqual(FEW);
    expect(await problems()).toEqual([expect.stringContaining(`${machine}: Ports to ${service} have run out: `)]);
  });
});
