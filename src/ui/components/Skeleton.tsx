import { useEffect, useState, type ReactNode } from 'react';
import { words } from '../words/words.ts';
import styles from './Skeleton.module.css';

const DELAY_MS = 300;

/** Shows its children after a delay, so that short waits do not flicker. */
export function AfterAWhile({ children }: { readonly children: ReactNode }) {
  const [waited, setWaited] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setWaited(true), DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return waited ? children : null;
}

/** A grey placeholder. */
export function Block({ height, width = '100%' }: { readonly height: number; readonly width?: number | string }) {
  return <span className={styles.block} style={{ height, width }} />;
}

/** Placeholder of a page while it loads; `waitingFor` is announced. */
export function Skeleton({ waitingFor, children }: { readonly waitingFor: string; readonly children: ReactNode }) {
  return (
    <AfterAWhile>
      <div aria-live="polite" className={styles.skeleton}>
        <p className={styles.words}>{words.common.waitingFor(waitingFor)}</p>
        <div aria-hidden="true" className={styles.blocks}>
          {children}
        </div>
      </div>
    </AfterAWhile>
  );
}
