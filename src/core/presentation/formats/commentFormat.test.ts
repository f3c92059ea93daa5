import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DuetResult } from '#core/result/duet.ts';
import { sampleResult } from '#core/result/testing/sampleResult.ts';
import { formatAnnotations } from './annotationFormat.ts';
import { escapeForeign, formatComment, MAX_COMMENT_LINES } from './commentFormat.ts';

const NONE = { runCount: 1, comparison: null, tolerance: 0.05 };

describe('the comment of a pull request', () => {
  it('has at most 40 lines, whatever the number of criteria and findings', () => {
    const sample = sampleResult();
    const [criterion] = sample.criteria;
    const [finding] = sample.findings;
    if (criterion === undefined || finding === undefined) throw new Error('The sample lacks a criterion or a finding.');
    const text = formatComment({
      ...NONE,
      result: {
        ...sample,
        criteria: Array.from({ length: 60 }, () => ({ ...criterion, outcome: 'failed' as const, reason: 'x\n'.repeat(500) })),
        findings: Array.from({ length: 60 }, () => ({ ...finding, level: 'problem' as const, sentence: 'y\n'.repeat(500) })),
      },
    });
    expect(text.split('\n').length).toBeLessThanOrEqual(MAX_COMMENT_LINES);
    expect(text).toContain('- 54 more');
  });

  it('links the report by an address without parentheses', () => {
    const text = formatComment({ ...NONE, result: sampleResult(), reportUrl: 'https://ci.example/a(1)/b c' });
    expect(text).toContain('[Full report](https://ci.example/a%281%29/b%20c)');
  });

  it('begins with what fails the build, if the second variant of a duet is slower', () => {
    const side = { ok: 100, failed: 0, typicalMs: 20 };
    const duet: DuetResult = {
      slotMs: 50,
      sides: [
        { name: 'base', ...side },
        { name: 'head', ...side },
      ],
      pairs: 20,
      change: { value: 0.2, low: 0.1, high: 0.3 },
      conclusion: 'slower',
    };
    const lines = (tolerance: number): string[] => formatComment({ ...NONE, tolerance, result: { ...sampleResult(), duet } }).split('\n');
    expect(lines(0.05)[0]).toMatch(/^### ❌/);
    expect(lines(0.05)[2]).toMatch(/^“head” is slower than “base” by 20\s%/);
    expect(lines(0.05).filter((line) => line.includes('is slower than'))).toHaveLength(1);
    expect(lines(0.25)[0]).not.toMatch(/❌/);
  });

  it('names a server once, also if the plan has it twice', () => {
    const sample = sampleResult();
    const [target] = sample.plan.targets;
    if (target === undefined) throw new Error('The sample has no target.');
    const text = formatComment({ ...NONE, result: { ...sample, plan: { ...sample.plan, namedTargets: { 'variant-1': target } } } });
    expect(text.split(escapeForeign(target.url))).toHaveLength(2);
  });

  it.each([
    ['@team', '@<!-- -->team'],
    ['a | b', String.raw`a \| b`],
    ['<img src=x>', String.raw`\<img src=x\>`],
    ['[x](y)', String.raw`\[x\](y)`],
    ['https://evil.example www.evil.example', 'https<!-- -->://evil.example www<!-- -->.evil.example'],
    ['/close', '/<!-- -->close'],
    ['!12 ~bug $5', String.raw`!<!-- -->12 \~bug \$5`],
    ['first\nsecond', 'first second'],
    ['20 % of 5', '20\u00a0% of 5'],
  ])('escapes %j', (text, escaped) => expect(escapeForeign(text)).toBe(escaped));

  it('leaves no mention, tag, link, image or line break from any foreign text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'@<>[]()!|`*_~#$%/\\:&\nhtpsw.x ') }), (text) => {
        const escaped = escapeForeign(text).replaceAll('<!-- -->', '\u0000');
        expect(escaped).not.toMatch(/\n|(?<!\\)(?:\\\\)*[<>[\]`*_~#|]|@[\w-]|https?:|www\./i);
      }),
    );
  });
});

describe('annotations', () => {
  const PLAN = 'holdfast: 1\njourney:\n  - name: home\n  - name: order\ncriteria:\n  - { kind: errors, maxShare: 0.01 }\n';

  function annotate(change: object): string {
    const sample = sampleResult();
    const [criterion] = sample.criteria;
    if (criterion === undefined) throw new Error('The sample lacks a criterion.');
    const errors = { kind: 'errors', maxShare: 0.01 } as const;
    const [step] = sample.plan.journey;
    const result = {
      plan: {
        ...sample.plan,
        criteria: [errors],
        journey: [
          { ...step, name: 'home' },
          { ...step, name: 'order' },
        ] as typeof sample.plan.journey,
      },
      criteria: [{ ...criterion, criterion: errors, text: 'at most 1 %, or so', reason: '50 % failed\nx', ...change }],
    };
    return formatAnnotations(result, { path: 'load/a,b.yaml', text: PLAN });
  }

  it('are errors at the line of the failed criterion, with escaped texts', () => {
    expect(annotate({ outcome: 'failed' })).toBe(
      '::error file=load/a%2Cb.yaml,line=6,title=Load test%3A at most 1 %25%2C or so::50 %25 failed%0Ax\n',
    );
  });

  it('are warnings for undecided criteria, and absent for passed ones', () => {
    expect(annotate({ outcome: 'unknown' })).toMatch(/^::warning file=load\/a%2Cb\.yaml,line=6,/);
    expect(annotate({ outcome: 'passed' })).toBe('');
  });

  it('name the line of the step for a default criterion', () => {
    expect(annotate({ outcome: 'failed', isDefault: true, step: 'order' })).toContain(',line=4,');
  });
});
