import { CircleX } from 'lucide-react';
import styles from './Field.module.css';

/** The line under a field that says what is wrong. Announced when it appears. */
export function FieldMessage({ id, error }: { readonly id: string; readonly error: string | null }) {
  return (
    <div id={id} aria-live="polite" className={styles.message}>
      {error ? (
        <p className={styles.error}>
          <CircleX size={14} aria-hidden="true" />
          <span>{error}</span>
        </p>
      ) : null}
    </div>
  );
}
