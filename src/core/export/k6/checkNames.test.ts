import { describe, expect, it } from 'vitest';
import { captureCheck, checkOfLabel, endsJourney, labelOfCheck, REDIRECT_CHECK_NAME, pollCheck } from './checkNames.ts';

describe('k6 check names', () => {
  it.each(['page', 'Shop::cart', 'a:', ': b', 'a: b'])('are found by their k6 label for step “%s”', (step) => {
    for (const check of [REDIRECT_CHECK_NAME, captureCheck('token'), pollCheck(1.5), 'status 200'])
      expect(checkOfLabel(step, labelOfCheck(step, check))).toBe(check);
    expect(labelOfCheck(step, 'status 200')).not.toContain('::');
  });

  it('show whether a failure ends the journey: failures of captures, polls and redirects do, others do not', () => {
    expect([REDIRECT_CHECK_NAME, captureCheck('token'), pollCheck(0.5), pollCheck(30)].every(endsJourney)).toBe(true);
    expect(['status 200', 'contains “finds”', `${REDIRECT_CHECK_NAME} (2)`, 'contains “x”'].some(endsJourney)).toBe(false);
  });
});
