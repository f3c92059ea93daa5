import type { Problem } from '#core/base/errors.ts';
import { ProblemBanner } from './Banner.tsx';
import { useEffect, useState, type ReactNode, startTransition } from 'react';
import { words } from '#ui/words/words.ts';
import styles from './Placeholders.module.css';

const DELAY_MS = 300;

/** Shows its children after a delay, so that short waits do not flicker. */
function Delayed({ children }: { readonly children: ReactNode }) {
  const [waited, setWaited] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setWaited(true), DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return waited ? children : null;
}

export function Block({ height, width = '100%' }: { readonly height: number; readonly width?: number | string }) {
  return <span className={styles.block} style={{ height, width }} />;
}

interface SkeletonProps {
  /** Text for screen readers about what is being loaded. */
  readonly waitingFor: string;
  /** Heights, in pixels, of grey blocks that are shown in place of children. */
  readonly heights?: readonly number[];
  readonly children?: ReactNode;
}

/** Placeholder of a page while the page loads. */
export function Skeleton({ waitingFor, heights, children }: SkeletonProps) {
  return (
    <Delayed>
      <div aria-live="polite" className={styles.skeleton}>
        <p className={styles.words}>{words.common.waitingFor(waitingFor)}</p>
        <div aria-hidden="true" className={styles.blocks}>
          {heights?.map((height, place) => (
            // oxlint-disable-next-line react/no-array-index-key -- [blocks have no other identity than their place]
            <Block key={place} height={height} />
          ))}
          {children}
        </div>
      </div>
    </Delayed>
  );
}

interface LoadedProps<Data> {
  readonly query: {
    readonly data: Data | undefined;
    readonly error: Problem | null;
    readonly isPending: boolean;
    readonly refetch: () => unknown;
  };
  readonly waitingFor: string;
  readonly heights: readonly number[];
  readonly children?: (data: Data) => ReactNode;
}

/** Shows the data of a call. While the call is pending, shows a placeholder; after an error, the problem with a retry button. */
export function Loaded<Data>({ query: { data, error, isPending, refetch }, waitingFor, heights, children }: LoadedProps<Data>) {
  return (
    <>
      {error ? <ProblemBanner problem={error} onRetry={() => void refetch()} /> : null}
      {isPending ? <Skeleton waitingFor={waitingFor} heights={heights} /> : null}
      {data === undefined ? null : children?.(data)}
    </>
  );
}

/** Returns false in the first render and true soon afterwards. The second render is a transition, so that the page stays responsive. */
export function useAfterFirstPaint(): boolean {
  const [isDue, setDue] = useState(false);
  useEffect(() => startTransition(() => setDue(true)), []);
  return isDue;
}

interface LaterProps {
  /** Estimated height of the children in CSS pixels. It is reserved until the children are rendered, so that the layout does not shift. */
  readonly height?: number;
  readonly children: ReactNode;
}

/** Renders its children after the first paint. This is meant for content below the visible part of the page. */
export function AfterFirstPaint({ height = 0, children }: LaterProps) {
  return useAfterFirstPaint() ? children : <div style={{ minHeight: height }} />;
}

interface EmptyStateProps {
  readonly icon?: ReactNode;
  readonly title: string;
  /** Explanation of what will be shown in the empty area. */
  readonly children: ReactNode;
  readonly action?: ReactNode;
}

export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      {icon ? (
        <span className={styles.icon} aria-hidden="true">
          {icon}
        </span>
      ) : null}
      <h2>{title}</h2>
      <p className={styles.text}>{children}</p>
      {action}
    </div>
  );
}
