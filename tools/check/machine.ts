import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Programs of the machine that some tests work with, by the Debian package that has them. */
const needed: Readonly<Record<string, string>> = { nginx: 'nginx', openssl: 'openssl' };

/** Programs that are not there, and the command that installs them; null when nothing is missing. */
export function whatIsLacking(environment: NodeJS.ProcessEnv = process.env): string | null {
  const folders = (environment['PATH'] ?? '').split(delimiter).filter(Boolean);
  const lacking = Object.keys(needed).filter((program) => !folders.some((folder) => existsSync(join(folder, program))));
  if (lacking.length === 0) return null;
  const packages = lacking.map((program) => needed[program]).join(' ');
  return `This machine lacks ${lacking.join(' and ')}, and the tests that need it will fail. On Debian and Ubuntu: sudo apt-get install --yes ${packages}`;
}
