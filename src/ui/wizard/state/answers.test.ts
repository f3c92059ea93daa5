import { describe, expect, it } from 'vitest';
import { listAsks } from '#core/review/asks/ask.ts';
import { agreedByProbe, getAgreement, linksSeen, protocolSeen } from './answers.ts';
import { samplePlan, sampleProbe } from './testing/samples.ts';

const PLAN_ASKS = listAsks({
  plan: samplePlan({
    targets: [
      { url: 'http://192.168.1.9/', headers: {}, cookie: { secret: 'env:TOKEN' } },
      { url: 'http://shop.example/', headers: {} },
    ],
  }),
});
const FOREIGN = ['host:192.168.1.9', 'host:shop.example', 'env:TOKEN'];
const missingKeys = (state: { foreign: readonly string[]; agreed: readonly string[] }, open = PLAN_ASKS): string[] =>
  getAgreement(state, PLAN_ASKS, open).missing.map(({ name }) => name);

describe('protocolSeen', () => {
  const protocolOf = (...versions: (string | null)[]) =>
    protocolSeen({
      targets: versions.map((_, id) => ({ id, url: '', name: '', headers: [], cookie: null })),
      probes: Object.fromEntries(
        versions.flatMap((httpVersion, id) =>
          httpVersion === null ? [] : [[id, { status: 'responded', about: '', result: { ...sampleProbe(), httpVersion } } as const]],
        ),
      ),
    });

  it('returns HTTP/2 only if all targets support it', () => {
    expect(protocolOf('2.0', '2.0')).toEqual({ protocol: 'h2' });
    expect([protocolOf('2.0', '1.1'), protocolOf('2.0', null), protocolOf('1.1')]).toEqual([{}, {}, {}]);
  });
});

describe('getAgreement and agreedByProbe', () => {
  it('require consent only for public hosts if the plan was made here', () => {
    expect(missingKeys({ foreign: [], agreed: [] })).toEqual(['shop.example']);
    expect(missingKeys({ foreign: [], agreed: ['host:shop.example'] })).toEqual([]);
  });

  it('require consent for everything in a foreign plan', () => {
    expect(missingKeys({ foreign: FOREIGN, agreed: [] })).toEqual(['192.168.1.9', 'shop.example', 'TOKEN']);
    expect(getAgreement({ foreign: FOREIGN, agreed: [] }, PLAN_ASKS, PLAN_ASKS).keys).toEqual([]);
    expect(missingKeys({ foreign: FOREIGN, agreed: FOREIGN })).toEqual([]);
    expect(getAgreement({ foreign: FOREIGN, agreed: FOREIGN }, PLAN_ASKS, PLAN_ASKS).keys).toEqual(FOREIGN);
  });

  it('require nothing to which the user has already agreed according to the backend', () => {
    expect(missingKeys({ foreign: FOREIGN, agreed: [] }, [])).toEqual([]);
    expect(getAgreement({ foreign: FOREIGN, agreed: [] }, PLAN_ASKS, []).keys).toEqual(FOREIGN);
  });

  it('imply consent to a single request, except for contents of a foreign plan', () => {
    expect(agreedByProbe({ foreign: ['env:TOKEN'], agreed: [] }, PLAN_ASKS)).toEqual(['host:192.168.1.9', 'host:shop.example']);
    expect(agreedByProbe({ foreign: ['env:TOKEN'], agreed: ['env:TOKEN'] }, PLAN_ASKS)).toContain('env:TOKEN');
  });
});

it('linksSeen: returns the login page to which the site redirects before the links of the first page', () => {
  const protocolOf = (location: string, looksLikeLogin = true) =>
    linksSeen({
      probes: {
        1: {
          status: 'responded',
          about: '',
          result: sampleProbe({ url: 'http://a.example/', redirect: { location, looksLikeLogin }, links: ['/about'] }),
        },
      },
    });
  expect(protocolOf('/accounts/login/?next=/')).toEqual(['/accounts/login/?next=/', '/about']);
  expect(protocolOf('https://sso.example/login')).toEqual(['/about']);
  expect(protocolOf('/start', false)).toEqual(['/about']);
});
