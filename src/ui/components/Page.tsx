import { type ReactNode, type Ref, useEffect, useRef, useId } from 'react';
import { words } from '../words/words.ts';
import { classes } from './classes.ts';
import styles from './Page.module.css';
import { useLostFocus } from './useKeptFocus.ts';

interface PageProps {
  readonly title: ReactNode;
  /** Plain text for the window's title; default: `title` if it is a string. */
  readonly windowTitle?: string;
  /** One line of text under the title. */
  readonly story?: ReactNode;
  /** Secondary actions next to the title. */
  readonly actions?: ReactNode;
  /** Tabs or step navigation between the title and the content. */
  readonly rail?: ReactNode;
  readonly children: ReactNode;
  /** Footer that sticks to the bottom of the window. */
  readonly footer?: ReactNode;
  readonly titleRef?: Ref<HTMLHeadingElement>;
}

/** Layout of every screen: title line, optional navigation, a content column of at most 1120 px, and an optional sticky footer. */
export function Page({ title, windowTitle, story, actions, rail, children, footer, titleRef }: PageProps) {
  const titleText = windowTitle ?? (typeof title === 'string' ? title : '');
  useEffect(() => {
    document.title = titleText ? `${titleText} · ${words.common.product}` : words.common.product;
  }, [titleText]);
  const header = useRef<HTMLElement>(null);
  useLostFocus(header);
  return (
    <div className={styles.page}>
      <header ref={header} className={styles.header}>
        <div className={styles.column}>
          <div className={styles.titles}>
            <h1 ref={titleRef} tabIndex={-1}>
              {title}
            </h1>
            {story ? <p className={styles.story}>{story}</p> : null}
          </div>
          {actions ? <div className={styles.actions}>{actions}</div> : null}
        </div>
        {rail ? <div className={styles.rail}>{rail}</div> : null}
      </header>
      <div className={styles.content}>{children}</div>
      {footer ? (
        <footer className={styles.footer}>
          <div className={styles.footerColumn}>{footer}</div>
        </footer>
      ) : null}
    </div>
  );
}

/** Stacks its children vertically; `gap` in pixels. */
export function Stack({ gap = 16, children }: { readonly gap?: 4 | 8 | 12 | 16 | 24 | 32; readonly children: ReactNode }) {
  return <div className={classes(styles.stack, styles[`gap${gap}`])}>{children}</div>;
}

/** Places its children in a row that wraps; `gap` in pixels. */
export function Inline({ gap = 8, children }: { readonly gap?: 4 | 8 | 12 | 16 | 24; readonly children: ReactNode }) {
  return <div className={classes(styles.inline, styles[`gap${gap}`])}>{children}</div>;
}

interface CardProps {
  readonly title?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  /** Whether the padding around the children is removed, for tables and charts that have their own. */
  readonly flush?: boolean;
}

/** A bordered section of a page. With a title, it is a named region. */
export function Card({ title, actions, children, flush = false }: CardProps) {
  const titleId = useId();
  return (
    <section className={styles.card} aria-labelledby={title ? titleId : undefined}>
      {title ? (
        <header className={styles.cardHeader}>
          <h2 id={titleId} className={styles.title}>
            {title}
          </h2>
          {actions ? <div className={styles.cardActions}>{actions}</div> : null}
        </header>
      ) : null}
      <div className={classes(styles.body, flush && styles.flush)}>{children}</div>
    </section>
  );
}

interface FooterBarProps {
  /** Errors and warnings that are shown above the buttons. */
  readonly notices?: ReactNode;
  /** Buttons. The last one is the main action and is set apart from the others. */
  readonly children: ReactNode;
}

/** Actions of a page, at the bottom of the window. */
export function FooterBar({ notices, children }: FooterBarProps) {
  return (
    <div className={styles.bar}>
      {notices}
      <div className={styles.buttons}>{children}</div>
    </div>
  );
}
