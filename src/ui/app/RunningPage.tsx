import { Activity } from 'lucide-react';
import { EmptyState } from '../components/EmptyState.tsx';
import { Page } from '../components/Page.tsx';
import { Cell, HeadCell, Row, Table } from '../components/Table.tsx';
import { markOf, VerdictMark } from '../components/VerdictMark.tsx';
import { words } from '../words/words.ts';
import { LinkButton } from '../components/Button.tsx';
import { useStream } from './backend.ts';

export function RunningPage() {
  const active = useStream('runs.active', {});
  const runs = active.value?.runs ?? [];
  const { nothingRunning, several } = words.app;
  return (
    <Page title={several.title} story={several.story}>
      {runs.length === 0 && active.status !== 'opening' ? (
        <EmptyState
          icon={<Activity size={32} />}
          title={nothingRunning.title}
          action={
            <LinkButton look="primary" to="/new">
              {nothingRunning.action}
            </LinkButton>
          }
        >
          {nothingRunning.text}
        </EmptyState>
      ) : null}
      {runs.length > 0 ? (
        <Table caption={several.title}>
          <thead>
            <Row>
              <HeadCell>{words.app.columns.name}</HeadCell>
              <HeadCell>{words.app.columns.target}</HeadCell>
              <HeadCell>{words.app.columns.state}</HeadCell>
            </Row>
          </thead>
          <tbody>
            {runs.map((run) => (
              <Row key={run.id}>
                <HeadCell scope="row">
                  <a href={`#/runs/${run.id}`}>{run.name}</a>
                </HeadCell>
                <Cell wrap>{run.target}</Cell>
                <Cell>
                  <VerdictMark mark={markOf(run.state, run.outcome)} />
                </Cell>
              </Row>
            ))}
          </tbody>
        </Table>
      ) : null}
    </Page>
  );
}
