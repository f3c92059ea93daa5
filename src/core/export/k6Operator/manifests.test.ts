import { describe, expect, it } from 'vitest';
import { parseAllDocuments, stringify } from 'yaml';
import { planSchema, type PlanInput } from '#core/plan/schema/plan.ts';
import { k6Script } from '../k6/k6Script.ts';
import { operatorManifests, type OperatorManifests, type OperatorOptions } from './manifests.ts';
import { configMapSchema, testRunSchema } from './schema.ts';

const OPTIONS: OperatorOptions = {
  name: 'shop-peak',
  parallelism: 4,
  cpu: '1',
  memory: '1Gi',
  image: 'grafana/k6:1.8.1',
  prometheusUrl: 'http://prometheus:9090/api/v1/write',
  separate: false,
};

function manifests(plan: Partial<PlanInput> = {}, options: Partial<OperatorOptions> = {}): OperatorManifests {
  const parsed = planSchema.parse({
    holdfast: 1,
    name: 'Shop at its peak',
    targets: [{ url: 'http://shop.internal/' }],
    journey: [{ name: 'page' }],
    load: { model: 'arrivals', stages: [{ kind: 'constant', perSecond: 100, seconds: 60 }] },
    ...plan,
  });
  return operatorManifests(parsed, k6Script(parsed), { ...OPTIONS, ...options });
}

describe('operatorManifests', () => {
  it("match the operator's schema, also after a YAML round trip", () => {
    const { documents } = manifests();
    const [configMap, testRun] = parseAllDocuments(documents.map((document) => stringify(document)).join('---\n')).map((document) =>
      document.toJS(),
    );
    expect(configMapSchema.parse(configMap)).toEqual(documents[0]);
    expect(testRunSchema.parse(testRun)).toEqual(documents[1]);
    expect(documents[0].data['script.js']).toContain('constant-arrival-rate');
    expect(documents[1].spec).toMatchObject({
      parallelism: 4,
      script: { configMap: { name: 'shop-peak', file: 'script.js' } },
      arguments: expect.stringContaining('--out experimental-prometheus-rw --tag testid=shop-peak'),
      runner: { resources: { requests: { cpu: '1', memory: '1Gi' }, limits: { memory: '1Gi' } } },
    });
  });

  it('contain no secrets, and explain how to create the Secret', () => {
    const { documents, notes } = manifests({
      targets: [{ url: 'http://shop.internal/', headers: { Authorization: { secret: 'env:SHOP_TOKEN' } } }],
    });
    expect(documents[1].spec.runner.env).toContainEqual({
      name: 'SHOP_TOKEN',
      valueFrom: { secretKeyRef: { name: 'shop-peak-secrets', key: 'SHOP_TOKEN' } },
    });
    expect(notes.join('\n')).toContain('kubectl create secret generic shop-peak-secrets --from-literal=SHOP_TOKEN=…');
  });

  it('write no metrics without a Prometheus address, and say so in a note', () => {
    const { documents, notes } = manifests({}, { prometheusUrl: null, namespace: 'load', separate: true });
    expect(documents[1].spec.arguments).not.toContain('--out');
    expect(documents[1].metadata).toEqual({ name: 'shop-peak', namespace: 'load' });
    expect(documents[1].spec.separate).toBe(true);
    expect(notes.join('\n')).toContain('Without --prometheus');
  });

  it.each<[string, Partial<PlanInput>, Partial<OperatorOptions>, string]>([
    ['more runners than users', { load: { model: 'users', stages: [{ users: 3, seconds: 10 }] } }, {}, 'among 3 runners at most'],
    [
      'files in folders',
      { journey: [{ name: 'upload', method: 'POST', multipart: [{ name: 'file', file: 'picture.jpg' }] }] },
      {},
      'a ConfigMap has no folders',
    ],
  ])('are refused for %s', (_name, plan, options, message) => {
    const parsed = planSchema.parse({
      holdfast: 1,
      name: 'test',
      targets: [{ url: 'http://shop.internal/' }],
      journey: [{ name: 'page' }],
      load: { model: 'arrivals', stages: [{ kind: 'constant', perSecond: 100, seconds: 60 }] },
      ...plan,
    });
    const exported = k6Script(parsed, { uploads: { 'picture.jpg': 'aGVsbG8=' } });
    expect(() => operatorManifests(parsed, exported, { ...OPTIONS, ...options })).toThrow(message);
  });

  it('are refused if they do not fit into a ConfigMap', () => {
    const parsed = planSchema.parse({
      holdfast: 1,
      name: 'test',
      targets: [{ url: 'http://shop.internal/' }],
      journey: [{ name: 'page' }],
      load: { model: 'arrivals', stages: [{ kind: 'constant', perSecond: 100, seconds: 60 }] },
    });
    const exported = { ...k6Script(parsed), files: [{ path: 'accounts.json', content: 'x'.repeat(1_100_000), encoding: 'utf8' as const }] };
    expect(() => operatorManifests(parsed, exported, OPTIONS)).toThrow('a ConfigMap holds 1 MiB');
  });

  it.each([{ name: 'Shop Peak' }, { memory: 'plenty' }, { parallelism: 0 }])('are refused for %o', (options) => {
    expect(() => manifests({}, options)).toThrow();
  });
});
