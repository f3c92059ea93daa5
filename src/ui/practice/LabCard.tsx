import { CircleCheck, CircleX, LoaderCircle, Play, Power, Square } from 'lucide-react';
import type { LabServer } from '#contract/api.ts';
import { formatCount } from '#core/units.ts';
import { useAction } from '../app/backend.ts';
import { startWizard } from '../app/wizardSeed.ts';
import { Button } from '../components/Button.tsx';
import { Card } from '../components/Card.tsx';
import { classes } from '../components/classes.ts';
import { CopyButton } from '../components/CopyButton.tsx';
import { Stack } from '../components/Page.tsx';
import { ProblemBanner } from '../components/ProblemBanner.tsx';
import { Banner } from '../components/Banner.tsx';
import { Cell, HeadCell, Row, Table } from '../components/Table.tsx';
import { words } from '../words/words.ts';
import styles from './LabCard.module.css';

const MAX_ACCOUNTS = 5;

const stateIcons = {
  stopped: <Power size={16} />,
  starting: <LoaderCircle size={16} />,
  running: <CircleCheck size={16} />,
  failed: <CircleX size={16} />,
} as const;

export function LabCard({ server }: { readonly server: LabServer }) {
  const start = useAction('lab.start', ['lab.list']);
  const stop = useAction('lab.stop', ['lab.list']);
  const say = words.practice;
  const { name } = server;
  const state = start.isPending ? 'starting' : server.state;
  const isRunning = state === 'running';
  const error = start.error ?? stop.error;
  return (
    <Card
      title={server.title}
      actions={
        <span className={classes(styles.state, styles[state])}>
          <span aria-hidden="true" className={styles.icon}>
            {stateIcons[state]}
          </span>
          {say.states[state]}
        </span>
      }
    >
      <Stack gap={16}>
        <p>{server.story}</p>
        {error ? <ProblemBanner problem={error} onRetry={() => start.mutate({ name })} /> : null}
        {server.problem ? <Banner tone="breaks">{server.problem}</Banner> : null}
        {state === 'starting' ? <p aria-live="polite">{words.common.waitingFor(say.starting(server.title))}</p> : null}
        {isRunning ? <Details server={server} /> : null}
        <div className={styles.actions}>
          {isRunning ? (
            <>
              <Button look="primary" icon={<Play />} onPress={() => startWizard({ kind: 'lab', name })}>
                {say.test}
              </Button>
              <Button icon={<Square />} isPending={stop.isPending} onPress={() => stop.mutate({ name })}>
                {say.stop}
              </Button>
            </>
          ) : (
            <Button look="primary" icon={<Power />} isPending={state === 'starting'} onPress={() => start.mutate({ name })}>
              {say.start}
            </Button>
          )}
        </div>
      </Stack>
    </Card>
  );
}

function Details({ server }: { readonly server: LabServer }) {
  const say = words.practice;
  const more = server.accounts.length - MAX_ACCOUNTS;
  return (
    <div className={styles.details}>
      <div>
        <h3>{say.addresses}</h3>
        <ul className={styles.urls}>
          {server.urls.map((url) => (
            <li key={url} className={styles.url}>
              <code>{url}</code>
              <CopyButton iconOnly text={url} label={say.copyAddress(url)} />
            </li>
          ))}
        </ul>
      </div>
      {server.accounts.length > 0 ? (
        <div>
          <h3>{say.accounts}</h3>
          <Table caption={say.accounts}>
            <thead>
              <Row>
                <HeadCell>{say.account}</HeadCell>
                <HeadCell>{say.password}</HeadCell>
              </Row>
            </thead>
            <tbody>
              {server.accounts.slice(0, MAX_ACCOUNTS).map(({ username, password }) => (
                <Row key={username}>
                  <Cell>{username}</Cell>
                  <Cell>
                    <span className={styles.url}>
                      <code>{password}</code>
                      <CopyButton iconOnly text={password} label={say.copyPassword(username)} />
                    </span>
                  </Cell>
                </Row>
              ))}
            </tbody>
          </Table>
          {more > 0 ? <p className={styles.more}>{say.more(formatCount(more))}</p> : null}
        </div>
      ) : null}
    </div>
  );
}
