import { Crosshair, Search } from 'lucide-react';
import { useCall } from '#ui/shared/backend.ts';
import { Card } from '#ui/components/Page.tsx';
import { EmptyState, Block, Skeleton } from '#ui/components/Placeholders.tsx';
import { LinkButton } from '../components/Button.tsx';
import { Inline, Page, Stack } from '../components/Page.tsx';
import { ProblemBanner } from '#ui/components/Banner.tsx';
import { Cell, HeadCell, Row, Table } from '../components/Table.tsx';
import { formatWhen, words } from '../words/words.ts';
import styles from './SearchPage.module.css';

const texts = words.searches;

/** List of searches, which are series of runs in which earlier runs determine the next one, with links that start a search. */
export function SearchesPage() {
  return (
    <Page title={texts.title} story={texts.story}>
      <Stack gap={24}>
        <Inline gap={12}>
          <LinkButton to="/breaking-point" icon={<Crosshair />}>
            {texts.breakingPoint.title}
          </LinkButton>
          <LinkButton to="/server" icon={<Search />}>
            {texts.server.title}
          </LinkButton>
        </Inline>
        <SearchList />
      </Stack>
    </Page>
  );
}

function SearchList() {
  const list = useCall('searches.list', {});
  const listTexts = texts.list;
  if (list.error) return <ProblemBanner problem={list.error} onRetry={() => void list.refetch()} />;
  if (list.isPending)
    return (
      <Skeleton waitingFor={listTexts.loading}>
        <Block height={120} />
      </Skeleton>
    );
  if (list.data.searches.length === 0)
    return (
      <EmptyState icon={<Search size={32} />} title={listTexts.empty.title}>
        {listTexts.empty.text}
      </EmptyState>
    );
  return (
    <Card title={listTexts.title} flush>
      <Table caption={listTexts.caption} stacks>
        <thead>
          <Row>
            <HeadCell>{listTexts.name}</HeadCell>
            <HeadCell>{listTexts.kind}</HeadCell>
            <HeadCell>{listTexts.when}</HeadCell>
            <HeadCell>{listTexts.conclusion}</HeadCell>
          </Row>
        </thead>
        <tbody>
          {list.data.searches.map(({ id, name, kind, startedAt, sentence }) => (
            <Row key={id}>
              <HeadCell scope="row">
                <a href={`#/searches/${id}`}>{name}</a>
              </HeadCell>
              <Cell label={listTexts.kind}>{texts.kinds[kind]}</Cell>
              <Cell label={listTexts.when}>{formatWhen(startedAt)}</Cell>
              <Cell label={listTexts.conclusion}>
                <div className={styles.why}>{sentence}</div>
              </Cell>
            </Row>
          ))}
        </tbody>
      </Table>
    </Card>
  );
}
