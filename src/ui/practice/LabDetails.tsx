import { Eye } from 'lucide-react';
import type { LabServer } from '#contract/replies.ts';
import { formatCount } from '#core/base/units.ts';
import { useAction } from '#ui/shared/backend.ts';
import { Banner } from '../components/Banner.tsx';
import { Button, CopyButton } from '../components/Button.tsx';
import { Stack } from '../components/Page.tsx';
import { ProblemBanner } from '#ui/components/Banner.tsx';
import { Cell, HeadCell, Row, Table } from '../components/Table.tsx';
import { words } from '../words/words.ts';
import styles from './LabCard.module.css';

const MAX_ACCOUNTS = 5;

/** Addresses, accounts, control address and secrets of a running practice server. */
export function LabDetails({ server }: { readonly server: LabServer }) {
  const say = words.practice;
  return (
    <Stack gap={16}>
      <div className={styles.details}>
        <div>
          <h3>{say.addresses}</h3>
          <ul className={styles.urls}>
            {server.addresses.map(({ label, url, help }) => (
              <li key={url} className={styles.address}>
                <span className={styles.label}>{label}</span>
                <span className={styles.url}>
                  <code>{url}</code>
                  <CopyButton iconOnly text={url} label={say.copyAddress(url)} />
                </span>
                {help ? <span className={styles.note}>{help}</span> : null}
              </li>
            ))}
          </ul>
        </div>
        {server.accounts.length > 0 ? <Accounts accounts={server.accounts} /> : null}
      </div>
      {server.control ? (
        <div className={styles.address}>
          <span className={styles.label}>{say.control}</span>
          <span className={styles.url}>
            <code>{server.control}</code>
            <CopyButton iconOnly text={server.control} label={say.copyAddress(server.control)} />
          </span>
          <span className={styles.note}>{say.controlHelp}</span>
        </div>
      ) : null}
      {server.hasSecrets ? <Secrets name={server.name} /> : null}
    </Stack>
  );
}

function Accounts({ accounts }: Pick<LabServer, 'accounts'>) {
  const say = words.practice;
  const more = accounts.length - MAX_ACCOUNTS;
  return (
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
          {accounts.slice(0, MAX_ACCOUNTS).map(({ username, password }) => (
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
  );
}

function Secrets({ name }: Pick<LabServer, 'name'>) {
  const reveal = useAction('lab.reveal');
  const say = words.practice;
  if (reveal.error) return <ProblemBanner problem={reveal.error} onRetry={() => reveal.mutate({ name })} />;
  return (
    <Banner
      tone="accent"
      announce="status"
      icon={<Eye size={20} />}
      title={reveal.data ? say.revealed : say.keepsBack}
      actions={
        reveal.data ? null : (
          <Button isPending={reveal.isPending} onPress={() => reveal.mutate({ name })}>
            {say.reveal}
          </Button>
        )
      }
    >
      {reveal.data ? (
        <ul className={styles.urls}>
          {reveal.data.map(({ label, text }) => (
            <li key={label}>
              {label}: {text}
            </li>
          ))}
        </ul>
      ) : (
        say.guessFirst
      )}
    </Banner>
  );
}
