import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Programs of the machine that some tests work with, by the Debian package that has them. */
const needed: Readonly<Record<string, string>> = { curl: 'curl', nginx: 'nginx', openssl: 'openssl', pdfinfo: 'poppler-utils' };

/** Programs that some practice servers need, or that hosts are tried with: without them their tests are not run, which is counted and named. */
const wanted: Readonly<Record<string, string>> = {
  python3: 'python3 python3-venv',
  psql: 'postgresql',
  sshd: 'openssh-server',
  sudo: 'sudo',
  haproxy: 'haproxy',
  'redis-server': 'redis-server',
  varnishd: 'varnish',
};

/** Parts that cannot be tried here; null when all can. */
export function whatIsNotTried(environment: NodeJS.ProcessEnv = process.env): string | null {
  const lacking = programsNotIn(environment, wanted);
  if (lacking.length === 0) return null;
  const packages = lacking.map((program) => wanted[program]).join(' ');
  return `Practice servers and hosts that need ${lacking.join(' and ')} are not tried. On Debian and Ubuntu: sudo apt-get install --yes ${packages}`;
}

/** Programs that are not there, and the command that installs them; null when nothing is missing. */
export function whatIsLacking(environment: NodeJS.ProcessEnv = process.env): string | null {
  const lacking = programsNotIn(environment, needed);
  if (lacking.length === 0) return null;
  const packages = lacking.map((program) => needed[program]).join(' ');
  return `This machine lacks ${lacking.join(' and ')}, and the tests that need it will fail. On Debian and Ubuntu: sudo apt-get install --yes ${packages}`;
}

function programsNotIn(environment: NodeJS.ProcessEnv, programs: Readonly<Record<string, string>>): string[] {
  const folders = (environment['PATH'] ?? '').split(delimiter).filter(Boolean);
  return Object.keys(programs).filter((program) => !folders.some((folder) => existsSync(join(folder, program))));
}
