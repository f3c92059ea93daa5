import { describe, expect, it } from 'vitest';
import { facts } from '../testing/facts.ts';
import { silentAddress, slowLookup } from './network.ts';

describe('silentAddress', () => {
  const found = (addresses: Record<string, number>, silentAddresses: Record<string, number>) => {
    const given = facts();
    return silentAddress.find({ ...given, server: { ...given.server, host: 'dual.test', addresses, silentAddresses } });
  };

  it('is reported if another address responds', () => {
    expect(found({ '127.0.0.1': 20 }, { '::1': 2 }).map(({ sentence }) => sentence)).toEqual([
      '::1, an address of “dual.test”, did not respond to 2 attempts to connect. After 250 ms each, another address was tried.',
    ]);
  });

  it('is not reported if there is only one address, or if all addresses respond', () => {
    expect([found({ '::1': 20 }, { '::1': 2 }), found({}, { '::1': 2 }), found({ '::1': 20, '127.0.0.1': 2 }, {})]).toEqual([[], [], []]);
  });
});

describe('slowLookup', () => {
  const found = (ms: number | null) => {
    const given = facts();
    const lookup = ms === null || given.phases.connect === null ? null : { ...given.phases.connect, count: 2, max: ms };
    return slowLookup.find({ ...given, phases: { ...given.phases, lookup } });
  };

  it('is reported for lookups of at least 100 ms', () => {
    expect([found(3_000).length, found(100).length, found(99).length, found(null).length]).toEqual([1, 1, 0, 0]);
    expect(found(3_000)[0]?.sentence).toMatch(/took up to 3 s\. 2 requests waited/);
  });
});
