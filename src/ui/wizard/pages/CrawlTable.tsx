import { isVisitable, type CrawledPage } from '#core/work/crawl/report.ts';
import { formatBytes, formatCount, formatMs } from '#core/base/units.ts';
import { Checkbox } from '#ui/components/Checkbox.tsx';
import { Cell, HeadCell, Row, Table } from '#ui/components/Table.tsx';
import { words } from '#ui/words/words.ts';
import styles from './CrawlDialog.module.css';

const texts = words.wizard.crawl;
const { columns } = texts;

interface CrawlTableProps {
  readonly pages: readonly CrawledPage[];
  readonly isTicked: (page: CrawledPage) => boolean;
  readonly onTick: (path: string, ticked: boolean) => void;
}

/** Every page that was visited, those that can be tested with a box to tick. */
export function CrawlTable({ pages, isTicked, onTick }: CrawlTableProps) {
  return (
    <div className={styles.table}>
      <Table caption={texts.caption} stacks>
        <thead>
          <Row>
            <HeadCell>{columns.page}</HeadCell>
            <HeadCell numeric>{columns.time}</HeadCell>
            <HeadCell numeric>{columns.whole}</HeadCell>
            <HeadCell numeric>{columns.size}</HeadCell>
            <HeadCell numeric>{columns.linked}</HeadCell>
            <HeadCell numeric>{columns.status}</HeadCell>
          </Row>
        </thead>
        <tbody>
          {pages.map((page) => (
            <Row key={page.url}>
              <HeadCell scope="row">
                {isVisitable(page) ? (
                  <Checkbox isSelected={isTicked(page)} onChange={(ticked) => onTick(page.path, ticked)}>
                    <PageName page={page} />
                  </Checkbox>
                ) : (
                  <PageName page={page} />
                )}
              </HeadCell>
              <Cell numeric label={columns.time}>
                {formatMs(page.ms)}
              </Cell>
              <Cell numeric label={columns.whole}>
                {formatMs(page.ms === null ? null : page.ms + page.resourceMs)}
              </Cell>
              <Cell numeric label={columns.size}>
                {formatBytes(page.bytes)}
              </Cell>
              <Cell numeric label={columns.linked}>
                {formatCount(Object.values(page.resources).reduce((sum, count) => sum + count, 0))}
              </Cell>
              <Cell numeric label={columns.status}>
                {page.problem ?? page.status}
              </Cell>
            </Row>
          ))}
        </tbody>
      </Table>
    </div>
  );
}

function PageName({ page: { path, title, landedOn } }: { readonly page: CrawledPage }) {
  // A login page repeats in its query where one came from: that is the path above it.
  const more = landedOn === null ? title : texts.landed(landedOn.replace(/[?#].*$/, ''));
  return (
    <span className={styles.page}>
      <span className={styles.path}>{path}</span>
      {more === '' ? null : <span className={styles.title}>{more}</span>}
    </span>
  );
}
