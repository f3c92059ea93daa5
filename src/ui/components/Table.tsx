import { type ComponentPropsWithRef, type ReactNode, useState } from 'react';
import { classes } from './classes.ts';
import styles from './Table.module.css';
import { useScrollEdges } from './useScrollEdges.ts';

interface TableProps {
  /** What the table shows, for screen readers; shown above it with `showCaption`. */
  readonly caption: string;
  readonly showCaption?: boolean;
  /** Where the frame is narrow, each row becomes a list of its cells, named by their `label`s. */
  readonly stacks?: boolean;
  /** Scrolls in a frame of its own, in which the headings of columns and rows stay. For tables of more rows than a screen has. */
  readonly isLong?: boolean;
  readonly children: ReactNode;
}

/** A plain HTML table that scrolls sideways by itself when the page is narrow; a shadow at the edge says that there is more. */
export function Table({ caption, showCaption = false, stacks = false, isLong = false, children }: TableProps) {
  const [frame, setFrame] = useState<HTMLElement | null>(null);
  const { scrolls, start, end } = useScrollEdges(frame);
  return (
    <div
      ref={setFrame}
      className={classes(styles.scroll, stacks && styles.stacks, isLong && styles.long, start && styles.start, end && styles.end)}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- [a fieldset is for forms]
      role="group"
      aria-label={caption}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- [what scrolls must be reachable with the keyboard, and nothing else]
      tabIndex={scrolls ? 0 : undefined}
    >
      <table className={styles.table}>
        <caption className={showCaption ? styles.caption : 'only-read-out'}>{caption}</caption>
        {children}
      </table>
    </div>
  );
}

interface CellProps extends Omit<ComponentPropsWithRef<'td'>, 'className'> {
  /** Numbers stand at the end of the cell. */
  readonly numeric?: boolean;
  /** Long text may break anywhere. */
  readonly wrap?: boolean;
  /** Heading of its column, shown beside it where the table stacks. */
  readonly label?: string | undefined;
  /** How much it is of the most in its table, 0 to 1: shaded by it, beside its number. */
  readonly heat?: number | undefined;
}

export function Cell({ numeric = false, wrap = false, label, heat, ...rest }: CellProps) {
  return (
    <td
      {...rest}
      data-label={label}
      {...(heat === undefined ? {} : { style: { ['--heat' as string]: `${Math.round(heat * 100)}%` } })}
      className={classes(styles.cell, numeric && styles.numeric, wrap && styles.wrap, heat !== undefined && styles.heat)}
    />
  );
}

/** Heading of a column, or of a row with `scope="row"`. */
export function HeadCell({
  numeric = false,
  scope = 'col',
  ...rest
}: Omit<ComponentPropsWithRef<'th'>, 'className'> & { readonly numeric?: boolean }) {
  return (
    <th
      {...rest}
      scope={scope}
      className={classes(styles.cell, scope === 'col' ? styles.head : styles.rowHead, numeric && styles.numeric)}
    />
  );
}

export function Row(props: Omit<ComponentPropsWithRef<'tr'>, 'className'>) {
  return <tr {...props} className={styles.row} />;
}
