import { useState } from 'react';
import { type Host, hostSchema } from '#core/plan/schema/hosts.ts';
import { useAction } from '../app/backend.ts';
import { Button } from '../components/Button.tsx';
import { Card } from '../components/Card.tsx';
import { Disclosure } from '../components/Disclosure.tsx';
import { Inline, Stack } from '../components/Page.tsx';
import { ProblemBanner } from '../components/ProblemBanner.tsx';
import { TextField } from '../components/Field.tsx';
import { words } from '../words/words.ts';
import styles from './Hosts.module.css';

/** What has been typed of a host. Left empty: as the OpenSSH configuration says. */
interface HostEntry {
  readonly name: string;
  readonly address: string;
  readonly user: string;
  readonly port: string;
  readonly keyPath: string;
  readonly jump: string;
}

export const EMPTY_HOST: HostEntry = { name: '', address: '', user: '', port: '', keyPath: '', jump: '' };

/** The host that was meant, or what is wrong with each field. */
type ReadHost =
  | { readonly host: Host; readonly problems: null }
  | { readonly host: null; readonly problems: Readonly<Partial<Record<keyof HostEntry, string>>> };

export function readHost(entry: HostEntry): ReadHost {
  const [name, address, user, port, keyPath, jump] = [entry.name, entry.address, entry.user, entry.port, entry.keyPath, entry.jump].map(
    (text) => text.trim(),
  );
  const parsed = hostSchema.safeParse({
    name,
    address: address === '' ? name : address,
    user: user === '' ? null : user,
    port: port === '' ? null : Number(port),
    keyPath: keyPath === '' ? null : keyPath,
    jump: jump === '' ? null : jump,
  });
  if (parsed.success) return { host: parsed.data, problems: null };
  const problems: Partial<Record<keyof HostEntry, string>> = {};
  for (const { path, message } of parsed.error.issues) {
    const field = hostSchema.keyof().safeParse(path[0]);
    if (field.success) problems[field.data] ??= message;
  }
  return { host: null, problems };
}

/** Asks for a host. What is wrong is said when it is to be added, and then with each keystroke. */
export function HostForm({ onDone }: { readonly onDone: () => void }) {
  const [entry, setEntry] = useState<HostEntry>(EMPTY_HOST);
  const [isTried, setTried] = useState(false);
  const add = useAction('hosts.add', ['hosts.list']);
  const say = words.hosts.form;
  const { host, problems } = readHost(entry);
  const save = (): void => {
    setTried(true);
    if (host !== null) add.mutate({ host }, { onSuccess: onDone });
  };
  const field = (name: keyof HostEntry, label: string, help?: string) => (
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
    <Card title={say.title}>
      <Stack gap={16}>
        {add.error ? <ProblemBanner problem={add.error} /> : null}
        <div className={styles.fields}>
          {field('name', say.name, say.nameHelp)}
          {field('address', say.address, say.addressHelp)}
        </div>
        <Disclosure title={say.more} summary={say.moreHelp}>
          <div className={styles.fields}>
            {field('user', say.user)}
            {field('port', say.port)}
            {field('keyPath', say.keyPath, say.keyHelp)}
            {field('jump', say.jump, say.jumpHelp)}
          </div>
        </Disclosure>
        <Inline>
          <Button look="primary" isPending={add.isPending} onPress={save}>
            {say.save}
          </Button>
          <Button onPress={onDone}>{words.common.cancel}</Button>
        </Inline>
      </Stack>
    </Card>
  );
}
