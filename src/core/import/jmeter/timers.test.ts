import { describe, expect, it } from 'vitest';
import { readImported } from '../testing/imported.ts';
import { element, request, readOfGroup } from './testing/elements.ts';

describe('importJmeter: a pause', () => {
  const timer = (kind: string, delay: string, range = '0'): string =>
    element(kind, 'T', { 'ConstantTimer.delay': delay, 'RandomTimer.range': range });
  const beside = (timers: string): unknown[] => readOfGroup(`${timers}${request()}`);

  it.each<[string, string, unknown]>([
    ['becomes a fixed think time', timer('ConstantTimer', '1500'), [{ name: 'R', path: '/', thinkTime: { kind: 'fixed', seconds: 1.5 } }]],
    ['is never negative', timer('ConstantTimer', '-5'), [{ name: 'R', path: '/', thinkTime: { kind: 'fixed', seconds: 0 } }]],
    [
      'becomes a uniform think time',
      timer('UniformRandomTimer', '1000', '500'),
      [{ name: 'R', path: '/', thinkTime: { kind: 'uniform', fromSeconds: 1, toSeconds: 1.5 } }],
    ],
    [
      'becomes a uniform think time with a note if it is normally distributed',
      timer('GaussianRandomTimer', '1000', '500'),
      [
        { name: 'R', path: '/', thinkTime: { kind: 'uniform', fromSeconds: 0.134, toSeconds: 1.866 } },
        'changed T: Pauses are normally distributed. The plan spreads them uniformly, with the same mean and deviation.',
      ],
    ],
    [
      'is spread normally, and never negative',
      timer('GaussianRandomTimer', '100', '500'),
      [
        { name: 'R', path: '/', thinkTime: { kind: 'uniform', fromSeconds: 0, toSeconds: 0.966 } },
        'changed T: Pauses are normally distributed. The plan spreads them uniformly, with the same mean and deviation.',
      ],
    ],
    [
      'becomes an exponential think time with a note if it follows a Poisson distribution',
      timer('PoissonRandomTimer', '1000', '500'),
      [
        { name: 'R', path: '/', thinkTime: { kind: 'exponential', meanSeconds: 1.5 } },
        'changed T: Pauses follow a Poisson distribution. The plan spreads them exponentially, with the same mean.',
      ],
    ],
    [
      'is left out if its mean is 0',
      timer('PoissonRandomTimer', '0'),
      [
        { name: 'R', path: '/' },
        'changed T: Pauses follow a Poisson distribution. The plan spreads them exponentially, with the same mean.',
      ],
    ],
    [
      'is left out for a throughput timer of 0',
      timer('ConstantThroughputTimer', '0'),
      [
        { name: 'R', path: '/' },
        'leftOut T: It slows the threads down to a rate. Users send the next request after a response. For a rate, use the load model “arrivals”.',
      ],
    ],
    [
      'is left out for a precise throughput timer of 0',
      timer('PreciseThroughputTimer', '0'),
      [
        { name: 'R', path: '/' },
        'leftOut T: It slows the threads down to a rate. Users send the next request after a response. For a rate, use the load model “arrivals”.',
      ],
    ],
    [
      'is left out for a throughput timer with a schedule',
      timer('kg.apc.jmeter.timers.VariableThroughputTimer', '0'),
      [
        { name: 'R', path: '/' },
        'leftOut T: It slows the threads down to a rate. Users send the next request after a response. For a rate, use the load model “arrivals”.',
      ],
    ],
    [
      'is kept beside a synchronizing timer, which is left out',
      timer('ConstantTimer', '5') + timer('SyncTimer', '0'),
      [
        { name: 'R', path: '/', thinkTime: { kind: 'fixed', seconds: 0.005 } },
        'leftOut T: Threads wait for each other to send at the same instant. It was left out.',
      ],
    ],
    [
      'is that of the last timer',
      timer('ConstantTimer', '5') + timer('ConstantTimer', '7'),
      [{ name: 'R', path: '/', thinkTime: { kind: 'fixed', seconds: 0.007 } }],
    ],
  ])('%s', (_name, timers, expected) => {
    expect(beside(timers)).toEqual(expected);
  });

  it('of a sampler follows the request before it', () => {
    const own = request({}, timer('ConstantTimer', '2000'), '', 'Second');
    expect(readOfGroup(request() + own)).toEqual([
      { name: 'R', path: '/', thinkTime: { kind: 'fixed', seconds: 2 } },
      { name: 'Second', path: '/' },
    ]);
    expect(readOfGroup(own)).toEqual([
      { name: 'Second', path: '/' },
      'leftOut Second: It has its own pause, and no request comes before it. The pause was left out. In a plan, pauses follow requests.',
    ]);
  });

  it('of a TestAction is added to the pause of the request before it', () => {
    const action = (duration: string): string => element('TestAction', 'Wait', { 'ActionProcessor.duration': duration });
    expect(readOfGroup(request() + action('250') + action('500') + request({}, '', '', 'Second') + action('0'))).toEqual([
      { name: 'R', path: '/', thinkTime: { kind: 'fixed', seconds: 0.75 } },
      { name: 'Second', path: '/' },
      'leftOut Wait: It stops, or pauses before the first request. It was left out.',
    ]);
    expect(readOfGroup(action('250') + request())).toEqual([
      { name: 'R', path: '/' },
      'leftOut Wait: It stops, or pauses before the first request. It was left out.',
    ]);
  });
});

it.each([
  ['ConstantThroughputTimer', '<doubleProp><name>throughput</name><value>30.0</value></doubleProp><intProp name="calcMode">0</intProp>', 2],
  [
    'ConstantThroughputTimer',
    '<doubleProp><name>throughput</name><value>30.0</value></doubleProp><intProp name="calcMode">1</intProp>',
    10,
  ],
  [
    'PreciseThroughputTimer',
    '<doubleProp><name>throughput</name><value>3600.0</value></doubleProp><intProp name="throughputPeriod">3600</intProp>',
    5,
  ],
])('importJmeter: a %s sets the pace of users', (kind, properties, paceSeconds) => {
  const text = `<jmeterTestPlan><hashTree><TestPlan testname="P"/><hashTree>
    <ThreadGroup testname="G"><stringProp name="ThreadGroup.num_threads">5</stringProp><boolProp name="ThreadGroup.scheduler">true</boolProp><stringProp name="ThreadGroup.duration">60</stringProp></ThreadGroup><hashTree>
      <${kind} testname="T">${properties}</${kind}><hashTree/>
      <HTTPSamplerProxy testname="R"><stringProp name="HTTPSampler.domain">a.example</stringProp></HTTPSamplerProxy><hashTree/>
    </hashTree></hashTree></hashTree></jmeterTestPlan>`;
  expect(readImported(text).written['load']).toMatchObject({ model: 'users', paceSeconds, stages: [{ users: 5, seconds: 60 }] });
});
