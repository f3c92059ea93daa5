import { useEffect, useState, type ReactNode } from 'react';
import { words } from '../words/words.ts';
import styles from './Skeleton.module.css';

const PATIENCE_MS = 300;

/** Shows its children only when waiting has lasted long enough to be noticed. */
export function AfterAWhile({ children }: { readonly children: ReactNode }) {
  const [waited, setWaited] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setWaited(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return waited ? children : null;
}

/** A grey block of the size of what is to come. */
export function Block({ height, width = '100%' }: { readonly height: number; readonly width?: number | string }) {
  return <span className={styles.block} style={{ height, width }} />;
}

/** The real layout in grey, with the words that say what is waited for. */
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
