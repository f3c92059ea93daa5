import type { Problem } from '#core/base/errors.ts';
import { words } from '../words/words.ts';
import { LinkButton } from './LinkButton.tsx';
import { Page, Stack } from './Page.tsx';
import { ProblemBanner } from './ProblemBanner.tsx';

interface ProblemPageProps {
  readonly title: string;
  readonly problem: Problem;
  readonly onRetry?: () => void;
}

/** In place of a run or a series that cannot be shown: why, and the way to those that can. */
export function ProblemPage({ title, problem, onRetry }: ProblemPageProps) {
  return (
    <Page title={title}>
      <Stack>
        <ProblemBanner problem={problem} {...(onRetry ? { onRetry } : {})} />
        <div>
          <LinkButton to="/history">{words.common.toHistory}</LinkButton>
        </div>
      </Stack>
    </Page>
  );
}
