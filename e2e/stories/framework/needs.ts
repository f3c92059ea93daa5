import { spawnSync } from 'node:child_process';
import type { Missing } from '#core/base/lab/listing.ts';
import { hasSshServer } from '#backend/remote/testing/sshServer.ts';
import { findProgram } from '#lab/programs/find.ts';
import { missingNginx } from '#lab/programs/nginx.ts';
import { missingPostgresql } from '#lab/programs/postgresql.ts';
import { missingPython } from '#lab/programs/python.ts';

/** What a story may require from the machine. */
export const NEEDS = ['nginx', 'python', 'postgresql', 'ab', 'namespace', 'sshd'] as const;
export type Need = (typeof NEEDS)[number];

type Lack = Pick<Missing, 'what' | 'install'>;

const probes: Readonly<Record<Need, () => Promise<readonly Lack[]>>> = {
  nginx: () => missingNginx(process.env),
  python: () => missingPython(process.env),
  postgresql: () => missingPostgresql(process.env, ''),
  async ab() {
    const install = process.platform === 'linux' ? 'sudo apt-get install --yes apache2-utils' : 'brew install httpd';
    return (await findProgram('ab', process.env)) === null ? [{ what: 'ab (ApacheBench)', install }] : [];
  },
  /** Requirement of stories with hosts: OpenSSH servers with networks and accounts of their own, for which root rights are needed. */
  async sshd() {
    const isThere = hasSshServer && (await findProgram('ip', process.env)) !== null && (await findProgram('tc', process.env)) !== null;
    const install = 'sudo apt-get install --yes openssh-server iproute2 util-linux, and run it as root on Linux';
    return isThere ? [] : [{ what: 'an OpenSSH server, and the rights of root', install }];
  },
  namespace() {
    const { status } = spawnSync('unshare', ['--user', '--map-root-user', '--net', 'ip', 'link', 'set', 'lo', 'up'], { stdio: 'ignore' });
    if (status === 0) return Promise.resolve([]);
    const install =
      'sudo apt-get install --yes util-linux iproute2, and where AppArmor forbids it: sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0';
    return Promise.resolve([{ what: 'a private network namespace (Linux: unshare, ip)', install }]);
  },
};

const cachedLacks = new Map<Need, Promise<readonly Lack[]>>();

/** Returns what this machine lacks, with install commands. Each requirement is checked only once. */
export async function findLacks(needs: readonly Need[]): Promise<readonly Lack[]> {
  const lists = needs.map((need) => {
    const found = cachedLacks.get(need) ?? probes[need]();
    cachedLacks.set(need, found);
    return found;
  });
  return (await Promise.all(lists)).flat();
}
