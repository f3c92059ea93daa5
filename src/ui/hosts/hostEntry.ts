import { hostSchema, type Host } from '#core/plan/schema/hosts.ts';

/** What has been typed of a host. Left empty: as the OpenSSH configuration says. */
export interface HostEntry {
  readonly name: string;
  readonly address: string;
  readonly user: string;
  readonly port: string;
  readonly keyPath: string;
  readonly jump: string;
}

export const EMPTY_HOST: HostEntry = { name: '', address: '', user: '', port: '', keyPath: '', jump: '' };

/** The host that was meant, or what is wrong with each field. */
export type ReadHost =
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
