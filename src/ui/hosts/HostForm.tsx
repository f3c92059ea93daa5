import { useState } from 'react';
import { type Host, hostSchema, readSshAddress } from '#core/plan/schema/hosts.ts';
import { useAction } from '#ui/shared/backend.ts';
import { Button } from '../components/Button.tsx';
import { Card, Inline, Stack } from '#ui/components/Page.tsx';
import { Disclosure } from '../components/Disclosure.tsx';
import { ProblemBanner } from '#ui/components/Banner.tsx';
import { TextField } from '../components/Field.tsx';
import { laterWords } from '#ui/words/laterWords.ts';
import { words } from '../words/words.ts';
import styles from './Hosts.module.css';

/** Entered text of the form. Fields that are empty are taken from the OpenSSH configuration. */
interface HostEntry {
  readonly name: string;
  readonly address: string;
  readonly user: string;
  readonly port: string;
  readonly keyPath: string;
  readonly jump: string;
}

export const EMPTY_HOST: HostEntry = { name: '', address: '', user: '', port: '', keyPath: '', jump: '' };

/** Fields in the collapsed section. The OpenSSH configuration usually contains them. */
const FOLDED_FIELDS = ['user', 'port', 'keyPath', 'jump'] as const;

/** The host, or the problem of each field. */
type HostReading =
  | { readonly host: Host; readonly problems: null }
  | { readonly host: null; readonly problems: Readonly<Partial<Record<keyof HostEntry, string>>> };

export function readHost(entry: HostEntry): HostReading {
  const name = entry.name.trim();
  const [user, port, keyPath, jump] = [entry.user, entry.port, entry.keyPath, entry.jump].map((text) => text.trim());
  // The address may contain user and port, but the separate fields take precedence.
  const parts = readSshAddress(entry.address.trim() || name);
  const portText = port || parts.port;
  const parsed = hostSchema.safeParse({
    name: name || parts.address,
    address: parts.address,
    user: user || parts.user,
    port: portText === null ? null : Number(portText),
    keyPath: keyPath === '' ? null : keyPath,
    jump: jump === '' ? null : jump,
  });
  if (parsed.success) return { host: parsed.data, problems: null };
  const problems: Partial<Record<keyof HostEntry, string>> = {};
  for (const { path, message } of parsed.error.issues) {
    const renderField = hostSchema.keyof().safeParse(path[0]);
    if (renderField.success) problems[renderField.data] ??= message;
  }
  return { host: null, problems };
}

/**
 * Reads one host, or a host for each of several addresses that are separated by commas, semicolons or spaces. If there are several, each is
 * named by its address.
 */
export function readHosts(entry: HostEntry): readonly HostReading[] {
  const addresses = entry.address.split(/[\s,;]+/).filter((address) => address !== '');
  return addresses.length < 2 ? [readHost(entry)] : addresses.map((address) => readHost({ ...entry, name: '', address }));
}

function toEntry({ name, address, user, port, keyPath, jump }: Host): HostEntry {
  return { name, address, user: user ?? '', port: port === null ? '' : String(port), keyPath: keyPath ?? '', jump: jump ?? '' };
}

interface HostFormProps {
  /** The host to edit; null for a new host. */
  readonly host: Host | null;
  readonly onDone: () => void;
}

/** Form for a host. Problems are shown after the first attempt to save, and then updated at each keystroke. */
export function HostForm({ host: before, onDone }: HostFormProps) {
  const [entry, setEntry] = useState<HostEntry>(before === null ? EMPTY_HOST : toEntry(before));
  const [isTried, setTried] = useState(false);
  const add = useAction('hosts.add', ['hosts.list']);
  const remove = useAction('hosts.remove', ['hosts.list']);
  const formWords = laterWords.hosts.form;
  const read = before === null ? readHosts(entry) : [readHost(entry)];
  const problems = read.find((one) => one.problems !== null)?.problems ?? null;
  const hosts = read.flatMap(({ host }) => host ?? []);
  const isRenamed = before !== null && hosts[0]?.name !== before.name;
  const save = (): void => {
    setTried(true);
    if (problems === null) saveNext(hosts);
  };
  const saveNext = ([host, ...others]: readonly Host[]): void => {
    if (host === undefined) return isRenamed ? remove.mutate({ name: before.name }, { onSuccess: onDone }) : onDone();
    // A host that was renamed must not replace another host with the new name.
    add.mutate({ host, replace: before !== null && !isRenamed }, { onSuccess: () => saveNext(others) });
  };
  const renderField = (name: keyof HostEntry, label: string, help?: string) => (
    <TextField
      label={label}
      value={entry[name]}
      onChange={(value) => setEntry((before) => ({ ...before, [name]: value }))}
      onEnter={save}
      error={isTried ? (problems?.[name] ?? null) : null}
      {...(help === undefined ? {} : { help })}
    />
  );
  return (
    <Card title={before === null ? formWords.title : formWords.editTitle(before.name)}>
      <Stack gap={16}>
        {[add, remove].map(({ error }) => error && <ProblemBanner key={error.code} problem={error} />)}
        <div className={styles.fields}>
          {renderField('address', formWords.address, formWords.addressHelp)}
          {renderField('name', formWords.name, formWords.nameHelp)}
        </div>
        <Disclosure
          title={formWords.more}
          summary={formWords.moreHelp}
          isOpenAtFirst={before !== null}
          isHeldOpen={isTried && FOLDED_FIELDS.some((name) => problems?.[name])}
        >
          <div className={styles.fields}>
            {renderField('user', formWords.user)}
            {renderField('port', formWords.port)}
            {renderField('keyPath', formWords.keyPath, formWords.keyHelp)}
            {renderField('jump', formWords.jump, formWords.jumpHelp)}
          </div>
        </Disclosure>
        <Inline>
          <Button look="primary" isPending={add.isPending || remove.isPending} onPress={save}>
            {before === null ? formWords.save : formWords.saveChanges}
          </Button>
          <Button onPress={onDone}>{words.common.cancel}</Button>
        </Inline>
      </Stack>
    </Card>
  );
}
