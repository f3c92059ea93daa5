import type { Issue } from '#core/plan/issues.ts';
import type { Step } from '#core/plan/schema/plan.ts';
import { error, warning } from './make.ts';

/** Whether what a page links to can be fetched with it. */
export function checkResources({ resources, poll, method }: Step, path: string): Issue[] {
  if (resources === undefined) return [];
  const issues: Issue[] = [];
  if (method === 'HEAD')
    issues.push(
      error('PAGE_WITHOUT_BODY', `${path}.resources`, 'The answer to HEAD links to nothing.', 'Ask with GET, or leave “resources” out.'),
    );
  if (poll !== undefined) {
    issues.push(
      error(
        'PAGE_IS_POLLED',
        `${path}.resources`,
        'What is asked for again and again is no page that is fetched as a whole.',
        'Give the page a step of its own, without “poll”.',
      ),
    );
  }
  if (new Set(resources.kinds).size < resources.kinds.length)
    issues.push(warning('KIND_TWICE', `${path}.resources.kinds`, 'A kind is named twice.', 'Each is fetched once all the same.'));
  return issues;
}
