import { Crosshair, GitCompareArrows, Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { words } from '#ui/words/words.ts';
import styles from './Doors.module.css';

interface Door {
  readonly to: string;
  readonly icon: ReactNode;
  readonly title: string;
  readonly story: string;
  readonly takes: string;
}

const say = words.wizard.question.doors;
const doors: readonly Door[] = [
  { to: '/versions', icon: <GitCompareArrows />, ...say.versions },
  { to: '/breaking-point', icon: <Crosshair />, ...say.breakingPoint },
  { to: '/server', icon: <Search />, ...say.server },
];

/** Questions that are answered by several runs, and ask for no more than an address. */
export function Doors() {
  return (
    <nav aria-label={say.title}>
      <ul className={styles.doors}>
        {doors.map(({ to, icon, title, story, takes }) => (
          <li key={to} className={styles.item}>
            <a href={`#${to}`} className={styles.door} aria-label={title} aria-description={`${story} ${takes}`}>
              <span className={styles.icon} aria-hidden="true">
                {icon}
              </span>
              <span className={styles.text}>
                <span className={styles.title}>{title}</span>
                <span>{story}</span>
                <span className={styles.takes}>{takes}</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
