import { describe, expect, it } from 'vitest';
import { JMX } from '../testing/documents.ts';
import { readImported, listNotes, findRefusal } from '../testing/imported.ts';

describe('importJmeter', () => {
  const shop = () => readImported(JMX);

  it('makes users with pauses, cookies and files', () => {
    const { plan } = shop();
    expect(plan.name).toBe('Shop of 2013');
    expect(plan.targets[0]?.url).toBe('http://127.0.0.1:8080/');
    expect(plan.load).toMatchObject({ model: 'users', stages: [{ users: 25, startUpSeconds: 10, seconds: 120 }] });
    expect(plan.cookies).toBe('user');
    expect(plan.timeoutSeconds).toBe(20);
    expect(plan.feeds).toMatchObject({ accounts: { file: 'accounts.csv', separator: ';' } });
    expect(plan.flow).toEqual(['Log in', { repeat: 3, flow: ['Task'] }, 'Search', 'Maybe']);
  });

  it('keeps samplers with extractors, assertions and timers', () => {
    const { plan } = shop();
    expect(plan.journey).toMatchObject([
      {
        name: 'Log in',
        method: 'POST',
        once: true,
        form: { username: '{{accounts.username}}', password: '{{accounts.password}}' },
        captures: [{ from: 'body', as: 'task', pattern: String.raw`href="/tasks/(\w+)/`, which: 'random' }],
        checks: [{ kind: 'contains', text: 'Welcome {{accounts.username}}' }],
        headers: { 'Accept-Language': 'es' },
        thinkTime: { kind: 'uniform', fromSeconds: 1, toSeconds: 3 },
        redirects: { follow: true },
      },
      { name: 'Task', path: '/tasks/{{task}}/description', resources: {} },
      {
        name: 'Search',
        path: '/search',
        query: { q: 'a & b', r: '{{random}}' },
        expectStatus: [200],
        budgetMs: 900,
        captures: [{ from: 'json', path: '$.items[0].id' }],
      },
      { name: 'Maybe', path: '/maybe/{{first}}' },
    ]);
  });

  it('notes the elements that it leaves out', () => {
    const reported = listNotes(shop());
    expect(reported).toEqual(
      expect.arrayContaining([
        'leftOut Off',
        'changed If',
        'leftOut View Results Tree',
        'leftOut Code',
        'changed CSV Data Set “Accounts”',
        'changed Fast',
      ]),
    );
  });

  it('refuses a truncated file and documents that are no test plan', () => {
    expect(findRefusal(JMX.slice(0, JMX.length / 2))).toEqual(['NO_XML']);
    expect(findRefusal('<html><body></body></html>')).toEqual(['NOT_A_JMX html']);
  });

  it('fetches nothing to which a document type refers', () => {
    const bomb = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY e SYSTEM "file:///etc/passwd">]>${JMX.slice(JMX.indexOf('<jmeterTestPlan')).replace('Shop of 2013', '&b;&e;')}`;
    const { plan: read } = readImported(bomb);
    expect(read.name).toBe('&b;&e;');
  });

  it('never runs the users of all groups at once if the groups run one after another', () => {
    const group = (name: string, threads: number): string => `<ThreadGroup testname="${name}" enabled="true">
      <stringProp name="ThreadGroup.num_threads">${threads}</stringProp><stringProp name="ThreadGroup.ramp_time">5</stringProp>
      <boolProp name="ThreadGroup.scheduler">true</boolProp><stringProp name="ThreadGroup.duration">60</stringProp></ThreadGroup>
      <hashTree><HTTPSamplerProxy testname="${name}" enabled="true"><stringProp name="HTTPSampler.domain">a.example</stringProp>
      <stringProp name="HTTPSampler.path">/${name}</stringProp></HTTPSamplerProxy><hashTree/></hashTree>`;
    const planDocument = (inTurn: boolean): string => `<?xml version="1.0"?><jmeterTestPlan version="1.2"><hashTree><TestPlan testname="P">
      <boolProp name="TestPlan.serialize_threadgroups">${inTurn}</boolProp></TestPlan>
      <hashTree>${group('one', 10)}${group('two', 40)}${group('three', 20)}</hashTree></hashTree></jmeterTestPlan>`;
    const inTurn = readImported(planDocument(true));
    expect(inTurn.plan.load).toMatchObject({ model: 'users', stages: [{ users: 40, startUpSeconds: 5, seconds: 175 }] });
    expect(listNotes(inTurn)).toContain('changed Thread Groups');
    expect(readImported(planDocument(false)).plan.load).toMatchObject({ stages: [{ users: 70, startUpSeconds: 5, seconds: 55 }] });
  });
});
