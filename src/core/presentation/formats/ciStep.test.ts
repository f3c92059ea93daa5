import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { planWith } from '#core/testing/plans.ts';
import { formatCiStep, listCiNeeds } from './ciStep.ts';

const shop = planWith({
  targets: [{ url: 'https://shop.example.org/' }],
  journey: [{ name: 'page', headers: { Authorization: { secret: 'env:SHOP_TOKEN' } } }],
  feeds: { users: { file: 'load/users.csv' } },
});

describe('formatCiStep', () => {
  it('writes a step of GitHub Actions with plan file, permissions, secrets and baseline', () => {
    expect(formatCiStep('github', shop)).toBe(`- uses: OWNER/holdfast@main
  env:
    SHOP_TOKEN: \${{ secrets.SHOP_TOKEN }}
  with:
    plan: load/plan.yaml
    allow: |-
      host:shop.example.org
      file:load/users.csv
      env:SHOP_TOKEN
    baseline: branch
`);
  });

  it('includes the component of GitLab', () => {
    expect(formatCiStep('gitlab', planWith())).toBe(`include:
  - component: $CI_SERVER_FQDN/OWNER/holdfast/load-test@main
    inputs:
      repository: $CI_SERVER_URL/OWNER/holdfast.git
      plan: load/plan.yaml
      baseline: branch
`);
  });

  it('keeps expressions in names of a plan from being evaluated', () => {
    const hostile = planWith({ feeds: { users: { file: '${{ secrets.KEY }}\n- run: rm $HOME # ]]' } } });
    const [step] = parse(formatCiStep('github', hostile));
    expect(Object.keys(step)).toEqual(['uses', 'with']);
    expect(step.with.allow).toBe(String.raw`file:${"${{ '${{' }} secrets.KEY }}"}\n- run: rm $HOME # ]]`);
    const { include } = parse(formatCiStep('gitlab', hostile));
    expect(include).toHaveLength(1);
    expect(include[0].inputs.allow).toBe(String.raw`file:$${'${{'} secrets.KEY }}\n- run: rm $$HOME # ]]`);
  });
});

it('listCiNeeds: names secrets and files, and reports secrets that a person entered', () => {
  expect(listCiNeeds(shop)).toEqual({ environment: ['SHOP_TOKEN'], files: ['load/users.csv'], hasEnteredSecrets: false });
  const asking = planWith({ targets: [{ url: 'http://127.0.0.1/', cookie: { secret: 'ask:Cookie' } }] });
  expect(listCiNeeds(asking).hasEnteredSecrets).toBe(true);
  expect(listCiNeeds(planWith({ journey: [{ name: 'page', path: '/?key={{session:abc}}' }] })).hasEnteredSecrets).toBe(true);
});
