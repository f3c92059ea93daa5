import { describe, expect, it } from 'vitest';
import { durationText } from './QuestionPage.tsx';

describe('durationText', () => {
  it('names the duration with a practice server only where that is shorter', () => {
    expect(durationText({ takesMinutes: 10.2, lab: 'contest' })).toBe('11 minutes, less than 2 minutes with a practice server');
    expect(durationText({ takesMinutes: 0.5, lab: 'contest' })).toBe('1 minute');
    expect(durationText({ takesMinutes: 10, lab: undefined })).toBe('10 minutes');
  });
});
