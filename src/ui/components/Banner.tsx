import { CircleAlert, CircleCheck, CircleX, Info, Minus, TriangleAlert } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import styles from './Banner.module.css';
import { classes } from './classes.ts';
import tones from './Tone.module.css';
import { useFocusHandedOn } from './useKeptFocus.ts';

export type Tone = 'holds' | 'breaks' | 'inconclusive' | 'info' | 'accent';

interface BannerProps {
  readonly tone: Tone;
  readonly title?: ReactNode;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
  /** `alert` interrupts a screen reader, `status` waits for a pause; by default the banner is not announced. */
  readonly announce?: 'alert' | 'status';
  readonly icon?: ReactNode;
}

const icons: Record<Tone, ReactNode> = {
  holds: <CircleCheck size={20} />,
  breaks: <CircleX size={20} />,
  inconclusive: <TriangleAlert size={20} />,
  info: <Info size={20} />,
  accent: <CircleAlert size={20} />,
};

/** A message about the page that contains it. */
export function Banner({ tone, title, children, actions, announce, icon }: BannerProps) {
  const banner = useRef<HTMLDivElement>(null);
  useFocusHandedOn(banner);
  return (
    <div ref={banner} className={classes(styles.banner, tones[tone])} role={announce}>
      <span className={styles.icon} aria-hidden="true">
        {icon ?? icons[tone] ?? <Minus size={20} />}
      </span>
      <div className={styles.body}>
        {title ? <p className={styles.title}>{title}</p> : null}
        {children ? <div className={styles.text}>{children}</div> : null}
      </div>
      {actions ? <div className={styles.actions}>{actions}</div> : null}
    </div>
  );
}
