import { Eye } from 'lucide-react';
import type { LabServer } from '#contract/replies.ts';
import { formatCount } from '#core/base/units.ts';
import { useAction } from '#ui/shared/backend.ts';
import { Banner, ProblemBanner } from '../components/Banner.tsx';
import { Button, CopyableText } from '../components/Button.tsx';
import { Stack } from '../components/Page.tsx';
import { type DataColumn, DataTable } from '../components/Table.tsx';
import { words } from '../words/words.ts';
import styles from './LabCard.module.css';

const MAX_ACCOUNTS = 5;

/** Addresses, accounts, control address and secrets of a running practice server. */
export function LabDetails({ server }: { readonly server: LabServer }) {
  const practiceWords = words.practice;
  return (
    <Stack gap={16}>
      <div className={styles.details}>
        <div>
          <h3>{practiceWords.addresses}</h3>
          <ul className={styles.urls}>
            {server.addresses.map(({ label, url, help }) => (
              <li key={url}>
                <Address label={label} url={url} help={help} />
              </li>
            ))}
          </ul>
        </div>
        {server.accounts.length > 0 ? <Accounts accounts={server.accounts} /> : null}
      </div>
      {server.control ? <Address label={practiceWords.control} url={server.control} help={practiceWords.controlHelp} /> : null}
      {server.hasSecrets ? <Secrets name={server.name} /> : null}
    </Stack>
  );
}

function Address({ label, url, help }: Readonly<Record<'label' | 'url' | 'help', string>>) {
  return (
    <div className={styles.address}>
      <span className={styles.label}>{label}</span>
      <CopyableText text={url} label={words.practice.copyAddress(url)} />
      {help ? <span className="muted">{help}</span> : null}
    </div>
  );
}

const ACCOUNT_COLUMNS: readonly DataColumn<LabServer['accounts'][number]>[] = [
  { name: words.practice.account, cell: ({ username }) => username },
  {
    name: words.practice.password,
    cell: ({ username, password }) => <CopyableText text={password} label={words.practice.copyPassword(username)} />,
  },
];

function Accounts({ accounts }: Pick<LabServer, 'accounts'>) {
  const practiceWords = words.practice;
  const more = accounts.length - MAX_ACCOUNTS;
  return (
    <div>
      <h3>{practiceWords.accounts}</h3>
      <DataTable
        caption={practiceWords.accounts}
        columns={ACCOUNT_COLUMNS}
        rows={accounts.slice(0, MAX_ACCOUNTS)}
        keyOf={({ username }) => username}
      />
      {more > 0 ? <p className={styles.more}>{practiceWords.more(formatCount(more))}</p> : null}
    </div>
  );
}

function Secrets({ name }: Pick<LabServer, 'name'>) {
  const reveal = useAction('lab.reveal');
  const practiceWords = words.practice;
  if (reveal.error) return <ProblemBanner problem={reveal.error} onRetry={() => reveal.mutate({ name })} />;
  return (
    <Banner
      tone="accent"
      announce="status"
      icon={<Eye size={20} />}
      title={reveal.data ? practiceWords.revealed : practiceWords.keepsBack}
      actions={
        reveal.data ? null : (
          <Button isPending={reveal.isPending} onPress={() => reveal.mutate({ name })}>
            {practiceWords.reveal}
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
        practiceWords.guessFirst
      )}
    </Banner>
  );
}
