import { type ComponentPropsWithRef, type ReactNode, useState, useEffect } from 'react';
import { classes } from './classes.ts';
import styles from './Table.module.css';

interface TableProps {
  /** Caption for screen readers. With `showCaption`, it is visible. */
  readonly caption: string;
  readonly showCaption?: boolean;
  /** Whether a narrow frame shows each row as a list of cells with their `label`s. */
  readonly stacks?: boolean;
  /** Whether the table scrolls in its own frame with sticky headings for columns and rows, for tables taller than the screen. */
  readonly isLong?: boolean;
  readonly children: ReactNode;
}

/** An HTML table that scrolls sideways on a narrow page. Shadows at the table's edges show that there is more. */
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
  /** Whether the content is aligned to the end of the cell, as for numbers. */
  readonly numeric?: boolean;
  /** Whether lines may break inside words. */
  readonly wrap?: boolean;
  /** Heading of the column, which a stacked table shows next to the cell. */
  readonly label?: string | undefined;
  /** Strength of the shading, from 0 to 1. */
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

/** Heading of a column or, with `scope="row"`, of a row. */
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

/** Whether content is hidden beyond the start or the end edge. `scrolls` is true if content is hidden in any direction. */
interface ScrollEdges {
  readonly scrolls: boolean;
  readonly start: boolean;
  readonly end: boolean;
}

const NONE: ScrollEdges = { scrolls: false, start: false, end: false };

/** Tracks whether the content of an element extends beyond the element's edges. */
function useScrollEdges(watchedElement: HTMLElement | null): ScrollEdges {
  const [edges, setEdges] = useState(NONE);
  useEffect(() => {
    if (!watchedElement) return;
    const measure = (): void => {
      const { scrollWidth, clientWidth, scrollHeight, clientHeight, scrollLeft } = watchedElement;
      const before = Math.abs(scrollLeft);
      // Widths are rounded, so a difference of one pixel does not count as hidden content.
      const start = before > 1;
      const end = scrollWidth - clientWidth - before > 1;
      const scrolls = start || end || scrollHeight - clientHeight > 1;
      setEdges((was) => (was.scrolls === scrolls && was.start === start && was.end === end ? was : { scrolls, start, end }));
    };
    // The observer also reports the initial size, after layout. Measuring earlier would force a layout of the page for each table.
    const observer = new ResizeObserver(measure);
    observer.observe(watchedElement);
    for (const child of watchedElement.children) observer.observe(child);
    watchedElement.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      watchedElement.removeEventListener('scroll', measure);
    };
  }, [watchedElement]);
  return edges;
}

export interface DataColumn<Item> {
  /** Heading of the column, which a stacked table also shows next to the cell. */
  readonly name: string;
  /** Content of the heading in place of the name, such as a term. */
  readonly heading?: ReactNode;
  /** Whether only screen readers get the heading, as for a column of buttons. */
  readonly hidesName?: boolean;
  /** Whether the cell names the row. */
  readonly isHead?: boolean;
  readonly numeric?: boolean;
  readonly wrap?: boolean;
  readonly cell: (item: Item) => ReactNode;
}

interface DataTableProps<Item> extends Omit<TableProps, 'children'> {
  readonly columns: readonly DataColumn<Item>[];
  readonly rows: readonly Item[];
  readonly keyOf: (item: Item) => string;
  /** Whether the table has no column headings. */
  readonly hidesHead?: boolean;
}

/** A table with one row per item. The columns define the cells. */
export function DataTable<Item>({ columns, rows, keyOf, hidesHead = false, ...table }: DataTableProps<Item>) {
  return (
    <Table {...table}>
      {hidesHead ? null : <TableHead columns={columns} />}
      <tbody>
        {rows.map((item) => (
          <Row key={keyOf(item)}>
            {columns.map((column) => (
              <DataCell key={column.name} column={column} item={item} />
            ))}
          </Row>
        ))}
      </tbody>
    </Table>
  );
}

export function TableHead<Item>({ columns }: { readonly columns: readonly DataColumn<Item>[] }) {
  return (
    <thead>
      <Row>
        {columns.map(({ name, heading = name, hidesName = false, numeric = false }) => (
          <HeadCell key={name} numeric={numeric}>
            {hidesName ? <span className="only-read-out">{heading}</span> : heading}
          </HeadCell>
        ))}
      </Row>
    </thead>
  );
}

/** The cell of an item in a column, for tables that render their rows themselves. */
export function DataCell<Item>({ column, item }: { readonly column: DataColumn<Item>; readonly item: Item }) {
  const { name, isHead = false, numeric = false, wrap = false, hidesName = false, cell } = column;
  if (isHead) return <HeadCell scope="row">{cell(item)}</HeadCell>;
  return (
    <Cell numeric={numeric} wrap={wrap} label={hidesName ? undefined : name}>
      {cell(item)}
    </Cell>
  );
}
