import { describe, expect, it } from 'vitest';
import { asksOf } from '#core/review/asks/ask.ts';
import { agreedByAsking, agreementOf } from './answers.ts';
import { samplePlan } from './testing/samples.ts';

const asks = asksOf({
  plan: samplePlan({
    targets: [
      { url: 'http://192.168.1.9/', headers: {}, cookie: { secret: 'env:TOKEN' } },
      { url: 'http://shop.example/', headers: {} },
    ],
  }),
});
const foreign = ['host:192.168.1.9', 'host:shop.example', 'env:TOKEN'];
const missing = (state: { foreign: readonly string[]; agreed: readonly string[] }, open = asks): string[] =>
  agreementOf(state, asks, open).missing.map(({ name }) => name);

describe('what is agreed to in the wizard', () => {
  it('is only a public host where the plan was made here', () => {
    expect(missing({ foreign: [], agreed: [] })).toEqual(['shop.example']);
    expect(missing({ foreign: [], agreed: ['host:shop.example'] })).toEqual([]);
  });

  it('is everything that stood in a plan of somebody else’s', () => {
    expect(missing({ foreign, agreed: [] })).toEqual(['192.168.1.9', 'shop.example', 'TOKEN']);
    expect(agreementOf({ foreign, agreed: [] }, asks, asks).keys).toEqual([]);
    expect(missing({ foreign, agreed: foreign })).toEqual([]);
    expect(agreementOf({ foreign, agreed: foreign }, asks, asks).keys).toEqual(foreign);
  });

  it('is nothing where the backend knows of an agreement', () => {
    expect(missing({ foreign, agreed: [] }, [])).toEqual([]);
    expect(agreementOf({ foreign, agreed: [] }, asks, []).keys).toEqual(foreign);
  });

  it('is, of a request that is just asked for, what the person has entered', () => {
    expect(agreedByAsking({ foreign: ['env:TOKEN'], agreed: [] }, asks)).toEqual(['host:192.168.1.9', 'host:shop.example']);
    expect(agreedByAsking({ foreign: ['env:TOKEN'], agreed: ['env:TOKEN'] }, asks)).toContain('env:TOKEN');
  });
});
