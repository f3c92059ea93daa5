import { Crosshair, Footprints, GitCompareArrows, Search } from 'lucide-react';
import { type ReactNode, useId } from 'react';
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
  { to: '/record', icon: <Footprints />, title: words.recording.title, ...say.record },
  { to: '/versions', icon: <GitCompareArrows />, title: words.series.versions.title, ...say.versions },
  { to: '/breaking-point', icon: <Crosshair />, title: words.searches.breakingPoint.title, ...say.breakingPoint },
  { to: '/server', icon: <Search />, title: words.searches.server.title, ...say.server },
];

/** What begins with no more than an address: a recording, and questions that several runs settle. */
export function Doors() {
  return (
    <nav aria-label={say.title}>
      <ul className={styles.doors}>
        {doors.map((door) => (
          <DoorItem key={door.to} door={door} />
        ))}
      </ul>
    </nav>
  );
}

/** The whole card is the link, which is called by its title alone. */
function DoorItem({ door: { to, icon, title, story, takes } }: { readonly door: Door }) {
  const id = useId();
  return (
    <li className={styles.door}>
      <span className={styles.icon} aria-hidden="true">
        {icon}
      </span>
      <div className={styles.text}>
        <a href={`#${to}`} className={styles.title} aria-describedby={id}>
          {title}
        </a>
        <div id={id} className={styles.text}>
          <p>{story}</p>
          <p className={styles.takes}>{takes}</p>
        </div>
      </div>
    </li>
  );
}
