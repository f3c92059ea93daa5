import { describe, expect, it } from 'vitest';
import type { Issue } from '#core/plan/issues.ts';
import { groupIssues } from './IssueList.tsx';

const issue = (code: string, path: string, level: Issue['level'] = 'warning'): Issue => ({ level, code, path, message: path, hint: '' });

const shapes = (issues: readonly Issue[]): string[][] =>
  groupIssues(issues).map(({ first, others }) => [first, ...others].map(({ path }) => path));

describe('groupIssues', () => {
  it('lets the first of many warnings of one kind stand for them, at its place', () => {
    const issues = [issue('FEW', 'a'), issue('OTHER', 'b'), issue('FEW', 'c'), issue('FEW', 'd')];
    expect(shapes(issues)).toEqual([['a', 'c', 'd'], ['b']]);
  });

  it('tells two of a kind, and every error, one by one', () => {
    expect(shapes([issue('FEW', 'a'), issue('FEW', 'b')])).toEqual([['a'], ['b']]);
    const errors = ['a', 'b', 'c'].map((path) => issue('WRONG', path, 'error'));
    expect(shapes(errors)).toEqual([['a'], ['b'], ['c']]);
  });
});
