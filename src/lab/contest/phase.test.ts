import { describe, expect, it } from 'vitest';
import { Phases } from './phase.ts';

describe('Phases', () => {
  it('start and end a contest by the clock, judged at the arrival of the request', () => {
    let nowMs = 1_000_000;
    const phases = new Phases('running', { startsSeconds: 10, lastsSeconds: 60 }, () => nowMs);
    expect([phases.phaseOf('ada'), phases.phaseOf('ada', nowMs + 9_999), phases.showsTasks('ada')]).toEqual(['future', 'future', false]);
    expect(phases.wordsFor('ada')).toEqual(['The contest has not started.', 'The contest will start in 10 s.']);
    nowMs += 10_000;
    expect([phases.phaseOf('ada'), phases.showsTasks('ada')]).toEqual(['running', true]);
    expect([phases.phaseOf('ada', nowMs + 59_999), phases.phaseOf('ada', nowMs + 60_000)]).toEqual(['running', 'ended']);
    phases.restart();
    expect(phases.phaseOf('ada')).toBe('future');
    phases.begin();
    expect(phases.phaseOf('ada')).toBe('running');
  });

  it('let each contestant start once, and only while the contest is running', () => {
    let nowMs = 0;
    const phases = new Phases('own-start', { startsSeconds: 10, lastsSeconds: 60 }, () => nowMs);
    phases.start('ada');
    nowMs = 10_000;
    expect(phases.phaseOf('ada')).toBe('unstarted');
    phases.start('ada');
    nowMs = 40_000;
    phases.start('ada');
    phases.start('bob');
    nowMs = 70_000;
    expect([phases.phaseOf('ada'), phases.phaseOf('bob'), phases.phaseOf('cora')]).toEqual(['ended', 'running', 'unstarted']);
  });
});
