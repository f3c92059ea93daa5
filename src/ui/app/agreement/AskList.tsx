import { type Ask, isPublic, needsAgreement } from '#core/review/asks/ask.ts';
import { groupedAsks, KIND_WORDS, placesOf, purposesOf } from '#core/review/asks/words.ts';
import { visibleLine } from '#core/base/text.ts';
import { words } from '#ui/words/words.ts';
import styles from './AskList.module.css';

/** What a plan asks for, kind by kind; what stays on this computer's own addresses is left out. */
export function AskList({ asks }: { readonly asks: readonly Ask[] }) {
  return (
    <dl className={styles.list}>
      {groupedAsks(asks.filter(needsAgreement)).map(({ kind, asks: all }) => (
        <div key={kind} className={styles.group}>
          <dt>{KIND_WORDS[kind]}</dt>
          {all.map((ask) => (
            <dd key={ask.name}>
              <code>{visibleLine(ask.name)}</code>
              {isPublic(ask) ? ` ${words.agreement.public}` : null}
              <span className={styles.use}>
                {purposesOf(ask)} ({placesOf(ask)})
              </span>
            </dd>
          ))}
        </div>
      ))}
    </dl>
  );
}
