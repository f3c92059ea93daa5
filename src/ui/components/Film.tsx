import type { BlockOf } from '#core/presentation/document/model.ts';
import { words } from '../words/words.ts';
import styles from './Film.module.css';

/** Shows visits as rows of pictures. Pictures from the same moment are in the same column, so a longer row means a longer visit. */
export function Film({ film: { title, strips } }: { readonly film: BlockOf<'film'> }) {
  return (
    <section className={styles.film} aria-label={title}>
      <h3 className={styles.title}>{title}</h3>
      {strips.map(({ name, pictures }) => (
        <figure key={name} className={styles.strip}>
          <figcaption>{name}</figcaption>
          <ol>
            {pictures.map(({ at, jpeg }) => (
              <li key={at}>
                {jpeg === null ? (
                  <span className={styles.blank}>
                    <span className="only-read-out">{words.results.visits.blank(at)}</span>
                  </span>
                ) : (
                  <img src={`data:image/jpeg;base64,${jpeg}`} alt={words.results.visits.picture(at)} />
                )}
                <span aria-hidden="true">{at}</span>
              </li>
            ))}
          </ol>
        </figure>
      ))}
    </section>
  );
}
