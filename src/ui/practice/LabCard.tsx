import { CircleCheck, CircleX, LoaderCircle, Play, Power, Square, Eye } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import type { LabServer } from '#contract/replies.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { useAction } from '#ui/shared/backend.ts';
import { startWizard } from '#ui/shared/wizardSeed.ts';
import { Banner, ProblemBanner } from '../components/Banner.tsx';
import { Button, CopyableText } from '../components/Button.tsx';
import { Card, Inline, Stack } from '#ui/components/Page.tsx';
import { classes } from '../components/classes.ts';
import { words } from '../words/words.ts';
import { type Entries, entryProblem, changedOptions, LabOptions, listShownOptions } from './LabOptions.tsx';
import styles from './LabCard.module.css';
import { formatCount } from '#core/base/units.ts';
import { type DataColumn, DataTable } from '../components/Table.tsx';

const PROGRESS_EVERY_MS = 700;

const stateIcons = {
  stopped: <Power size={16} />,
  starting: <LoaderCircle size={16} />,
  running: <CircleCheck size={16} />,
  failed: <CircleX size={16} />,
} as const;

interface LabCardProps {
  readonly server: LabServer;
  /** Fetches the list again, because the list contains the progress of a start. */
  readonly onRefresh: () => void;
}

export function LabCard({ server, onRefresh }: LabCardProps) {
  const start = useAction('lab.start', ['lab.list']);
  const stop = useAction('lab.stop', ['lab.list']);
  const [entries, setEntries] = useState<Entries>({});
  const practiceWords = words.practice;
  const { name } = server;
  const state = start.isPending ? 'starting' : server.state;
  const isStarting = state === 'starting';
  const isRunning = state === 'running';
  const error = start.error ?? stop.error;
  const options = listShownOptions(server.options);
  const isWrong = options.some((shownOption) => entryProblem(shownOption.option, getOwn(entries, shownOption.name)) !== null);
  const isPossible = server.missing.every(({ needed }) => !needed);
  const begin = (): void => start.mutate({ name, options: changedOptions(entries) });

  const refresh = useEffectEvent(onRefresh);
  useEffect(() => {
    if (!isStarting) return;
    const timer = setInterval(() => refresh(), PROGRESS_EVERY_MS);
    return () => clearInterval(timer);
  }, [isStarting]);

  return (
    <Card
      title={server.title}
      actions={
        <span className={classes(styles.state, styles[state])}>
          <span aria-hidden="true" className={styles.icon}>
            {stateIcons[state]}
          </span>
          {practiceWords.states[state]}
        </span>
      }
    >
      <Stack gap={16}>
        <p>{server.story}</p>
        <MissingPrograms missing={server.missing} />
        {error ? <ProblemBanner problem={error} onRetry={begin} /> : null}
        {server.problem && !isStarting ? (
          <Banner tone="failed">
            <span className={styles.problem}>{server.problem}</span>
          </Banner>
        ) : null}
        {isStarting ? (
          <p aria-live="polite" className={styles.problem}>
            {server.progress ? practiceWords.progress(server.progress) : words.common.waitingFor(practiceWords.starting(server.title))}
          </p>
        ) : null}
        {isRunning ? <LabDetails server={server} /> : null}
        {isRunning || isStarting ? null : (
          <LabOptions
            options={options}
            entries={entries}
            onChange={(option, entry) => setEntries((before) => ({ ...before, [option]: entry }))}
          />
        )}
        <Inline>
          {isRunning ? (
            <>
              <Button look="primary" icon={<Play />} onPress={() => startWizard({ kind: 'lab', name })}>
                {practiceWords.test}
              </Button>
              <Button icon={<Square />} isPending={stop.isPending} onPress={() => stop.mutate({ name })}>
                {practiceWords.stop}
              </Button>
            </>
          ) : (
            <Button look="primary" icon={<Power />} isPending={isStarting} isDisabled={isWrong || !isPossible} onPress={begin}>
              {practiceWords.start}
            </Button>
          )}
        </Inline>
      </Stack>
    </Card>
  );
}

function MissingPrograms({ missing }: Pick<LabServer, 'missing'>) {
  return missing.map(({ what, why, install, needed }) => (
    <Banner
      key={what}
      tone={needed ? 'inconclusive' : 'info'}
      title={needed ? words.practice.lacks(what) : words.practice.betterWith(what)}
    >
      {why} {words.practice.installWith} <CopyableText text={install} label={words.practice.copyCommand} />
    </Banner>
  ));
}

const MAX_ACCOUNTS = 5;

/** Addresses, accounts, control address and secrets of a running practice server. */
function LabDetails({ server }: { readonly server: LabServer }) {
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
