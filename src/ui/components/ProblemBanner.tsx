import type { Problem } from '#core/base/errors.ts';
import { words } from '../words/words.ts';
import { Banner } from './Banner.tsx';
import { Button, CopyButton, LinkButton } from './Button.tsx';
import { Page, Stack } from './Page.tsx';

interface ProblemBannerProps {
  readonly problem: Problem;
  readonly onRetry?: () => void;
  /** Label of the retry button, where the page has several. */
  readonly retryLabel?: string;
  readonly tone?: 'breaks' | 'inconclusive';
}

/**
 * An error with its likely cause, what to do, a retry button and details to copy. Renders nothing for a lost connection, which the
 * app's frame reports.
 */
export function ProblemBanner({ problem, onRetry, retryLabel = words.common.retry, tone = 'breaks' }: ProblemBannerProps) {
  if (problem.code === 'GONE') return null;
  return (
    <Banner
      tone={tone}
      title={problem.message}
      announce="alert"
      actions={
        <>
          {onRetry ? <Button onPress={onRetry}>{retryLabel}</Button> : null}
          <CopyButton text={detailsOf(problem)} label={words.common.copyDetails} />
        </>
      }
    >
      {problem.hint}
    </Banner>
  );
}

function detailsOf({ code, message, hint, data }: Problem): string {
  return [code, message, hint, data === undefined ? '' : JSON.stringify(data, null, 2)].filter(Boolean).join('\n');
}

interface ProblemPageProps {
  readonly title: string;
  readonly problem: Problem;
  readonly onRetry?: () => void;
}

/** Page for a run or series that cannot be shown: the reason and a link to the others. Internal errors can be retried. */
export function ProblemPage({ title, problem, onRetry }: ProblemPageProps) {
  const retry = onRetry ?? (problem.code === 'INTERNAL' ? () => location.reload() : undefined);
  return (
    <Page title={title}>
      <Stack>
        <ProblemBanner problem={problem} {...(retry ? { onRetry: retry } : {})} />
        <div>
          <LinkButton to="/history">{words.common.toHistory}</LinkButton>
        </div>
      </Stack>
    </Page>
  );
}
