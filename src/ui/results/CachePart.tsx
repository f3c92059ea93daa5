import { type CacheFigures, type CacheResult, cacheShare } from '#core/measurement/cache/figures.ts';
import { formatCount, formatMs } from '#core/base/units.ts';
import { Cell, HeadCell, Row, Table } from '../components/Table.tsx';
import { CacheSentences } from '../run/CacheSentences.tsx';
import { words } from '../words/words.ts';
import styles from './ResultPage.module.css';

const texts = words.results.cache;
const { columns } = texts;

/** Which answers came from a cache: in words, and by request. */
export function CachePart({ cache: { all, counted, steps } }: { readonly cache: CacheResult }) {
  return (
    <div className={styles.figures}>
      <CacheSentences figures={counted} />
      <Table caption={texts.caption} stacks>
        <thead>
          <Row>
            <HeadCell>{columns.name}</HeadCell>
            <HeadCell numeric>{columns.answered}</HeadCell>
            <HeadCell numeric>{columns.fromCache}</HeadCell>
            <HeadCell numeric>{columns.share}</HeadCell>
            <HeadCell numeric>{columns.fromServer}</HeadCell>
            <HeadCell numeric>{columns.unsaid}</HeadCell>
            <HeadCell numeric>{columns.fromCacheMs}</HeadCell>
            <HeadCell numeric>{columns.fromServerMs}</HeadCell>
          </Row>
        </thead>
        <tbody>
          {steps.length > 1 ? steps.map(({ name, figures }) => <FiguresRow key={name} name={name} figures={figures} />) : null}
          <FiguresRow name={texts.all} figures={counted} />
          {all.answered === counted.answered ? null : <FiguresRow name={texts.withWarmUp} figures={all} />}
        </tbody>
      </Table>
      <p className={styles.note}>{texts.how}</p>
    </div>
  );
}

function FiguresRow({ name, figures }: { readonly name: string; readonly figures: CacheFigures }) {
  return (
    <Row>
      <HeadCell scope="row">{name}</HeadCell>
      <Cell numeric label={columns.answered}>
        {formatCount(figures.answered)}
      </Cell>
      <Cell numeric label={columns.fromCache}>
        {formatCount(figures.fromCache)}
      </Cell>
      <Cell numeric label={columns.share}>
        {figures.answered === 0 ? '–' : cacheShare(figures)}
      </Cell>
      <Cell numeric label={columns.fromServer}>
        {formatCount(figures.fromServer)}
      </Cell>
      <Cell numeric label={columns.unsaid}>
        {formatCount(figures.unsaid)}
      </Cell>
      <Cell numeric label={columns.fromCacheMs}>
        {figures.fromCacheMs === null ? '–' : formatMs(figures.fromCacheMs)}
      </Cell>
      <Cell numeric label={columns.fromServerMs}>
        {figures.fromServerMs === null ? '–' : formatMs(figures.fromServerMs)}
      </Cell>
    </Row>
  );
}
