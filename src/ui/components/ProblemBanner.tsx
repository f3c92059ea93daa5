import type { Problem } from '#core/base/errors.ts';
import { words } from '../words/words.ts';
import { Banner } from './Banner.tsx';
import { Button, CopyButton, LinkButton } from './Button.tsx';
import { Page, Stack } from './Page.tsx';

interface ProblemBannerProps {
  readonly problem: Problem;
  readonly onRetry?: () => void;
  /** What its button repeats, where more than one thing on the page can be. */
  readonly retryLabel?: string;
  readonly tone?: 'breaks' | 'inconclusive';
}

/**
 * An error for people: what happened, the likely cause and what to do, with retry and details to send on. A lost connection is
 * said once, by the banner of the app's frame, and not again here.
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

/** In place of a run or a series that cannot be shown: why, and the way to those that can. What failed in Holdfast may work the next time. */
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
