import { describe, expect, it } from 'vitest';
import { judged } from '#core/judgement/verdict/testing/judged.ts';
import { planWith, stages } from '#core/testing/plans.ts';
import { repeatedWindows } from '#core/testing/windows.ts';
import { listOtherReasons, listReportedReasons } from './words.ts';

const plan = planWith({ load: stages({ connections: 10, seconds: 10 }) });
const windows = repeatedWindows(10, { ok: [{ count: 100, ms: 40 }] });
const reason = (code: string) => ({ code, text: code });

describe('reasons beside the verdict', () => {
  it('are the first three, and always the reason about what may have been missed', () => {
    const all = [...['a', 'b', 'c', 'd'].map(reason), reason('time.notSeen')];
    expect(listReportedReasons(all).map(({ code }) => code)).toEqual(['a', 'b', 'c', 'time.notSeen']);
    expect(listReportedReasons([reason('time.notSeen'), reason('a')]).map(({ code }) => code)).toEqual(['a', 'time.notSeen']);
  });

  it('exclude reasons that criteria or findings already state', () => {
    const { verdict } = judged({ plan, windows });
    const all = ['responseTime.passed', 'errors.failed', 'apdex.unknown', 'generator.overloaded', 'passed.not'].map(reason);
    const finding = { level: 'warning', sentence: '', evidence: [], remedy: '', confidence: 'likely', range: null } as const;
    const beside = (...ids: readonly string[]) =>
      listOtherReasons({ verdict: { ...verdict, reasons: all }, findings: ids.map((id) => ({ ...finding, id, evidence: [] })) }).map(
        ({ code }) => code,
      );
    expect(beside('slowTail', 'generatorLimited')).toEqual(['passed.not']);
    expect(beside('generatorLimited.steal'), 'of an older result').toEqual(['passed.not']);
    expect(beside('slowTail')).toEqual(['generator.overloaded', 'passed.not']);
  });
});
