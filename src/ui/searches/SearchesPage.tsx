import { Crosshair, Search } from 'lucide-react';
import { useCall } from '../app/backend.ts';
import { Card } from '../components/Card.tsx';
import { EmptyState } from '../components/EmptyState.tsx';
import { LinkButton } from '../components/Button.tsx';
import { Page, Stack } from '../components/Page.tsx';
import { ProblemBanner } from '../components/ProblemBanner.tsx';
import { Block, Skeleton } from '../components/Skeleton.tsx';
import { Cell, HeadCell, Row, Table } from '../components/Table.tsx';
import { formatWhen, words } from '../words/words.ts';
import { ServerForm } from './ServerForm.tsx';
import styles from './SearchPage.module.css';

const texts = words.searches;

/** What can be found out by several runs of which each is chosen by the ones before, and what was. */
export function SearchesPage() {
  return (
    <Page title={texts.title} story={texts.story}>
      <Stack gap={24}>
        <ServerForm />
        <Card title={texts.breakingPoint.title}>
          <Stack gap={12}>
            <p className={styles.quiet}>{texts.breakingPoint.story}</p>
            <div>
              <LinkButton to="/new" icon={<Crosshair />}>
                {texts.breakingPoint.choose}
              </LinkButton>
            </div>
          </Stack>
        </Card>
        <Found />
      </Stack>
    </Page>
  );
}

function Found() {
  const list = useCall('searches.list', {});
  const say = texts.list;
  if (list.error) return <ProblemBanner problem={list.error} onRetry={() => void list.refetch()} />;
  if (list.isPending)
    return (
      <Skeleton waitingFor={say.loading}>
        <Block height={120} />
      </Skeleton>
    );
  if (list.data.searches.length === 0)
    return (
      <EmptyState icon={<Search size={32} />} title={say.empty.title}>
        {say.empty.text}
      </EmptyState>
    );
  return (
    <Card title={say.title} flush>
      <Table caption={say.caption} stacks>
        <thead>
          <Row>
            <HeadCell>{say.name}</HeadCell>
            <HeadCell>{say.kind}</HeadCell>
            <HeadCell>{say.when}</HeadCell>
            <HeadCell>{say.answer}</HeadCell>
          </Row>
        </thead>
        <tbody>
          {list.data.searches.map(({ id, name, kind, startedAt, sentence }) => (
            <Row key={id}>
              <HeadCell scope="row">
                <a href={`#/searches/${id}`}>{name}</a>
              </HeadCell>
              <Cell label={say.kind}>{texts.kinds[kind]}</Cell>
              <Cell label={say.when}>{formatWhen(startedAt)}</Cell>
              <Cell label={say.answer}>
                <div className={styles.why}>{sentence}</div>
              </Cell>
            </Row>
          ))}
        </tbody>
      </Table>
    </Card>
  );
}
