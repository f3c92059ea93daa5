import type { ReactNode } from 'react';
import type { Cell as CellOf, Column, Passage, TableBlock } from '#core/presentation/document/model.ts';
import { classes } from './classes.ts';
import styles from './Blocks.module.css';
import { type DataColumn, DataTable } from './Table.tsx';
import { Explained, Term } from './Term.tsx';
import { StateMark } from './Marks.tsx';

/** Maximum number of rows before a table scrolls in its own frame. Narrow tables have lower rows, so more of them fit. */
const MAX_ROWS = 12;
const MAX_NARROW_ROWS = 24;
/** Maximum number of columns on a narrow page. If there are more, rows become lists. */
const MAX_NARROW_COLUMNS = 3;

/**
 * Returns whether a table has only names and one or two columns of figures. Two such tables are placed side by side, so that figures stay
 * near their names.
 */
function isNarrow({ columns }: TableBlock): boolean {
  return columns.length <= MAX_NARROW_COLUMNS && columns.slice(1).every(({ numeric = false }) => numeric);
}

interface BlocksProps {
  readonly blocks: readonly Passage[];
  /** Whether the titles of tables and lists are visible. Otherwise only screen readers get them. */
  readonly showTitles?: boolean;
}

/** Renders the blocks of a result document. */
export function Blocks({ blocks, showTitles = blocks.filter(({ kind }) => kind === 'table').length > 1 }: BlocksProps) {
  return (
    <div className={styles.blocks}>
      {blocks.map((block, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- [what a block is follows from its place]
        <PassageView key={place} block={block} showTitle={showTitles} />
      ))}
    </div>
  );
}

function PassageView({ block, showTitle }: { readonly block: Passage; readonly showTitle: boolean }) {
  switch (block.kind) {
    case 'heading':
      return <h3 className={styles.title}>{block.text}</h3>;
    case 'text':
      return <p className={styles.text}>{block.text}</p>;
    case 'list':
      return (
        <section aria-label={block.title}>
          {showTitle ? <h3 className={styles.title}>{block.title}</h3> : null}
          <Sentences list={block.items} />
        </section>
      );
    case 'pairs':
      return (
        <section aria-label={block.title}>
          {showTitle ? <h3 className={styles.title}>{block.title}</h3> : null}
          <dl className={styles.pairs}>
            {block.pairs.map(([name, text]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
        </section>
      );
    case 'table':
      return <BlockTable table={block} showCaption={showTitle} />;
    default:
      return block satisfies never;
  }
}

export function Sentences({ list }: { readonly list: readonly string[] }) {
  return (
    <ul className={styles.sentences}>
      {list.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}

interface BlockTableProps {
  readonly table: TableBlock;
  readonly showCaption?: boolean;
  /** Returns content to show next to a row's name, such as the row's current state, or null. */
  readonly besideOf?: (row: number) => ReactNode;
  /** Whether to show all rows without a scroll frame, as for the main table on a page. */
  readonly isWhole?: boolean;
  /** Returns the link target of a row's name, or null. */
  readonly findLink?: (row: number) => string | null;
}

/** Renders a table block. The first cell of each row is its heading. */
export function BlockTable({ table, showCaption = false, isWhole = false, besideOf, findLink }: BlockTableProps) {
  const { title, columns, rows, note } = table;
  const shownColumns = columns.map((column, index): DataColumn<{ readonly cells: readonly CellOf[]; readonly row: number }> => ({
    name: column.name,
    heading: <ColumnName column={column} />,
    numeric: column.numeric ?? false,
    wrap: !column.numeric,
    isHead: index === 0,
    cell: ({ cells, row }) => {
      const cell = cells[index] ?? '';
      if (index === 0)
        return (
          <>
            <CellContent cell={cell} link={findLink?.(row) ?? null} />
            {besideOf?.(row)}
          </>
        );
      return cell === '' ? null : (
        <div>
          <CellContent cell={cell} link={null} />
        </div>
      );
    },
  }));
  return (
    <div className={classes(styles.frame, isNarrow(table) && styles.narrow)}>
      <DataTable
        caption={title}
        showCaption={showCaption}
        stacks={columns.length > MAX_NARROW_COLUMNS}
        isLong={!isWhole && rows.length > (isNarrow(table) ? MAX_NARROW_ROWS : MAX_ROWS)}
        columns={shownColumns}
        rows={rows.map((cells, row) => ({ cells, row }))}
        keyOf={({ row }) => String(row)}
      />
      {note === undefined || note === '' ? null : <p className={styles.note}>{note}</p>}
    </div>
  );
}

function ColumnName({ column: { name, term, explanation } }: { readonly column: Column }) {
  const text = <span className={styles.columnName}>{name}</span>;
  if (term !== undefined) return <Term name={term}>{text}</Term>;
  return explanation === undefined ? text : <Explained explanation={explanation}>{text}</Explained>;
}

function CellContent({ cell, link }: { readonly cell: CellOf; readonly link: string | null }) {
  const { text, about = '', explanation, mark, href, isPart = false } = typeof cell === 'string' ? { text: cell } : cell;
  const named =
    mark !== undefined ? (
      <StateMark mark={mark}>{text}</StateMark>
    ) : explanation !== undefined ? (
      <Explained explanation={explanation}>{text}</Explained>
    ) : href !== undefined ? (
      <a href={href} target="_blank" rel="noreferrer">
        {text}
      </a>
    ) : link !== null ? (
      <a href={link}>{text}</a>
    ) : (
      text
    );
  return (
    <>
      {isPart ? <span className={styles.part}>{named}</span> : named}
      {about === '' ? null : <span className={classes(styles.about, isPart && styles.part)}>{about}</span>}
    </>
  );
}
