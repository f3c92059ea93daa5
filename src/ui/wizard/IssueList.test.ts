import { describe, expect, it } from 'vitest';
import type { Issue } from '#core/plan/issues.ts';
import { groupIssues } from './IssueList.tsx';

const issue = (code: string, path: string, level: Issue['level'] = 'warning'): Issue => ({ level, code, path, message: path, hint: '' });

const shapes = (issues: readonly Issue[]): string[][] =>
  groupIssues(issues).map(({ first, others }) => [first, ...others].map(({ path }) => path));

describe('groupIssues', () => {
  it('groups more than two warnings of one kind at the position of the first', () => {
    const issues = [issue('FEW', 'a'), issue('OTHER', 'b'), issue('FEW', 'c'), issue('FEW', 'd')];
    expect(shapes(issues)).toEqual([['a', 'c', 'd'], ['b']]);
  });

  it('does not group two warnings of a kind, or errors', () => {
    expect(shapes([issue('FEW', 'a'), issue('FEW', 'b')])).toEqual([['a'], ['b']]);
    const errors = ['a', 'b', 'c'].map((path) => issue('WRONG', path, 'error'));
    expect(shapes(errors)).toEqual([['a'], ['b'], ['c']]);
  });
});
