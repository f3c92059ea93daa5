import { CircleAlert, CircleCheck, CircleX, Info, Minus, TriangleAlert } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import styles from './Banner.module.css';
import { classes } from './classes.ts';
import tones from './Tone.module.css';
import { useFocusAfterRemoval } from './useKeptFocus.ts';
import type { Problem } from '#core/base/errors.ts';
import { words } from '#ui/words/words.ts';
import { Button, CopyButton, LinkButton } from './Button.tsx';
import { Page, Stack } from './Page.tsx';

export type Tone = 'passed' | 'failed' | 'inconclusive' | 'info' | 'accent';

interface BannerProps {
  readonly tone: Tone;
  readonly title?: ReactNode;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
  /** `alert` interrupts a screen reader, and `status` waits for a pause. By default, the banner is not announced. */
  readonly announce?: 'alert' | 'status';
  readonly icon?: ReactNode;
}

const icons: Record<Tone, ReactNode> = {
  passed: <CircleCheck size={20} />,
  failed: <CircleX size={20} />,
  inconclusive: <TriangleAlert size={20} />,
  info: <Info size={20} />,
  accent: <CircleAlert size={20} />,
};

/** A message about the page on which it appears. */
export function Banner({ tone, title, children, actions, announce, icon }: BannerProps) {
  const banner = useRef<HTMLDivElement>(null);
  useFocusAfterRemoval(banner);
  return (
    <div ref={banner} className={classes(styles.banner, tones[tone])} role={announce}>
      <span className={styles.icon} aria-hidden="true">
        {icon ?? icons[tone] ?? <Minus size={20} />}
      </span>
      <div className={styles.body}>
        {title ? <p className={styles.title}>{title}</p> : null}
        {children ? <div className={styles.text}>{children}</div> : null}
      </div>
      {actions ? <div className={styles.actions}>{actions}</div> : null}
    </div>
  );
}

interface ProblemBannerProps {
  readonly problem: Problem;
  readonly onRetry?: () => void;
  /** Label of the retry button, for pages with several such buttons. */
  readonly retryLabel?: string;
  readonly tone?: 'failed' | 'inconclusive';
}

/**
 * An error with its likely cause, what to do, a retry button, and details to copy. Renders nothing for a lost connection, because the app's
 * frame reports that.
 */
export function ProblemBanner({ problem, onRetry, retryLabel = words.common.retry, tone = 'failed' }: ProblemBannerProps) {
  if (problem.code === 'GONE') return null;
  return (
    <Banner
      tone={tone}
      title={problem.message}
      announce="alert"
      actions={
        <>
          {onRetry ? <Button onPress={onRetry}>{retryLabel}</Button> : null}
          <CopyButton text={formatDetails(problem)} label={words.common.copyDetails} />
        </>
      }
    >
      {problem.hint}
    </Banner>
  );
}

function formatDetails({ code, message, hint, data }: Problem): string {
  return [code, message, hint, data === undefined ? '' : JSON.stringify(data, null, 2)].filter(Boolean).join('\n');
}

interface ProblemPageProps {
  readonly title: string;
  readonly problem: Problem;
  readonly onRetry?: () => void;
}

/** Page about a run or series that cannot be shown: the reason, and a link to the list. Internal errors have a retry button. */
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
