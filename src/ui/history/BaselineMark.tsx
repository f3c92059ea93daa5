import { Flag } from 'lucide-react';
import type { CallOutput } from '#contract/api.ts';
import { words } from '../words/words.ts';
import styles from './RunTable.module.css';

type Standing = CallOutput<'baselines.standings'>['standings'][number];

/** How a run stands to its baseline, in a few words; the whole sentence on hover. Nothing where it has none. */
export function BaselineMark({ standing }: { readonly standing: Standing | undefined }) {
  if (standing === undefined) return null;
  return (
    <span className={styles.baseline} data-standing={standing.standing} title={standing.sentence === '' ? undefined : standing.sentence}>
      <Flag size={12} aria-hidden="true" />
      {words.baseline.inHistory[standing.standing]}
    </span>
  );
}
