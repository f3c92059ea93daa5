import { describe, expect, it } from 'vitest';
import type { Issue } from '#core/plan/issues.ts';
import { groupIssues } from './IssueList.tsx';

const makeIssue = (code: string, path: string, level: Issue['level'] = 'warning'): Issue => ({
  level,
  code,
  path,
  message: path,
  hint: '',
});

const groupPaths = (issues: readonly Issue[]): string[][] =>
  groupIssues(issues).map(({ first, others }) => [first, ...others].map(({ path }) => path));

describe('groupIssues', () => {
  it('groups more than two warnings of one kind at the position of the first one', () => {
    const issues = [makeIssue('FEW', 'a'), makeIssue('OTHER', 'b'), makeIssue('FEW', 'c'), makeIssue('FEW', 'd')];
    expect(groupPaths(issues)).toEqual([['a', 'c', 'd'], ['b']]);
  });

  it('groups neither two warnings of one kind nor errors', () => {
    expect(groupPaths([makeIssue('FEW', 'a'), makeIssue('FEW', 'b')])).toEqual([['a'], ['b']]);
    const errors = ['a', 'b', 'c'].map((path) => makeIssue('WRONG', path, 'error'));
    expect(groupPaths(errors)).toEqual([['a'], ['b'], ['c']]);
  });
});
