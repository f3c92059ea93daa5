import { describe, expect, it } from 'vitest';
import { listAsks } from '#core/review/asks/ask.ts';
import { agreedByAsking, getAgreement, linksSeen, protocolSeen } from './answers.ts';
import { samplePlan, sampleProbe } from './testing/samples.ts';

const asks = listAsks({
  plan: samplePlan({
    targets: [
      { url: 'http://192.168.1.9/', headers: {}, cookie: { secret: 'env:TOKEN' } },
      { url: 'http://shop.example/', headers: {} },
    ],
  }),
});
const foreign = ['host:192.168.1.9', 'host:shop.example', 'env:TOKEN'];
const missing = (state: { foreign: readonly string[]; agreed: readonly string[] }, open = asks): string[] =>
  getAgreement(state, asks, open).missing.map(({ name }) => name);

describe('the protocol of a preset', () => {
  const seen = (...versions: (string | null)[]) =>
    protocolSeen({
      targets: versions.map((_, id) => ({ id, url: '', name: '', headers: [], cookie: null })),
      probes: Object.fromEntries(
        versions.flatMap((httpVersion, id) =>
          httpVersion === null ? [] : [[id, { status: 'responded', about: '', result: { ...sampleProbe(), httpVersion } } as const]],
        ),
      ),
    });

  it('is HTTP/2 if all targets support it', () => {
    expect(seen('2.0', '2.0')).toEqual({ protocol: 'h2' });
    expect([seen('2.0', '1.1'), seen('2.0', null), seen('1.1')]).toEqual([{}, {}, {}]);
  });
});

describe('agreementOf and agreedByAsking', () => {
  it('require consent only for public hosts if the plan was made here', () => {
    expect(missing({ foreign: [], agreed: [] })).toEqual(['shop.example']);
    expect(missing({ foreign: [], agreed: ['host:shop.example'] })).toEqual([]);
  });

  it('require consent for everything in a foreign plan', () => {
    expect(missing({ foreign, agreed: [] })).toEqual(['192.168.1.9', 'shop.example', 'TOKEN']);
    expect(getAgreement({ foreign, agreed: [] }, asks, asks).keys).toEqual([]);
    expect(missing({ foreign, agreed: foreign })).toEqual([]);
    expect(getAgreement({ foreign, agreed: foreign }, asks, asks).keys).toEqual(foreign);
  });

  it('require nothing that the backend has stored as given', () => {
    expect(missing({ foreign, agreed: [] }, [])).toEqual([]);
    expect(getAgreement({ foreign, agreed: [] }, asks, []).keys).toEqual(foreign);
  });

  it('imply consent to a single request, except for contents of a foreign plan', () => {
    expect(agreedByAsking({ foreign: ['env:TOKEN'], agreed: [] }, asks)).toEqual(['host:192.168.1.9', 'host:shop.example']);
    expect(agreedByAsking({ foreign: ['env:TOKEN'], agreed: ['env:TOKEN'] }, asks)).toContain('env:TOKEN');
  });
});

it('linksSeen: returns the login page of a redirect before the links of the first page', () => {
  const seen = (location: string, looksLikeLogin = true) =>
    linksSeen({
      probes: {
        1: {
          status: 'responded',
          about: '',
          result: sampleProbe({ url: 'http://a.example/', redirect: { location, looksLikeLogin }, links: ['/about'] }),
        },
      },
    });
  expect(seen('/accounts/login/?next=/')).toEqual(['/accounts/login/?next=/', '/about']);
  expect(seen('https://sso.example/login')).toEqual(['/about']);
  expect(seen('/start', false)).toEqual(['/about']);
});
