import styles from './SeriesPage.module.css';

export function Sentences({ list }: { readonly list: readonly string[] }) {
  return (
    <ul className={styles.sentences}>
      {list.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}
