import { describe, expect, it } from 'vitest';
import { emptyRequestOutcomes } from '#core/measurement/requestOutcomes.ts';
import { diagnose, RULES } from './diagnose.ts';
import { CALM, facts, healthyStep, point } from './testing/facts.ts';

const ids = (...given: Parameters<typeof facts>): string[] => diagnose(facts(...given)).map(({ id }) => id);
const none = emptyRequestOutcomes();

describe('diagnose', () => {
  it('finds nothing in a healthy run', () => {
    expect(diagnose(facts())).toEqual([]);
  });

  it('has a unique id for every rule', () => {
    expect(new Set(RULES.map(({ id }) => id)).size).toBe(RULES.length);
  });

  it('sorts problems before remarks', () => {
    const step = healthyStep({ bodyLength: { first: 6_844, differs: 600, deviationBytes: -600 - 3 * 6_844 + 3, empty: 3 } });
    expect(diagnose(facts(step)).map(({ level }) => level)).toEqual(['problem', 'info']);
  });
});

describe('lengthVaries', () => {
  it('calls one missing byte in a tenth of the pages harmless, as from a timestamp without its last zero', () => {
    const [finding] = diagnose(facts(healthyStep({ bodyLength: { first: 6_844, differs: 605, deviationBytes: -605, empty: 0 } })));
    expect(finding).toMatchObject({ id: 'lengthVaries', level: 'info', confidence: 'certain' });
    expect(finding?.sentence).toContain('1 byte shorter');
    expect(finding?.evidence[0]).toContain('605 of 6,000');
  });

  it('warns if responses lack a large part of the page', () => {
    const [finding] = diagnose(facts(healthyStep({ bodyLength: { first: 6_844, differs: 60, deviationBytes: -60 * 3_000, empty: 0 } })));
    expect(finding).toMatchObject({ id: 'lengthVaries', level: 'warning' });
  });

  it('does not report a list that grows during the run as truncated', () => {
    const grown = (differs: number, each: number) =>
      diagnose(facts(healthyStep({ bodyLength: { first: 6_844, differs, deviationBytes: differs * each, empty: 0 } })))[0];
    expect(grown(5_900, 3_000)).toMatchObject({
      id: 'lengthVaries',
      level: 'info',
      sentence: expect.stringContaining('a list that grew during the run'),
    });
    // A page that is sometimes longer may contain an error text.
    expect(grown(60, 3_000)).toMatchObject({ id: 'lengthVaries', level: 'warning' });
    expect(grown(5_900, -3_000)).toMatchObject({ id: 'lengthVaries', level: 'warning' });
  });

  it('ignores steps whose pages differ on purpose', () => {
    const given = facts(healthyStep({ bodyLength: { first: 6_844, differs: 60, deviationBytes: -60 * 3_000, empty: 0 } }));
    const [step] = given.plan.journey;
    if (step === undefined) throw new Error('no step');
    expect(diagnose({ ...given, plan: { ...given.plan, journey: [{ ...step, path: '/tasks/{{task}}' }] } })).toEqual([]);
  });

  it('does not count empty bodies as harmless', () => {
    expect(ids(healthyStep({ bodyLength: { first: 6_844, differs: 14, deviationBytes: -14 * 6_844, empty: 14 } }))).toEqual([
      'emptyBodies',
    ]);
  });
});

describe('emptyBodies', () => {
  const empty = (failed: 'httpError' | 'wrongBody', count: number) =>
    ids(
      healthyStep({
        requests: { ...none, sent: 6_000, ok: 6_000 - count, [failed]: count },
        bodyLength: { first: 6_844, differs: 123, deviationBytes: -123 * 6_844, empty: 123 },
      }),
    );

  it('ignores redirects and error pages, which count as failures', () => {
    expect(empty('wrongBody', 123)).not.toContain('emptyBodies');
    expect(empty('httpError', 123)).not.toContain('emptyBodies');
    expect(empty('httpError', 60)).toContain('emptyBodies');
  });
});

describe('an overloaded load generator', () => {
  /** Returns a run in which half of the responses are quick and half are slow. The generator is overloaded in the first seconds. */
  const spread = (overloadedSeconds: number) =>
    ids(healthyStep({ latency: { service: { ...CALM, max: 5_000, stddev: 100 }, response: CALM, errorAdjusted: CALM } }), {
      windows: Array.from({ length: 60 }, (_, second) => point(second, second < overloadedSeconds ? { overloadedBy: ['threadCpu'] } : {})),
    }).filter((id) => id !== 'generatorLimited');

  it('suppresses findings about spread if most of the run was overloaded', () => {
    expect(spread(29)).toContain('slowTail');
    expect(spread(31)).not.toContain('slowTail');
  });
});

describe('notMade', () => {
  const errors = { 'NO_VALUE {{cookie._csrf}}@build': 39, 'ECONNRESET@body': 2 };
  const lacking = (missing: number) =>
    healthyStep({ requests: { ...none, sent: 100 - missing, ok: 100 - missing, notMade: missing }, errors });

  it('names the missing value and ignores other errors', () => {
    const found = diagnose(facts(lacking(39))).find(({ id }) => id.startsWith('notMade.'));
    expect(found).toMatchObject({ level: 'problem', sentence: expect.stringMatching(/^39 of 100 requests of “.*” were not sent/) });
    expect(found?.evidence).toEqual(['could not be made: {{cookie._csrf}} has no value: 39']);
    expect(found?.remedy).toContain('under load');
    expect(ids(lacking(0)).filter((id) => id.startsWith('notMade'))).toEqual([]);
  });

  it('names the step that should have returned the value or set the cookie', () => {
    const run = facts(lacking(39));
    const [page] = run.plan.journey;
    if (page === undefined) throw new Error('no step');
    const sentenceFor = (before: Partial<typeof page>[], missing = 'cookie._csrf') => {
      const journey = [...before.map((changes, index) => ({ ...page, name: `step ${index}`, ...changes })), page];
      const step = { ...lacking(39), name: page.name, errors: { [`NO_VALUE {{${missing}}}@build`]: 39 } };
      return diagnose({ ...run, plan: { ...run.plan, journey }, steps: [step] }).find(({ id }) => id.startsWith('notMade.'))?.sentence;
    };
    expect(sentenceFor([{ name: 'home' }])).toContain(' were not sent because “home” did not set the cookie “_csrf”; ');
    expect(sentenceFor([{}, {}])).toContain(' were not sent because a value was missing; ');
    const captures = [{ from: 'body' as const, as: 'task', pattern: 'x', flags: '', which: 'first' as const, html: false }];
    expect(sentenceFor([{}, { name: 'tasks', captures }, {}], 'task')).toContain(
      ' were not sent because “tasks” did not return {{task}}; ',
    );
  });

  it('has a separate id for each step', () => {
    const run = facts(lacking(39));
    const steps = ['login', 'hand in'].map((name) => ({ ...lacking(39), name }));
    expect(diagnose({ ...run, steps }).map(({ id }) => id)).toEqual(expect.arrayContaining(['notMade.login', 'notMade.hand in']));
  });
});

describe('wrongContent', () => {
  const errors = { 'TEXT_MISSING “Welcome”@check': 900, 'TOO_SMALL 2 kB@check': 100, 'ECONNRESET@body': 5_000 };
  const wrong = (wrongBody: number) => healthyStep({ requests: { ...none, sent: 6_000, ok: 6_000 - wrongBody, wrongBody }, errors });

  it('says that all requests were redirected, if the page follows a redirect', () => {
    const step = healthyStep({
      name: 'start page',
      requests: { ...none, sent: 100, wrongBody: 100 },
      errors: { 'TEXT_MISSING “Welcome”@check': 100 },
    });
    const redirects = healthyStep({ name: 'start page › redirects', requests: { ...none, sent: 100, ok: 100 } });
    const found = diagnose({ ...facts(step), steps: [step, redirects] }).find(({ id }) => id === 'wrongContent');
    expect(found?.sentence).toBe(
      'Every request of “start page” was redirected to another page, probably the login page: the users were not logged in.',
    );
  });

  it('names the failed checks, the most frequent first, and ignores other errors', () => {
    const [finding] = diagnose(facts(wrong(1_000)));
    expect(finding).toMatchObject({ id: 'wrongContent', level: 'problem', sentence: expect.stringContaining('the wrong content') });
    expect(finding?.evidence).toEqual([
      'wrong content: “Welcome” is missing: 900 of 6,000 responses',
      'wrong content: less than 2 kB: 100 of 6,000 responses',
    ]);
  });

  it('suspects the check itself if no response passes it, and ignores a few failures', () => {
    expect(diagnose(facts(wrong(6_000)))[0]).toMatchObject({ remedy: expect.stringContaining('a mistyped check') });
    expect(ids(wrong(5))).not.toContain('wrongContent');
  });
});

describe('emptyBodies', () => {
  it('expects no body if the page has none, as for HEAD', () => {
    expect(ids(healthyStep({ bodyLength: { first: 0, differs: 0, deviationBytes: 0, empty: 6_000 } }))).toEqual([]);
  });
});

describe('redirectMeasured', () => {
  const redirected = { requests: { ...none, sent: 6_000, httpError: 6_000 }, status: { '302': 6_000 } };

  it('reports that the redirect was measured', () => {
    expect(ids(healthyStep(redirected))).toContain('redirectMeasured');
  });

  it('ignores a redirect that the plan expects', () => {
    const wanted = facts(healthyStep(redirected));
    const [step] = wanted.plan.journey;
    if (step) step.expectStatus = [302];
    expect(diagnose(wanted).map(({ id }) => id)).not.toContain('redirectMeasured');
  });
});

describe('unexpectedStatus', () => {
  const respondedWith = (status: Record<string, number>): string[] => {
    const failed = Object.entries(status).reduce((sum, [code, count]) => (code === '200' ? sum : sum + count), 0);
    const found = diagnose(facts(healthyStep({ status, requests: { ...none, sent: 6_000, ok: 6_000 - failed, httpError: failed } })));
    return found.map(({ id, sentence }) => `${id}: ${sentence}`);
  };

  it('says that the page does not exist if all responses are 404', () => {
    expect(respondedWith({ '404': 6_000 })).toEqual([expect.stringMatching(/^unexpectedStatus.404: .*mostly .*the page does not exist/)]);
  });

  it('names each status with a noticeable share', () => {
    expect(respondedWith({ '200': 5_700, '503': 240, '502': 60 })).toHaveLength(2);
    expect(respondedWith({ '200': 5_970, '500': 30 })).toEqual([]);
  });

  it('describes a status for which the rule has no entry', () => {
    expect(respondedWith({ '418': 6_000 })[0]).toContain('does not accept the request');
    expect(respondedWith({ '599': 6_000 })[0]).toContain('the server failed');
  });

  it('ignores an expected status', () => {
    const wanted = facts(healthyStep({ status: { '404': 6_000 } }));
    const [step] = wanted.plan.journey;
    if (step) step.expectStatus = [404];
    expect(diagnose(wanted)).toEqual([]);
  });
});

describe('nothingResponded', () => {
  it.each([
    ['ECONNREFUSED@connect', 'nothing listens'],
    ['ENOTFOUND@connect', 'does not exist'],
    ['constructor@connect', 'No request got a response'],
  ])('names the cause of %s', (error, sentence) => {
    const [finding] = diagnose(facts(healthyStep({ requests: { ...none, sent: 28, refused: 28 }, errors: { [error]: 28 }, status: {} })));
    expect(finding?.id).toBe('nothingResponded');
    expect(finding?.sentence).toContain(sentence);
    expect(finding?.evidence[1]).toContain('28 times');
  });

  it.each([
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'it is self-signed', '--ca FILE'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'an authority that the load generator does not know', '--ca FILE'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'its issuer is unknown', 'full chain'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'its issuer is unknown', 'full chain'],
    ['CERT_HAS_EXPIRED', 'has expired', 'Renew it'],
    ['CERT_NOT_YET_VALID', 'dated in the future', 'clocks'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'another name', 'tls.serverName'],
  ])('explains a certificate error: %s', (code, sentence, remedy) => {
    const step = healthyStep({ requests: { ...none, sent: 28, tls: 28 }, errors: { [`${code}@tls`]: 28 }, status: {} });
    const [finding] = diagnose(facts(step));
    expect(finding).toMatchObject({ id: 'nothingResponded', level: 'problem', confidence: 'certain' });
    expect(finding?.sentence).toContain(sentence);
    expect(finding?.remedy).toContain(remedy);
  });

  it('is absent after a single response', () => {
    expect(ids(healthyStep({ requests: { ...none, sent: 28, ok: 1, refused: 27 }, errors: { 'ECONNREFUSED@connect': 27 } }))).not.toContain(
      'nothingResponded',
    );
  });
});

describe('connectionPerRequest', () => {
  it('reports a server that closes after each response', () => {
    expect(ids(healthyStep({ connectionsOpened: 6_000, requestsOnReusedConnection: 0 }))).toEqual(['connectionPerRequest']);
  });

  it.each(['never', 'journey'] as const)('ignores connections that the plan uses once: %s', (reuse) => {
    const given = facts(healthyStep({ connectionsOpened: 6_000, requestsOnReusedConnection: 0 }));
    expect(diagnose({ ...given, plan: { ...given.plan, connections: { reuse } } })).toEqual([]);
  });

  it('accepts a server that closes after 100 responses', () => {
    expect(ids(healthyStep({ connectionsOpened: 120 }))).toEqual([]);
  });
});

describe('generatorLimited', () => {
  it('is one finding with all causes, the most frequent first, and marks their seconds', () => {
    const windows = [
      point(0, { overloadedBy: ['steal'] }),
      point(1),
      point(2, { overloadedBy: ['threadCpu'] }),
      point(3, { overloadedBy: ['threadCpu', 'steal', 'browser'] }),
    ];
    const found = diagnose(facts(healthyStep(), { windows: [...windows, point(4, { overloadedBy: ['threadCpu'] })] }));
    expect(found).toMatchObject([
      {
        id: 'generatorLimited',
        level: 'warning',
        confidence: 'likely',
        sentence: 'This computer was overloaded for 4 s of 5 s, for 3 reasons.',
        remedy: 'Remove the most frequent cause first, then run the test again.',
        causes: [
          { cause: 'threadCpu', seconds: 3 },
          { cause: 'steal', seconds: 2 },
          { cause: 'browser', seconds: 1 },
        ],
        range: {
          fromSecond: 0,
          toSecond: 5,
          spans: [
            { fromSecond: 0, toSecond: 1 },
            { fromSecond: 2, toSecond: 5 },
          ],
        },
      },
    ]);
  });

  it('names a single cause in its sentence, and leaves a standstill to its own finding', () => {
    const windows = [point(0), point(1, { overloadedBy: ['threadCpu'] }), point(2, { overloadedBy: ['standstill'] }), point(3)];
    expect(diagnose(facts(healthyStep(), { windows })).filter(({ id }) => id === 'generatorLimited')).toMatchObject([
      {
        sentence: 'This computer was overloaded for 2 s of 4 s; in 1 s of it a thread that sends requests was fully busy.',
        remedy: 'Use more threads if cores are idle, fewer connections, or a second machine.',
        causes: [{ cause: 'threadCpu', seconds: 1 }],
        range: { fromSecond: 1, toSecond: 2 },
      },
    ]);
  });
});

describe('a browser beside the load', () => {
  it('is named if it took processors that the load needed', () => {
    const windows = [point(0), point(1, { overloadedBy: ['browser'] })];
    const [found] = diagnose(facts(healthyStep(), { windows }));
    expect(found).toMatchObject({
      id: 'generatorLimited',
      causes: [{ cause: 'browser', seconds: 1 }],
      sentence: 'This computer was overloaded for 1 s of 2 s: a visit with the browser used processors that the load needed.',
    });
    expect(found?.remedy).toContain('from another machine');
  });
});

describe('notSteady', () => {
  const { service } = healthyStep().latency;
  const [base] = facts().stages;
  const run = (...levels: readonly (readonly [users: number, p95: number, p99: number])[]) =>
    diagnose(
      facts(healthyStep(), {
        stages: levels.flatMap(([users, p95, p99]) => {
          const times = { ...service, p95, p99 };
          const level = { unit: 'users' as const, from: users, to: users, highest: users };
          return base === undefined ? [] : [{ ...base, name: `${users} users`, level, latency: { ...base.latency, response: times } }];
        }),
      }),
    ).filter(({ id }) => id === 'notSteady');

  it('reports a stage that was slower than a stage with more users', () => {
    const [finding] = run([100, 116, 130], [200, 2_415, 2_900], [400, 1_000, 1_200]);
    expect(finding?.sentence).toMatch(/“200 users” took 2\.4.* but 99 % in “400 users”, with more load, took at most 1\.2 s/);
    expect(finding?.evidence).toHaveLength(3);
  });

  it('ignores times that grow with the load', () => {
    expect(run([100, 100, 130], [200, 200, 290], [400, 400, 520])).toEqual([]);
  });
});

describe('slowTail', () => {
  it('estimates the share of responses stuck at 5.1 s from the figures that ApacheBench prints', () => {
    const { service } = healthyStep().latency;
    const stuck = { ...service, count: 100_000, p50: 49, p99: 74, max: 5_110, stddev: 206.6 };
    const [finding] = diagnose(facts(healthyStep({ latency: { service: stuck, response: stuck, errorAdjusted: stuck } })));
    expect(finding?.id).toBe('slowTail');
    expect(finding?.sentence).toContain('0.167 % of');
  });
});
